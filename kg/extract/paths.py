"""From the edges of a run to isnads: the paths from the author towards the source, with their stretches of text and matn."""

from kg.extract.drafts import Run
from kg.extract.isnad_text import Text
from kg.extract.record import Isnad, Term
from kg.extract.word_classes import WordClasses

__all__ = ["isnads_of", "points_back"]

_WHOLE = frozenset(("بمثله", "بنحوه", "بمعناه", "باسناده", "باسنادهم", "باسنادهما"))
_AT_THE_END = frozenset(("مثله", "نحوه"))
_TOLD = frozenset(("فذكر", "ذكر", "فذكرا", "فذكروا", "وذكر"))
_LIKE = frozenset(("بمثل", "بنحو", "بمعني", "نحو", "مثل"))
_REPORT = frozenset(("حديث", "حديثه", "حديثهم", "حديثهما", "معني", "روايه", "حديثها"))
LIMIT = 64  # paths of one run; joined narrators at many levels would multiply without end


def isnads_of(
    text: Text, run: Run, base: int, following: int, classes: WordClasses, speaker: Run | None = None, hadith: bool = False
) -> list[Isnad]:
    """The isnads of a run whose first mention has index ``base``; the matn goes to word ``following``.

    ``speaker`` is the run at the head of the passage whose one narrator (mention 0) tells this one."""
    reaches = None
    source = text.text
    if run.reaches is not None:
        first, after = run.reaches
        entry = classes.term(text.folded[first])
        start, end = text.starts[first], text.ends[after - 1]
        reaches = Term(start, end, source[start:end], entry.concept if entry else None)
    matn: tuple[tuple[int, int], ...] = ()
    gap = run.gap or (following == len(text.codes) and text.codes[-1] == "x")  # what follows the tahwil is missing
    while following > run.matn and text.codes[following - 1] == "x":
        following -= 1
    if run.matn < following and not run.gap:
        # a report that runs to the end of the passage has the mark behind its last word too
        end = len(text.text.rstrip()) if following == len(text.codes) else text.ends[following - 1]
        matn = ((text.starts[run.matn], end),)
    told = run.prophet or "P" in text.codes[run.matn : following]
    above = "divine" if run.divine else "prophet" if told else None
    back = None
    if (phrase := run.back or points_back(text, run.matn, following)) is not None:
        back = source[text.starts[phrase[0]] : text.ends[phrase[1] - 1]]
    # وقال الليث حدثني يونس, at the head of a hadith: the author leaves out from whom he has it
    first_term = run.drafts[0].term
    suspended = False
    if hadith and run.start == 0 and first_term is not None and len(run.drafts) > 1:
        at = first_term[0]
        suspended = text.folded[at] in ("قال", "وقال") and text.codes[at + 1 : at + 2] != "u"
    isnads = []
    for path in _paths(run):
        segments = _segments(text, run, path)
        before: tuple[int, ...] = ()
        if speaker is not None:
            before, segments = (0,), _segments(text, speaker, [0]) + segments
        rank = run.drafts[path[-1]].rank
        attributed = above or rank
        continuity = "muallaq" if suspended else _broken(text, run, path)
        if continuity is None and run.named and rank == "successor":
            continuity = "mursal"
        isnads.append(Isnad(before + tuple(k + base for k in path), segments, attributed, continuity, reaches, matn, back, gap))
    return isnads


def _broken(text: Text, run: Run, path: list[int]) -> str | None:
    """Where the words of the chain themselves show a gap: بلغني (broken), عن رجل (mubham); an unnamed Companion is none."""
    drafts = [run.drafts[k] for k in path]
    if any(draft.term is not None and text.codes[draft.term[0]] == "h" for draft in drafts):
        return "broken"
    for draft in drafts:
        if draft.anonymous and draft.rank != "companion" and not text.folded[draft.first].removeprefix("و").startswith("غير"):
            return "mubham"
    return None


def points_back(text: Text, first: int, after: int) -> tuple[int, int] | None:
    """A phrase within the matn that stands for what was told before: بمثله, فذكر نحوه, بنحو حديث أيوب."""
    at = text.codes.find("b", first, after)
    while at >= 0:
        word, following = text.folded[at], text.folded[at + 1 : at + 2]
        if word in _WHOLE or (word in _AT_THE_END and (at + 1 == after or text.folded[at - 1] in _TOLD)):
            return at, at + 1
        if word in _LIKE and following and following[0] in _REPORT:
            return at, at + 2
        if (at == first or text.codes[at - 1] in "PGZ") and (
            word in _AT_THE_END or (word in _LIKE and following == ["ذلك"])
        ):  # قال رسول الله بنحو ذلك غير أنه
            return at, at + 1 + (word in _LIKE)
        at = text.codes.find("b", at + 1, after)
    return None


def _paths(run: Run) -> list[list[int]]:
    drafts = run.drafts
    paths: list[list[int]] = []
    stack = [[root] for root in reversed(run.roots)]
    while stack and len(paths) < LIMIT:
        path = stack.pop()
        received = drafts[path[-1]].received
        if not received:
            paths.append(path)
        else:
            stack.extend([*path, k] for k in reversed(received))
    return paths


def _segments(text: Text, run: Run, path: list[int]) -> tuple[tuple[int, int], ...]:
    """The stretches of text a path runs through: one a leg, more where the leg is broken off."""
    segments: list[tuple[int, int]] = []
    by_leg: dict[int, list[int]] = {}
    for k in path:
        by_leg.setdefault(run.drafts[k].leg, []).append(k)
    for leg in sorted(by_leg):
        inside = [run.drafts[k] for k in by_leg[leg] if not run.drafts[k].beyond]
        if not inside:
            continue
        first = min(draft.term[0] if draft.term and draft.term[0] < draft.first else draft.first for draft in inside)
        if any(k in run.roots for k in by_leg[leg]):
            first = min(first, run.legs[leg][0])
        end = max(draft.end for draft in inside)
        for after, resumed in run.breaks:
            if first < after and resumed < end:
                segments.append((text.starts[first], text.ends[after - 1]))
                first = resumed
        segments.append((text.starts[first], text.ends[end - 1]))
    return tuple(segments)
