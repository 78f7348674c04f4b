"""Answers made from the posteriors: claims with calibrated confidence and reasons, persons known from chains only."""

from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kg.identify.chains import Corpus
from kg.identify.claims import Claim, Cluster
from kg.identify.clusters import Sighting, gather
from kg.identify.corrections import Correction, Corrections
from kg.identify.generations import generation_of
from kg.identify.ids import Ids
from kg.identify.inference import Inference
from kg.identify.names import texts
from kg.identify.registry import Registry
from kg.tables import read_tsv

__all__ = ["Answers", "calibrated"]

_TABLES = Path(__file__).parent / "tables"
ASSERTED_FROM = 0.7
"""The confidence from which an answer is asserted; below it a mention stays open with its candidates."""
_SHOWN_FROM = 0.02

_RELATIONS = {
    "father": "والد", "grandfather": "جد", "mother": "والدة", "grandmother": "جدة", "paternal uncle": "عم", "paternal aunt": "عمة",
    "maternal uncle": "خال", "maternal aunt": "خالة", "brother": "أخو", "sister": "أخت", "son": "ابن", "daughter": "ابنة",
    "husband": "زوج", "wife": "زوجة", "master": "مولى",
}  # fmt: skip


@cache
def _calibration() -> tuple[tuple[float, ...], tuple[float, ...]]:
    rows = sorted(
        (float(row["posterior"]), float(row["right"])) for _, row in read_tsv(_TABLES / "calibration.tsv", ("posterior", "right"))
    )
    return tuple(given for given, _ in rows), tuple(right for _, right in rows)


def calibrated(share: float) -> float:
    """How often an answer of such posterior is right, between the measured points of ``calibration.tsv``.

    >>> 0.9 < calibrated(1.0) < 1
    True
    """
    given, right = _calibration()
    i = bisect_right(given, share)
    if i == 0:
        return right[0] * share / given[0]
    if i == len(given):
        return right[-1]
    part = (share - given[i - 1]) / (given[i] - given[i - 1])
    return right[i - 1] + part * (right[i] - right[i - 1])


class Answers:
    """The claims of every passage. Keys of unknown persons are fixed when this is made; claims when they are asked for."""

    def __init__(
        self,
        corpus: Corpus,
        inference: Inference,
        registry: Registry,
        corrections: Corrections | None,
        marked: Mapping[str, Mapping[int, Correction]],
        rejected: Mapping[str, Mapping[int, list[Correction]]],
    ) -> None:
        self.corpus, self.inference = corpus, inference
        self.index = inference.index
        self._marked, self._rejected = marked, rejected
        self._keys: dict[tuple[int, int, int], str] = {}
        self.clusters: dict[str, Cluster] = {}
        ids = Ids(registry, corrections if corrections is not None else Corrections(), self.index.place)
        self._apart = ids.keep_apart(corpus, inference)
        self._gather(ids)
        ids.require(self.clusters)
        self._one = ids.join(self.clusters)
        ids.bury(self.clusters, self._standing)
        self.retired = registry.redirects()

    def decided(self, chain: int, node: int) -> int | None:
        """The place of the person asserted at a node; None where it is left open."""
        posterior = self.inference.posteriors[chain][node]
        if posterior and calibrated(posterior[0][1]) >= ASSERTED_FROM:
            return posterior[0][0]
        return None

    def _standing(self, mention: str) -> str | None:
        """The person asserted of a mention (``bukhari:3661/11-32``); None where it is open, or not in these records."""
        place = self.corpus.place_of(mention)
        decided = self.decided(*place) if place is not None else None
        return self._key(*place, decided) if place is not None and decided is not None else None

    def _gather(self, ids: Ids) -> None:
        """Persons whom the authority does not know get their keys: one for each group of mentions."""
        known = len(self.index)
        sightings: list[Sighting] = []
        where: list[tuple[int, int, int]] = []
        strangers: dict[int, list[tuple[int, int]]] = {}
        for c, chain in enumerate(self.corpus.chains):
            posteriors = self.inference.posteriors[c]
            students: dict[int, int] = {}
            for i, node in enumerate(chain.nodes):
                for t in node.teachers:
                    students.setdefault(t, i)
            for i, node in enumerate(chain.nodes):
                for place, share in posteriors[i]:
                    if place < known or place == self.inference.width - 1 or share < _SHOWN_FROM:
                        continue
                    if place >= self.inference.width:
                        strangers.setdefault(place, []).append((c, i))
                        continue
                    student = self._best(posteriors, students.get(i))
                    teacher = self._best(posteriors, node.teachers[0] if node.teachers else None)
                    sightings.append((len(sightings), place - known, student, teacher))
                    where.append((c, i, place))
        depth = {
            i: float(generation)
            for i, generation in ((i, generation_of(person)) for i, person in enumerate(self.index.persons))
            if generation is not None
        }
        groups: dict[int, list[int]] = {}
        labels = [ids.of(self.corpus.mentions(c, i)) for c, i, _ in where]
        for k, leader in enumerate(gather(sightings, self.corpus.names, depth, labels, ids.apart)):
            groups.setdefault(leader, []).append(k)
        for members in groups.values():
            mentions = list(dict.fromkeys(mention for k in members for mention in self.corpus.mentions(*where[k][:2])))
            key = ids.key_for(mentions)
            times = sum(self.corpus.times[where[k][0]] for k in members)
            form = max((sightings[k][1] for k in members), key=lambda form: len(self.corpus.names[form].whole))
            self.clusters[key] = self._unknown(key, form, mentions[0], times)
            for k in members:
                self._keys[where[k]] = key
        for place, nodes in strangers.items():
            mentions = list(dict.fromkeys(mention for c, i in nodes for mention in self.corpus.mentions(c, i)))
            key = ids.key_for(mentions)
            self.clusters[key] = self._relative(key, place, mentions[0], sum(self.corpus.times[c] for c, _ in nodes))
            for c, i in nodes:
                self._keys[c, i, place] = key

    def _best(self, posteriors: tuple[tuple[tuple[int, float], ...], ...], node: int | None) -> int | None:
        if node is None or node >= len(posteriors) or not posteriors[node]:
            return None
        place, share = posteriors[node][0]
        return place if share > 0.5 else None

    def _unknown(self, key: str, form: int, mention: str, times: int) -> Cluster:
        """A person of the fullest name met, as the texts spell it."""
        name, parts = self.corpus.spelled(form)
        return Cluster(
            key,
            name,
            mention,
            times,
            parts.get("ism") or None,
            tuple(texts(parts.get("nasab"))),
            tuple(texts(parts.get("kunya"))),
            tuple(texts(parts.get("nisba"))),
        )

    def _relative(self, key: str, place: int, mention: str, times: int) -> Cluster:
        relation = self.inference.relation(place)
        person, kin = relation if relation is not None else (0, "kin")
        of: str | None = None
        name, ism = "", None
        nasab: tuple[str, ...] = ()
        if person < len(self.index):
            own = self.index.persons[person]
            of = own.key
            if kin == "father" and own.nasab:
                ism, nasab = own.nasab[0], own.nasab[1:]
                name = " بن ".join(own.nasab)
            else:
                name = f"{_RELATIONS.get(kin, 'قريب')} {own.usual or own.name_ar}"
        elif person < self.inference.width - 1:
            name = f"{_RELATIONS.get(kin, 'قريب')} {self.corpus.spelled(person - len(self.index))[0]}"
        else:
            name = _RELATIONS.get(kin, "قريب")
        return Cluster(key, name, mention, times, ism, nasab, kin=kin, kin_of=of)

    def _key(self, chain: int, node: int, place: int) -> str | None:
        if place < len(self.index):
            key: str | None = self.index.keys[place]
        else:
            key = self._keys.get((chain, node, place))
        seen = set()
        while key in self._one and key not in seen:
            seen.add(key)
            key = self._one[key]
        return key

    def claims(self, passage_id: str) -> Mapping[int, tuple[Claim, ...]]:
        """The claims about the mentions of a passage."""
        number = self.corpus.passages.get(passage_id)
        if number is None:
            return {}
        made: dict[int, tuple[Claim, ...]] = {}
        marked = self._marked.get(passage_id, {})
        rejected = self._rejected.get(passage_id, {})
        nodes = self.corpus.chains[number].nodes
        students: dict[int, int] = {}
        for student, node in enumerate(nodes):
            for teacher in node.teachers:
                students.setdefault(teacher, student)
        for i in range(len(nodes)):
            claims = self._machine(passage_id, number, i, students.get(i))
            denied = [*rejected.get(i, []), *self._apart.get((number, i), [])]
            if i in marked or denied:
                claims = _corrected(claims, marked.get(i), denied)
            if claims:
                made[i] = claims
        return made

    def _machine(self, passage: str, number: int, i: int, student: int | None) -> tuple[Claim, ...]:
        claims: list[Claim] = []
        shares: dict[str, float] = {}
        places: dict[str, int] = {}
        for place, share in self.inference.posteriors[number][i]:
            key = self._key(number, i, place)
            if key is not None:  # two candidates that turned out to be one person are one claim
                shares[key] = shares.get(key, 0.0) + share
                places.setdefault(key, place)
        ordered = sorted(shares.items(), key=lambda item: -item[1])
        for rank, (key, share) in enumerate(ordered):
            if share < _SHOWN_FROM:
                continue
            place = places[key]
            confidence = round(calibrated(share), 3)
            winner = rank == 0 and confidence >= ASSERTED_FROM
            why = self._why(passage, number, i, place, student) if rank < 2 else None
            claims.append(Claim(key, confidence, why=why, winner=winner))
        return tuple(claims)

    def _why(self, passage: str, number: int, i: int, place: int, student: int | None) -> str:
        """The reason in a scholar's words: whom he hears, who hears him, when he died. ``student`` is the first mention that received from him."""
        chain = self.corpus.chains[number]
        posteriors = self.inference.posteriors[number]
        parts: list[str] = []
        for t in chain.nodes[i].teachers[:1]:
            teacher = self._best(posteriors, t)
            count = self._count(place, teacher)
            if teacher is not None and count >= 1:
                parts.append(f"pupil of {self._name(teacher)} in {_chains(count)}")
        pupil = self._best(posteriors, student)
        if pupil is None and student is None:
            pupil = self.index.place.get(self.corpus.collectors[chain.collector].key)
        count = self._count(pupil, place)
        if pupil is not None and count >= 1:
            parts.append(f"teacher of {self._name(pupil)} in {_chains(count)}")
        if place < len(self.index):
            person = self.index.persons[place]
            if person.death is not None and (person.death.first or person.death.last):
                parts.append(f"died {person.death.first or f'before {person.death.last}'}")
            elif person.tabaqa is not None:
                parts.append(f"generation {person.tabaqa}")
        parallel = self.inference.parallel
        beside = parallel.count(passage, place) if parallel is not None else 0
        if beside:
            parts.append("one parallel chain" if beside == 1 else f"{beside} parallel chains")
        kin = chain.nodes[i].kin
        if kin is not None:
            parts.insert(0, f"the {kin} as the lineage has it")
        return "; ".join(parts) or ("the only person of this name" if len(posteriors[i]) == 1 else "by name and generation")

    def _count(self, student: int | None, teacher: int | None) -> int:
        if student is None or teacher is None:
            return 0
        return int(self.inference.weights.pairs.get(student * self.inference.width + teacher, 0.0) + 0.5)

    def _name(self, place: int) -> str:
        if place < len(self.index):
            person = self.index.persons[place]
            return person.name_en or person.name_ar
        if place < self.inference.width - 1:
            return self.corpus.spelled(place - len(self.index))[0]
        return "a relative"


def _chains(count: int) -> str:
    return "one chain" if count == 1 else f"{count} chains"


def _corrected(claims: tuple[Claim, ...], asserted: Correction | None, denied: list[Correction]) -> tuple[Claim, ...]:
    """The claims as a scholar left them: his own wins, what he rejects stands as rejected."""
    if asserted is not None and asserted.kind == "no-name":
        return tuple(
            claim._replace(status="rejected", winner=False, why=asserted.said, by=asserted.by, method="correction")
            for claim in claims
        )
    out = {correction.other: correction for correction in denied}
    kept = [
        claim._replace(status="rejected", winner=False, why=out[claim.person].said, by=out[claim.person].by, method="correction")
        if claim.person in out
        else claim
        for claim in claims
    ]
    if asserted is not None and asserted.other is not None:
        kept = [claim._replace(winner=False) for claim in kept if claim.person != asserted.other]
        own = Claim(asserted.other, 1.0, "reviewed", "correction", asserted.said, True, asserted.by)
        return (own, *kept)
    return tuple(kept)
