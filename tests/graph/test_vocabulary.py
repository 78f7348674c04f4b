"""Every spelling of an IRI is the same thing; every IRI is ASCII."""

import unicodedata
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph.vocabulary import IriError, Vocabulary, segment
from kg.text import Passage

WORDS = Vocabulary("https://silsila.example/graph")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_a_user_id_makes_an_ascii_iri_that_leads_back(number: str) -> None:
    key = WORDS.passage(Passage(f"texts:{number}", "…"))
    assert key.isascii() and key.count("/") == 2
    assert WORDS.key(WORDS.iri(key)) == key


@given(st.text(alphabet="ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأإؤئ َُِّْ٠١٢", min_size=1, max_size=8))
def test_spellings_of_one_iri_are_one_key(number: str) -> None:
    key = WORDS.passage(Passage(f"texts:{number}", "…"))
    iri = WORDS.iri(key)
    decoded = unquote(iri)
    for spelling in (
        iri.lower(),
        decoded,
        unicodedata.normalize("NFD", decoded),
    ):
        if "/" not in number:
            assert WORDS.key(spelling) == key


@pytest.mark.parametrize("number", [".", "..", "a/b", "a%2Fb", "a b", "؟?#", "%"])
def test_awkward_ids_stay_one_segment(number: str) -> None:
    key = f"passage/x/{segment(number)}"
    assert key.count("/") == 2 and not {"?", "#", " "} & set(key)
    assert WORDS.key(WORDS.iri(key)) == key


@pytest.mark.parametrize(
    "iri",
    [
        "https://elsewhere.example/person/x",
        "https://silsila.example/graph/nobody/x",
        "https://silsila.example/graph/person",
        "https://silsila.example/graph/person/%FF",
    ],
)
def test_what_is_not_ours_is_refused(iri: str) -> None:
    assert WORDS.key(iri) is None
    with pytest.raises(IriError, match="person/abu-bakr"):
        WORDS.key(iri, strict=True)


@pytest.mark.parametrize("base", ["", "silsila.example/", "ftp://x/", "https://x/?q=", "https://x/#", "https://a b/"])
def test_a_base_that_cannot_be_one_is_refused(base: str) -> None:
    with pytest.raises(IriError, match="absolute"):
        Vocabulary(base)
