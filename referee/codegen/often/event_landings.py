"""Where functions leave the rest of an event to others, each by a number that they say."""

from __future__ import annotations

from typing import NamedTuple


class EventLanding(NamedTuple):
    """Where a function leaves the rest to others: the node, the claims that may not hold any more, as bits, and whether
    nothing but those is left to be looked at."""

    at: int
    doubts: int
    rests: bool


class Landings:
    """What functions say that do not come to where nothing is left to be done: numbers below -1."""

    def __init__(self) -> None:
        self.all: dict[int, EventLanding] = {}
        self._codes: dict[EventLanding, int] = {}

    def code(self, landing: EventLanding) -> int:
        """What stands for a landing."""
        code = self._codes.setdefault(landing, -2 - len(self._codes))
        self.all[code] = landing
        return code
