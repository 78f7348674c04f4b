"""Who plays which part in an event: subject, object, the person after a preposition, the speaker, the thing and its price."""

from collections.abc import Mapping

from kg.extract.participants import Participant, after_honorific, before_honorific
from kg.extract.record import Role
from kg.extract.scene import Scene, agrees
from kg.extract.verbs import Form
from kg.text import Span

__all__ = ["RoleReader"]

_PREPOSITIONS: Mapping[str, tuple[str, ...]] = {
    "to": ("الي",),
    "with": ("مع",),
    "from": ("من",),
    "on": ("علي",),
    "for": ("ل",),
    "by": ("ب",),
    "about": ("عن",),
    "at": ("عند",),
}
_STEMS = {"to": "الي", "with": "مع", "from": "من", "on": "علي", "for": "ل", "by": "ب", "about": "عن", "at": "عند"}
_ENDINGS = {
    "ه": "3ms",
    "ها": "3fs",
    "هم": "3mp",
    "هما": "3md",
    "هن": "3fp",
    "ك": "2ms",
    "كم": "2mp",
    "نا": "1p",
    "ي": "1s",
    "ني": "1s",
}
_WITH_PRONOUN: Mapping[str, dict[str, str]] = {
    source: {
        stem + ending: who
        for ending, who in _ENDINGS.items()
        if stem + ending not in ("اليي", "عليي", "الين", "لي" if stem != "ل" else "")
    }
    for source, stem in _STEMS.items()
}
_LIGHT = frozenset(
    {
        "له",
        "لها",
        "لي",
        "لنا",
        "لهم",
        "لك",
        "هذا",
        "هذه",
        "لكم",
        "اياه",
        "اياها",
        "اياهم",
        "منها",
        "منهم",
        "مني",
        "عنه",
        "اليهم",
        "اليه",
        "عليه",
        "عليها",
        "به",
        "منه",
        "فيه",
        "قد",
        "ذلك",
        "يوميذ",
    }
)
_COINS = frozenset(
    "درهم درهما دراهم دينار دينارا دنانير اوقيه اواق اوقيتين بعير الثمن ثمنه صاع صاعا اوسق وسق درهمين دينارين الف".split()
)
_NOT_THINGS = frozenset(
    "فهو فهي فهما فهم وهما وذلك فلذلك ولكن فلما حين لما وهو وهي وانا من في الي علي عن ان "
    "انه مع ثم حتي لا ما قد هل كما اذ اذا الا بها به منه يا او بعد قبل لم".split()
)
_LEADING = frozenset("ما الذي التي الذين ان انه حين لما ثم قد من حتي اذ كما الا".split())
_OTHER_OPINION = frozenset({"ويقال", "يقال", "وقيل", "قيل"})
_WINDOW = 8


class RoleReader:
    """Reads roles off a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.words, self.cast = scene, scene.words, scene.cast

    def subject(self, i: int) -> Participant | None:
        """Who does what the verb at word ``i`` says."""
        return self.scene.subjects.get(i)

    def object(self, i: int, form: Form | None, subject: Participant | None) -> Participant | None:
        """To whom it is done: the pronoun joined to the verb, or the name after verb and subject."""
        if form is not None and form.whom:
            topic = self.cast.ending.get(before_honorific(self.words, i - 1)) if i else None
            if topic is not None and topic is not subject and agrees(topic.who, form.whom) and "." not in self.words.gap(i):
                return topic
            told = self._told_before(i, form)
            if told is not None:
                return self.object(told, self.scene.forms[told][0], self.scene.subjects.get(told))
            return self.scene.pronoun(i, form.whom, other_than=subject)
        j = i + 1
        for _ in range(3):
            while j < len(self.words) and self.words.folded[j] in _LIGHT:
                j += 1
            named = self.cast.at.get(j) or self.scene.narrators.get(j)
            if named is None:
                return None
            doer = subject.members[0] if subject is not None and subject.members else subject
            if named.before == "" and named is not doer and named.case != "nom":
                return self.cast.series.get(named.first, named)
            if named is not doer:
                return None
            j = after_honorific(self.words, subject.after if subject is not None and subject.members else named.after)
        return None

    def _told_before(self, i: int, form: Form) -> int | None:
        """قتله علي، ويقال قتله عكاشة: where the same act is told of the same person by another opinion."""
        for k in range(i - 1, max(-1, i - 14), -1):
            forms = self.scene.forms.get(k)
            if forms and (forms[0].verb, forms[0].whom) == (form.verb, form.whom):
                return k if _OTHER_OPINION & set(self.words.folded[k + 1 : i]) else None
        return None

    def after_preposition(self, i: int, source: str, subject: Participant | None) -> Participant | None:
        """The person after a preposition in the clause that begins at word ``i``."""
        folded = self.words.folded
        for j in range(i + 1, min(i + 1 + _WINDOW, len(folded))):
            if j in self.scene.honouring:
                continue
            if "." in self.words.gap(j) or (j > i + 1 and self._begins(j)):
                return None
            word = folded[j]
            named = self.cast.at.get(j)
            if named is not None and source in ("for", "by") and named.before.endswith(_STEMS[source]):
                return named
            if j in self.scene.on_me:
                if word == _STEMS[source]:
                    return self.scene.speaker(j)
                continue
            if word in _PREPOSITIONS[source] and j + 1 in self.cast.at:
                return self.cast.series.get(j + 1, self.cast.at[j + 1])
            who = _WITH_PRONOUN[source].get(word)
            if who is not None and not (j == i + 1 and word in ("الي", "علي") and j + 1 in self.cast.at):
                if word in ("الي", "علي") and self.words.surface(j, j + 1).endswith("ى"):
                    continue
                return self.scene.pronoun(j, who, other_than=subject)
        return None

    def _begins(self, j: int) -> bool:
        """Whether a new clause begins at the verb at word ``j``: wa- or fa- and a past form, or a past form after no particle."""
        forms = self.scene.forms.get(j)
        if not forms or not forms[0].past or forms[0].who == "3md":  # بعثا: an object as well
            return False
        return self.words.folded[j][0] in "فو" or self.words.folded[j - 1] not in _LEADING

    def owner(self, i: int) -> Participant | None:
        """The person in the genitive after word ``i`` (بيت أبي بكر), or the pronoun joined to it (داره)."""
        named = self.cast.at.get(i + 1)
        if named is not None and named.before == "":
            return named
        for ending in ("هما", "هم", "ها", "ه"):
            if self.words.folded[i].endswith(ending):
                return self.scene.pronoun(i, _ENDINGS[ending])
        return None

    def all_after(self, i: int, subject: Participant | None) -> list[Participant]:
        """Everyone named from word ``i`` to the end of its sentence, but for the subject: ولد أربعة نفر: نزار، وقضاعة."""
        found: list[Participant] = []
        j = i + 1
        while j < len(self.words) and j - i < 40 and "." not in self.words.gap(j) and self.words.folded[j] not in ("قال", "فقال"):
            named = self.cast.at.get(j)
            if named is not None and named.kind != "noun" and not named.same(subject):
                found.append(named)
            j = named.after if named is not None else j + 1
        return found

    def two(self, i: int) -> Participant | None:
        """The two whom a dual pronoun at word ``i`` or just behind it means (أصواتهما)."""
        for j in range(i, min(i + 3, len(self.words))):
            if self.words.folded[j].endswith("هما"):
                return self.scene.pronoun(j, "3md")
        return None

    def following(self, i: int) -> Participant | None:
        """The first person named within the next words."""
        for j in range(i + 1, min(i + 6, len(self.words))):
            if j in self.cast.at:
                return self.cast.at[j]
        return None

    def thing(self, i: int, subject: Participant | None) -> Span | None:
        """The thing that the clause is about: the first word after verb, subject and source that names no person."""
        folded = self.words.folded
        j = i + 1
        while j < min(i + _WINDOW, len(folded)):
            named = self.cast.at.get(j)
            if named is not None:
                j = after_honorific(self.words, named.after)
                continue
            if folded[j] in ("اياه", "اياها", "اياهم"):
                return None
            if j in self.scene.places:
                j = self.scene.places[j]
                continue
            if folded[j] in _LIGHT:
                j += 1
                continue
            if folded[j] == "من" and j + 1 in self.cast.at:
                j = after_honorific(self.words, self.cast.at[j + 1].after)
                continue
            if folded[j].startswith("ب") and not _COINS.isdisjoint(folded[j : j + 5]):
                return None  # the price
            if (
                folded[j] in _NOT_THINGS
                or any(mark in self.words.gap(j) for mark in ".،")
                or (j in self.scene.forms and folded[j][0] in "فوي")
            ):
                return None
            return self.words.span(j, j + 1)
        return None

    def price(self, i: int) -> Span | None:
        """The price: bi- and what follows up to the name of a coin."""
        folded = self.words.folded
        for j in range(i + 1, min(i + 20, len(folded))):
            if folded[j] == "بالثمن":
                return Span(self.words.starts[j], self.words.ends[j])
            if j > i + 12:
                continue
            if folded[j].startswith("ب") and folded[j][1:] in _COINS:
                return Span(self.words.starts[j], self.words.ends[j])
            if folded[j].startswith("ب") and len(folded[j]) > 3:
                for k in range(j + 1, min(j + 5, len(folded))):
                    if folded[k] in _COINS:
                        return Span(self.words.starts[j], self.words.ends[k])
        return None

    def roles(self, name: str, player: Participant, i: int | None = None) -> list[Role]:
        """A role played by a person, or by each of those joined: with the key and the words that name him.

        Where the clause at word ``i`` has a pronoun (or nothing) for a person who is known the role has no span.
        """
        found = []
        for one in player.members or (player,):
            if one.kind == "kin":  # a teller whom the chain only calls his father: nobody is named
                continue
            far = i is not None and one.key is not None and not i - 6 <= one.first <= i + 12
            found.append(Role(name, one.key, None if far else one.start, None if far else one.end))
        return found

    def read(self, i: int, form: Form | None, sources: Mapping[str, str]) -> list[Role]:
        """The roles that ``sources`` asks for at the trigger word ``i``; one that cannot be told is left out."""
        subject = self.subject(i)
        roles: list[Role] = []
        named = self.object(i, None, subject) if form is not None and not form.whom else None
        if named is not None and subject is not None and named.first <= i + 3 and named.same(subject):
            subject = None  # سألت ابن عمر in Ibn Umar's own report: another asked him
        other_than = subject if "subject" in "|".join(sources.values()) else None
        for name, source in sources.items():
            for part, _, sex in (part.partition(":") for part in source.split("|")):
                if part == "all":
                    roles.extend(role for player in self.all_after(i, subject) for role in self.roles(name, player))
                    break
                if part in ("thing", "price"):
                    span = self.thing(i, subject) if part == "thing" else self.price(i)
                    if span is not None:
                        roles.append(Role(name, None, span.start, span.end, self.words.text[span.start : span.end]))
                        break
                    continue
                player = self._player(i, form, part, subject, other_than)
                if player is not None and (not sex or player.who.startswith(sex)):
                    roles.extend(self.roles(name, player, i))
                    other_than = other_than or player
                    break
        return roles

    def _player(
        self, i: int, form: Form | None, source: str, subject: Participant | None, other_than: Participant | None
    ) -> Participant | None:
        if source == "subject":
            return subject
        if source == "object":
            return self.object(i, form, subject)
        if source == "speaker":
            return self.scene.speaker(i)
        if source == "addressee":
            return self.scene.addressee(i)
        if source == "teller":
            return self.scene.teller(i)
        if source == "owner":
            return self.owner(i)
        if source in ("he", "she"):
            return self.scene.pronoun(i, "3ms" if source == "he" else "3fs", other_than=other_than)
        if source == "two":
            return self.two(i)
        if source == "protagonist":
            return self.scene.protagonist
        if source == "after":
            return self.following(i)
        if source == "before":
            return self.cast.ending.get(before_honorific(self.words, i - 1)) if i else None
        if source == "by" and other_than is None and form is not None and form.who[0] == "3":
            other_than = subject  # عرج به جبريل: with another
        return self.after_preposition(i, source, other_than)
