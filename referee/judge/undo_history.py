"""What a game stood at before its last events, for rules that let events be taken back."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from referee.judge.judging_notes import Closed
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.partial.told_world import EventTrail
from referee.judge.reasons.past_events import Place

MOST_KEPT = 32
"""Events that can be taken back at once: of a log that takes back more it is not known whether it is legal."""


@dataclass(frozen=True, slots=True)
class UndoPoint:
    """What a game may have stood at before an event, and how it was closed then. `place`: where its way had come to; in
    a log with holes to the first of them, `start` there and `trail` from there."""

    alive: list[PossibleState]
    closed: Closed | None
    place: Place = (0, 0)
    start: tuple[PossibleState, ...] = ()
    trail: EventTrail | None = None


class History:
    """The last events of one log, at most `MOST_KEPT`; `events` is how many stand, also those no longer kept."""

    def __init__(self, *, kept: bool) -> None:
        self.kept = kept
        self.events = 0
        self._before: deque[UndoPoint] = deque(maxlen=MOST_KEPT)

    @property
    def before(self) -> tuple[UndoPoint, ...]:
        """What is kept, the oldest first."""
        return tuple(self._before)

    def note(self, alive: list[PossibleState], closed: Closed | None, place: Place) -> None:
        """An event comes next."""
        if self.kept:
            self.events += 1
            self._before.append(UndoPoint(alive, closed, place))

    def back(self, count: int) -> UndoPoint | None:
        """What the game stood at before the last so many events, which no longer stand; None if that is not kept."""
        if count > len(self._before):
            return None
        for _ in range(count):
            found = self._before.pop()
        self.events -= count
        return found
