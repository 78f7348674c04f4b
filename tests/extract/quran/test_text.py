"""The verses and suras, with the traps of both files, and the notices that go with them."""

from kg.extract.quran_text import NOTICES, load_suras, load_verses
from kg.text import fold


def test_the_verses_are_counted_as_in_kufa() -> None:
    verses, suras = load_verses(), load_suras()
    assert len(verses) == 6236 == sum(sura.verses for sura in suras)
    assert [sura.number for sura in suras] == list(range(1, 115))
    counted = {sura.number: sum(verse.sura == sura.number for verse in verses) for sura in suras}
    assert counted == {sura.number: sura.verses for sura in suras}


def test_the_basmala_is_a_verse_only_in_the_first_sura_and_in_27_30() -> None:
    with_it = [verse.ref for verse in load_verses() if "بسم الله الرحمن الرحيم" in " ".join(verse.plain)]
    assert with_it == ["1:1", "27:30"]


def test_no_pause_sign_is_a_word() -> None:
    assert all(any("ء" <= letter <= "ي" for letter in word) for verse in load_verses() for word in verse.plain)
    assert all(fold(word) == folded for verse in load_verses() for word, folded in zip(verse.plain, verse.words, strict=True))


def test_what_is_shown_keeps_its_pause_signs() -> None:
    verse = next(verse for verse in load_verses() if verse.ref == "2:2")
    assert "ۛ" in verse.text and "ۛ" not in "".join(verse.plain)


def test_the_notices_name_licence_and_link() -> None:
    tanzil, shown = NOTICES
    assert tanzil.licence == "CC BY 3.0" and "tanzil.net" in tanzil.text and "CHANGING IT IS NOT ALLOWED" in tanzil.text
    assert shown.licence == "CC BY 4.0" and "quran-text" in shown.text


def test_every_sura_has_names_and_a_source() -> None:
    for sura in load_suras():
        assert sura.name_ar and sura.name_en and sura.name_latn and sura.surfaces and sura.source
