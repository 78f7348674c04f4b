"""Corrections by scholars: read from CSV and Turtle, winning over the machine, surviving rebuilds."""

from pathlib import Path

import pytest

from kg.authority import load
from kg.identify.corrections import CorrectionError, Corrections
from kg.identify.narrators import identify
from kg.identify.registry import Registry, RegistryError, opaque_id

HEADER = "kind,subject,object,by,why\n"
CHAIN = "حدثنا مسدد حدثنا يحيى عن سفيان عن منصور عن إبراهيم عن علقمة عن عبد الله قال قال رسول الله صلى الله عليه وسلم كذا"


def _csv(folder: Path, rows: str) -> Corrections:
    path = folder / "corrections.csv"
    path.write_text(HEADER + rows, encoding="utf-8")
    return Corrections.load(path)


def _mention(record, place: int) -> str:
    narrator = record.narrators[place]
    return f"mention/book/1/{narrator.start}-{narrator.end}"


def test_a_scholar_wins_and_is_named(tmp_path: Path, read) -> None:
    records = read(CHAIN)
    machine = identify(records, load()).claims("book:1")[2][0].person
    other = "person/sufyan-b-uyayna" if machine != "person/sufyan-b-uyayna" else "person/sufyan-al-thawri"
    corrections = _csv(tmp_path, f"is,{_mention(records[0], 2)},{other},A. Scholar,parallel in the Musnad\n")
    claims = identify(records, load(), corrections=corrections).claims("book:1")[2]
    assert claims[0].person == other and claims[0].winner and claims[0].status == "reviewed" and claims[0].confidence == 1.0
    assert claims[0].by == "A. Scholar" and claims[0].why == "parallel in the Musnad (A. Scholar)"
    assert any(claim.person == machine and claim.status == "machine" and not claim.winner for claim in claims)
    applied = identify(records, load(), corrections=corrections).apply(records[0]).narrators[2]
    assert applied.person == other and applied.claimed_by == "A. Scholar"


def test_what_is_rejected_stands_as_rejected(tmp_path: Path, read) -> None:
    records = read(CHAIN)
    machine = identify(records, load()).claims("book:1")[1][0].person
    corrections = _csv(tmp_path, f"is-not,{_mention(records[0], 1)},{machine},A. Scholar,\n")
    claims = identify(records, load(), corrections=corrections).claims("book:1")[1]
    rejected = [claim for claim in claims if claim.status == "rejected"]
    assert [claim.person for claim in rejected] == [machine] and not rejected[0].winner
    assert identify(records, load(), corrections=corrections).apply(records[0]).narrators[1].person != machine


def test_what_is_no_name_has_nobody(tmp_path: Path, read) -> None:
    records = read(CHAIN)
    corrections = _csv(tmp_path, f"no-name,{_mention(records[0], 3)},,A. Scholar,a verb\n")
    claims = identify(records, load(), corrections=corrections).claims("book:1")[3]
    assert all(claim.status == "rejected" and not claim.winner for claim in claims)


def test_two_that_are_one_leave_a_redirect(tmp_path: Path, read) -> None:
    chain = "حدثنا طريف بن هداج حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم كذا"
    records = read(chain)
    registry = Registry()
    cluster = identify(records, load(), registry=registry).claims("book:1")[0][0].person
    corrections = _csv(tmp_path, f"same,{cluster},person/abu-kurayb,A. Scholar,known as Tarif\n")
    decided = identify(records, load(), registry=registry, corrections=corrections)
    assert decided.claims("book:1")[0][0].person == "person/abu-kurayb"
    assert decided.retired[cluster] == "person/abu-kurayb" and cluster not in decided.clusters
    assert registry.redirects()[cluster] == "person/abu-kurayb"
    again = identify(records, load(), registry=registry)  # the row is withdrawn
    assert again.claims("book:1")[0][0].person == cluster and cluster in again.clusters and cluster not in again.retired


def test_the_same_in_turtle(tmp_path: Path) -> None:
    path = tmp_path / "corrections.ttl"
    path.write_text(
        """@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix sls: <https://w3id.org/silsila/ontology#> . @prefix dcterms: <http://purl.org/dc/terms/> .
        <#1> a rdf:Statement ; rdf:subject <https://example.org/mention/bukhari/3661/11-32> ; rdf:predicate sls:refersTo ;
          rdf:object <https://example.org/person/hisham-b-ammar> ; dcterms:creator "A. Scholar" ; rdfs:comment "so al-Mizzi" .""",
        encoding="utf-8",
    )
    correction = Corrections.load(path).mentions["mention/bukhari/3661/11-32"]
    assert (correction.kind, correction.other, correction.said) == ("is", "person/hisham-b-ammar", "so al-Mizzi (A. Scholar)")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("perhaps,mention/a/1/0-2,person/x,me,\n", "'perhaps' is no kind of correction"),
        ("is,bukhari:3661,person/x,me,\n", "'bukhari:3661' is no mention"),
        ("is,mention/a/1/0-2,x,me,\n", "'x' is no person"),
        ("is,mention/a/1/0-2,person/x,,\n", "nobody stands behind"),
        ("is,mention/a/1/0-2,person/x,me,\nis,mention/a/1/0-2,person/y,me,\n", "corrected otherwise before"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, rows: str, said: str) -> None:
    with pytest.raises(CorrectionError, match=r"corrections.csv:\d: .*" + said):
        _csv(tmp_path, rows)


def test_a_missing_file_or_column_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorrectionError, match="no such file"):
        Corrections.load(tmp_path / "none.csv")
    path = tmp_path / "bad.csv"
    path.write_text("kind,subject\n", encoding="utf-8")
    with pytest.raises(CorrectionError, match="lacks the column 'object'"):
        Corrections.load(path)


def test_ids_do_not_change_when_a_source_comes_before(tmp_path: Path, read) -> None:
    chain = "حدثنا طريف بن هداج حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم كذا"
    registry = Registry()
    later = read(chain, source="second")
    key = identify(later, load(), registry=registry).claims("second:1")[0][0].person
    registry.save(tmp_path)
    both = [*read(chain, source="first"), *later]
    again = identify(both, load(), registry=Registry.load(tmp_path))
    assert again.claims("first:1")[0][0].person == again.claims("second:1")[0][0].person == key


def test_a_broken_registry_is_told(tmp_path: Path) -> None:
    (tmp_path / "persons.json").write_text("{", encoding="utf-8")
    with pytest.raises(RegistryError, match="restore it from a backup"):
        Registry.load(tmp_path)


def test_a_key_retired_for_nothing_is_gone() -> None:
    registry = Registry()
    key = registry.key_for(["a:1/0-3"])
    assert key == opaque_id("a:1/0-3")
    registry.retire(key, None)
    assert registry.current(key) is None


STRANGER = "حدثنا طريف بن هداج حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم كذا"


def test_a_person_nobody_knows_is_refused_with_file_and_line(tmp_path: Path, read) -> None:
    records = read(CHAIN, STRANGER)
    for row in (f"is,{_mention(records[0], 1)},person/nobody-at-all,me,", "same,person/c-aaaaaaaaaa,person/abu-kurayb,me,"):
        with pytest.raises(CorrectionError, match=r"corrections.csv:3: nobody is person/.*: copy the address") as error:
            identify(
                records,
                load(),
                corrections=_csv(
                    tmp_path, f"is,{_mention(records[0], 1)},person/waki-b-al-jarrah,me,\n{row}\n".replace("is,", "is-not,", 1)
                ),
            )
        assert error.value.line == 3


def test_rows_that_lead_in_a_circle_are_refused(tmp_path: Path) -> None:
    rows = "same,person/a,person/b,me,\nsame,person/b,person/c,me,\nsame,person/c,person/a,me,\n"
    with pytest.raises(CorrectionError, match=r"csv:4: 'same' leads in a circle \(person/c → person/a → person/b → person/c\)"):
        _csv(tmp_path, rows)


def test_ids_that_lead_in_a_circle_are_told(tmp_path: Path) -> None:
    Registry(retired={"person/c-a": "person/c-b", "person/c-b": "person/c-a"}).save(tmp_path)
    with pytest.raises(RegistryError, match="in a circle"):
        Registry.load(tmp_path)


def test_two_clusters_that_a_scholar_calls_two_stay_two(tmp_path: Path, read) -> None:
    early, late = read(STRANGER, source="first"), read(STRANGER.replace("مالك", "الليث"), source="second")
    registry = Registry()
    one = identify(early, load(), registry=registry).claims("first:1")[0][0].person
    other = identify(late, load(), registry=registry).claims("second:1")[0][0].person
    assert one != other  # each was met alone
    together = Registry(dict(registry.ids))
    merged = identify([*early, *late], load(), registry=together)
    assert merged.claims("first:1")[0][0].person == merged.claims("second:1")[0][0].person
    corrections = _csv(tmp_path, f"different,{one},{other},A. Scholar,two men\n")
    for known in (registry, together):  # before the machine merged them, and after
        parted = identify([*early, *late], load(), registry=known, corrections=corrections)
        assert (parted.claims("first:1")[0][0].person, parted.claims("second:1")[0][0].person) == (one, other)
        assert {one, other} <= set(parted.clusters) and not {one, other} & set(parted.retired)


def test_a_cluster_that_a_scholar_keeps_from_a_known_person_stays_a_cluster(tmp_path: Path, read) -> None:
    records = read(CHAIN)
    mention = _mention(records[0], 1).removeprefix("mention/book/1/")
    machine = identify(records, load()).claims("book:1")[1][0].person
    registry = Registry({f"book:1/{mention}": "person/c-aaaaaaaaaa"})
    corrections = _csv(tmp_path, f"different,person/c-aaaaaaaaaa,{machine},A. Scholar,another Yahya\n")
    claims = identify(records, load(), registry=registry, corrections=corrections).claims("book:1")[1]
    assert claims[0].person == "person/c-aaaaaaaaaa"
    without = identify(records, load(), registry=Registry({f"book:1/{mention}": "person/c-aaaaaaaaaa"}))
    assert without.claims("book:1")[1][0].person == machine and without.retired["person/c-aaaaaaaaaa"] == machine


def test_an_id_that_nobody_bears_any_more_is_gone(read) -> None:
    registry = Registry({"elsewhere:7/0-5": "person/c-aaaaaaaaaa", "parallel:a:1": "parallel/0123456789ab"})
    decided = identify(read(CHAIN), load(), registry=registry)
    assert decided.retired == {"person/c-aaaaaaaaaa": None}  # ids of other things in the registry are left alone
    assert registry.key_for(["elsewhere:7/0-5"]) == "person/c-aaaaaaaaaa" and "person/c-aaaaaaaaaa" not in registry.redirects()
