"""How long something may take."""

from __future__ import annotations

import time


class OutOfTime(Exception):
    """The time that was given has passed."""


class Deadline:
    """A moment by which an answer is wanted; None: never."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._half = None if seconds is None else time.monotonic() + seconds / 2

    @property
    def passed(self) -> bool:
        """Whether the time has passed."""
        return self._end is not None and time.monotonic() > self._end

    @property
    def late(self) -> bool:
        """Whether half the time has passed."""
        return self._half is not None and time.monotonic() > self._half

    @property
    def left(self) -> float | None:
        """How many seconds are left, at least a tenth; None if there is no end."""
        return None if self._end is None else max(0.1, self._end - time.monotonic())

    def within(self, seconds: float) -> Deadline:
        """The same, but after so many seconds at the latest."""
        return Deadline(seconds if self.left is None else min(seconds, self.left))

    def check(self) -> None:
        """Raises `OutOfTime` once the time has passed."""
        if self.passed:
            raise OutOfTime


NEVER = Deadline(None)
