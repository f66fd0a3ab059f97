"""What one line of a log with holes makes of one way to fill them, one outcome after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.game.log.log_lines import Line
from referee.game.state import Ended, State
from referee.interpreter.interruptions import Unsettled
from referee.judge.partial.enumeration import TooMany
from referee.judge.partial.lifted.constrained_state import ConstrainedState, Follower
from referee.judge.partial.lifted.hidden_claims import Teller
from referee.judge.partial.line_patterns import Pattern
from referee.system.quick_replace import replace


@dataclass(frozen=True, slots=True)
class SingleStep:
    """A line: an event that is one of some patterns, or `line`, that is no move. `serial`: from which number on its
    tokens are counted, whenever it is gone through."""

    number: int
    patterns: tuple[Pattern, ...]
    line: Line | None
    serial: int


@dataclass(slots=True, eq=False)
class Outcomes:
    """What a line makes of a way: those that go on with nothing wrong, one after the other. `refused`: there were
    others, or none; `sure`: it is the rules that refuse them, and nothing else was left out."""

    going_on: Iterator[ConstrainedState]
    refused: bool = False
    sure: bool = True


class SingleSteps:
    """Carries single ways through single lines, where nothing but holes is open."""

    def __init__(self, follower: Follower, teller: Teller) -> None:
        self._follower = follower
        self._teller = teller

    def after(self, way: ConstrainedState, step: SingleStep) -> Outcomes:
        """What the line makes of a way. What cannot be told, or hangs on more than holes, is left out."""
        found = Outcomes(iter(()))
        ways = self._event(way, step, found) if step.line is None else self._beside(way, step.line, found)
        found.going_on = self._told(ways, step.serial, found)
        return found

    def _told(self, ways: Iterator[ConstrainedState], serial: int, found: Outcomes) -> Iterator[ConstrainedState]:
        self._follower.at_line(serial)
        before = self._follower.left_out
        try:
            for one in ways:
                if one.store.doubtful:
                    found.sure = False
                else:
                    yield one
        except (TooMany, Unsettled):
            found.sure = False
        found.sure &= self._follower.left_out == before

    def _event(self, way: ConstrainedState, step: SingleStep, found: Outcomes) -> Iterator[ConstrainedState]:
        if way.closed is not None:
            found.refused = True
            return
        for one, outcome in self._follower.one_by_one(way, step.number, lambda passage, _: passage.attempt(
                step.patterns, only_ask=False, at_once=True)):
            after = outcome.step
            if outcome.ruled or outcome.untested or not isinstance(outcome.at, State | Ended):
                found.sure = False
            elif after is None:
                found.refused = True
            elif outcome.sound and isinstance(after, State | Ended):
                yield replace(one, here=one.here.at(after, arrived=False), filled=(*one.filled, *outcome.filled),
                              tested=outcome.tested)
            else:
                found.sure = False

    def _beside(self, way: ConstrainedState, line: Line, found: Outcomes) -> Iterator[ConstrainedState]:
        found.sure = False  # whether a claim is let stand is not known yet
        for after, closed, wrong in self._teller.told(way, line):
            if wrong is None:
                yield replace(after, closed=closed)
