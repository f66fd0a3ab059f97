"""Follows a log with holes without filling them: what a hole may be is asked only when the rules ask it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.game.event import Event
from referee.game.log.log_lines import Line
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.judging_notes import Halt, JudgingNotes
from referee.judge.partial.constraints.hidden_values import Sum
from referee.judge.partial.constraints.line_conflicts import contradicting
from referee.judge.partial.constraints.world_positions import as_witnessed, has_unknown
from referee.judge.partial.enumeration import LogBranch, Marks, TooMany
from referee.judge.partial.lifted.constrained_state import ConstrainedState, Follower
from referee.judge.partial.lifted.hidden_claims import AfterClaim, Teller
from referee.judge.partial.lifted.hidden_start import opened
from referee.judge.partial.lifted.implied.implied_facts import facts, open_values
from referee.judge.partial.lifted.line_passage import EventOutcome, Passage
from referee.judge.partial.lifted.sampled.sampled_tracker import SampledTracker
from referee.judge.partial.line_patterns import Pattern, known
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.partial.told_world import MOST_KEPT, in_world
from referee.judge.partial.told_world import after as trail_after
from referee.judge.verdict import FailedLine, HoleFact, WrongKind
from referee.system.deadline import Deadline, OutOfTime
from referee.system.quick_replace import replace

CONFLICT_SECONDS = 0.5
"""How long the lines are sought that contradict each other: that a line is wrong is known without them."""
TIDIED_AFTER = 16
"""Every so many events what nothing of the position hangs on any more is put aside: so a long log is no slower."""


class ConstraintTracker(ABC):
    """The same questions as `Branches` answers, for logs with too many ways to fill the holes.

    What is asked of a log says which positions go on after a line, and what is said of those that do not: that has no
    default here. `narrowing`: the lines that leave fewer ways; `unsure`: those of which that was not found out; `held`:
    some position can have the last line that is no move; `stuck`: why the rules had no answer.
    """

    def __init__(
        self,
        walker: Walker,
        explorer: Explorer,
        first: LogBranch,
        unsound: Callable[[int, str, PossibleState], FailedLine],
        claims: AssertedClaims,
        names: Names,
    ) -> None:
        self.stuck: Halt | None = None
        self.narrowing: list[int] = []
        self.unsure: list[int] = []
        self.held = True
        self.thorough = True
        self._follower = Follower(walker.flow, explorer, partly=self.partly)
        self._follower.settled = len(first.alive) == 1
        self._teller = Teller(self._follower, claims, names)
        self._unsound = unsound
        self._names = names
        self._marks = Marks()
        self._forked = len(first.alive) > 1
        self._since_tidied = 0
        self._unknown = any(has_unknown(here.step) for here in first.alive)
        self._first = first
        self._lines: list[tuple[int, Pattern]] | None = []
        self._ways = [ConstrainedState(here, store, first.closed, first.marks, filled) for here in first.alive
                      for store, filled in (opened(walker, here.step, names, explorer.deadline),)]

    # --- what hangs on what is asked

    partly = False
    """Whether ways may be left out of which it was not found out whether they are there."""

    @property
    @abstractmethod
    def settled(self) -> bool:
        """Whether nothing but holes was open so far, as far as it matters."""

    @property
    @abstractmethod
    def ways(self) -> int | None:
        """In how many ways the holes can be filled; None if there are too many to count, or nobody asks."""

    @abstractmethod
    def _attempted(
        self, way: ConstrainedState, line: int, patterns: Sequence[Pattern]
    ) -> list[tuple[ConstrainedState, EventOutcome]]:
        """What an event makes of a position, in every way it may be that is followed. Raises `TooMany`."""

    @abstractmethod
    def _told(self, way: ConstrainedState, line: Line) -> list[AfterClaim]:
        """What a line that is no move makes of a position, where that is followed. Raises `TooMany`."""

    @abstractmethod
    def _lost(
        self,
        way: ConstrainedState,
        line: int,
        patterns: Sequence[Pattern],
        refused: list[ConstrainedState],
        *,
        some: bool,
    ) -> list[ConstrainedState]:
        """The position in the worlds in which no way to fill the holes of a line is allowed. `some`: others are."""

    @abstractmethod
    def _marked(
        self,
        good: Sequence[ConstrainedState],
        bad: Sequence[tuple[ConstrainedState, JudgingNotes]],
        mark: Callable[[JudgingNotes], int],
    ) -> list[ConstrainedState]:
        """Those with which a claim does not hold and that go on nevertheless, with the mark of that."""

    @abstractmethod
    def _go_on(self, line: int, found: list[ConstrainedState], lost: Sequence[ConstrainedState]) -> None:
        """These are the positions after a line, and those with which it was refused. Raises `TooMany`."""

    @abstractmethod
    def _bounded(self, found: Sequence[ConstrainedState]) -> None:
        """Raises `TooMany` if there are more positions than could be gone on with, before all are found."""

    @abstractmethod
    def _note_stops(self, line: int, patterns: Sequence[Pattern]) -> None:
        """Takes down whether a line that no position allows is refused only because the rules had no answer."""

    @property
    def crowded(self) -> bool:
        """Whether it is time to follow some ways only."""
        return False

    def sampled(self) -> SampledTracker | None:
        """What follows some of the ways from here on; None if that is not done, or tells nothing."""
        return None

    # --- what stands

    @property
    def whole(self) -> bool:
        """Whether all ways were followed, and are sure to be ways."""
        return not self._follower.left_out and not any(way.store.doubtful for way in self._ways)

    @property
    def untested(self) -> tuple[str, ...]:
        """Invariants and limits that were not tested, because they read what is not known."""
        return tuple(sorted(self._follower.untested))

    @property
    def alive(self) -> list[LogBranch]:
        """The positions, each with the hidden things as in one world."""
        arrived = sorted(self.standing(), key=lambda way: way.store.doubtful)
        if self._unknown:  # no engine can find out where the game goes on
            arrived = [replace(way, here=replace(way.here, arrived=True)) for way in arrived]
        return [self._branch(way, self._lines) for way in arrived]

    def standing(self) -> list[ConstrainedState]:
        """Where the game really stands in each position; where it was last, if that is not known."""
        try:
            return [way for one in self._ways for way in self._follower.where(one, 0)]
        except (TooMany, OutOfTime):
            return self._ways

    def _branch(self, way: ConstrainedState, lines: Sequence[tuple[int, Pattern]] | None) -> LogBranch:
        store = way.store.whole()
        start = tuple(as_witnessed(here, store) for here in self._first.alive)
        branch = LogBranch((as_witnessed(way.here, store),), way.closed, way.marks, place=self._first.place,
                           start=start)
        events = None if lines is None else in_world(lines, way.filled, store.witness)
        if events is None:
            return replace(branch, start=())
        trail = None
        for line, event in events:
            trail = trail_after(trail, line, event)
        return replace(branch, trail=trail)

    def unknowns(self, most: int | None = None) -> int | None:
        """How many values in holes are not the same in every way to fill them; None if that was not found in time.
        `most`: it is not found out either if that takes questions about more hidden components than that."""
        if self.ways == 1:
            return 0
        if not self.whole:
            return None
        if most is not None and sum(len(hole.signed) for way in self._ways for hole in way.filled) > most:
            return None
        try:
            return open_values(self._ways)
        except OutOfTime:
            return None

    def facts(self) -> Iterator[HoleFact]:
        """What is known of the holes; nothing if not all ways were followed. Raises `OutOfTime`."""
        return facts(self._ways, self._names) if self.whole else iter(())

    def conflict(self, line: int, patterns: Sequence[Pattern]) -> tuple[int, ...]:
        """A few lines that cannot all be true, of an event that is refused: none if they were not found."""
        found: set[int] = set()
        if self._forked:  # others were given up before, by lines of which nothing is kept
            return ()
        try:
            for way in self._ways if all(way.closed is None for way in self._ways) else ():
                for after, forced in self._follower.followed(way, line, lambda passage, _: _forced(passage, patterns)):
                    if forced is not None:  # else it is refused because of what the line itself says
                        limited = replace(after.store, deadline=Deadline.computing(CONFLICT_SECONDS))
                        own = contradicting(limited, forced)
                        if not own:
                            return ()
                        found |= own
        except (TooMany, OutOfTime):
            return ()
        return (*sorted(found - {line}), line) if found - {line} else ()

    # --- moves

    def move(self, line: int, event: Event) -> bool:
        """An event of which everything is stated. False if no position allows it: then they stay as they were."""
        return self.fill(line, [known(event)])

    def fill(self, line: int, patterns: Sequence[Pattern]) -> bool:
        """An event with holes. False as in `move`."""
        self._follower.next_line()
        found: list[ConstrainedState] = []
        bad: list[tuple[ConstrainedState, JudgingNotes]] = []
        lost: list[ConstrainedState] = []
        for way in self._ways:
            if way.closed is not None:
                lost.append(way)
                continue
            self._bounded(found)
            after = self._attempted(way, line, patterns)
            refused = [one for one, outcome in after if outcome.step is None]
            if refused:
                lost += self._lost(way, line, patterns, refused, some=len(refused) < len(after))
            for one, outcome in after:
                if outcome.step is not None:
                    after_line = self._gone_on(one, outcome)
                    if outcome.sound:
                        found.append(after_line)
                    else:
                        bad.append((after_line, self._not_sound(after_line, line, patterns)))
        found += self._marked(found, bad, self._marks.of_line())
        self._forked |= len(found) > 1
        self._surely(found)
        if not found:
            self._note_stops(line, patterns)
            return False
        self._go_on(line, found, lost)
        self._note_line(line, patterns)
        self._since_tidied += 1
        if self._since_tidied >= TIDIED_AFTER:
            self._since_tidied = 0
            self._ways = [self._follower.tidied(one) for one in self._ways]
        return True

    def _surely(self, found: Sequence[ConstrainedState]) -> None:
        """Raises `TooMany` if nothing stands after a line, and something was left out that might."""
        sure = any(not way.marks and not way.store.doubtful for way in found)
        if not sure and (self._follower.left_out or not all(way.marks for way in found)):
            raise TooMany

    def _note_line(self, line: int, patterns: Sequence[Pattern]) -> None:
        """Keeps what a line states, to tell of one world; nothing more once that is too much."""
        if self._lines is not None and len(patterns) == 1 and len(self._lines) < MOST_KEPT:
            self._lines.append((line, patterns[0]))
        else:
            self._lines = None

    def _followed(
        self, way: ConstrainedState, line: int, patterns: Sequence[Pattern]
    ) -> list[tuple[ConstrainedState, EventOutcome]]:
        """What an event makes of a position, in every way it may be. Raises `TooMany`."""
        return list(self._follower.followed(
            way, line, lambda passage, _: passage.attempt(tuple(patterns), only_ask=False, at_once=True)))

    def _gone_on(self, way: ConstrainedState, outcome: EventOutcome) -> ConstrainedState:
        assert outcome.step is not None
        self._follower.note(outcome.ruled)
        self._follower.untested.update(outcome.untested)
        return replace(way, here=way.here.at(outcome.step, arrived=False), filled=(*way.filled, *outcome.filled),
                       tested=outcome.tested)

    def _not_sound(self, way: ConstrainedState, line: int, patterns: Sequence[Pattern]) -> JudgingNotes:
        label = patterns[0].label if patterns else ""
        if self._unknown:
            return JudgingNotes(
                FailedLine(line, WrongKind.BROKEN_INVARIANT, label, "a state that the rules exclude"), applied=True
            )
        return JudgingNotes(self._unsound(line, label, as_witnessed(way.here, way.store)), applied=True)

    # --- claims

    def beside(self, line: Line) -> JudgingNotes | None:
        """A claim, or a line that ends the game whatever the rules say."""
        self._follower.next_line()
        found: list[ConstrainedState] = []
        first: JudgingNotes | None = None
        lost: list[ConstrainedState] = []
        mark = self._marks.of_line()
        bad: list[tuple[ConstrainedState, JudgingNotes]] = []
        for way in self._ways:
            for after, closed, wrong in self._told(way, line):
                if wrong is not None and not wrong.wrong.kind.is_claim:
                    lost.append(after)
                    first = first or wrong
                elif wrong is not None:
                    bad.append((replace(after, closed=closed), wrong))
                else:
                    found.append(replace(after, closed=closed))
        self.stuck = self._teller.stuck or self.stuck
        found += self._marked(found, bad, mark)
        self._surely(found)
        self.held = bool(found)
        if not found:
            return first
        self._go_on(line.number, found, lost)
        return None

    # --- what was claimed

    def broken(self, overruled: Iterable[int] = ()) -> JudgingNotes | None:
        """The first claim that cannot hold together with those before it, however the holes are filled."""
        return self._marks.broken([way.marks for way in self._ways], overruled, None)

    def claimed(self, line: int) -> bool:
        """Whether a line claims something that some position denies."""
        return self._marks.claimed(line)

    def bit(self, line: int) -> int:
        """The mark of the claim of a line; 0 if it claims nothing wrong."""
        return self._marks.bits([line])

    def doubtful(self, overruled: Iterable[int] = ()) -> list[int]:
        """The lines that claim what holds in some worlds and not in others; not those that are overruled."""
        return self._marks.doubtful([way.marks for way in self._ways], overruled)

    def back(self, line: int, count: int) -> None:
        """Nothing is taken back where something is hidden."""
        raise TooMany


def _forced(passage: Passage, patterns: Sequence[Pattern]) -> Sum | None:
    """Because of what cannot be an event is refused."""
    passage.attempt(tuple(patterns), only_ask=False)
    return passage.trial.forced
