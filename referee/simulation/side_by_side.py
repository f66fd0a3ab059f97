"""Two games side by side with the same events: where they part, and the fewest events that lead there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.simulation.shrinking import fewest
from referee.system.deadline import Clock

Both = tuple[Step, Step]
"""What the same events have come to, in one game and in the other."""
How = TypeVar("How")
"""What tells two steps apart."""


@dataclass(frozen=True, slots=True)
class PartedGames(Generic[How]):
    """Events after which two games part, what they have come to, and how they part."""

    events: tuple[Event, ...]
    one: Step
    other: Step
    how: How


class SideBySide(Generic[How]):
    """Two engines, or one with two settings. `settings`: both for a setting; `how`: what tells two steps apart, None if
    nothing does: then the games go on."""

    def __init__(self, one: Walker, other: Walker, settings: Callable[[Setting], tuple[Setting, Setting]],
                 how: Callable[[Step, Step], How | None]) -> None:
        self._one, self._other, self._settings, self._how = one, other, settings, how

    def begin(self, setting: Setting) -> Both:
        """Both games before the first event."""
        one, other = self._settings(setting)
        return self._one.begin(one), self._other.begin(other)

    def after(self, now: Both, event: Event) -> Both | None:
        """Both games after an event, None if it is not legal in both."""
        one, other = now
        if not isinstance(one, State) or not isinstance(other, State):
            return None
        if self._one.check(one, event) is not None or self._other.check(other, event) is not None:
            return None
        return self._one.advance(one, event), self._other.advance(other, event)

    def parted(self, setting: Setting, events: Sequence[Event]) -> PartedGames[How] | None:
        """Where the games part; None if they do not, or one of them does not allow an event before that."""
        now = self.begin(setting)
        for number, event in enumerate((*events, None)):
            how = self._how(*now)
            if how is not None:
                return PartedGames(tuple(events[:number]), *now, how)
            further = None if event is None else self.after(now, event)
            if further is None:
                return None
            now = further
        return None

    def shortest(self, setting: Setting, events: Sequence[Event], clock: Clock) -> tuple[PartedGames[How] | None, bool]:
        """The same with as few of the events as can be, and whether none of them can be left out."""

        def after(now: Both, event: Event) -> Both | None:
            return None if self._how(*now) is not None else self.after(now, event)

        few, least = fewest(self.begin(setting), after, lambda now: self._how(*now) is not None, events, clock)
        return self.parted(setting, few), least


def legality(walker: Walker, step: Step, event: Event) -> str:
    """Whether an event is legal where a game has come to, in a word."""
    return "legal" if isinstance(step, State) and walker.check(step, event) is None else "illegal"
