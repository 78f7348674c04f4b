"""What is being read: narrator mentions and runs of chains, in words, before they become a record."""

from dataclasses import dataclass, field

__all__ = ["Draft", "Run"]


@dataclass(slots=True)
class Draft:
    """A narrator mention being read: words ``first`` to ``after - 1``, the name itself from word ``head``."""

    first: int
    after: int
    term: tuple[int, int] | None
    joined: bool = False  # the first word carries the conjunction
    received: list[int] = field(default_factory=list)
    kin: str | None = None
    kin_of: int | None = None
    anonymous: bool = False
    collective: bool = False
    gloss: list[tuple[int, int]] = field(default_factory=list)
    leg: int = 0
    end: int = 0  # word after the honorific
    named: bool = False  # a kin word with the name beside it: عن عمه واسع بن حبان
    companion: bool | None = None  # known as one; None until asked
    rank: str | None = None  # companion or successor, where the last narrator of a path is known as one
    beyond: bool = False  # told of in the matn, not a link of the chain: قال كان ابن عمر


@dataclass(slots=True)
class Run:
    """What was read: drafts in text order, the legs' first and last words, and how the run ends."""

    start: int
    drafts: list[Draft] = field(default_factory=list)
    legs: list[tuple[int, int]] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)
    end: int = 0  # word after the last narrator with honorific
    matn: int = 0  # first word of the matn
    prophet: bool = False
    divine: bool = False
    named: bool = False  # the Prophet is named between the last narrator and the matn
    reaches: tuple[int, int] | None = None
    gap: bool = False
    back: tuple[int, int] | None = None
    breaks: list[tuple[int, int]] = field(default_factory=list)  # what is told between two links: قال: ثم مضى الناس، فحدثني
    complete_legs: set[int] = field(default_factory=set)
