"""Counts how games can go on from a position: sequences of turns or of events, or the positions they lead to.

A turn is the longest stretch in which nobody is asked but one player, and fate and the table beside him: it is over as
soon as somebody else may act, or the game is over. Events of fate and of the table before anybody else belong to the
turn that follows them, later ones to the turn in which they fall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from referee.codegen.generated_engine import Generated
from referee.game.event import Event
from referee.game.state import Failed, State, Step
from referee.interpreter.walker import Walker
from referee.native.engine_names import NO_LIBRARY
from referee.native.judging.weighed_engine import price_of
from referee.simulation.turn_ends import surely_last
from referee.system.deadline import NEVER, Deadline, Stopwatch

if TYPE_CHECKING:
    from referee.native.exploring.sequence_count import NativeCount

MOST_ENTRIES = 16_000_000
"""Entries of positions that are remembered, at most: about eight bytes each."""
FIRST = 3_000
"""So many events are looked at before it is weighed whether machine code is made for the rest."""
MOST_EVENTS = 250
"""A sequence of more events is not followed: then there is no number."""


class Unit(Enum):
    """What a step is."""

    TURN = "turn"
    EVENT = "event"


class Distinct(Enum):
    """What is counted: sequences of events; the same, where ways through one turn that lead to the same position are
    one; or the positions after so many steps, each once."""

    SEQUENCES = "sequences"
    RESULTS = "results"
    POSITIONS = "positions"


class SequenceTooLong(Exception):
    """A sequence has too many events."""


class TooManyPositions(Exception):
    """There are more positions than may be remembered."""


class RulesFailed(Exception):
    """The rules made an error on the way."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message)
        self.failed = failed

    def __reduce__(self) -> tuple[type[RulesFailed], tuple[Failed]]:
        return RulesFailed, (self.failed,)


@dataclass(frozen=True, slots=True)
class CountedSteps:
    """What is counted. `without`: labels of events that nobody takes."""

    unit: Unit = Unit.TURN
    distinct: Distinct = Distinct.SEQUENCES
    without: frozenset[str] = frozenset()


@dataclass(slots=True)
class GameCounter:
    """Counts from positions of one game. `until`: when to give up; `slow`: why machine code counted nothing where that
    would have paid."""

    walker: Walker
    what: CountedSteps = CountedSteps()
    until: Deadline = NEVER
    _last: frozenset[int] = field(init=False)
    _known: dict[tuple[State, int | None, int], int] = field(init=False, default_factory=dict)
    _most: int = field(init=False)
    _made: int = field(init=False, default=0)
    _next: float = field(init=False, default=FIRST)
    _since: Stopwatch = field(init=False, default_factory=Stopwatch.computing)
    _machine: NativeCount | None = field(init=False, default=None)
    slow: str = field(init=False, default="")

    def __post_init__(self) -> None:
        flow = self.walker.flow
        by_event = self.what.unit is Unit.EVENT
        self._last = frozenset(range(len(flow.nodes))) if by_event else surely_last(flow)
        self._most = max(1_000, MOST_ENTRIES // max(1, self.walker.layout.size))

    def number(self, state: State, depth: int) -> int:
        """How many sequences of `depth` >= 1 steps there are from a position; one that ends the game before is none.

        The last event of a sequence is not carried out where it surely is the last. Raises `OutOfTime`,
        `SequenceTooLong`, and `RulesFailed`.
        """
        if self.what.distinct is Distinct.SEQUENCES:
            return self._sequences(state, None, depth, 0)
        return self._results(state, depth)

    def positions(self, start: State) -> Iterator[int]:
        """How many positions lie 1, 2, ... steps from one, until none does, each counted once however it is reached;
        the game is over in some of them. Raises `TooManyPositions` beside what `number` raises."""
        level: set[Step] = {start}
        while level:
            after: set[Step] = set()
            for step in level:
                if isinstance(step, State):
                    after |= self.after(step)
                if len(after) + len(level) > self._most:
                    raise TooManyPositions
            level = after
            yield len(level)

    def after(self, state: State) -> set[Step]:
        """Where a game can stand one step on."""
        ends: set[Step] = set()
        seen: set[tuple[State, int | None]] = {(state, None)}
        waiting: list[tuple[State, int | None, int]] = [(state, None, 0)]
        while waiting:
            here, by, events = waiting.pop()
            self._watch(events)
            for event, step in self._steps(here):
                player = event.by if event.by >= 0 else by
                if not self._goes_on(step, player):
                    ends.add(step)
                elif isinstance(step, State) and (step, player) not in seen:
                    seen.add((step, player))
                    waiting.append((step, player, events + 1))
            if len(seen) + len(ends) > self._most:
                raise TooManyPositions
        return ends

    def begun(self, state: State, steps: int) -> Iterator[State]:
        """Where a game can stand so many steps on, once for each sequence; without those in which it is over."""
        if steps == 0:
            yield state
            return
        ends: Iterator[Step] = self._ends(state, None, 0) if self.what.distinct is Distinct.SEQUENCES else iter(
            self.after(state))
        for step in ends:
            if isinstance(step, State):
                yield from self.begun(step, steps - 1)

    def _ends(self, state: State, by: int | None, events: int) -> Iterator[Step]:
        """Where each sequence of one step ends."""
        self._watch(events)
        for event, step in self._steps(state):
            player = event.by if event.by >= 0 else by
            if isinstance(step, State) and self._goes_on(step, player):
                yield from self._ends(step, player, events + 1)
            else:
                yield step

    def _sequences(self, state: State, by: int | None, depth: int, events: int) -> int:
        self._watch(events)
        if depth == 1 and state.at in self._last:
            counted = self._by_machine(state, by, depth)
            if counted is None:
                counted = sum(1 for _ in self._legal(state))
                self._made += counted
            return counted
        key = (state, by, depth)
        known = self._known.get(key)
        if known is not None:
            return known
        counted = self._by_machine(state, by, depth)
        if counted is not None:
            self._remember(key, counted)
            return counted
        total = 0
        for event, step in self._steps(state):
            player = event.by if event.by >= 0 else by
            if isinstance(step, State) and self._goes_on(step, player):
                total += self._sequences(step, player, depth, events + 1)
            elif depth == 1:
                total += 1
            elif isinstance(step, State):
                total += self._sequences(step, None, depth - 1, events + 1)
        self._remember(key, total)
        return total

    def _by_machine(self, state: State, by: int | None, depth: int) -> int | None:
        """The same by machine code, once there was so much to count that it pays to make it; None if it is not."""
        if self._machine is None and self._made >= self._next:
            self._make_machine()
        return None if self._machine is None else self._machine.number(state, by, depth)

    def _make_machine(self) -> None:
        """Makes machine code if it is kept already, or if what was counted has taken as long as compiling would."""
        self._next = float("inf")
        if not isinstance(self.walker, Generated) or self.what.without:
            return
        try:
            from referee.native.compiled_module import FOR_COUNTS, kept
            from referee.native.exploring.sequence_count import NativeCount
            from referee.native.value_forms import NotNative
        except ModuleNotFoundError:
            self.slow = NO_LIBRARY
            return
        price = price_of(self.walker.flow)
        if self._since.seconds < price and not kept(self.walker.flow, FOR_COUNTS):
            self._next = self._made * max(2.0, price / max(self._since.seconds, price / 8))
            return
        try:
            self._machine = NativeCount(self.walker, self._last, by_event=self.what.unit is Unit.EVENT)
        except NotNative as why:
            self.slow = f"no machine code is made of {why}"

    @property
    def by_machine(self) -> bool:
        """Whether machine code counts by now."""
        return self._machine is not None

    def _results(self, state: State, depth: int) -> int:
        key = (state, None, depth)
        known = self._known.get(key)
        if known is not None:
            return known
        ends = self.after(state)
        total = len(ends) if depth == 1 else sum(
            self._results(step, depth - 1) for step in ends if isinstance(step, State))
        self._remember(key, total)
        return total

    def _remember(self, key: tuple[State, int | None, int], total: int) -> None:
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[key] = total

    def _goes_on(self, step: Step, player: int | None) -> bool:
        """Whether the turn of a player (None: of nobody yet) goes on."""
        if not isinstance(step, State) or self.what.unit is Unit.EVENT:
            return False
        asked = {by for by in self.walker.who(step) if by >= 0}
        return player is None or asked <= {player}

    def _steps(self, state: State) -> Iterator[tuple[Event, Step]]:
        for event in self._legal(state):
            self._made += 1
            step = self.walker.advance(state, event)
            if isinstance(step, Failed):
                raise RulesFailed(step)
            yield event, step

    def _legal(self, state: State) -> Iterator[Event]:
        without = self.what.without
        found = self.walker.legal(state)
        return (event for event in found if event.label not in without) if without else found

    def _watch(self, events: int) -> None:
        self.until.check()
        if events > MOST_EVENTS:
            raise SequenceTooLong
