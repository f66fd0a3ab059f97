"""Follows a log with holes: every way to fill them that the lines so far allow; ways that come to the same are one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from referee.game.event import TABLE, Event
from referee.game.log.log_lines import Line
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.judging_notes import Closed, Halt, JudgingNotes, halt_at
from referee.judge.partial.line_patterns import Pattern
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.partial.told_world import EventTrail
from referee.judge.partial.told_world import after as trail_after
from referee.judge.reasons.past_events import Place
from referee.judge.undo_history import MOST_KEPT, UndoPoint
from referee.judge.verdict import FailedLine
from referee.system.quick_replace import replace

MOST_BRANCHES = 4_096
"""States that are followed at once, at most."""
MOST_WORK = 50_000
"""Events looked at for one line, at most."""
MOST_WORK_IN_ALL = 1_000_000
"""Events looked at for one log, at most."""
FEW_BRANCHES, FEW_WORK = 512, 3_000
"""The same while there is another way to follow the log."""
MOST_CLAIMS = 10_000
"""Claims whose fate is remembered for each state."""


@dataclass(frozen=True, slots=True)
class LogBranch:
    """Where the game may stand under some fillings of the holes so far, `ways` of them.

    `alive` is what one log without holes would have come to; `marks` has a bit for each claim that does not hold;
    `past` is what undo goes back to. `place` on the way before the first hole, `start` there and `trail` from there say
    how it came there, in one of the ways.
    """

    alive: tuple[PossibleState, ...]
    closed: Closed | None = None
    marks: int = 0
    ways: int = 1
    past: tuple[UndoPoint, ...] = ()
    place: Place = field(default=(0, 0), compare=False)
    start: tuple[PossibleState, ...] = field(default=(), compare=False)
    trail: EventTrail | None = field(default=None, compare=False)

    @property
    def key(self) -> object:
        """Equal for branches that have the same future."""
        stands = frozenset((here.step, here.worlds, here.more, here.choices) for here in self.alive)
        past = tuple((tuple((here.step, here.worlds, here.choices) for here in before.alive), before.closed)
                     for before in self.past)
        return stands, self.closed, self.marks, past


class TooMany(Exception):
    """There is more to follow than is followed."""


@dataclass(frozen=True, slots=True)
class AfterLine:
    """What a line that is no move makes of one branch: where it stands then, what is wrong, why nothing can be said."""

    alive: tuple[PossibleState, ...]
    closed: Closed | None
    found: JudgingNotes | None
    halt: Halt | None


class Branches:
    """All branches of one log. A method that raises `TooMany` leaves them as they were.

    `stuck`: why a branch could not be followed, though nothing that is known was wrong with it; `narrowing`: the lines
    that not every branch allows, of claims only those that end one; `unsure`: none;
    `thorough`: nothing else follows the log; `held`: some branch can have the last line that is no move.
    `unsound` explains a state that the rules exclude.
    """

    def __init__(self, walker: Walker, explorer: Explorer, first: LogBranch,
                 unsound: Callable[[int, str, PossibleState], FailedLine]) -> None:
        self.alive = [first]
        self.stuck: Halt | None = None
        self.narrowing: list[int] = []
        self.unsure: list[int] = []
        self.held = True
        self.thorough = True
        self._walker = walker
        self._explorer = explorer
        self._marks = Marks()
        self._unsound = unsound
        self._undoes = walker.core.undo
        self._work = self._work_in_all = 0

    @property
    def ways(self) -> int:
        """In how many ways the holes can be filled."""
        return sum(branch.ways for branch in self.alive)

    # --- moves

    def move(self, line: int, event: Event) -> bool:
        """An event of which everything is stated. False if no branch allows it: then they stay as they were."""
        return self._step(line, lambda branch: [event])

    def fill(self, line: int, patterns: Sequence[Pattern]) -> bool:
        """An event with holes, in every way that is legal. False as in `move`."""
        return self._step(line, lambda branch: self._fillings(branch, patterns, line))

    def _step(self, line: int, events: Callable[[LogBranch], Iterable[Event]]) -> bool:
        self._work = 0
        found: dict[object, LogBranch] = {}
        lost = False
        mark = self._marks.of_line()
        for branch in self.alive:
            allowed = False
            for event in events(branch) if branch.closed is None else ():
                after = self._after(branch, event, line, mark)
                if after is not None:
                    allowed = True
                    self._add(found, after)
            lost |= not allowed
        if found:
            self.alive = list(found.values())
            if lost:
                self.narrowing.append(line)
        return bool(found)

    def _add(self, found: dict[object, LogBranch], branch: LogBranch) -> None:
        known = found.get(key := branch.key)
        if known is None and len(found) >= (MOST_BRANCHES if self.thorough else min(FEW_BRANCHES, MOST_BRANCHES)):
            raise TooMany
        found[key] = branch if known is None else replace(known, ways=known.ways + branch.ways)

    def _after(
        self, branch: LogBranch, event: Event, line: int, mark: Callable[[JudgingNotes], int]
    ) -> LogBranch | None:
        """The branch after an event, None where it is not legal. A state that the rules exclude is a mark."""
        self._worked(1)
        past, trail = self._past(branch), trail_after(branch.trail, line, event)
        after = self._explorer.simply(branch.alive, event)
        if after is not None and self._explorer.simply_sound(after):
            return replace(branch, alive=(after,), past=past, trail=trail)
        tried = self._explorer.take(branch.alive, event, line)
        if not tried.accepted:
            self._note_stuck(tried.over, line)
            return None
        tested = [pair for here in tried.accepted for pair in self._explorer.tested(here, line)]
        sound = [here for here, holds in tested if holds]
        alive = tuple(self._explorer.capped(sound or [here for here, _ in tested]))
        marks = branch.marks
        if not sound:
            marks |= mark(JudgingNotes(self._unsound(line, event.label, tested[0][0]), applied=True))
        return replace(branch, alive=alive, marks=marks, past=past, trail=trail)

    def _past(self, branch: LogBranch) -> tuple[UndoPoint, ...]:
        """What undo goes back to after one event more."""
        if not self._undoes:
            return ()
        point = UndoPoint(list(branch.alive), branch.closed, branch.place, branch.start, branch.trail)
        return (*branch.past, point)[-MOST_KEPT:]

    def _note_stuck(self, over: Iterable[PossibleState], line: int) -> None:
        for here in over:
            self.stuck = halt_at(here.step, line) or self.stuck

    def _worked(self, number: int) -> None:
        self._explorer.deadline.check()
        self._work += number
        self._work_in_all += number
        if self._work > (MOST_WORK if self.thorough else FEW_WORK) or self._work_in_all > MOST_WORK_IN_ALL:
            raise TooMany

    # --- holes

    def _fillings(self, branch: LogBranch, patterns: Sequence[Pattern], line: int) -> list[Event]:
        """Every event that fits a line with holes and may be legal: there, or after what a log may leave out."""
        simple = self._simple(branch, patterns)
        if simple is not None:
            return simple
        reached = self._explorer.settling(branch.alive, line)
        self._note_stuck(reached, line)
        found: dict[Event, None] = {}
        for here in reached:
            if isinstance(here.step, State):
                for _, events in self._explorer.settled(here, line, lambda state: self._fitting(state, patterns)):
                    found.update(dict.fromkeys(events))
        self._note_stuck(self._explorer.failures(), line)
        return list(found)

    def _simple(self, branch: LogBranch, patterns: Sequence[Pattern]) -> list[Event] | None:
        """The usual case: the game waits for somebody who cannot pass in silence, and nothing is open."""
        if len(branch.alive) != 1 or not isinstance(state := branch.alive[0].step, State):
            return None
        try:
            asked = self._walker.asked(state)
            if asked.silent or asked.kind == "table":
                return None
            return self._fitting(state, patterns) or None
        except (Unsettled, Fault):
            return None

    def _fitting(self, state: State, patterns: Sequence[Pattern]) -> list[Event]:
        by = patterns[0].by if patterns else TABLE
        if by not in self._walker.who(state):
            return []
        found: list[Event] = []
        for event in islice(self._walker.events(state, by), MOST_WORK + 1):
            self._worked(1)
            if any(pattern.fits(event) for pattern in patterns):
                found.append(event)
        return found

    # --- claims

    def claim(self, line: Line, look: Callable[[LogBranch], AfterLine], *, event: bool) -> JudgingNotes | None:
        """A line that is no move. What it claims wrongly is marked; a branch that cannot have it ends. If none is left
        they stay as they were, and it is said what is wrong (nothing if that cannot be told). `event`: undo counts it.
        """
        self._work = 0
        found: dict[object, LogBranch] = {}
        mark = self._marks.of_line()
        first: JudgingNotes | None = None
        lost = False
        for branch in self.alive:
            self._worked(1)
            told = look(branch)
            self.stuck = told.halt or self.stuck
            if told.halt is not None or (told.found is not None and not told.found.wrong.kind.is_claim):
                lost, first = True, first or told.found
                continue
            marks = branch.marks if told.found is None else branch.marks | mark(told.found)
            past = self._past(branch) if event else branch.past
            self._add(found, replace(branch, alive=told.alive, closed=told.closed, marks=marks, past=past))
        self.held = bool(found)
        if not found:
            return first
        self.alive = list(found.values())
        if lost:
            self.narrowing.append(line.number)
        return None

    def back(self, line: int, count: int) -> None:
        """Takes back the last events, not more than are kept. What they told of earlier holes stays known. Where the
        log has ended the game nothing is taken back."""
        found: dict[object, LogBranch] = {}
        going_on = [branch for branch in self.alive if branch.closed is None or not branch.closed.by_end]
        for branch in going_on:
            before = branch.past[-count]
            self._add(found, replace(
                branch, alive=tuple(before.alive), closed=before.closed, past=branch.past[:-count],
                place=before.place, start=before.start or tuple(before.alive), trail=before.trail))
        if len(going_on) < len(self.alive):
            self.narrowing.append(line)
        self.alive = list(found.values())

    def broken(self, overruled: Iterable[int] = ()) -> JudgingNotes | None:
        """The first claim that cannot hold together with those before it, however the holes are filled."""
        return self._marks.broken([branch.marks for branch in self.alive], overruled, self.ways)

    def claimed(self, line: int) -> bool:
        """Whether a line claims something that some branch denies."""
        return self._marks.claimed(line)

    def bit(self, line: int) -> int:
        """The mark of the claim of a line; 0 if it claims nothing wrong."""
        return self._marks.bits([line])

    def doubtful(self, overruled: Iterable[int] = ()) -> list[int]:
        """The lines that claim what holds in some branches and not in others; not those that are overruled."""
        return self._marks.doubtful([branch.marks for branch in self.alive], overruled)


def in_one_of(ways: int | None, found: JudgingNotes, all_of_them: str = "it is wrong in every one") -> JudgingNotes:
    """What is wrong with a line, said of one way to fill the holes: in others it may be wrong for other reasons.
    `all_of_them`: what is so in every way."""
    if ways is not None and ways < 2:
        return found
    number = "many" if ways is None else f"{ways:,}"
    return said_so(found, f" (as in one of {number} ways to fill the holes; {all_of_them})")


def said_so(found: JudgingNotes, so: str) -> JudgingNotes:
    """The same with an end of its message."""
    return replace(found, wrong=replace(found.wrong, message=found.wrong.message + so), so=so)


class Marks:
    """Which claims of a log do not hold in which branch: a bit for each line that claims something wrong somewhere."""

    def __init__(self) -> None:
        self._claims: list[JudgingNotes] = []

    def of_line(self) -> Callable[[JudgingNotes], int]:
        """What gives the bit of one line, once something about it is wrong."""
        known = 0

        def bit(found: JudgingNotes) -> int:
            nonlocal known
            if not known:
                if len(self._claims) >= MOST_CLAIMS:
                    raise TooMany
                known = 1 << len(self._claims)
                self._claims.append(found)
            return known

        return bit

    def broken(self, marks: Sequence[int], overruled: Iterable[int], ways: int | None) -> JudgingNotes | None:
        """The first claim that cannot hold together with those before it, however the holes are filled."""
        let = self.bits(overruled)
        left = [mark & ~let for mark in marks]
        if not all(left):
            return None
        index = max((mark & -mark).bit_length() for mark in left) - 1
        found = self._claims[index]
        alone = all(mark >> index & 1 for mark in left)
        so = "it is wrong in every one" if alone else "in every one this or a claim before it is wrong"
        return in_one_of(ways, found, so)

    def bits(self, lines: Iterable[int]) -> int:
        """The marks of the claims of some lines."""
        return sum(1 << index for index, found in enumerate(self._claims) if found.wrong.line in lines)

    def claimed(self, line: int) -> bool:
        """Whether a line claims something that some branch denies."""
        return any(found.wrong.line == line for found in self._claims)

    def doubtful(self, marks: Iterable[int], overruled: Iterable[int]) -> list[int]:
        """The lines that claim what holds in some branches and not in others; not those that are overruled."""
        some = 0
        for mark in marks:
            some |= mark
        return [found.wrong.line for index, found in enumerate(self._claims)
                if some >> index & 1 and found.wrong.line not in overruled]
