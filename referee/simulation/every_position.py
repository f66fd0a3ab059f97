"""Every position that games come to, breadth first, in bounded memory: how many there are, and how far away."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from referee.codegen.generated_engine import Generated
from referee.core.read_write_sets import left_behind
from referee.game.event import Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.walker import Walker
from referee.native.engine_names import AUTO, NATIVE, NO_LIBRARY
from referee.simulation.game_counting import RulesFailed
from referee.system.deadline import Deadline, OutOfTime, Stopwatch

MOST_BYTES = 1 << 30
"""So much memory positions may take, if nothing else is said."""
FIRST = 3_000
"""So many positions are looked at before machine code is made for the rest."""
BATCH = 64
"""So many positions are gone on from before anybody looks at a clock."""
ENTRY_BYTES = 16
"""What an entry of a position takes, about, where it is no machine code that keeps it."""
NO_ROOM = "there is no room for more positions"
Met = Callable[[Step, int | None, Event | None], None]
"""Told of a step: the number of the position before it, and the event. It may raise `OutOfTime`."""


class PositionSearch(Protocol):
    """Positions in the order in which they are found: by number. `head`: the first that is not gone on from; `ways`:
    events from those before it; `ends`, `stops`: those of them at which the game is over, or the rules do not say how
    it goes on; `full`: there was no room for more."""

    full: bool

    @property
    def count(self) -> int: ...
    @property
    def head(self) -> int: ...
    @property
    def ways(self) -> int: ...
    @property
    def ends(self) -> int: ...
    @property
    def stops(self) -> int: ...
    @property
    def bytes_used(self) -> int: ...
    def go_on(self, until: int) -> bool:
        """Goes on from some of the positions up to a number. False if there was no room for more."""

    def step(self, number: int) -> Step:
        """A position, or the end of a game there."""

    def before(self, number: int) -> int:
        """The position from which one that is no start was found first."""


class PlainSearch:
    """A search by any engine. `met` is told of every step that leads to a new position, to an end, or that fails."""

    def __init__(self, walker: Walker, starts: Sequence[State], most_bytes: int, met: Met) -> None:
        self._walker, self._met = walker, met
        self._entry = ENTRY_BYTES * max(8, walker.layout.size)
        self._most = max(1, most_bytes // self._entry)
        self._left = tuple(number for name in left_behind(walker.flow) for number in walker.layout.vars[name].entries)
        self._found: list[Step] = []
        self._known: set[Step] = set()
        self._parents = array("q")
        self.head = self.ways = self.ends = self.stops = 0
        self.full = False
        for step in starts:
            self._keep(step, None, None)

    @property
    def count(self) -> int:
        return len(self._found)

    @property
    def bytes_used(self) -> int:
        """What the positions take, about."""
        return self.count * self._entry

    def go_on(self, until: int) -> bool:
        """Goes on from the positions up to a number, a batch of them at most."""
        for number in range(self.head, min(until, self.head + BATCH)):
            step = self._found[number]
            if isinstance(step, State):
                for event in self._walker.legal(step):
                    self.ways += 1
                    if not self._keep(self._walker.advance(step, event), number, event):
                        self.full = True
                        return False
            self.ends += isinstance(step, Ended)
            self.stops += isinstance(step, Stopped)
            self.head = number + 1
        return True

    def step(self, number: int) -> Step:
        """A position, or the end of a game there."""
        return self._found[number]

    def before(self, number: int) -> int:
        """The position from which one that is no start was found first."""
        return self._parents[number]

    def _keep(self, step: Step, before: int | None, event: Event | None) -> bool:
        """False if there is no room."""
        match step:
            case Failed():
                self._met(step, before, event)
                return True
            case Ended(state, winners):
                self._met(step, before, event)
                step = Ended(bare(state, self._left), winners)
                if step in self._known:
                    return True
            case State() | Stopped():
                if step in self._known:
                    return True
                self._met(step, before, event)
            case _:
                assert_never(step)
        if self.count >= self._most:
            return False
        self._known.add(step)
        self._found.append(step)
        self._parents.append(-1 if before is None else before)
        return True


def bare(state: State, left: Sequence[int]) -> State:
    """A position at the end of a game without the entries that say nothing any more."""
    slots = list(state.slots)
    for number in left:
        slots[number] = None
    return State(state.at, tuple(slots))


def search_of(walker: Walker, starts: Sequence[State], most_bytes: int, met: Met, *, tested: bool,
              native: bool) -> tuple[PositionSearch, str]:
    """A search by an engine, and what that is, in words. `native`: by machine code, if it can be had; then `met` is
    told only of what is unusual: of all else it is known that it is a position or an end, at which (`tested`) all
    claims hold."""
    why = ""
    if native and isinstance(walker, Generated):
        try:
            from referee.native.exploring.position_search import NativeSearch
            from referee.native.value_forms import NotNative
        except ModuleNotFoundError:
            why = f": {NO_LIBRARY}"
        else:
            try:
                return NativeSearch(walker, starts, most_bytes, tested=tested, met=met), "by machine code"
            except NotNative as left:
                why = f": no machine code is made of {left}"
    said = "by generated code" if isinstance(walker, Generated) else "by the reference engine"
    return PlainSearch(walker, starts, most_bytes, met), said + why


def levels(search: PositionSearch, until: Deadline) -> Iterator[int]:
    """How many positions are nearest by 0, 1, 2, ... events, as they are found; no further where there is no room.
    Raises `OutOfTime`."""
    begun = 0
    while begun < search.count:
        end = search.count
        yield end - begun
        while search.head < end:
            until.check()
            if not search.go_on(end):
                return
        begun = end


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search came to. `levels`: positions by the fewest events that lead there; `ends`: those at which the game
    is over, of those gone on from; `stops`: at which the rules do not say how it goes on; `ways`: events, each from
    each position; `why` not all were found, None if they were."""

    levels: tuple[int, ...]
    ends: int
    stops: int
    ways: int
    seconds: float
    bytes_used: int
    engine: str
    why: str | None

    @property
    def positions(self) -> int:
        """How many there are."""
        return sum(self.levels)


def explore(walker: Walker, start: Step, most_bytes: int, until: Deadline, engine_name: str = AUTO) -> Explored:
    """Looks for every position from one by an engine, of which a walker is given. `auto`: where there are more than a
    few, machine code goes on, if it can be had. Raises `RulesFailed`."""
    room = FIRST * ENTRY_BYTES * max(8, walker.layout.size)
    if engine_name != AUTO or room >= most_bytes:
        return _explored(walker, start, most_bytes, until, native=engine_name in (NATIVE, AUTO))
    found = _explored(walker, start, room, until, native=False)
    return found if found.why != NO_ROOM else _explored(walker, start, most_bytes, until, native=True)


def _explored(walker: Walker, start: Step, most_bytes: int, until: Deadline, *, native: bool) -> Explored:
    watch, found, why = Stopwatch.computing(), list[int](), None
    search, said = search_of(walker, [start] if isinstance(start, State) else [], most_bytes, _failed, tested=False,
                             native=native)
    try:
        found.extend(levels(search, until))
    except OutOfTime:
        why = f"not done within {until.seconds:g} s"
    if search.full:
        why = NO_ROOM
    if sum(found) < search.count:
        found.append(search.count - sum(found))
    if not isinstance(start, State):
        return Explored((1,), int(isinstance(start, Ended)), int(isinstance(start, Stopped)), 0, watch.seconds, 0, said,
                        None)
    return Explored(tuple(found), search.ends, search.stops, search.ways, watch.seconds, search.bytes_used, said, why)


def _failed(step: Step, _before: int | None, _event: Event | None) -> None:
    if isinstance(step, Failed):
        raise RulesFailed(step)
