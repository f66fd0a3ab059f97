"""Whether two ways in which a game may go on lead to anything different, and the nearest place where that shows."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.flow import Rule
from referee.game.event import Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.walker import Walker
from referee.system.deadline import Clock

MOST_PAIRS = 300
"""Pairs of positions that are compared, if nothing else is said: then it is not known whether they differ."""
MOST_OFFERED = 24
"""Events of each pair that are gone on with, if nothing else is said."""
MOST_ORDERS = 24
"""Twice as many ways to answer a point are looked at."""
MOST_LISTED = 400
"""Legal events of a position that are looked at."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """Two steps that are not the same after the same events. `only`: an event that is possible in one of them alone."""

    events: tuple[Event, ...]
    one: Step
    other: Step
    only: Event | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison came to. Without a difference and `complete`, there is none however the game goes on."""

    apart: Divergence | None
    complete: bool


class Differ:
    """Compares steps of one flow."""

    def __init__(self, walker: Walker, words: Words, clock: Clock) -> None:
        self._walker, self._words, self._clock = walker, words, clock

    def compare(self, one: Step, other: Step, most: int = MOST_PAIRS, offered: int = MOST_OFFERED) -> Compared:
        """Goes on from both with the same events, nearest first, until something differs.

        `most`: so many pairs of positions are looked at; `offered`: so many events of each are gone on with.
        """
        waiting: deque[tuple[Step, Step, tuple[Event, ...]]] = deque([(one, other, ())])
        seen = set[tuple[State, State]]()
        complete = True
        while waiting:
            a, b, events = waiting.popleft()
            if a == b:
                continue
            if not self.same(a, b):
                return Compared(Divergence(events, a, b), False)
            if not isinstance(a, State) or not isinstance(b, State) or (a, b) in seen:
                continue
            if len(seen) >= most:
                return Compared(None, False)
            seen.add((a, b))
            self._clock.tick()
            here, there = self.offered(a), self.offered(b)
            only = next((e for e in (*here, *there) if (e in here) != (e in there)), None)
            if only is not None:
                return Compared(Divergence(events, a, b, only), False)
            complete = complete and len(here) <= offered and len(here) < MOST_LISTED
            for event in list(here)[:offered]:
                further = self._walker.advance(a, event), self._walker.advance(b, event)
                waiting.append((*further, (*events, event)))
        return Compared(None, complete)

    def offered(self, state: State) -> dict[Event, None]:
        """What is possible at a position, as far as it is looked at."""
        return dict.fromkeys(islice(self._walker.legal(state), MOST_LISTED))

    def same(self, a: Step, b: Step) -> bool:
        """True if two steps show the same: what lies where, what is counted, whether and how it is over."""
        return _kind(a) == _kind(b) and self._shown(a) == self._shown(b)

    def _shown(self, step: Step) -> object:
        state = step if isinstance(step, State) else step.state
        return None if state is None else self._words.open_to_all(state)

    def orders(self, state: State) -> tuple[list[tuple[tuple[Event, ...], Step]], bool]:
        """The ways to answer a point again and again until it is not asked any more, each with what comes of it; and
        whether these are all."""
        point = self._point(state)
        found: list[tuple[tuple[Event, ...], Step]] = []
        waiting: deque[tuple[tuple[Event, ...], Step]] = deque([((), state)])
        while waiting and len(found) + len(waiting) < 2 * MOST_ORDERS:
            events, step = waiting.popleft()
            if isinstance(step, State) and self._point(step) == point:
                self._clock.tick()
                waiting.extend(((*events, e), self._walker.advance(step, e)) for e in self._walker.legal(step))
            else:
                found.append((events, step))
        return found, not waiting

    def _point(self, state: State) -> str | None:
        node = self._walker.flow.nodes[state.at]
        return node.point.name if isinstance(node, Rule) else None


def _kind(step: Step) -> object:
    match step:
        case State():
            return "state"
        case Ended():
            return "end", step.winners
        case Stopped():
            return "stop", step.point.name
        case Failed():
            return "error", step.code
