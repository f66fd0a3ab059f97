"""Games made as short as they can be while they still show what they are to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.engine.walker import Walker
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.review.clock import Clock, TimeUp

Shows = Callable[[Step], bool]
"""Whether what a game has come to shows a flaw."""


def replayed(walker: Walker, setting: Setting, events: Sequence[Event]) -> Step | None:
    """What a game comes to; None if one of its events is not legal, or comes after the end."""
    step = walker.begin(setting)
    for event in events:
        if not isinstance(step, State) or walker.check(step, event) is not None:
            return None
        step = walker.advance(step, event)
    return step


def minimised(
    walker: Walker, setting: Setting, events: Sequence[Event], shows: Shows, clock: Clock
) -> tuple[tuple[Event, ...], bool]:
    """A game with fewer events that shows the same, and whether none of them can be left out."""

    def holds(rest: Sequence[Event]) -> bool:
        found = replayed(walker, setting, rest)
        return found is not None and shows(found)

    return fewer(events, holds, clock)


def fewer(
    events: Sequence[Event], holds: Callable[[Sequence[Event]], bool], clock: Clock
) -> tuple[tuple[Event, ...], bool]:
    """Fewer events of which something still holds, and whether none of them can be left out.

    Runs of events are left out as long as it holds of the rest: long runs first, single ones last.
    """
    left = tuple(events)
    try:
        length = len(left)
        while length:
            shorter = _without(left, length, holds, clock)
            if shorter is None:
                length = length // 2 if length > 8 else length - 1
            else:
                left = shorter
                length = min(length, len(left))
    except TimeUp:
        return left, False
    return left, True


def _without(
    events: tuple[Event, ...], length: int, holds: Callable[[Sequence[Event]], bool], clock: Clock
) -> tuple[Event, ...] | None:
    """The first game without a run of so many events of which it still holds, the last events tried first."""
    for start in range(len(events) - length, -1, -1):
        clock.tick()
        rest = events[:start] + events[start + length :]
        if holds(rest):
            return rest
    return None
