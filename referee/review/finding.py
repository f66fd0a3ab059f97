"""What a review of rules finds: classes, outcomes, the games that show it, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from referee.diagnostics.source import Span
from referee.game.event import Event
from referee.scene.scene import Scene
from referee.simulation.witness import Witness


class FindingOutcome(Enum):
    """What is known of a flaw. They are never folded together."""

    ABSENT = "proved absent"  # in every game of the shapes named
    FOUND = "found"  # there is a game that shows it, or the rules themselves do
    BOUNDED = "not found"  # in the games that were looked at; nothing is proved
    CANDIDATE = "candidate"  # what was looked at points to it, no game shows it
    VACUOUS = "vacuous"  # it holds, but says nothing
    UNKNOWN = "unknown"  # the time was up, or it is too large; the reason is told

    @property
    def is_flaw(self) -> bool:
        """True if somebody has to look at it, or to accept it with a reason."""
        return self in (FindingOutcome.FOUND, FindingOutcome.CANDIDATE, FindingOutcome.VACUOUS)


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way in which the game could go on, and what comes of it. `events`: from the witness to where it shows;
    `scene`: what lies where then, if other rules than these have to be gone by to come there."""

    text: str
    end: str
    events: tuple[Event, ...] = ()
    scene: Scene | None = None


@dataclass(frozen=True, slots=True)
class GameShare:
    """In how many of some games something matters, and the interval in which that share lies (95 %)."""

    told: int
    games: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What is asked. `of`: the lines of the rules, or the words of the rulebook, of which it is asked; none where the
    question names what it is about."""

    asks: str
    of: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """The question behind what it is asked of."""
        of = ", then ".join(f"`{one}`" for one in self.of)
        return f"{of}: {self.asks}" if of else self.asks


@dataclass(frozen=True, slots=True)
class Finding:
    """One flaw of the rules, or (`ABSENT`, `BOUNDED`, `UNKNOWN`) what is known of a class of flaws.

    code: the class. place: what it is about, by a name that changes to other lines leave alone; without one it
    speaks of the class as a whole. spans: the rules text, the first is underlined. cites: statements of the
    rulebook. settle: the least that could be written to settle it; lines: ways to write it into the rules. weight: of
    a question, how often it matters; wordings: what a rulebook could say, for each answer; alike: the places of others
    that it stands for. from_start: where the witness begins in the position of a scenario, a longer game from the
    beginning that shows it too. seldom: a question of a kind that readers seldom found worth asking. asked: what it
    asks, if that is for the author of a rulebook. shapes: for how many players; filled in by the review.
    """

    code: str
    outcome: FindingOutcome
    message: str
    place: str = ""
    spans: tuple[Span, ...] = ()
    cites: tuple[str, ...] = ()
    witness: Witness | None = None
    candidates: tuple[Continuation, ...] = ()
    settle: str = ""
    notes: tuple[str, ...] = ()
    shapes: tuple[int, ...] = ()
    weight: GameShare | None = None
    wordings: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    from_start: Witness | None = None
    seldom: bool = False
    asked: AskedQuestion | None = None

    @property
    def id(self) -> str:
        """What an `accept` calls it: the class and the place."""
        return f"{self.code}/{self.place}" if self.place else self.code

    @property
    def ids(self) -> tuple[str, ...]:
        """Its id, and those of the others that it stands for."""
        return (self.id, *(f"{self.code}/{place}" for place in self.alike))


def absent(code: str, why: str, place: str = "") -> Finding:
    """A class of flaws, or one flaw, that no game can show."""
    return Finding(code, FindingOutcome.ABSENT, why, place)


def bounded(code: str, where: str, place: str = "") -> Finding:
    """A class of flaws that no game showed that was looked at."""
    return Finding(code, FindingOutcome.BOUNDED, where, place)


MOST_NAMED = 3
"""So many names are told; of more it is said how many."""


def some(names: Iterable[str]) -> str:
    """A few names, each once, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = f" and {len(every) - MOST_NAMED} more" if len(every) > MOST_NAMED else ""
    return ", ".join(every[:MOST_NAMED]) + more


def unknown(code: str, why: str, place: str = "") -> Finding:
    """A class of flaws of which nothing is known."""
    return Finding(code, FindingOutcome.UNKNOWN, why, place)
