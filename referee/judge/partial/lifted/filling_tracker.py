"""Follows a log with holes to find how they can be filled: which lines narrow that, and in how many ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.game.log.log_lines import Line
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.judging_notes import JudgingNotes, halt_at
from referee.judge.partial.constraints.model_counting import TooManyWays
from referee.judge.partial.enumeration import LogBranch, TooMany
from referee.judge.partial.lifted.constrained_state import (
    MOST_CONSTRAINED,
    ConstrainedState,
    covers,
    divided,
    worlds_of,
)
from referee.judge.partial.lifted.constraint_tracker import ConstraintTracker
from referee.judge.partial.lifted.hidden_claims import AfterClaim
from referee.judge.partial.lifted.implied.exclusion import surely_gone
from referee.judge.partial.lifted.line_passage import EventOutcome
from referee.judge.partial.lifted.sampled.sampled_tracker import SampledTracker
from referee.judge.partial.line_patterns import Pattern
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import FailedLine
from referee.system.quick_replace import replace

MANY_WAYS = 32
"""So many are given up for some of them once half the time is over."""


class FillingTracker(ConstraintTracker):
    """A log of which it is asked how its holes can be filled, whatever else was open.

    `settled`: nothing but holes was open. Otherwise it takes all ways to fill the holes to say which lines narrow them.
    """

    partly = True

    def __init__(
        self,
        walker: Walker,
        explorer: Explorer,
        first: LogBranch,
        unsound: Callable[[int, str, PossibleState], FailedLine],
        claims: AssertedClaims,
        names: Names,
    ) -> None:
        super().__init__(walker, explorer, first, unsound, claims, names)
        self._left_out = 0
        self._explorer = explorer
        self._counted: tuple[list[ConstrainedState], int | None] | None = None

    @property
    def settled(self) -> bool:
        """Whether nothing but holes was open so far."""
        return self._follower.settled

    @property
    def ways(self) -> int | None:
        """In how many ways the holes can be filled; None if there are too many to count, or nobody knows."""
        if self._unknown or not self.whole:
            return None
        if self._counted is None or self._counted[0] is not self._ways:
            try:
                self._counted = self._ways, len(worlds_of(self._ways)) if self._ways else 0
            except TooManyWays:
                self._counted = self._ways, None
        return self._counted[1]

    @property
    def crowded(self) -> bool:
        """Whether it is time to follow some ways only: there are many, and half the time is over."""
        return len(self._ways) > MANY_WAYS and self._explorer.deadline.late and bool(self._sure())

    def sampled(self) -> SampledTracker | None:
        """What follows some of the ways from here on; None if more than holes is open, or no way is sure."""
        ways, lines = self._sure(), self._lines
        if not ways or lines is None:
            return None
        return SampledTracker(self._follower, self._teller, self._explorer.deadline, ways, self.narrowing,
                              self.claimed, lambda way, stated: self._branch(way, (*lines, *stated)))

    def _sure(self) -> list[ConstrainedState]:
        """The ways in which nothing is wrong, if nothing but holes is open."""
        if self._unknown or not self.settled:
            return []
        return [way for way in self._ways if not way.marks and not way.store.doubtful]

    def _attempted(
        self, way: ConstrainedState, line: int, patterns: Sequence[Pattern]
    ) -> list[tuple[ConstrainedState, EventOutcome]]:
        return self._followed(way, line, patterns)

    def _told(self, way: ConstrainedState, line: Line) -> list[AfterClaim]:
        return list(self._teller.told(way, line))

    def _lost(
        self,
        way: ConstrainedState,
        line: int,
        patterns: Sequence[Pattern],
        refused: list[ConstrainedState],
        *,
        some: bool,
    ) -> list[ConstrainedState]:
        """The position in the worlds in which no way to fill the holes of a line is allowed."""
        if not some or not any(pattern.holes for pattern in patterns):
            return refused
        asked = self._follower.followed(way, line, lambda passage, _: passage.attempt(tuple(patterns), only_ask=True))
        before = self._follower.left_out
        try:
            return [one for one, outcome in asked if outcome.step is None]
        except TooMany:
            self.unsure.append(line)
            return []
        finally:
            if self._follower.left_out > before:  # nothing that goes on was left out
                self._follower.left_out = before
                self.unsure.append(line)

    def _marked(
        self,
        good: Sequence[ConstrainedState],
        bad: Sequence[tuple[ConstrainedState, JudgingNotes]],
        mark: Callable[[JudgingNotes], int],
    ) -> list[ConstrainedState]:
        """Those with which a claim does not hold, with the mark of that; not where it holds if another open value is
        settled otherwise."""
        left = [way for way, _ in bad] if self.settled else divided(good, [way for way, _ in bad])
        return [replace(way, marks=way.marks | mark(wrong)) for way, wrong in bad if any(way is one for one in left)]

    def _go_on(self, line: int, found: list[ConstrainedState], lost: Sequence[ConstrainedState]) -> None:
        """These are the positions after a line, and those with which it was refused. Raises `TooMany`."""
        self._bounded(found)
        narrows = bool(lost)
        if lost and all(way.store.doubtful for way in lost):
            self.unsure.append(line)
            narrows = False
        elif lost and not self.settled:
            try:
                narrows = self._fewer(found, lost)
            except TooMany:
                self.unsure.append(line)
                narrows = False
        if self._follower.left_out > self._left_out:
            self._left_out = self._follower.left_out
            self.unsure.append(line)
        self._ways = found
        if narrows:
            self.narrowing.append(line)

    def _bounded(self, found: Sequence[ConstrainedState]) -> None:
        if len(found) > MOST_CONSTRAINED:
            raise TooMany

    def _fewer(self, found: Sequence[ConstrainedState], lost: Sequence[ConstrainedState]) -> bool:
        """Whether fewer ways to fill the holes are left, whatever else was open. Raises `TooMany`."""
        holes = len(self._ways[0].filled)
        if all(any(covers(one, way, holes) for one in found) for way in self._ways):
            return False
        if surely_gone(lost, found, holes):
            return True
        try:
            before = worlds_of(self._ways)
            return before != worlds_of(found, holes)
        except TooManyWays as why:
            raise TooMany from why

    def _note_stops(self, line: int, patterns: Sequence[Pattern]) -> None:
        """Whether a line is refused only because the rules had no answer before it."""
        for way in self._ways if all(way.closed is None for way in self._ways) else ():
            for after, outcome in self._follower.followed(
                    way, line, lambda passage, _: passage.attempt(tuple(patterns), only_ask=True, to_stop=True)):
                stuck = halt_at(outcome.at, line)
                if stuck is not None and after.store.doubtful:
                    raise TooMany
                self.stuck = stuck or self.stuck
