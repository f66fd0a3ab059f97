"""The time that a review has, shared out among its parts."""

from __future__ import annotations

import time


class TimeUp(Exception):
    """The time of a check is over."""


class Clock:
    """Counts down; a check asks it now and then. Without seconds there is no end."""

    def __init__(self, seconds: float | None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds
        self._now_until = self._until

    def left(self) -> float:
        """Seconds that are left for what is being done."""
        return 3600.0 if self._now_until is None else max(0.0, self._now_until - time.monotonic())

    def part(self, share: float) -> Clock:
        """A clock with a share of the time that is left for all of it."""
        return Clock(None if self._until is None else max(0.0, self._until - time.monotonic()) * min(1.0, share))

    def share(self, others: int) -> None:
        """Gives what is done next its share of what is left, twice as much as if all took the same."""
        if self._until is not None:
            whole = max(0.0, self._until - time.monotonic())
            self._now_until = time.monotonic() + whole * min(1.0, 2 / (others + 1))

    def tick(self) -> None:
        """Raises `TimeUp` if no time is left."""
        if self._now_until is not None and time.monotonic() > self._now_until:
            raise TimeUp
