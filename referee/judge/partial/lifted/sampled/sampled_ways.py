"""Follows some ways to fill the holes of a log, drawn by lot; where all of them end, those that were set aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from referee.judge.partial.enumeration import TooMany
from referee.judge.partial.lifted.constrained_state import ConstrainedState, Follower
from referee.judge.partial.lifted.position_merging import same_future
from referee.judge.partial.lifted.sampled.single_steps import Outcomes, SingleStep, SingleSteps
from referee.system.deadline import Deadline, Stopwatch

MOST_SAMPLED_WAYS = 16
"""So many ways are followed at once."""
FEW_OUTCOMES = 6
"""So many outcomes of a line are looked at of each way, at least; the others are set aside."""
MOST_ASIDE = 20_000
"""So many are set aside, at most; others are forgotten."""
MOST_SECONDS_SAMPLED = 30.0
"""So long is a way sought that stands."""
TIDIED_EVERY = 16
"""After so many lines what nothing in a position hangs on any more is put aside."""

Aside = tuple[ConstrainedState, Outcomes | None]
"""A way before a line; or what else the line makes of it."""


class SampledWays:
    """Some of the ways to fill the holes of one log, all of which stand after the last line; of the others nothing is
    known. `narrowing`: lines that refuse some way altogether.

    Of two ways with the same future one is followed. If none is left it goes back, each time twice as many lines as
    before: what went wrong may have been decided long ago.
    """

    def __init__(self, follower: Follower, steps: SingleSteps, deadline: Deadline,
                 ways: Sequence[ConstrainedState]) -> None:
        self.narrowing: set[int] = set()
        self._follower = follower
        self._steps = steps
        self._deadline = deadline
        self._spent = Stopwatch.computing()
        self._seconds = 0.0
        self._random = Random(0)
        self._lines: list[SingleStep] = []
        self._aside: dict[int, list[Aside]] = {}
        self._number_aside = 0
        self._seen: set[int] = set()
        self._first = ways[0]
        self.standing = self._some(list(ways), 0)

    def through(self, step: SingleStep) -> None:
        """One line more. Raises `TooMany` if no way was found that stands, and `OutOfTime`."""
        self._lines.append(step)
        self._spent = Stopwatch.computing()
        try:
            number, back = len(self._lines), 1
            found = self._carried([(way, None) for way in self.standing], number - 1)
            while not found:
                found = self._from(self._resumed(number - back), number)
                back = back * 2 if back < number else 1
        finally:
            self._seconds += self._spent.seconds
        self.standing = self._some(found, number)

    def _resumed(self, depth: int) -> int:
        """The last line up to which something was set aside; the first one if there is none. Raises `TooMany`."""
        there = sorted(line for line, ways in self._aside.items() if ways)
        if not there:
            raise TooMany
        return max((line for line in there if line <= depth), default=there[0])

    def _from(self, depth: int, number: int) -> list[ConstrainedState]:
        """What stands after the last line of what was set aside before one."""
        pool = self._aside[depth]
        now: list[Aside] = []
        for _ in range(min(MOST_SAMPLED_WAYS, len(pool))):
            at = self._random.randrange(len(pool))
            pool[at], pool[-1] = pool[-1], pool[at]
            now.append(pool.pop())
        self._number_aside -= len(now)
        found: list[ConstrainedState] = []
        for line in range(depth, number):
            found = self._carried(now, line)
            if line + 1 < number:
                found = self._some(found, line + 1)
            now = [(way, None) for way in found]
        return found

    def _carried(self, ways: Sequence[Aside], line: int) -> list[ConstrainedState]:
        """What a line makes of some ways."""
        share = max(FEW_OUTCOMES, 2 * MOST_SAMPLED_WAYS // max(1, len(ways)))
        return [after for way, rest in ways for after in self._outcomes(way, rest, line, share)]

    def _outcomes(self, way: ConstrainedState, rest: Outcomes | None, line: int,
                  share: int) -> Iterator[ConstrainedState]:
        """So many outcomes of a line that no other way has come to."""
        outcomes = rest if rest is not None else self._steps.after(way, self._lines[line])
        number = 0
        for after in outcomes.going_on:
            self._check()
            number += 1
            if (line + 1) % TIDIED_EVERY == 0:
                after = self._follower.tidied(after)
            future = hash((line, same_future(after, self._first)))
            if future not in self._seen:
                self._seen.add(future)
                yield after
            if number >= share:
                self._put_aside(line, (way, outcomes))
                return
        self._check()
        if rest is None and not number and outcomes.refused and outcomes.sure:
            self.narrowing.add(self._lines[line].number)

    def _some(self, ways: list[ConstrainedState], line: int) -> list[ConstrainedState]:
        if len(ways) <= MOST_SAMPLED_WAYS:
            return ways
        self._random.shuffle(ways)
        for way in ways[MOST_SAMPLED_WAYS:]:
            self._put_aside(line, (way, None))
        return ways[:MOST_SAMPLED_WAYS]

    def _put_aside(self, line: int, one: Aside) -> None:
        if self._number_aside < MOST_ASIDE:
            self._number_aside += 1
            self._aside.setdefault(line, []).append(one)

    def _check(self) -> None:
        self._deadline.check()
        if self._seconds + self._spent.seconds > MOST_SECONDS_SAMPLED:
            raise TooMany
