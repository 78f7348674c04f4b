"""Ids with line breaks have an address; text with control characters is still well-formed RDF/XML."""

import xml.sax

from flask import Flask
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse

from kg.web.formats import write_rdf


def test_an_id_with_a_line_break_is_routed_as_any_other(app: Flask) -> None:
    addresses = app.url_map.bind("localhost")
    for path in ("/passage/x/new\nline", "/passage/x/7"):
        assert addresses.match(path)[0] == "resources.resource"


def test_what_xml_cannot_hold_is_replaced(app: Flask) -> None:
    thing, label = NamedNode("http://example.org/a"), NamedNode("http://example.org/label")
    data = write_rdf([Triple(thing, label, Literal("قال\x00\x07\x1f<b>\ufffe\uffff\tأنس", language="ar"))], RdfFormat.RDF_XML)
    xml.sax.parseString(data, xml.sax.ContentHandler())
    (quad,) = parse(data, format=RdfFormat.RDF_XML)
    assert isinstance(quad.object, Literal)
    assert quad.object.value == "قال???<b>\ufffd\ufffd\tأنس"
