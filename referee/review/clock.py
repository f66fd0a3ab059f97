"""The time that a review has, shared out among its parts; what is left of it once somebody wants it to end."""

from __future__ import annotations

import math
import time

LAST_SECONDS = 10.0
"""After Ctrl-C so much time is left to look at what is known."""
MOST = 3600.0


class TimeUp(Exception):
    """The time of a check is over."""


class Clock:
    """Counts down; a check asks it now and then. Without seconds there is no end. `whole`: what it is a part of."""

    def __init__(self, seconds: float | None, whole: Clock | None = None) -> None:
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._now_until = self._until
        self._whole = whole
        self._hurried = False

    @property
    def hurried(self) -> bool:
        """True after Ctrl-C: nothing new is to be begun."""
        return self._hurried if self._whole is None else self._whole.hurried

    @property
    def why(self) -> str:
        """Why there was no more time, in words."""
        return "it was interrupted" if self.hurried else "the time was up"

    def hurry(self) -> bool:
        """Somebody wants it to end: a few seconds are left, here and for all that this is a part of. False if they
        were wanted before: then it ends at once."""
        if self._whole is not None:
            return self._whole.hurry()
        if self._hurried:
            return False
        self._hurried = True
        self._until = min(self._until, time.monotonic() + LAST_SECONDS)
        self._now_until = min(self._now_until, self._until)
        return True

    def left(self) -> float:
        """Seconds that are left for what is being done."""
        here = min(MOST, max(0.0, self._now_until - time.monotonic()))
        return here if self._whole is None else min(here, self._whole.left())

    def part(self, share: float) -> Clock:
        """A clock with a share of the time that is left for all of it."""
        rest = self._rest()
        return Clock(None if rest == math.inf else rest * min(1.0, share), self)

    def share(self, others: int) -> None:
        """Gives what is done next its share of what is left, twice as much as if all took the same."""
        self._now_until = time.monotonic() + self._rest() * min(1.0, 2 / (others + 1))

    def _rest(self) -> float:
        """Seconds that are left for everything."""
        here = max(0.0, self._until - time.monotonic())
        return here if self._whole is None else min(here, self._whole._rest())

    def tick(self) -> None:
        """Raises `TimeUp` if no time is left."""
        if self.left() <= 0.0:
            raise TimeUp
