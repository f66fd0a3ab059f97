"""Games made as short as they can be while they still show what they are to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.system.deadline import Clock, OutOfTime

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

    def after(step: Step, event: Event) -> Step | None:
        if not isinstance(step, State) or walker.check(step, event) is not None:
            return None
        return walker.advance(step, event)

    return fewest(walker.begin(setting), after, shows, events, clock)


Now = TypeVar("Now")
"""What events lead to: a step, or the steps of two games that are played side by side."""
Did = TypeVar("Did")
"""An event, of one ruleset or in words that two of them share."""


def fewest(
    first: Now, after: Callable[[Now, Did], Now | None], shows: Callable[[Now], bool], events: Sequence[Did],
    clock: Clock,
) -> tuple[tuple[Did, ...], bool]:  # fmt: skip
    """Fewer events that still lead to something that shows it, and whether none of them can be left out.

    Runs of events are left out as long as the rest is possible and shows it: long runs first, single ones last.
    `after`: what comes of an event, None if it is not possible.
    """
    left, way = tuple(events), _along(first, events, after)
    try:
        length = len(left)
        while length:
            shorter = _without(left, way, length, after, shows, clock)
            if shorter is None:
                length = length // 2 if length > 8 else length - 1
            else:
                left, way = shorter
                length = min(length, len(left))
    except OutOfTime:
        return left, False
    return left, True


def _along(first: Now, events: Sequence[Did], after: Callable[[Now, Did], Now | None]) -> list[Now]:
    """What is there before each event and after the last; it ends where one is not possible."""
    found = [first]
    for event in events:
        now = after(found[-1], event)
        if now is None:
            break
        found.append(now)
    return found


def _without(
    events: tuple[Did, ...], way: list[Now], length: int, after: Callable[[Now, Did], Now | None],
    shows: Callable[[Now], bool], clock: Clock,
) -> tuple[tuple[Did, ...], list[Now]] | None:  # fmt: skip
    """The first game without a run of so many events that shows it, the last ones tried first; with the way to it."""
    for start in range(len(events) - length, -1, -1):
        clock.tick()
        if start >= len(way):
            continue
        rest = events[start + length :]
        found = _along(way[start], rest, after)
        if len(found) == len(rest) + 1 and shows(found[-1]):
            return events[:start] + rest, way[:start] + found
    return None
