"""Parallel chains of a report as evidence: found by words alone, counted in the reason, never for a chain itself."""

from kg.authority import load
from kg.identify.claims import Identification
from kg.identify.narrators import identify
from kg.identify.parallels import prepare

MATN = (
    "أن رسول الله صلى الله عليه وسلم أمرنا أن نغسل ابنته ثلاثا أو خمسا واجعلن في الآخرة كافورا وابدأن بميامنها ومواضع الوضوء منها"
)
FULL = tuple(
    f"حدثنا {teacher} حدثنا حماد بن سلمة عن أيوب عن حفصة بنت سيرين عن أم عطية {MATN}"
    for teacher in ("مسدد", "قتيبة بن سعيد", "محمد بن بشار")
)
BARE = f"حدثنا عبد الله بن محمد حدثنا حماد عن أيوب عن حفصة عن أم عطية {MATN}"
OTHER = "حدثنا عبد الله بن محمد حدثنا حماد عن أيوب عن حفصة عن أم عطية قالت خرجنا إلى المصلى يوم العيد والحيض يعتزلن المسلمين"
PERSON, PLACE = "person/hammad-b-salama", 1


def _share(decided: Identification, passage: str) -> float:
    return sum(claim.confidence for claim in decided.claims(passage)[PLACE] if claim.person == PERSON)


def test_who_stands_in_parallel_chains_is_likelier_and_counted(read) -> None:
    records = read(*FULL, BARE, OTHER)
    alike = prepare(records).alike
    assert alike["book:4"] == ("book:1", "book:2", "book:3") and "book:5" not in alike
    alone = identify(records, load())
    beside = identify(records, load(), parallels=lambda: alike)
    assert _share(beside, "book:4") > 2 * _share(alone, "book:4") > 0
    assert "3 parallel chains" in str(next(claim.why for claim in beside.claims("book:4")[PLACE] if claim.person == PERSON))
    assert not any("parallel" in str(claim.why) for made in alone.claims("book:4").values() for claim in made)
    assert not any("parallel" in str(claim.why) for made in beside.claims("book:5").values() for claim in made)


def test_passages_of_one_chain_part_where_their_parallels_differ(read) -> None:
    records = read(*FULL, BARE, OTHER)
    alike = prepare(records).alike
    alone = identify(records, load())
    beside = identify(records, load(), parallels=lambda: alike)
    assert _share(beside, "book:5") == _share(alone, "book:5") < _share(beside, "book:4")
    assert set(beside.claims("book:4")) == set(beside.claims("book:5")) == set(range(5))


def test_parallels_of_passages_that_are_not_there_are_passed_over(read) -> None:
    records = read(BARE)
    decided = identify(records, load(), parallels=lambda: {"book:1": ("elsewhere:1",), "elsewhere:1": ("book:1",)})
    assert decided.claims("book:1") == identify(records, load()).claims("book:1")
