"""How much of a name a thing explains: its own names as they are compared, weighed part by part against what is asked."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kg.authority.model import Person
from kg.link.reading import Part, Reading, read_name
from kg.link.romanisation import bone, is_arabic, vowels_agree

__all__ = ["Forms", "Thing", "forms_by_bone", "forms_of", "spellings_of", "weigh"]


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing to be found: ``names`` are pairs of words and language tag, the label first; ``weight`` how often it is met."""

    key: str
    type: str
    names: tuple[tuple[str, str], ...]
    weight: int = 0
    sex: str | None = None

    def name(self, language: str) -> tuple[str, str]:
        """The name shown to readers of a language, with its tag."""
        for wanted in (language, "en" if language == "ar-latn" else "ar-latn", "ar", "en"):
            for words, tag in self.names:
                if tag.lower() == wanted and (wanted == "ar" or not is_arabic(words)):
                    return words, tag
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Forms:
    """The parts of a person's name as they are compared, each with the Arabic words it stands for."""

    isms: Mapping[str, tuple[str, ...]]
    nasab: tuple[tuple[str, str], ...]
    kunyas: Mapping[str, tuple[str, ...]]
    bynames: Mapping[str, tuple[str, ...]]

    def values(self) -> tuple[str, ...]:
        """Every part, once."""
        return tuple(dict.fromkeys((*self.isms, *(value for value, _ in self.nasab), *self.kunyas, *self.bynames)))


def _by_bone(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for value in values:
        found[bone(value)].append(value)
    return {bones: tuple(arabic) for bones, arabic in found.items() if bones}


def _values(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Parts as compared of names that are one part each."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        parts = read_name(name).parts
        if parts:
            found[parts[0].value] = (parts[0].value,)
    return found


def forms_of(thing: Thing, person: Person | None) -> Forms:
    """The parts of a person's names, from the authority, or from the names themselves where that does not know him."""
    isms: dict[str, tuple[str, ...]] = {}
    nasab: list[tuple[str, str]] = []
    kunyas: dict[str, tuple[str, ...]] = {}
    bynames: dict[str, tuple[str, ...]] = {}
    if person is not None:
        isms = _values([person.ism] if person.ism else [])
        nasab = [(value, value) for name in person.nasab for value in _values([name])]
        kunyas = _values(person.kunya)
        bynames = _values([*person.nisba, *person.laqab])
        more = [*person.surfaces, *([person.shuhra] if person.shuhra else ())]
    else:
        more = [words for words, tag in thing.names if is_arabic(words)]
    for name in more:
        previous = ""
        for part in read_name(name).parts:
            if part.role == "ism" and (person is None or len(read_name(name).parts) == 1):
                (isms if not name.startswith("ال") else bynames).setdefault(part.value, (part.value,))
            elif part.role == "kunya":
                kunyas.setdefault(part.value, (part.value,))
            elif part.role == "after" and previous != "nasab-only":
                bynames.setdefault(part.value, (part.value,))
            elif part.role == "nasab" and all(part.value != value for value, _ in nasab):
                nasab.append((part.value, part.value))
            previous = part.role
    return Forms(isms, tuple(nasab), kunyas, bynames)


_WEIGHT = {"ism": 1.0, "nasab": 1.0, "kunya": 1.0, "after": 0.7}


def weigh(
    reading: Reading, forms: Forms, thing: Thing, rarity: Callable[[str], float] = lambda _: 0.5
) -> tuple[float, dict[str, float | bool]]:
    """How much of a name a person explains, 0 to 1, and by which parts; ``rarity`` (0 to 1) says how much a part tells."""
    features: dict[str, float | bool] = {}
    total = found = 0.0
    position, lineage = 0, 0
    doubt = 1.0
    spelt = dict(reading.spelt)
    ism_given = any(part.role == "ism" for part in reading.parts)
    for part in reading.parts:
        weight = _WEIGHT[part.role] * (0.6 if part.role == "nasab" and lineage else 1.0) * (0.6 + 0.8 * rarity(part.value))
        total += weight
        how, share, arabic = max(
            (_match(part.role, value, forms, position) for value in spellings_of(part.value, reading)), key=lambda met: met[1]
        )
        if share and not reading.arabic:
            share *= _vowels(part, arabic, spelt)
        if part.role == "nasab":
            lineage += 1
            if how.startswith("nasab"):
                at = int(how.partition(":")[2])
                if at > position:
                    features["passedOver"] = True
                    share *= 0.85 if not ism_given else 0.7
                position = at + 1
                how = "nasab"
            elif not how and forms.nasab and lineage == 1:
                doubt *= 0.5
        elif part.role == "ism" and not how and forms.isms:
            doubt *= 0.55
        if how:
            features[how] = True
        found += weight * share
    if not total:
        return 0.0, features
    if reading.female and thing.sex == "m":
        doubt *= 0.3
    return doubt * found / total, features


def spellings_of(value: str, reading: Reading) -> tuple[str, ...]:
    """A part as it may be spelt in the index: a last h in Latin letters may be ه or only the end of a vowel (Munabbih, Salih)."""
    return (value, value[:-1]) if not reading.arabic and value.endswith("h") and len(value) > 2 else (value,)


def _match(role: str, value: str, forms: Forms, position: int) -> tuple[str, float, tuple[str, ...]]:
    """By which part of a person's name a part is met, how well, and the Arabic it stands for."""
    if role == "nasab":
        for at in (*range(position, len(forms.nasab)), *range(position)):
            if forms.nasab[at][0] == value:
                return f"nasab:{at}", 1.0, (forms.nasab[at][1],)
        return "", 0.0, ()
    for how, values, share in (
        ("ism", forms.isms, 1.0 if role == "ism" else 0.8),
        ("kunya", forms.kunyas, 1.0),
        ("byname", forms.bynames, 1.0 if role == "after" else 0.9),
    ):
        if value in values:
            return how, share, values[value]
    for at, (ancestor, arabic) in enumerate(forms.nasab):
        if ancestor == value:  # Mālik b. Anas as "Anas Malik": order is not kept
            return "ancestor", 0.5 if at == 0 and role == "after" else 0.25, (arabic,)
    return "", 0.0, ()


def _vowels(part: Part, arabic: tuple[str, ...], spelt: Mapping[str, str]) -> float:
    written = spelt.get(part.value.rpartition(" ")[2])
    if written is None or part.value.startswith(("عبد ", "عبيد ")):
        return 1.0
    return max((vowels_agree(written, value.rpartition(" ")[2]) for value in arabic), default=1.0)


def forms_by_bone(letters: Forms) -> Forms:
    """The same parts by their skeletons, for names in Latin letters."""
    lineage = tuple((bone(value), value) for value, _ in letters.nasab)
    return Forms(_by_bone(letters.isms), lineage, _by_bone(letters.kunyas), _by_bone(letters.bynames))
