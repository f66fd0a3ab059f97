"""The events of a log that led to where the game stands: kept as they are judged, followed again for those who ask why.

Positions are kept now and then, events between them; what is older than `MOST_EVENTS` is forgotten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from referee.game.event import TABLE, Event
from referee.game.event_table import EventTable
from referee.game.state import Ended, Open, State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.partial.possible_worlds import PossibleState
from referee.system.deadline import Deadline
from referee.system.lazy_dataclasses import dataclass

MOST_EVENTS = 20_000
"""So many events are kept to look back on; what is older is forgotten."""
MOST_AT_ONCE = 500
"""So many lines are followed together, so that a position is kept now and then."""
SEGMENT = 50
"""So many events lie between the positions that are kept, where there is one."""


@dataclass(frozen=True, slots=True)
class DoneEvent:
    """An event where it happened. `line`: of the log, also for a pass or a ruling that the log left to be inferred."""

    line: int
    state: State
    event: Event


Place = tuple[int, int]
"""A place on the way: in which stretch of it (it begins anew where something is not known), after how many events."""
_Way: TypeAlias = "tuple[DoneEvent, _Way] | None"


@dataclass(frozen=True, slots=True)
class _Followed:
    """Events that were followed together, by their numbers. `first`: the line of the first."""

    first: int
    numbers: Sequence[int]
    table: EventTable


class _Segment:
    """Where the game stood, and what happened then; what was followed is taken apart for those who ask."""

    def __init__(self, start: State, events: Sequence[tuple[int, Event]] = ()) -> None:
        self.start = start
        self._events = list(events)
        self._followed: list[_Followed] = []
        self._more = 0

    def __len__(self) -> int:
        return len(self._events) + self._more

    def follow(self, some: _Followed) -> None:
        """Events that happened next."""
        self._followed.append(some)
        self._more += len(some.numbers)

    @property
    def events(self) -> list[tuple[int, Event]]:
        """The events with their lines; whoever adds to them adds to the segment."""
        for some in self._followed:
            said = some.table.events
            self._events.extend((some.first + index, said[number][0]) for index, number in enumerate(some.numbers))
        self._followed, self._more = [], 0
        return self._events


class PastEvents:
    """What led to where a game stands. It is noted while a log is judged, which costs next to nothing."""

    def __init__(self) -> None:
        self._segments: deque[_Segment] = deque()
        self._number = 0
        self._stretch = self._events = 0
        self.first_kept = True

    @property
    def place(self) -> Place:
        """Where the way has come to."""
        return self._stretch, self._events

    @property
    def last_line(self) -> int | None:
        """The line of the last event on the way; None if there is none that is kept."""
        return next((segment.events[-1][0] for segment in reversed(self._segments) if len(segment)), None)

    def back(self, place: Place, alive: Sequence[PossibleState]) -> None:
        """The events after a place do not stand any more; `alive`: where the game may stand there."""
        stretch, events = place
        gone = self._events - events
        while self._segments and gone > len(self._segments[-1]):
            gone -= len(self._segments.pop())
        if stretch != self._stretch or not self._segments:
            self.restart(alive)
            return
        last = self._segments[-1].events
        del last[len(last) - gone:]
        self._number -= self._events - events
        self._events = events

    def restart(self, alive: Sequence[PossibleState]) -> None:
        """The way begins here: what was before is not told."""
        self.first_kept = not self._segments
        self._segments.clear()
        self._number = 0
        self._stretch += 1
        self._begin(alive)

    def forget(self) -> None:
        """Nothing is told of the way any more: not every event of it is known."""
        self._segments.clear()

    def note(self, line: int, event: Event, after: Sequence[PossibleState]) -> None:
        """An event that was accepted, with where the game may stand after it."""
        if not self._segments:
            return
        last = self._segments[-1]
        last.events.append((line, event))
        self._number += 1
        self._events += 1
        if len(last) >= SEGMENT:
            self._begin(after)

    def followed(self, before: int, numbers: Sequence[int], table: EventTable, after: Sequence[PossibleState]) -> None:
        """Events by their numbers, that were followed together and accepted; they begin after line `before`."""
        if self._segments:
            self._segments[-1].follow(_Followed(before + 1, numbers, table))
            self._number += len(numbers)
            self._events += len(numbers)
            if len(self._segments[-1]) >= SEGMENT:
                self._begin(after)

    def _begin(self, alive: Sequence[PossibleState]) -> None:
        """Keeps a position, if it is the only one that the game may stand at."""
        if len(alive) == 1 and isinstance(state := alive[0].step, State):
            self._segments.append(_Segment(state))
        while self._number > MOST_EVENTS and len(self._segments) > 1:
            self._number -= len(self._segments.popleft())
            self.first_kept = False
        if self._number > 2 * MOST_EVENTS:
            self.forget()

    def end(self) -> PastEvents:
        """The last part of the way by itself: it stays as it is when the game goes on."""
        made = PastEvents()
        made._segments.extend(_Segment(one.start, one.events) for one in list(self._segments)[-2:])
        made.first_kept = self.first_kept and len(self._segments) <= 2
        return made

    def last(self, walker: Walker, final: State | None, steps: int, until: Deadline) -> list[DoneEvent]:
        """At least so many of the last steps, as far as they are kept and lead to `final`; in order."""
        number, found = 0, 0
        for segment in reversed(self._segments):
            number += 1
            found += len(segment)
            if found >= steps:
                break
        return self._followed_again(walker, list(self._segments)[len(self._segments) - number:], final, until)

    def backwards(self, walker: Walker, final: State | None, until: Deadline) -> Iterator[DoneEvent]:
        """The steps from the last to the first that is kept. Ends when the time is over."""
        segments = list(self._segments)
        end = final
        for segment in reversed(segments):
            yield from reversed(self._followed_again(walker, [segment], end, until))
            if until.passed:
                return
            end = segment.start if final is None else _as_known(segment.start, final)

    def _followed_again(self, walker: Walker, segments: Sequence[_Segment], final: State | None,
                        until: Deadline) -> list[DoneEvent]:
        if not segments:
            return []
        start = segments[0].start if final is None else _as_known(segments[0].start, final)
        try:
            return _way(walker, start, [one for segment in segments for one in segment.events], final, until)
        except (Unsettled, Fault, ValueError):
            return []


def _as_known(start: State, final: State) -> State:
    """A position in which what nobody stated is what it was found to be later."""
    if not any(isinstance(one, Open) for one in start.slots):
        return start
    known = zip(start.slots, final.slots, strict=True)
    return State(start.at, tuple(other if isinstance(one, Open) else one for one, other in known))


def _way(walker: Walker, start: State, events: Sequence[tuple[int, Event]], final: State | None,
         until: Deadline) -> list[DoneEvent]:
    """The steps from a position through events, with passes and rulings that are not stated, to where they lead.

    Empty if no such way was found.
    """
    waiting: list[tuple[State, int, _Way]] = [(start, 0, None)]
    for _ in range(4 * len(events) + 400):
        if not waiting or until.passed:
            return []
        here, at, way = waiting.pop()
        if at == len(events) and (final is None or here == final):
            return _steps(way)
        last = events[-1][0] if events else 1
        for step, said in reversed(list(_next(walker, here, events[at] if at < len(events) else None, last))):
            after = walker.advance(here, step.event)
            if isinstance(after, State):
                waiting.append((after, at + said, (step, way)))
            elif isinstance(after, Ended) and at + said == len(events) and final in (None, after.state):
                return _steps((step, way))
    return []




def _steps(way: _Way) -> list[DoneEvent]:
    found: list[DoneEvent] = []
    while way is not None:
        step, way = way
        found.append(step)
    return found[::-1]


def _next(walker: Walker, here: State, said: tuple[int, Event] | None, last: int) -> Iterator[tuple[DoneEvent, int]]:
    """What may have happened at a position: what the log says, else a pass or a ruling that it does not."""
    if said is not None and walker.check(here, said[1]) is None:
        yield DoneEvent(said[0], here, said[1]), 1
        return
    line = last if said is None else said[0]
    asked = walker.asked(here)
    if asked.kind == "table":
        for ruling in walker.legal(here):
            if ruling.by == TABLE:
                yield DoneEvent(line, here, ruling), 0
    elif asked.silent:
        passed = walker.silent(here)
        if passed is not None:
            yield DoneEvent(line, here, passed), 0
