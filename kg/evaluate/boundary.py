"""Where the isnad ends and the matn starts in Sahih al-Bukhari (``gold/isnad/boundary.jsonl``).

Right when no word of content stands between where our matn starts and where the gold cuts: words of saying, أن and أنه, the
Prophet as he is named at the end of a chain, and honorifics are free on either side. ``right_terms_free`` also frees terms of
transmission (سمعت, أخبره): the source cuts before and after سمعت رسول الله.
"""

from pathlib import Path
from typing import Any

from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.text import Passage, Words

__all__ = ["score"]

_FREE = (
    "قال قالت قالا قالوا وقال فقال يقول تقول ان انه انها انهم انهما عن النبي رسول الله نبي رضي رضى عنه عنها عنهما "
    "عنهم صلي عليه وسلم تعالي اله واله ﷺ"
)
FREE = frozenset(_FREE.split())
_TERMS = "سمعت سمع سمعه سمعته يبلغ به رفعه يرفعه حدثه اخبره حدثهم اخبرهم اخبرته حدثته اخبرها يحدث يخبر يذكر لي لنا"
TERMS = frozenset(_TERMS.split())


def score(gold: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Shares of rows right and within 6 words of content of the gold's cut; ``rows_wrong`` adds the others."""
    reader = IsnadReader()
    rows = right = with_terms = near = 0
    wrong: list[dict[str, Any]] = []
    for row in gold_rows(gold):
        if row["isnad"] in ("", "nan") or row["matn"] in ("", "nan"):
            continue
        rows += 1
        text = row["isnad"] + " " + row["matn"]
        words = Words(text)
        cut = words.at(len(row["isnad"]))
        ours = _matn_start(words, reader, text, str(row["row"]))
        between = range(min(cut, ours), max(cut, ours))
        content = [words.folded[k] for k in between if words.folded[k] not in FREE]
        right += not content
        with_terms += not [word for word in content if word not in TERMS]
        near += len(content) <= 6
        if content and rows_wrong:
            wrong.append(
                {
                    "row": row["row"],
                    "words": len(content),
                    "early": ours < cut,
                    "gold": _around(words, cut),
                    "ours": _around(words, ours),
                }
            )
    share = 1 / rows if rows else 0.0
    result: dict[str, Any] = {
        "rows": rows,
        "right": right * share,
        "right_terms_free": with_terms * share,
        "within_6": near * share,
    }
    if rows_wrong:
        result["rows_wrong"] = wrong
    return result


def _matn_start(words: Words, reader: IsnadReader, text: str, number: str) -> int:
    """The first word of the first matn of the passage (0 where no isnad is found)."""
    _, isnads = reader.read(words, Passage(f"boundary:{number}", text))
    starts = [isnad.matn[0][0] for isnad in isnads if isnad.matn]
    return words.at(starts[0]) if starts else 0


def _around(words: Words, i: int) -> str:
    before, after = words.folded[max(0, i - 8) : i], words.folded[i : i + 6]
    return " ".join(before) + " | " + " ".join(after)
