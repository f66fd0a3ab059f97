"""Judges the lines of a log with holes: over all ways to fill them, and what is wrong if there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from referee.game.event import TABLE, Event
from referee.game.log.log_lines import EventLine, Line
from referee.game.setting import Setting
from referee.game.state import Ended, Step
from referee.game.value_codec import DecodeProblem
from referee.interpreter.refusals import BAD_ARGUMENT, GUARD
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.judging_notes import MOST_SECONDS as MOST_SECONDS
from referee.judge.judging_notes import Halt, JudgingNotes, out_of_time
from referee.judge.open_settings.setting_space import Rejoin
from referee.judge.partial.constraints.world_positions import has_unknown
from referee.judge.partial.enumeration import AfterLine, Branches, LogBranch, TooMany, in_one_of, said_so
from referee.judge.partial.known_positions import MOST_POSITIONS, Domains
from referee.judge.partial.lifted.constraint_tracker import ConstraintTracker
from referee.judge.partial.lifted.filling_tracker import FillingTracker
from referee.judge.partial.lifted.hidden_start import has_tokens
from referee.judge.partial.lifted.sampled.sampled_tracker import SampledTracker
from referee.judge.partial.lifted.setting_tracker import SettingTracker
from referee.judge.partial.line_patterns import Pattern, TooManyHoles, known, patterns_of
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import MOST_STATES
from referee.judge.partial.told_world import MOST_KEPT
from referee.judge.refusal_reports import Refusals
from referee.judge.verdict import FailedLine, HoleFact, LogOutcome, WrongKind
from referee.system.deadline import NEVER, Deadline, OutOfTime

_T = TypeVar("_T")
Retold = Callable[[LogBranch, int, Line | None], JudgingNotes | None]
"""What is wrong with a line in one world: with what the world has there, or with a line that claims something."""
Ways = Branches | ConstraintTracker | SampledTracker
MOST_ASKED = 40
"""Of so many hidden components it is found out unasked whether each can be only one thing."""


def limit_search(explorer: Explorer) -> None:
    """From now on no way to fill holes is sought for ever, where nobody has said for how long."""
    if explorer.deadline is NEVER:
        explorer.deadline = Deadline.computing(MOST_SECONDS)


class Holes:
    """The lines of one log from its first hole on. `halt`: why nothing more can be said; then it is fed no more.

    `number` of arguments with holes; `conflict`: lines that contradict each other, once one is wrong.

    `branches` fills the holes in every way while there are not too many; from then on hidden things stay hidden until a
    rule asks what they are. A wrong line is the last: what comes after it could be filled in any way.
    """

    def __init__(self, walker: Walker, setting: Setting, explorer: Explorer, refusals: Refusals, claims: AssertedClaims,
                 names: Names, first: LogBranch, rejoin: Rejoin | None = None, retold: Retold | None = None) -> None:
        """`rejoin`: it is asked under which settings the log stands, not how its holes can be filled; of `first` it may
        be that not everything is known. `retold`: judges a line again in one world, to say why it is wrong there."""
        self.halt: Halt | None = None
        self.branches: Ways = Branches(walker, explorer, first, refusals.unsound)
        one_by_one = walker.core.undo or walker.asked_step_by_step  # it has to say it of each way
        self._tracker: ConstraintTracker | None = None
        self._sampled: SampledTracker | None = None
        self._beside: list[Line] = []
        if not one_by_one:
            game = (walker, explorer, first, refusals.unsound, claims, names)
            self._tracker = FillingTracker(*game) if rejoin is None else SettingTracker(rejoin, *game)
        self._unknown = any(has_unknown(here.step) for here in first.alive)
        hidden = any(has_tokens(here.step) for here in first.alive)
        if (self._unknown or hidden) and self._tracker is not None:
            self.branches = self._tracker
        self._retold = retold
        self._claims: dict[int, Line] = {}
        self._known: dict[int, JudgingNotes] = {}
        self.number = 0
        self.conflict: tuple[int, ...] = ()
        self._walker = walker
        self._setting = setting
        self._explorer = explorer
        self._refusals = refusals

    def event(self, line: EventLine, stated: Event | list[DecodeProblem] | None) -> JudgingNotes | None:
        """A move. `stated`: what it says if it has no hole itself."""
        try:
            if isinstance(stated, Event):
                goes_on = self._asked(lambda ways: ways.move(line.number, stated))
                return None if goes_on else self._lost(line, stated, (known(stated),))
            self.number += len(line.holes)
            patterns = patterns_of(self._walker.core, self._setting, line) if stated is None else stated
            if isinstance(patterns, list):
                return self._late(line) or self._undecoded(line, patterns)
            goes_on = self._asked(lambda ways: ways.fill(line.number, patterns))
            return None if goes_on else self._lost(line, self._bare(line, patterns), patterns)
        except (TooMany, TooManyHoles) as why:
            self._too_many(line.number, why)
        except OutOfTime:
            self.halt = out_of_time(self._explorer.deadline, line.number)
        return None

    def beside(self, line: Line, look: Callable[[LogBranch], AfterLine]) -> JudgingNotes | None:
        """A claim, or a line that ends the game whatever the rules say."""
        def ask(ways: Ways) -> JudgingNotes | None:
            if isinstance(ways, Branches):
                return ways.claim(line, look, event=isinstance(line, EventLine))
            return ways.beside(line)

        if len(self._beside) < MOST_KEPT:
            self._beside.append(line)
        try:
            found = self._asked(ask)
        except TooMany as why:
            self._too_many(line.number, why)
            return None
        except OutOfTime:
            self.halt = out_of_time(self._explorer.deadline, line.number)
            return None
        if self._retold is not None and found is None and self.branches.bit(line.number):
            self._claims[line.number] = line
        goes_on = found is None and (self.branches.held or self.branches.stuck is None)
        return None if self._halted(line.number, goes_on) else found

    def _asked(self, ask: Callable[[Ways], _T]) -> _T:
        """Both are asked while both can answer; then some ways only. Raises `TooMany` once none can."""
        answers: list[_T] = []
        if self._tracker is not None and self._tracker is not self.branches:
            try:
                answers.append(ask(self._tracker))
            except TooMany:
                self._sampled, self._tracker = self._tracker.sampled(), None
        if self._sampled is not None and self._sampled is not self.branches:
            kept = ask(self._sampled)
        self.branches.thorough = self._tracker is None or not self._tracker.settled
        try:
            if isinstance(self.branches, ConstraintTracker) and self.branches.crowded:
                raise TooMany
            return ask(self.branches)
        except TooMany:
            if answers and self._tracker is not None:
                self.branches = self._tracker
                return answers[0]
            if isinstance(self.branches, ConstraintTracker):
                self._sampled = self.branches.sampled()
                if self._sampled is not None:
                    kept = ask(self._sampled)
            if self._sampled is None or self._sampled is self.branches:
                raise
            self._sampled.go_on()
            self.branches, self._tracker = self._sampled, None
            return kept

    def broken(self, overruled: Iterable[int]) -> JudgingNotes | None:
        """The first claim that cannot hold together with those before it, as it is in a world that is left."""
        found = self.branches.broken(overruled)
        if found is None or self._retold is None or self._unknown:
            return found
        line = found.wrong.line
        if line not in self._known:
            bit = self.branches.bit(line)
            world = next((one for one in self.branches.alive if one.marks & bit), None)
            told = None if world is None else self._retold(world, line, self._claims.get(line))
            self._known[line] = found
            if told is not None and told.wrong.line == line:
                self._known[line] = said_so(told, found.so)
        return self._known[line]

    @property
    def some(self) -> bool:
        """Whether some ways only were followed: what is so in all of them need not be so in every way."""
        return isinstance(self.branches, SampledTracker)

    @property
    def beside_events(self) -> list[Line] | None:
        """The lines since the first hole that are no moves; None if not all were kept."""
        return self._beside if len(self._beside) < MOST_KEPT else None

    @property
    def tells(self) -> bool:
        """Whether it is told of one world how things are there."""
        return self._retold is not None and not self._unknown

    @property
    def untested(self) -> tuple[str, ...]:
        """Invariants and limits that were not tested, because they read what is not known."""
        return () if self._tracker is None else self._tracker.untested

    def positions(self, line: int) -> list[tuple[Step, Domains]]:
        """Every position in which the game may stand after a line, with what its hidden components may be; none if not
        all of them are followed, or they are too many to be laid beside each other."""
        if self._explorer.overflow or self.halt is not None:
            return []
        if isinstance(self.branches, Branches) and len(self.branches.alive) <= MOST_POSITIONS:
            return [(here.step, {}) for branch in self.branches.alive for one in branch.alive
                    for here in self._explorer.arrived(one, line)]
        if not isinstance(self._tracker, FillingTracker) or not self._tracker.whole:
            return []
        return [(way.here.step, way.store.domains) for way in self._tracker.standing()]

    def unknowns(self, *, thorough: bool = False) -> int | None:
        """How many values are not the same in every way; None if that is not known. `thorough`: whatever it takes."""
        return None if self._tracker is None else self._tracker.unknowns(None if thorough else MOST_ASKED)

    def facts(self) -> tuple[HoleFact, ...]:
        """What must be so of the holes, as far as it was found out in time."""
        found: list[HoleFact] = []
        try:
            for fact in self._tracker.facts() if self._tracker is not None else ():
                found.append(fact)  # noqa: PERF402 - those found before the time is over are kept
        except OutOfTime:
            pass
        return tuple(found)

    def back(self, line: int, count: int) -> None:
        """Takes back events."""
        try:
            self.branches.back(line, count)
        except TooMany as why:
            self._too_many(line, why)

    def _too_many(self, line: int, why: Exception) -> None:
        reason = f"line {line}: {str(why) or 'too many possibilities to follow'}"
        self.halt = Halt(LogOutcome.UNKNOWN, line, reason, large=True)

    def _halted(self, line: int, goes_on: bool) -> bool:
        """Whether it cannot be said that a line is wrong, because something was not followed to its end."""
        if goes_on:
            return False
        if self.branches.stuck is not None:
            self.halt = self.branches.stuck
        elif self._explorer.overflow:
            self.halt = Halt(LogOutcome.DEPENDS, line, f"more than {MOST_STATES} ways to settle what is open, "
                                                    "and no followed one allows this line")
        return self.halt is not None

    def _bare(self, line: EventLine, patterns: Sequence[Pattern]) -> Event:
        """What a line with holes says for certain."""
        return patterns[0].bare if patterns else Event(TABLE, line.do)

    def _late(self, line: EventLine) -> JudgingNotes | None:
        """A wrong line, whatever it says, if the game is over."""
        if self.some:
            return None
        for branch in self.branches.alive:
            if branch.closed is None and not all(isinstance(here.step, Ended) for here in branch.alive):
                return None
        closed = self.branches.alive[0].closed
        how = closed.how if closed is not None else "the game is over"
        message = f"{line.by}: {line.do}, but {how}"
        return JudgingNotes(FailedLine(line.number, WrongKind.EVENT_AFTER_END, line.do, message), applied=False)

    def _undecoded(self, line: EventLine, problems: Sequence[DecodeProblem]) -> JudgingNotes:
        alive = self.branches.alive[0].alive
        return JudgingNotes(self._refusals.undecoded(line, problems, alive), applied=False)

    def _lost(self, line: EventLine, event: Event, patterns: Sequence[Pattern]) -> JudgingNotes | None:
        """A line that no way to fill the holes allows: as the first way has it, in which somebody is asked."""
        if self._halted(line.number, goes_on=False):
            return None
        self.conflict = () if self._tracker is None else self._tracker.conflict(line.number, patterns)
        for branch in self.branches.alive if not self._unknown else ():
            refused = [] if branch.closed else self._explorer.take(branch.alive, event, line.number).refused
            if not refused:
                continue
            telling = all(refusal.kind not in (BAD_ARGUMENT, GUARD) for _, refusal in refused)
            if line.holes and not telling:
                near = self._refusals.nearest_to(refused[0][0], event)
                return JudgingNotes(replace(self._unfilled(line), nearest=near), applied=False)
            told = None if self._retold is None or line.holes else self._retold(branch, line.number, line)
            found = told or JudgingNotes(self._refusals.wrong(line, event, refused), applied=False)
            return replace(in_one_of(self.branches.ways, found), applied=False)
        return self._late(line) or JudgingNotes(self._unfilled(line), applied=False)

    def _unfilled(self, line: EventLine) -> FailedLine:
        if self._unknown:
            why = "whatever lies where it is not known"
            return FailedLine(line.number, WrongKind.ILLEGAL_MOVE, line.do, f"{line.by} may not {line.do}, {why}")
        holes = f"nothing that {' and '.join(line.holes)} could be" if line.holes else "nothing in the holes before it"
        return FailedLine(
            line.number, WrongKind.ILLEGAL_MOVE, line.do, f"{line.by} may not {line.do}: {holes} makes it legal"
        )
