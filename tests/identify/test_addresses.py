"""A person of the tables who gets another address between two builds leaves a redirect."""

import dataclasses
from pathlib import Path

import pytest

from kg.authority import load
from kg.authority.model import Authority
from kg.build import builder
from kg.build.folder import DataFolder
from kg.identify.corrections import Corrections
from kg.identify.narrators import identify
from kg.identify.registry import Registry
from kg.sources import open_sources
from kg.web.app import create_app

CHAIN = "حدثنا مسدد حدثنا يحيى عن سفيان عن منصور عن إبراهيم عن علقمة عن عبد الله قال قال رسول الله صلى الله عليه وسلم كذا"
OLD, NEW = "person/taqrib-6598", "person/musaddad"


def _musaddad(key: str, authority: Authority) -> Authority:
    """The authority with Musaddad (Taqrib 6598) under another address."""
    persons = dict(authority.persons)
    own = next(person for person in persons.values() if person.taqrib_no == 6598)
    del persons[own.key]
    persons[key] = dataclasses.replace(own, key=key)
    return dataclasses.replace(authority, persons=persons)


def test_a_readable_address_leaves_a_redirect_that_lasts(tmp_path: Path, read) -> None:
    records, registry = read(CHAIN), Registry()
    identify(records, _musaddad(OLD, load()), registry=registry)
    assert registry.redirects() == {}
    registry.save(tmp_path)
    for _ in range(2):  # the build that changes it, and one after it
        registry = Registry.load(tmp_path)
        decided = identify(records, _musaddad("person/musaddad-b-musarhad", load()), registry=registry)
        assert decided.retired == {OLD: "person/musaddad-b-musarhad"}
        registry.save(tmp_path)
    again = identify(records, _musaddad("person/musaddad-al-basri", load()), registry=registry)
    assert again.retired == {OLD: "person/musaddad-b-musarhad", "person/musaddad-b-musarhad": "person/musaddad-al-basri"}
    assert registry.current(OLD) == "person/musaddad-al-basri"
    back = identify(records, _musaddad(OLD, load()), registry=registry)
    assert OLD not in back.retired and registry.current("person/musaddad-al-basri") == OLD


def test_one_whom_the_tables_no_longer_have_is_gone(read) -> None:
    records, registry, known = read(CHAIN), Registry(), load()
    extra = dataclasses.replace(known.persons["person/abu-bakr"], key="person/somebody", taqrib_no=None)
    identify(records, dataclasses.replace(known, persons={**known.persons, extra.key: extra}), registry=registry)
    assert identify(records, known, registry=registry).retired == {"person/somebody": None}


def test_a_correction_may_name_an_address_of_before(tmp_path: Path, read) -> None:
    records, registry = read(CHAIN), Registry()
    identify(records, _musaddad(OLD, load()), registry=registry)
    narrator = records[0].narrators[1]
    path = tmp_path / "corrections.csv"
    path.write_text(
        f"kind,subject,object,by,why\nis,mention/book/1/{narrator.start}-{narrator.end},{OLD},A. Scholar,\n", encoding="utf-8"
    )
    decided = identify(records, _musaddad(NEW, load()), registry=registry, corrections=Corrections.load(path))
    assert decided.claims("book:1")[1][0].person == NEW


def test_a_build_serves_the_redirect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = tmp_path / "book.txt", tmp_path / "kg-data"
    source.write_text(CHAIN + "\n", encoding="utf-8")
    before = Registry()
    before.keep({OLD: 6598})
    before.save(DataFolder(out).registry)
    known = _musaddad(NEW, load())
    monkeypatch.setattr(builder.authority, "load", lambda: known)
    builder.build(open_sources(str(source)), out, base="https://example.org/")
    client = create_app(out).test_client()
    answer = client.get("/" + OLD)
    assert answer.status_code == 301 and answer.location.endswith("/" + NEW)
    assert Registry.load(DataFolder(out).registry).redirects() == {OLD: NEW}
