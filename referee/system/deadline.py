"""How long something may take: the one place that looks at a clock, whether on the wall or of computing.

`Deadline` is a moment by which an answer is wanted; `Clock` shares a time out among parts; `Stopwatch` measures. What
is bounded by computing gives the same answer on a machine that has something else to do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextvars import ContextVar

LAST_SECONDS = 10.0
"""After Ctrl-C so much time is left to look at what is known."""
MOST_LEFT = 3600.0
"""Seconds: `Clock.left` says no more, even of a clock without an end; when it ends does not hang on this."""
SOME = 64
"""So much is done at once where a deadline may come."""


class OutOfTime(Exception):
    """The time that was given has passed."""


class StopRequested(Exception):
    """Whoever waits for an answer wants none any more. `failure`: what he raised when he was asked, if he did."""

    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__(failure)
        self.failure = failure


_ASKED: ContextVar[Callable[[], bool] | None] = ContextVar("_ASKED", default=None)
"""What is asked whether to stop, wherever a deadline is looked at; each thread has its own."""


class _Asking:
    """What `stopped_by` gives. It is entered for every log: what `contextmanager` makes takes several times as long."""

    def __init__(self, asked: Callable[[], bool] | None) -> None:
        self._asked = asked

    def __enter__(self) -> None:
        self._before = _ASKED.set(self._asked)

    def __exit__(self, *_: object) -> None:
        _ASKED.reset(self._before)


def stopped_by(asked: Callable[[], bool] | None) -> _Asking:
    """Within it `StopRequested` is raised where a deadline is looked at, even one that never comes, once `asked` says
    so; None: nobody is asked."""
    return _Asking(asked)


def _ask(asked: Callable[[], bool]) -> None:
    """Raises `StopRequested` if somebody wants it to stop. What he does meanwhile is not his to stop."""
    before = _ASKED.set(None)
    try:
        stop = bool(asked())
    except Exception as failure:  # his own: it goes past everything here that handles errors, and comes out as it is
        raise StopRequested(failure) from None
    finally:
        _ASKED.reset(before)
    if stop:
        raise StopRequested


class Deadline:
    """A moment by which an answer is wanted; None: never."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds
        self._outer: Deadline | None = None

    @classmethod
    def computing(cls, seconds: float) -> Deadline:
        """The moment at which this process has computed for so many seconds more."""
        return cls(seconds, time.process_time)

    @property
    def words(self) -> str:
        """How long it is, in words: seconds on the wall, or of computing."""
        return f"{round(self.seconds or 0, 1):g} s{' of computing' if self._clock is time.process_time else ''}"

    @property
    def passed(self) -> bool:
        """Whether the time has passed. Raises `StopRequested` if somebody is asked, and wants it to stop."""
        asked = _ASKED.get()
        if asked is not None:
            _ask(asked)
        here = self._end is not None and self._clock() >= self._end
        return here or (self._outer is not None and self._outer.passed)

    @property
    def late(self) -> bool:
        """Whether half the time has passed."""
        return self._end is not None and self.seconds is not None and self.seconds_left < self.seconds / 2

    @property
    def as_timeout(self) -> float | None:
        """What to hand on as a time out: the seconds that are left, at least a tenth; None if there is no end."""
        return None if self.seconds_left == math.inf else max(0.1, self.seconds_left)

    @property
    def seconds_left(self) -> float:
        """How many seconds are left, below nothing once the time has passed; infinite if there is no end."""
        here = math.inf if self._end is None else self._end - self._clock()
        return here if self._outer is None else min(here, self._outer.seconds_left)

    def within(self, seconds: float) -> Deadline:
        """The same, but after so many seconds at the latest."""
        made = Deadline(min(seconds, seconds if self.as_timeout is None else self.as_timeout), self._clock)
        made._outer = self._outer
        return made

    def computing_within(self, seconds: float) -> Deadline:
        """The same, but once this process has computed for so many seconds more at the latest: what is found out by
        then is the same on a machine that has something else to do."""
        made = Deadline.computing(seconds)
        made._outer = self
        return made

    def check(self) -> None:
        """Raises `OutOfTime` once the time has passed."""
        if self.passed:
            raise OutOfTime


NEVER = Deadline(None)


def nanoseconds_since(moment: int) -> int:
    """How long ago something was changed of which a file system says when."""
    return time.time_ns() - moment


def endless(deadline: Deadline) -> bool:
    """Whether a deadline never comes, and nobody is asked whether to stop: then it need not be looked at."""
    return deadline is NEVER and _ASKED.get() is None


class Stopwatch:
    """Counts the seconds from when it is made."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = clock()

    @classmethod
    def computing(cls) -> Stopwatch:
        """One that counts what this process computes."""
        return cls(time.process_time)

    @property
    def seconds(self) -> float:
        """How many have passed."""
        return self._clock() - self._begun


class Clock:
    """Counts down; a check asks it now and then. Without seconds there is no end. `whole`: what it is a part of;
    `now`: the seconds on the wall, or those that this process has computed."""

    def __init__(
        self, seconds: float | None, whole: Clock | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._until = Deadline(seconds, now)
        self._now_until = self._until
        self._whole = whole
        self._hurried = False

    @classmethod
    def computing(cls, seconds: float) -> Clock:
        """One that counts down what this process computes, so that as much is looked at on a busy machine."""
        return cls(seconds, None, time.process_time)

    @property
    def hurried(self) -> bool:
        """True after Ctrl-C: nothing new is to be begun."""
        return self._hurried if self._whole is None else self._whole.hurried

    @property
    def over(self) -> bool:
        """True if nothing new is to be begun: somebody wants it to end, or no time is left."""
        return self.hurried or self.left() <= 0.0

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
        self._until = Deadline(min(self._until.seconds_left, LAST_SECONDS))
        self._now_until = Deadline(min(self._now_until.seconds_left, LAST_SECONDS))
        return True

    def left(self) -> float:
        """Seconds that are left for what is being done."""
        here = min(MOST_LEFT, max(0.0, self._now_until.seconds_left))
        return here if self._whole is None else min(here, self._whole.left())

    def part(self, share: float) -> Clock:
        """A clock with a share of the time that is left for all of it."""
        rest = self._rest()
        return Clock(None if rest == math.inf else rest * min(1.0, share), self, self._now)

    def share(self, others: int) -> None:
        """Gives what is done next its share of what is left, twice as much as if all took the same."""
        rest = self._rest() * min(1.0, 2 / (others + 1))
        self._now_until = Deadline(None if rest == math.inf else rest, self._now)

    def _rest(self) -> float:
        """Seconds that are left for everything."""
        here = max(0.0, self._until.seconds_left)
        return here if self._whole is None else min(here, self._whole._rest())

    def tick(self) -> None:
        """Raises `OutOfTime` if no time is left."""
        if self.left() <= 0.0:
            raise OutOfTime
