"""Where a SPARQL server answers queries, takes updates and keeps its graph store: told by its address and its Server header."""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from kg.store.errors import StoreError
from kg.store.http import Client

__all__ = ["Endpoints", "find_endpoints"]


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The addresses of one server. ``graph_store`` is empty where it has no graph store protocol that we know of."""

    name: str
    query: str
    update: str
    graph_store: str = ""


class _Kind(NamedTuple):
    """A kind of server: what its header or address looks like, what is taken off an address to find its root, the paths below
    the root; two of them again where an account is needed."""

    name: str
    header: str
    address: str
    tail: str
    query: str
    update: str
    graph_store: str
    update_with_account: str = ""
    graph_store_with_account: str = ""


# Source: the manuals of the servers; the first two were tried (tests/store/test_other_stores.py).
_KINDS = (
    _Kind("Oxigraph", r"oxigraph\b", "", r"/(query|update|store)?/?$", "/query", "/update", "/store"),
    _Kind("Virtuoso", r"virtuoso\b", "", r"(/(sparql|sparql-auth|sparql-graph-crud|sparql-graph-crud-auth)?)?/?$",
          "/sparql", "/sparql", "/sparql-graph-crud", "/sparql-auth", "/sparql-graph-crud-auth"),
    _Kind("Fuseki", r"apache jena fuseki\b", "", r"(/(query|sparql|update|data|get))?/?$", "/query", "/update", "/data"),
    _Kind("RDF4J", "", r"/repositories/[^/]+", r"(/statements|/rdf-graphs/service)?/?$", "", "/statements", "/rdf-graphs/service"),
)  # fmt: skip


def find_endpoints(url: str, client: Client, *, update: str | None = None, graph_store: str | None = None) -> Endpoints:
    """The addresses of the server at ``url``: its root or any of its paths. ``update`` and ``graph_store`` go before what is found.

    A server of no known kind is taken to answer queries and updates at ``url`` itself.

    Raises:
        StoreError: the server cannot be reached.
    """
    answered = client.send("GET", f"{url}{'&' if urlsplit(url).query else '?'}query=ASK%7B%7D", headers={"Accept": "*/*"})
    if answered.status >= 500:
        raise StoreError(f"{url} answered {answered.status}: {answered.words}")
    found = _endpoints_of(url, answered.headers.get("server", ""), account=client.account is not None)
    return replace(found, **{name: given for name, given in (("update", update), ("graph_store", graph_store)) if given})


def _endpoints_of(url: str, header: str, *, account: bool) -> Endpoints:
    """The addresses below the root of a server of a known kind.

    >>> _endpoints_of("http://localhost:8890/sparql", "Virtuoso/07.20 (Linux)", account=True).graph_store
    'http://localhost:8890/sparql-graph-crud-auth'
    >>> _endpoints_of("http://localhost:7878", "", account=False)
    Endpoints(name='SPARQL', query='http://localhost:7878', update='http://localhost:7878', graph_store='')
    """
    for kind in _KINDS:
        if (kind.header and re.match(kind.header, header, re.IGNORECASE)) or (kind.address and re.search(kind.address, url)):
            root = re.sub(kind.tail, "", url, count=1)
            update = (account and kind.update_with_account) or kind.update
            graph_store = (account and kind.graph_store_with_account) or kind.graph_store
            return Endpoints(kind.name, root + kind.query, root + update, root + graph_store)
    return Endpoints("SPARQL", url, url)
