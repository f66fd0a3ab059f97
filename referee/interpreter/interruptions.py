"""What interrupts an evaluation: errors that the rules make, and values that nobody stated."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.ruleset import Key
from referee.diagnostics.source import Span, phrase
from referee.game.state import ErrorCause, Failed, State

RANGE = "RT01"
NOT_THERE = "RT02"
NO_ROOM = "RT03"
NOT_ONE = "RT05"
TOO_LONG = "RT06"
BROKEN = "RT07"
NO_VALUES = "RT08"


class Fault(Exception):
    """An error that the rules make when they are carried out."""

    def __init__(self, code: str, message: str, span: Span | None, cause: ErrorCause | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.cause = cause

    def step(self, since: State | None) -> Failed:
        """Where the game stands then. `since`: the last point passed."""
        return Failed(self.code, self.message, self.span, since, self.cause)


def not_one(texts: Mapping[str, str], found: str, span: Span | None, cause: ErrorCause | None = None) -> Fault:
    """That there is not exactly one of what a phrase of the rules stands for. `texts`: of the rules."""
    return Fault(NOT_ONE, f"{phrase(texts, span)}{found}, and exactly one is needed", span, cause)


def none_best(texts: Mapping[str, str], span: Span | None) -> Fault:
    """That there is nothing of which a phrase of the rules asks the highest or lowest."""
    return Fault(NOT_ONE, f"{phrase(texts, span)}there is none to take the best of", span)


class Unsettled(Exception):
    """A value that nobody stated decides how the game goes on.

    `pieces` are intervals of its possible values, at least two, that together are all of them; go on with each.
    """

    def __init__(self, var: str, key: Key, pieces: tuple[tuple[int, int], ...]) -> None:
        super().__init__(var)
        self.var = var
        self.key = key
        self.pieces = pieces
