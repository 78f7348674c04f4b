"""Which ids stand: persons known from chains get theirs, scholars join them or keep them apart, and those that nobody has are buried."""

import dataclasses
from collections.abc import Callable, Container, Iterable, Mapping

from kg.identify.chains import Corpus
from kg.identify.claims import Cluster
from kg.identify.corrections import Correction, Corrections
from kg.identify.inference import Inference
from kg.identify.registry import UNKNOWN, Registry

__all__ = ["Ids"]


class Ids:
    """The registry under the corrections of one build. ``known`` are the keys of the authority by place."""

    def __init__(self, registry: Registry, corrections: Corrections, known: Mapping[str, int]) -> None:
        self.registry, self.corrections, self.known = registry, corrections, known
        self.apart = frozenset(corrections.different)

    def of(self, mentions: Iterable[str]) -> str | None:
        """The id that one of these mentions was first given; None where none has one."""
        ids = self.registry.ids
        return next((ids[mention] for mention in mentions if mention in ids), None)

    def key_for(self, mentions: Iterable[str]) -> str:
        """The key of the person of these mentions."""
        return self.registry.key_for(mentions, self.apart)

    def keep_apart(self, corpus: Corpus, inference: Inference) -> dict[tuple[int, int], list[Correction]]:
        """Takes persons of the authority away from mentions whose person a scholar calls another.

        The mentions of ``person/c-…`` are asserted of the unknown bearer of their name again. Gives the corrections by chain and node, so
        that the claims which fall stand as rejected.
        """
        denied: dict[tuple[int, int], list[Correction]] = {}
        pairs: dict[str, list[tuple[int, Correction]]] = {}
        for pair, correction in self.corrections.different.items():
            for person in pair:
                other = next(iter(pair - {person}))
                if person.startswith(UNKNOWN) and other in self.known:
                    row = dataclasses.replace(correction, kind="is-not", subject=person, other=other)
                    pairs.setdefault(person, []).append((self.known[other], row))
        for mention, key in self.registry.ids.items() if pairs else ():
            place = corpus.place_of(mention) if key in pairs else None
            if place is None:
                continue
            chain, node = place
            form = corpus.chains[chain].nodes[node].form
            for known, row in pairs[key]:
                posterior = inference.posteriors[chain][node]
                fallen = sum(share for person, share in posterior if person == known)
                if not fallen or form < 0:
                    continue
                kept = {person: share for person, share in posterior if person != known}
                bearer = len(self.known) + form
                kept[bearer] = kept.get(bearer, 0.0) + fallen
                changed = list(inference.posteriors[chain])
                changed[node] = tuple(sorted(kept.items(), key=lambda item: -item[1]))
                inference.posteriors[chain] = tuple(changed)
                denied.setdefault(place, []).append(row)
        return denied

    def require(self, clusters: Container[str]) -> None:
        """Refuses corrections that name a person known from chains whom no build has seen."""
        seen = {*self.registry.ids.values(), *self.registry.redirects()}
        self.corrections.require(lambda key: not key.startswith(UNKNOWN) or key in clusters or key in seen)

    def join(self, clusters: dict[str, Cluster]) -> dict[str, str]:
        """Two persons whom a scholar calls one: the second stands for both, the first is retired. Gives who stands for whom."""
        joined: dict[str, str] = {}
        members: dict[str, set[str]] = {}

        def standing(key: str) -> str:
            while key in joined:
                key = joined[key]
            return key

        for row in self.corrections.same:
            one, other = standing(row.subject), standing(row.other or row.subject)
            if one in self.known and other not in self.known:
                one, other = other, one
            mine, theirs = members.get(one, {one}), members.get(other, {other})
            if one == other or any(frozenset({a, b}) in self.apart for a in mine for b in theirs):
                continue
            joined[one] = other
            members[other] = mine | theirs
            fallen, stays = clusters.pop(one, None), clusters.get(other)
            if fallen is not None and stays is not None:
                clusters[other] = dataclasses.replace(stays, mentions=stays.mentions + fallen.mentions)
        self.registry.joined = joined
        return joined

    def bury(self, clusters: Container[str], standing: Callable[[str], str | None]) -> None:
        """Retires the ids of earlier builds that nobody bears now: in favour of the one person of all their mentions, or of nothing."""
        registry = self.registry
        gone: dict[str, list[str]] = {}
        for mention, key in registry.ids.items():
            known = key in clusters or key in registry.joined or key in registry.retired
            if key.startswith(UNKNOWN) and not known:
                gone.setdefault(key, []).append(mention)
        for key, mentions in gone.items():
            persons = {standing(mention) for mention in mentions}
            registry.retire(key, persons.pop() if len(persons) == 1 else None)
