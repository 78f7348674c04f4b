"""Corrections as a scholar makes them: a table saved by a spreadsheet, with rows of every kind, kept through rebuilds."""

from pathlib import Path

import pytest

from kg.authority import load
from kg.identify.corrections import CorrectionError, Corrections
from kg.identify.narrators import identify
from kg.identify.registry import Registry

CHAIN = (
    "حدثنا طريف بن هداج حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم كذا",
    "حدثنا دغفل بن هداج حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم كذا",
)
HEADER = ("kind", "subject", "object", "by", "why")


@pytest.mark.parametrize(
    ("delimiter", "encoding", "first"),
    [(",", "utf-8", ""), (";", "utf-8-sig", ""), (";", "utf-8-sig", "sep=;\r\n"), ("\t", "utf-16", "")],
)
def test_tables_of_spreadsheets_are_read_and_last(tmp_path: Path, read, delimiter: str, encoding: str, first: str) -> None:
    records, authority = read(*CHAIN), load()
    machine = identify(records, authority, registry=(registry := Registry()))
    tarif, daghfal = (machine.claims(f"book:{n}")[0][0].person for n in (1, 2))
    assert tarif != daghfal

    def mention(n: int, place: int) -> str:
        narrator = records[n - 1].narrators[place]
        return f"mention/book/{n}/{narrator.start}-{narrator.end}"

    rows = [
        ("Kind", *HEADER[1:]),
        ("is", f"https://example.org/{mention(1, 1)}", "https://example.org/person/musaddad.html", "باحث", "كذا قال المزي; انظر"),
        ("is-not", mention(2, 2), "person/malik-b-anas", "A. Scholar", ""),
        ("no-name", mention(2, 3), "", "A. Scholar", "a verb"),
        ("same", tarif, daghfal, "A. Scholar", 'called "Daghfal"'),
        ("different", "person/musaddad", "person/abu-kurayb", "A. Scholar", ""),
        ("", "", "", "", ""),
    ]
    path = tmp_path / "corrections.csv"
    lines = [delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    path.write_bytes((first + "\r\n".join(lines) + "\r\n").encode(encoding))
    for _ in range(2):  # a build, and one after it
        decided = identify(records, authority, registry=registry, corrections=Corrections.load(path))
        assert decided.claims("book:1")[1][0][:3] == ("person/musaddad", 1.0, "reviewed")
        assert decided.claims("book:1")[1][0].why == "كذا قال المزي; انظر (باحث)"
        assert {c.person: c.status for c in decided.claims("book:2")[2]}["person/malik-b-anas"] == "rejected"
        assert all(claim.status == "rejected" for claim in decided.claims("book:2")[3])
        assert decided.claims("book:1")[0][0].person == daghfal and decided.retired[tarif] == daghfal
        registry.save(tmp_path)
        registry = Registry.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "kind;subject;object;by;why\nis;mention/book/1/0-4;person/nobody;me;\n",
            r"corrections.csv:2: nobody is person/nobody: copy",
        ),
        (
            "sep=;\nkind;subject;object;by;why\nsame;person/nobody;person/abu-bakr;me;\n",
            r"corrections.csv:3: nobody is person/nobody",
        ),
        (
            "kind,subject,object,by,why\ndifferent,person/abu-bakr,person/nobody,me,\n",
            r"corrections.csv:2: nobody is person/nobody",
        ),
        (
            "kind,subject,object,by,why\nsame,person/c-zzzzzzzzzz,person/abu-bakr,me,\n",
            r"corrections.csv:2: nobody is person/c-zzz",
        ),
        (
            "kind,subject,object,by,why\nis,mention/a/1/0-2,person/abu-bakr,me,so al-Mizzi, and others\n",
            r"csv:2: the row has more cells",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_with_its_line(tmp_path: Path, read, text: str, said: str) -> None:
    path = tmp_path / "corrections.csv"
    path.write_text(text, encoding="utf-8-sig")
    with pytest.raises(CorrectionError, match=said) as error:
        identify(read(CHAIN[0]), load(), corrections=Corrections.load(path))
    assert "\n" not in str(error.value)


def test_a_table_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "corrections.csv"
    path.write_bytes("kind,subject,object,by,why\nis,mention/a/1/0-2,person/abu-bakr,باحث,\n".encode("cp1256"))
    with pytest.raises(CorrectionError, match="save it as “CSV UTF-8”"):
        Corrections.load(path)
