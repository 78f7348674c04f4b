"""The graph of Sahih al-Bukhari 3661, read by hand, beside the Turtle that it must be."""

from pathlib import Path

from rdflib import Graph
from rdflib.compare import graph_diff, isomorphic

from kg.graph.mapping import record_to_turtle

CASE = Path(__file__).with_name("cases") / "bukhari-3661.ttl"


def test_bukhari_3661(seed) -> None:
    made = Graph().parse(data=record_to_turtle(seed.record(), seed.BASE, seed.authority()), format="turtle")
    wanted = Graph().parse(CASE, format="turtle")
    if not isomorphic(made, wanted):
        _, missing, further = graph_diff(wanted, made)
        raise AssertionError(f"missing:\n{missing.serialize(format='nt')}\nnot asked for:\n{further.serialize(format='nt')}")
