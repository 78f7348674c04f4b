"""Companion or Successor by who the last narrator is; the words of the report and the state of the chain are left alone."""

import pytest

from kg.authority.model import Person
from kg.extract.record import Isnad, NarratorMention, Record, Term
from kg.identify.attribution import attributed
from kg.text import Passage

KNOWN = {
    "person/anas": Person("person/anas", "أنس", companion=True),
    "person/ata": Person("person/ata", "عطاء", tabaqa=3),
    "person/malik": Person("person/malik", "مالك", tabaqa=7),
    "person/nobody": Person("person/nobody", "فلان"),
}
SAYS = Term(0, 1, "قال")


@pytest.mark.parametrize(
    ("isnad", "person", "level", "basis"),
    [
        (Isnad((0,), attributed_to="prophet", reaches_term=SAYS), "person/ata", "prophet", "words"),
        (Isnad((0,), reaches_term=SAYS), "person/anas", "companion", "person"),
        (Isnad((0,)), "person/anas", "companion", "person"),
        (Isnad((0,), reaches_term=SAYS), "person/ata", "successor", "person"),
        (Isnad((0,)), "person/ata", None, None),  # the chain breaks off: عن عطاء، وقال
        (Isnad((0,), reaches_term=SAYS, points_back="بهذا الإسناد"), "person/ata", None, None),
        (Isnad((0,), attributed_to="companion", reaches_term=SAYS), "person/ata", "successor", "person"),  # أم الدرداء الصغرى
        (Isnad((0,), attributed_to="companion"), "person/malik", None, None),
        (Isnad((0,), attributed_to="companion"), "person/nobody", "companion", "name"),
        (Isnad((0,), attributed_to="successor", continuity="mursal"), None, "successor", "name"),
        (Isnad((0,), reaches_term=SAYS), None, None, None),
    ],
)
def test_by_who_the_last_narrator_is(isnad: Isnad, person: str | None, level: str | None, basis: str | None) -> None:
    record = Record(Passage("a:1", "ا"), (NarratorMention(0, 1, "ا"),), (isnad,))
    found = attributed(record, {0: person} if person else {}, KNOWN).isnads[0]
    assert (found.attributed_to, found.attribution_basis) == (level, basis)
    assert (found.continuity, found.path) == (isnad.continuity, isnad.path)
