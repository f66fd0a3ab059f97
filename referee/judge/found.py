"""What the judge notes while it reads: wrong lines, why it halts, how a line closes the game."""

from __future__ import annotations

from dataclasses import dataclass

from referee.judge.verdict import Outcome, Wrong


@dataclass(frozen=True, slots=True)
class Halt:
    """Why, from a line on, nothing more can be said."""

    outcome: Outcome
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """A wrong line, and whether the game went on as it says."""

    wrong: Wrong
    applied: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """How the game was closed by a line: in words, and who then won, None if the rules do not say."""

    how: str
    winners: frozenset[int] | None
    by_end: bool = False
