"""The Quran as a sequence of numbered words with an index of its phrases, built once and kept beside the data.

The kept file is arrays behind a header of one line; it is built anew when the Quran's files, the tables or this code have
changed, or when the file is damaged. The words are Tanzil's (see ``quran_text``); spellings of the
Uthmani text stand beside them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import tempfile
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import log2
from pathlib import Path

from kg.extract.quran_spelling import Spellings, skeleton
from kg.extract.quran_text import Verse, load_verses, matching_file, showing_file
from kg.tables import TableError, read_tsv
from kg.text import fold

__all__ = ["QuranIndex", "build_index", "default_cache", "load_index"]

_LOG = logging.getLogger(__name__)
_FORMAT = 3
_COMMON_WORDS = Path(__file__).with_name("tables") / "quran_common_words.tsv"
_READINGS = Path(__file__).with_name("tables") / "quran_readings.tsv"
_SAJDA, _DIVISION = "\u06e9", "\u06de"
_NOT_JOINED = {"يهود"}  # Uthmani for يا هود, everywhere else the Jews
_ARRAYS = (
    ("words", "H"), ("verse_starts", "I"), ("sura_of_verse", "B"), ("number_of_verse", "H"), ("spelling_words", "H"), ("skeleton_words", "H"),
    ("pair_keys", "I"), ("pair_bounds", "I"), ("pair_places", "I"), ("triple_keys", "Q"), ("triple_bounds", "I"), ("triple_places", "I"),
)  # fmt: skip
_LISTS = ("vocabulary", "spellings", "skeletons", "attested")


@dataclass(frozen=True, slots=True)
class QuranIndex:
    """All words of the Quran in order, by number (``words[place]``; 0 is no word), and where each pair and triple of words stands.

    ``verse_of[place]`` is the verse (0-6235) a word belongs to; ``sura_end[place]`` the place after the last word of its sura;
    ``bits[number]`` how much seeing the word tells: −log2 of its share in the Quran or, where larger, in the two Sahihs.
    ``attested`` are pairs (word, Uthmani spelling); ``readings[place]`` what other readers than Hafs have there.
    """

    words: array[int]
    vocabulary: list[str]
    spellings: Spellings
    listed: frozenset[str]
    attested: frozenset[tuple[str, str]]
    joined: dict[str, tuple[str, str]]
    verse_starts: array[int]
    verse_of: array[int]
    sura_of_verse: array[int]
    number_of_verse: array[int]
    sura_start: array[int]
    sura_end: array[int]
    bits: list[float]
    pairs: dict[int, int]
    pair_bounds: array[int]
    pair_places: array[int]
    triples: dict[int, int]
    triple_bounds: array[int]
    triple_places: array[int]
    singles: dict[int, list[int]]
    readings: dict[int, frozenset[str]]

    def places_of_pair(self, one: int, two: int) -> array[int]:
        """Where the two words stand one after the other, within a sura."""
        slot = self.pairs.get(one << 16 | two)
        return self.pair_places[self.pair_bounds[slot] : self.pair_bounds[slot + 1]] if slot is not None else array("I")

    def places_of_triple(self, key: int) -> array[int]:
        """Where the three words stand one after the other; ``key`` is ``one << 32 | two << 16 | three``."""
        slot = self.triples.get(key)
        return self.triple_places[self.triple_bounds[slot] : self.triple_bounds[slot + 1]] if slot is not None else array("I")

    def word_in_verse(self, place: int) -> int:
        """The number of a word within its verse, from 1."""
        return place - self.verse_starts[self.verse_of[place]] + 1

    def ref(self, first: int, after: int) -> str:
        """The reference of the words from place ``first`` to ``after - 1``: ``9:40``, ``96:1-3``."""
        one, last = self.verse_of[first], self.verse_of[after - 1]
        sura = self.sura_of_verse[one]
        start, end = self.number_of_verse[one], self.number_of_verse[last]
        return f"{sura}:{start}" if start == end else f"{sura}:{start}-{end}"


def default_cache() -> Path:
    """The folder of the user's caches, for the index where the caller names none."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "silsila-kg"


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{_FORMAT} {sys.byteorder} ".encode())
    here = Path(__file__)
    code = [
        here,
        _COMMON_WORDS,
        here.with_name("quran_text.py"),
        here.with_name("quran_spelling.py"),
        here.parents[1] / "text.py",
    ]
    for path in [matching_file(), showing_file(), *code]:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _uthmani_pairs(verse: Verse) -> Iterator[tuple[tuple[str, ...], str]]:
    """Words of the modern spelling with the Uthmani word that writes them (two where it joins them)."""
    shown = [word for word in (fold(w).replace(_SAJDA, "").replace(_DIVISION, "") for w in verse.text.split()) if word]
    words, i = verse.words, 0
    for k, uthmani in enumerate(shown):
        if i >= len(words):
            return
        bare = skeleton(uthmani)
        if i + 1 < len(words) and bare != skeleton(words[i]) and bare == skeleton(words[i] + words[i + 1]):
            yield (words[i], words[i + 1]), uthmani
            i += 2
            continue
        rest_matches = len(words) - i == len(shown) - k
        if bare == skeleton(words[i]) or rest_matches:
            yield (words[i],), uthmani
        i += 1


def _postings(keys: list[int], places: list[int]) -> tuple[list[int], list[int], list[int]]:
    table: dict[int, list[int]] = defaultdict(list)
    for key, place in zip(keys, places, strict=True):
        table[key].append(place)
    bounds, flat = [0], []
    for found in table.values():
        flat.extend(found)
        bounds.append(len(flat))
    return list(table), bounds, flat


def build_index(verses: tuple[Verse, ...]) -> dict[str, list[str] | list[int]]:
    """The parts of the index that are kept: lists of words and arrays of numbers, by name."""
    vocabulary = ["", *dict.fromkeys(word for verse in verses for word in verse.words)]
    number = {word: n for n, word in enumerate(vocabulary)}
    words: list[int] = []
    starts: list[int] = []
    suras: list[int] = []
    for verse in verses:
        starts.append(len(words))
        words.extend(number[word] for word in verse.words)
        suras.extend([verse.sura] * len(verse.words))
    spellings = {word: n for word, n in number.items() if n}
    attested: dict[str, None] = {}
    written: dict[str, Counter[int]] = defaultdict(Counter)
    for verse in verses:
        for pair, uthmani in _uthmani_pairs(verse):
            if len(pair) == 2:
                attested.setdefault(f"{pair[0]} {pair[1]} {uthmani}")
            elif pair[0] != uthmani:
                attested.setdefault(f"{pair[0]} {uthmani}")
                written[uthmani][number[pair[0]]] += 1
    for one, two in dict.fromkeys(
        (words[i], words[i + 1]) for i in range(len(words) - 1) if vocabulary[words[i]] in ("يا", "ويا")
    ):
        attested.setdefault(f"{vocabulary[one]} {vocabulary[two]} {vocabulary[one]}{vocabulary[two]}")
    for uthmani, counts in written.items():
        spellings.setdefault(uthmani, counts.most_common(1)[0][0])
    bare: dict[str, set[int]] = defaultdict(set)
    for word, n in number.items():
        if n:
            bare[skeleton(word)].add(n)
    skeletons = {key: next(iter(found)) for key, found in bare.items() if len(found) == 1}
    pair_at = [i for i in range(len(words) - 1) if suras[i] == suras[i + 1]]
    triple_at = [i for i in range(len(words) - 2) if suras[i] == suras[i + 2]]
    pair_keys, pair_bounds, pair_places = _postings([words[i] << 16 | words[i + 1] for i in pair_at], pair_at)
    triple_keys, triple_bounds, triple_places = _postings(
        [words[i] << 32 | words[i + 1] << 16 | words[i + 2] for i in triple_at], triple_at
    )
    return {
        "vocabulary": vocabulary, "spellings": list(spellings), "skeletons": list(skeletons), "attested": list(attested),
        "words": words, "verse_starts": starts, "sura_of_verse": [v.sura for v in verses], "number_of_verse": [v.number for v in verses],
        "spelling_words": list(spellings.values()), "skeleton_words": list(skeletons.values()),
        "pair_keys": pair_keys, "pair_bounds": pair_bounds, "pair_places": pair_places,
        "triple_keys": triple_keys, "triple_bounds": triple_bounds, "triple_places": triple_places,
    }  # fmt: skip


def _assemble(parts: dict[str, list[str] | array[int]]) -> QuranIndex:
    strings = {name: [str(word) for word in parts[name]] for name in _LISTS}
    arrays: dict[str, array[int]] = {}
    for name, _ in _ARRAYS:
        part = parts[name]
        assert isinstance(part, array)
        arrays[name] = part
    words, starts, suras = arrays["words"], arrays["verse_starts"], arrays["sura_of_verse"]
    ends = [*starts[1:], len(words)]
    sura_from: dict[int, int] = {}
    sura_to: dict[int, int] = {}
    for sura, start, end in zip(suras, starts, ends, strict=True):
        sura_from.setdefault(sura, start)
        sura_to[sura] = end
    verse_of, sura_start, sura_end = array("H"), array("I"), array("I")
    for verse, (start, end) in enumerate(zip(starts, ends, strict=True)):
        verse_of.extend(array("H", [verse]) * (end - start))
    for sura, start in sura_from.items():
        length = sura_to[sura] - start
        sura_start.extend(array("I", [start]) * length)
        sura_end.extend(array("I", [sura_to[sura]]) * length)
    shares = [count / len(words) for _, count in sorted(Counter(words).items())]
    shares.insert(0, 1.0)  # no word tells nothing
    singles: dict[int, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        singles[word].append(place)
    number = {word: n for n, word in enumerate(strings["vocabulary"])}
    for _, row in read_tsv(_COMMON_WORDS, ("word", "sahihs_per_million")):
        n = number.get(row["word"], 0)
        shares[n] = max(shares[n], int(row["sahihs_per_million"]) / 1_000_000)
    attested = [tuple(line.split(" ")) for line in strings["attested"]]
    listed = {*strings["spellings"], *_NOT_JOINED}
    return QuranIndex(
        words=words,
        vocabulary=strings["vocabulary"],
        spellings=Spellings(
            dict(zip(strings["spellings"], arrays["spelling_words"], strict=True)),
            dict(zip(strings["skeletons"], arrays["skeleton_words"], strict=True)),
        ),
        listed=frozenset(strings["vocabulary"]),
        attested=frozenset((line[0], line[1]) for line in attested if len(line) == 2),
        joined={line[2]: (line[0], line[1]) for line in attested if len(line) == 3 and line[2] not in listed},
        verse_starts=starts,
        verse_of=verse_of,
        sura_of_verse=suras,
        number_of_verse=arrays["number_of_verse"],
        sura_start=sura_start,
        sura_end=sura_end,
        bits=[-log2(share) for share in shares],
        pairs={key: slot for slot, key in enumerate(arrays["pair_keys"])},
        pair_bounds=arrays["pair_bounds"],
        pair_places=arrays["pair_places"],
        triples={key: slot for slot, key in enumerate(arrays["triple_keys"])},
        triple_bounds=arrays["triple_bounds"],
        triple_places=arrays["triple_places"],
        singles=dict(singles),
        readings=_readings(arrays, strings["vocabulary"], ends),
    )


def _readings(arrays: dict[str, array[int]], vocabulary: list[str], ends: list[int]) -> dict[int, frozenset[str]]:
    """The readings of the table by the place of the word they stand for."""
    verses = {ref: n for n, ref in enumerate(zip(arrays["sura_of_verse"], arrays["number_of_verse"], strict=True))}
    found: dict[int, frozenset[str]] = {}
    for line, row in read_tsv(_READINGS, ("ref", "word", "reading", "reader", "source")):
        sura, _, number = row["ref"].partition(":")
        verse = verses.get((int(sura), int(number)), 0)
        span = range(arrays["verse_starts"][verse], ends[verse])
        places = [place for place in span if vocabulary[arrays["words"][place]] == fold(row["word"])]
        if not places:
            raise TableError(
                _READINGS, line, f"{row['ref']} has no word {row['word']!r}: write it as Tanzil's Simple Clean text does"
            )
        for place in places:
            found[place] = found.get(place, frozenset()) | {fold(row["reading"])}
    return found


def _read(path: Path, fingerprint: str) -> dict[str, list[str] | array[int]] | None:
    """The kept parts, or None where the file is absent, stale or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    line, newline, body = content.partition(b"\n")
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not newline or not isinstance(header, dict) or header.get("fingerprint") != fingerprint:
        return None
    if hashlib.sha256(body).hexdigest() != header.get("sha256"):
        _LOG.warning("%s is damaged: the index of the Quran is built anew", path)
        return None
    parts: dict[str, list[str] | array[int]] = {}
    position = 0
    for name, length in header["parts"]:
        chunk = body[position : position + length]
        position += length
        if name in _LISTS:
            parts[name] = chunk.decode("utf-8").split("\n")
        else:
            parts[name] = array(dict(_ARRAYS)[name])
            parts[name].frombytes(chunk)  # type: ignore[union-attr]
    return parts


def _write(path: Path, fingerprint: str, parts: dict[str, list[str] | array[int]]) -> None:
    chunks = [(name, part.tobytes() if isinstance(part, array) else "\n".join(part).encode()) for name, part in parts.items()]
    body = b"".join(chunk for _, chunk in chunks)
    header = {
        "fingerprint": fingerprint,
        "sha256": hashlib.sha256(body).hexdigest(),
        "parts": [[name, len(chunk)] for name, chunk in chunks],
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(handle, "wb") as out:
            out.write(json.dumps(header).encode() + b"\n" + body)
        os.replace(temporary, path)
    except OSError as error:  # the index works without being kept; only the next start is slower
        _LOG.warning("the index of the Quran cannot be kept at %s (%s): it is built at every start", path, error.strerror)


def load_index(cache: Path | None = None) -> QuranIndex:
    """The index: from the folder ``cache`` (default: the user's caches) or, where that is absent or stale, built and kept there.

    Raises:
        QuranTextError: the Quran's files are not installed.
    """
    path = (cache or default_cache()) / "quran.index"
    fingerprint = _fingerprint()
    parts = _read(path, fingerprint)
    if parts is None:
        built = build_index(load_verses())
        codes = dict(_ARRAYS)
        parts = {
            name: [str(w) for w in part] if name in _LISTS else array(codes[name], map(int, part)) for name, part in built.items()
        }
        _write(path, fingerprint, parts)
    return _assemble(parts)
