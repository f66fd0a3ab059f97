"""From which positions of a small game some players can go on for ever, whatever the others and fate do."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping

from referee.game.event import Event
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.system.deadline import Clock

Ways = Mapping[State, tuple[tuple[Event, Step], ...]]
"""By position every legal event, with what comes of it."""
Going = Mapping[State, tuple[tuple[Event, State], ...]]
"""By position the ways on that keep a game going."""
MOST_SEEN = 5_000
"""So many positions are looked at for a way back to one of them."""


def ways_of(walker: Walker, states: Iterable[State], clock: Clock) -> Ways:
    """What each of some positions leads to. Raises `OutOfTime`."""
    found: dict[State, tuple[tuple[Event, Step], ...]] = {}
    for state in states:
        clock.tick()
        found[state] = tuple((event, walker.advance(state, event)) for event in walker.legal(state))
    return found


def kept_going(ways: Ways, who: Collection[int]) -> Going:
    """The positions from which some players (or the table) can see to it that the game never ends, each with the ways
    on that keep it going: some of theirs, and all of the others. `ways`: of all positions of a game."""
    going = {state: [one for one in some if isinstance(one[1], State)] for state, some in ways.items()}
    before: dict[State, list[State]] = {}
    for state, some in ways.items():
        for _, step in some:
            if isinstance(step, State):
                before.setdefault(step, []).append(state)
    lost = deque(state for state, some in ways.items() if not _goes_on(some, going[state], who))
    out = set(lost)
    while lost:
        gone = lost.popleft()
        for state in before.get(gone, ()):
            if state not in out:
                going[state] = [one for one in going[state] if one[1] != gone]
                if not _goes_on(ways[state], going[state], who):
                    out.add(state)
                    lost.append(state)
    return {state: tuple((e, s) for e, s in some if isinstance(s, State))
            for state, some in going.items() if state not in out}


def _goes_on(every: tuple[tuple[Event, Step], ...], going: list[tuple[Event, Step]], who: Collection[int]) -> bool:
    """Whether a game goes on from a position: whatever the others do, and after something that these may do there."""
    theirs = [event for event, _ in every if event.by in who]
    left = {event for event, _ in going}
    return bool(left) and all(event in left for event, _ in every if event.by not in who) and (
        not theirs or any(event in left for event in theirs))


def way_back(going: Going, start: State) -> tuple[Event, ...] | None:
    """The fewest events that lead from a position to itself, by ways that keep the game going; None without any."""
    came: dict[State, tuple[State, Event] | None] = {start: None}
    waiting = deque([start])
    while waiting and len(came) < MOST_SEEN:
        here = waiting.popleft()
        for event, step in going[here]:
            if step == start:
                return (*_events(came, here), event)
            if step not in came:
                came[step] = (here, event)
                waiting.append(step)
    return None


def _events(came: Mapping[State, tuple[State, Event] | None], state: State) -> tuple[Event, ...]:
    found: list[Event] = []
    before = came[state]
    while before is not None:
        found.append(before[1])
        before = came[before[0]]
    return tuple(reversed(found))
