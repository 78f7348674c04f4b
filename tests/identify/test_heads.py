"""From whom an author himself received: what he tells in his own name, not what he hangs on another's."""

import pytest

from kg.authority import load
from kg.identify.heads import heard_by_author
from kg.identify.narrators import identify

SAID = " قال قال رسول الله صلى الله عليه وسلم إنما الأعمال بالنيات"


@pytest.mark.parametrize(
    ("source", "work", "author", "chain", "heard"),
    [
        ("bukhari", "work/sahih-al-bukhari", "al-bukhari", "حدثنا عبد الله بن يوسف أخبرنا مالك عن نافع عن ابن عمر", 1),
        ("bukhari", "work/sahih-al-bukhari", "al-bukhari", "وقال الليث حدثني يونس عن ابن شهاب عن سالم عن ابن عمر", 0),
        ("bukhari", "work/sahih-al-bukhari", "al-bukhari", "وعن الزهري عن سالم عن ابن عمر", 0),
        ("ahmad", "work/musnad-ahmad", "ahmad-b-hanbal", "حدثنا عبد الله حدثني أبي حدثنا وكيع عن سفيان", 0),
        ("ahmad", "work/musnad-ahmad", "ahmad-b-hanbal", "حدثنا وكيع عن سفيان عن منصور عن إبراهيم", 1),
    ],
)
def test_the_author_heard_only_whom_he_names_as_heard(read, source: str, work: str, author: str, chain: str, heard: int) -> None:
    records = read(chain + SAID, source=source, work=work)
    decided = identify(records, load()).apply(records[0])
    persons = {i: mention.person for i, mention in enumerate(decided.narrators) if mention.person}
    assert len(persons) >= 3
    assert len(list(heard_by_author(decided, persons, f"person/{author}"))) == heard


@pytest.mark.parametrize(
    ("chain", "place", "person"),
    [
        ("وقال الليث حدثني يونس عن ابن شهاب عن سالم عن ابن عمر", 0, "al-layth-b-sad"),
        ("وقال إبراهيم بن طهمان عن حسين المعلم عن ابن بريدة عن عمران بن حصين", 0, "taqrib-189"),
        ("حدثنا شعبة عن رجل عن عكرمة عن ابن عباس", 2, "ikrima-mawla-ibn-abbas"),
    ],
)
def test_whom_nobody_named_hears_is_known_by_his_name_and_by_whom_he_hears(read, chain: str, place: int, person: str) -> None:
    records = read(chain + SAID, source="bukhari", work="work/sahih-al-bukhari")
    claims = identify(records, load()).claims("bukhari:1")
    assert claims[place][0].person == f"person/{person}" and claims[place][0].winner
