"""The time that a review has, shared out among its checks."""

from __future__ import annotations

import time


class TimeUp(Exception):
    """The time of a check is over."""


class Clock:
    """Counts down; a check asks it now and then. Without seconds there is no end."""

    def __init__(self, seconds: float | None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds
        self._part: float | None = self._until

    def left(self) -> float:
        """Seconds that are left for what is being done."""
        return 3600.0 if self._part is None else max(0.0, self._part - time.monotonic())

    def share(self, others: int) -> None:
        """Gives what is done next its share of what is left, twice as much as the same for all."""
        if self._until is not None:
            whole = max(0.0, self._until - time.monotonic())
            self._part = time.monotonic() + whole * min(1.0, 2 / (others + 1))

    def tick(self) -> None:
        """Raises `TimeUp` if no time is left."""
        if self._part is not None and time.monotonic() > self._part:
            raise TimeUp
