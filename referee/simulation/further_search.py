"""Looks by machine code for what is odd in positions beyond those that are looked at one by one.

What is unusual is left to generated code. Each oddity is found with a shortest way there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from referee.codegen.generated_engine import Generated
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.simulation.every_position import NO_ROOM, PlainSearch, PositionSearch, levels, search_of
from referee.system.deadline import Deadline, OutOfTime, Stopwatch

MOST_ODD = 40
"""So many are kept: of stops at one point, errors at one place, and claims that are broken, the first each."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class OddStep:
    """A stop, an error, or a position or end at which claims are broken, and the events that lead there."""

    setting: Setting
    events: tuple[Event, ...]
    step: Step


class FurtherSearch:
    """A search from each of some settings. `why` not all positions were found, None if they were; `depth`: all games of
    so many events were looked at."""

    def __init__(self, walker: Generated, every: Sequence[Setting], seconds: float, most_bytes: int,
                 progress: Progress = lambda _: None) -> None:
        self._walker, self._progress = walker, progress
        self._known: set[object] = set()
        self.odd: list[OddStep] = []
        self.positions, self.engine, self.why = 0, "", None if every else "there are too many settings"
        watch, until, depths = Stopwatch.computing(), Deadline.computing(seconds), list[int]()
        for setting in every:
            depths.append(self._searched(setting, most_bytes, until))
            if self.why is not None:
                break
        self.depth, self.seconds = min(depths, default=0), watch.seconds

    @property
    def whole(self) -> bool:
        """Whether games come to no other position."""
        return self.why is None

    def _searched(self, setting: Setting, most_bytes: int, until: Deadline) -> int:
        """From one setting; how many events far."""
        start, depth = self._walker.begin(setting), 0
        found: list[PositionSearch] = []
        met = partial(self._met, found, setting)
        met(start, None, None)
        search, self.engine = search_of(self._walker, [start] if isinstance(start, State) else [], most_bytes, met,
                                        tested=True, native=True)
        if isinstance(search, PlainSearch):  # it would take too long
            self.why = "there is no machine code"
            return 0
        found.append(search)
        try:
            for number, _ in enumerate(levels(search, until)):
                depth = number
                self._progress(f"looking at every position, {search.count:,} are known")
        except OutOfTime:
            self.why = f"not done within {until.seconds:g} s"
        if search.full:
            self.why = NO_ROOM
        self.positions += search.count
        return depth

    def _met(self, search: Sequence[PositionSearch], setting: Setting, step: Step, before: int | None,
             event: Event | None) -> None:
        """Of what is told by the search, the first of each oddity is kept."""
        if len(self.odd) >= MOST_ODD:
            return
        kind = self._kind(step)
        if kind is None or kind in self._known:
            return
        self._known.add(kind)
        way = () if before is None or event is None else (*self._way(search[0], setting, before), event)
        self.odd.append(OddStep(setting, way, step))

    def _kind(self, step: Step) -> object:
        match step:
            case Stopped(state=state):
                return "stop", state.at
            case Failed(code=code, span=span):
                return code, str(span)
            case State():
                return self._broken(step)
            case Ended(state=state):
                return self._broken(state)

    def _broken(self, state: State) -> object:
        return tuple(one.name for one in self._walker.broken(state)) or None

    def _way(self, search: PositionSearch, setting: Setting, number: int) -> list[Event]:
        """The events that lead to a position."""
        chain: list[int] = []
        while number > 0:
            chain.append(number)
            number = search.before(number)
        here, events = self._walker.begin(setting), list[Event]()
        for one in reversed(chain):
            assert isinstance(here, State)
            wanted, state = search.step(one), here
            events.append(next(e for e in self._walker.legal(state) if self._walker.advance(state, e) == wanted))
            here = wanted
        return events
