"""No query makes the service ask another server or read a file, whatever it is dressed as: a listening sink counts."""

import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from kg.store import guard
from kg.store.errors import QueryError
from kg.store.workers import QueryPool

T = "<{target}>"
FORMS: dict[str, tuple[str, int]] = {
    # name: (query, status)
    "constant": ("SELECT * { SERVICE " + T + " { ?s ?p ?o } }", 403),
    "without WHERE or spaces": ("ASK{SERVICE" + T + "{?s ?p ?o}}", 403),
    "silent": ("SELECT * { SERVICE SILENT " + T + " { ?s ?p ?o } }", 403),
    "variable by BIND": ("SELECT * { BIND(" + T + " AS ?e) SERVICE ?e { ?s ?p ?o } }", 403),
    "variable by VALUES": ("SELECT * { VALUES ?e { " + T + " } SERVICE ?e { ?s ?p ?o } }", 403),
    "variable by data": ("SELECT * { ?e ?p ?o SERVICE SILENT ?o { ?s ?q ?r } }", 403),
    "variable by IRI()": ("SELECT * { BIND(IRI('{target}') AS ?e) SERVICE ?e { ?s ?p ?o } }", 403),
    "lower case": ("SELECT * { service " + T + " { ?s ?p ?o } }", 403),
    "mixed case": ("SELECT * { SeRvIcE " + T + " { ?s ?p ?o } }", 403),
    "comment between": ("SELECT * { SERVICE # comment\n " + T + " { ?s ?p ?o } }", 403),
    "after a comment that looks open": ("SELECT * { # '''\n SERVICE " + T + " { ?s ?p ?o } }", 403),
    "escaped": ("SELECT * { \\u0053ERVICE " + T + " { ?s ?p ?o } }", 403),
    "escaped long": ("SELECT * { \\U00000053ERVICE " + T + " { ?s ?p ?o } }", 403),
    "escaped throughout": ("SELECT * { \\u0053\\u0045\\u0052\\u0056\\u0049\\u0043\\u0045 " + T + " { ?s ?p ?o } }", 403),
    "quotation mark escaped": ("SELECT * { BIND(\\u0022x\\u0022 AS ?y) SERVICE " + T + " { ?s ?p ?o } }", 403),
    "subquery": ("SELECT * { { SELECT * { SERVICE " + T + " { ?s ?p ?o } } } }", 403),
    "OPTIONAL": ("SELECT * { OPTIONAL { SERVICE " + T + " { ?s ?p ?o } } }", 403),
    "UNION": ("SELECT * { {} UNION { SERVICE " + T + " { ?s ?p ?o } } }", 403),
    "MINUS": ("SELECT * { ?s ?p ?o MINUS { SERVICE " + T + " { ?s ?p ?o } } }", 403),
    "GRAPH": ("SELECT * { GRAPH ?g { SERVICE " + T + " { ?s ?p ?o } } }", 403),
    "EXISTS": ("SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE " + T + " { ?s ?p ?o } } }", 403),
    "EXISTS after less-than": ("SELECT * { ?s ?p ?o FILTER(?o<?s&&EXISTS{SERVICE" + T + "{?s ?p ?o}}) }", 403),
    "LATERAL": ("SELECT * { ?s ?p ?o LATERAL { SERVICE " + T + " { ?s ?p ?o } } }", 403),
    "CONSTRUCT": ("CONSTRUCT { ?s ?p ?o } WHERE { SERVICE " + T + " { ?s ?p ?o } }", 403),
    "DESCRIBE": ("DESCRIBE ?s { SERVICE " + T + " { ?s ?p ?o } }", 403),
    "between escaped names": (
        "PREFIX e: <urn:e:> SELECT * { ?s e:a\\' ?o . SERVICE " + T + " { ?s ?p ?o } ?x e:b\\' ?y }",
        403,
    ),
    "between strings": ("SELECT * { ?s ?p '\\'' . SERVICE " + T + ' { ?s ?p ?o } ?x ?y "\'" }', 403),
    "between long strings": ("SELECT * { ?s ?p '''a''b''' . SERVICE " + T + " { ?s ?p ?o } ?x ?y '''c''' }", 403),
    "after an IRI with a hash": ("SELECT * { ?s <urn:p#x> ?o . SERVICE " + T + " { ?s ?p ?o } }", 403),
    "after a prefix of that name": ("PREFIX service: <urn:e:> SELECT * { ?s service:p ?o SERVICE service:q { ?s ?p ?o } }", 403),
    "relative address": ("SELECT * { SERVICE <> { ?s ?p ?o } }", 403),
    "LOAD": ("LOAD " + T, 403),
    "LOAD SILENT": ("LOAD SILENT " + T + " INTO GRAPH <urn:g>", 403),
    "LOAD after a query": ("ASK {} ; LOAD " + T, 403),
    "FROM": ("SELECT * FROM " + T + " { ?s ?p ?o }", 200),
    "FROM NAMED": ("SELECT * FROM NAMED " + T + " { GRAPH ?g { ?s ?p ?o } }", 200),
    "GRAPH of an address": ("SELECT * { GRAPH " + T + " { ?s ?p ?o } }", 200),
    "DESCRIBE of an address": ("DESCRIBE " + T, 200),
}

ADDRESSES = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0.0.0.0:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://user:secret@127.0.0.1:{port}/",
    "http://example.org@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "gopher://127.0.0.1:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://[fe80::1]/",
    "file:///etc/passwd",
    "file:/etc/passwd",
    "data:text/turtle,<urn:a><urn:b><urn:c>.",
]


class Sink:
    """Listens on the loopback and counts who comes."""

    def __init__(self) -> None:
        self.visits: list[Any] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._listen)
        self.thread.start()

    def _listen(self) -> None:
        while True:
            visitor, address = self.listener.accept()
            visitor.close()
            if self.visits and self.visits[-1] is None:
                return
            self.visits.append(address)

    def close(self) -> None:
        self.visits.append(None)
        socket.create_connection(("127.0.0.1", self.port)).close()
        self.thread.join()
        self.listener.close()


@pytest.fixture
def sink() -> Iterator[Sink]:
    listening = Sink()
    yield listening
    assert not listening.visits, "a request went out"
    listening.close()


@pytest.mark.parametrize("form", FORMS)
def test_forms(service: Any, sink: Sink, form: str) -> None:
    template, status = FORMS[form]
    query = template.replace("{target}", f"http://127.0.0.1:{sink.port}/sparql")
    reply = service.query(query, method="POST")
    assert reply.status == status, reply
    assert service.query(query).status == status
    if status == 200:
        assert b"http://127.0.0.1" not in reply.body
    else:
        assert reply.json()["type"] in ("/limits#problem-refused", "/limits#problem-read-only")


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses(service: Any, sink: Sink, address: str) -> None:
    target = address.format(port=sink.port)
    for form in ("constant", "silent", "variable by VALUES", "LOAD"):
        assert service.query(FORMS[form][0].replace("{target}", target), method="POST").status in (400, 403)
    for form in ("FROM", "FROM NAMED"):
        reply = service.query(FORMS[form][0].replace("{target}", target), method="POST")
        assert (reply.status == 200 and not reply.json()["results"]["bindings"]) or reply.status == 400
    for field in ("default-graph-uri", "named-graph-uri"):
        reply = service.ask(
            "GET", "/sparql?" + urlencode({"query": "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }", field: target})
        )
        assert (reply.status == 200 and not reply.json()["results"]["bindings"]) or reply.status == 400


def test_the_list_is_long_enough() -> None:
    assert len(FORMS) + len(ADDRESSES) >= 25


def test_bodies_with_addresses_in_them(service: Any, sink: Sink) -> None:
    """JSON-LD with a remote context, XML with an external entity: not read at all."""
    target = f"http://127.0.0.1:{sink.port}/"
    for content_type, body in (
        ("application/ld+json", f'{{"@context": "{target}"}}'),
        ("application/xml", f'<!DOCTYPE x [<!ENTITY e SYSTEM "{target}">]><x>&e;</x>'),
        ("text/turtle", f"@prefix x: <{target}> ."),
        ("application/sparql-update", f"LOAD <{target}>"),
    ):
        assert service.ask("POST", "/sparql", body, {"Content-Type": content_type}).status in (403, 415)


def test_words_that_only_look_like_it_are_answered(service: Any) -> None:
    for query in (
        "SELECT ?service { ?service ?load ?o }",
        "SELECT ('SERVICE <http://x> {' AS ?x) {}",
        'SELECT ("""\nLOAD <http://x>\n""" AS ?x) {}',
        "ASK { ?s <urn:SERVICE> ?o } # SERVICE <http://x>",
        "PREFIX service: <urn:x:> ASK { ?s service:load ?o }",
        "PREFIX e: <urn:x:> ASK { ?s e:service ?o . ?s e:load 'LOAD'@en }",
        "ASK { _:service ?p ?o }",
        "ASK { FILTER(1 < 2 && 'a' > 'SERVICE') }",
    ):
        assert service.query(query).status == 200, query


def test_workers_have_no_network(service: Any, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the guard ever miss one: where the system allows it, the worker has nowhere to send to."""
    pool: QueryPool = service.pool
    if not pool.isolated:
        pytest.skip("this system does not let a process leave the network")
    monkeypatch.setattr(guard, "_refuse", lambda query, found: ["SELECT"])
    with pytest.raises(QueryError):
        pool.run(f"SELECT * {{ SERVICE <http://127.0.0.1:{sink.port}/> {{ ?s ?p ?o }} }}")
    assert pool.run(f"SELECT * {{ SERVICE SILENT <http://127.0.0.1:{sink.port}/> {{ ?s ?p ?o }} }}").body
