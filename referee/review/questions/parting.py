"""What tells two games apart that went the same way so far: the rules, and the rules with another answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Finish
from referee.core.traverse import bodies, walk
from referee.frontend.names.other_answers import SELECTOR
from referee.game.event import Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.walker import Walker
from referee.review.questions.noting_selector import NotingSelector

MOST_OFFERED = 100
"""So many events of a position are looked at."""
MOST_KEPT = 20_000
"""Of so many positions it is kept which answers have a place in what is possible there."""
INSERTED, TRIED = 3, 4
"""So many events may be asked for in one of the games alone, and so many are tried for each of them."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two games part: two steps that show something else, or of which only one allows an event."""

    one: Step
    other: Step
    only: Event | None = None


class Comparison:
    """Compares positions of one walker, in which a selector does not count."""

    def __init__(self, walker: Walker, words: Words) -> None:
        self.walker = walker
        told = _telling(walker.core)
        layout = walker.layout
        self._places: dict[State, frozenset[int]] = {}
        self._selector = layout.vars[SELECTOR].base
        self._shown = tuple(
            (layout.zones if spot.is_zone else layout.vars)[spot.name].find(spot.key)
            for spot in words.spots if spot.is_zone or spot.name in told
        )  # fmt: skip

    def shows_the_same(self, one: Step, other: Step) -> bool:
        """Whether what lies where, who has won and what counts for that are the same."""
        match one:
            case State():
                return isinstance(other, State) and self._looks(one) == self._looks(other)
            case Ended():
                if not isinstance(other, Ended) or one.winners != other.winners:
                    return False
                return self.walker.scores(one.state) == self.walker.scores(other.state)
            case Stopped() | Failed():
                return isinstance(other, Stopped | Failed)

    def offered(self, state: State) -> dict[Event, None]:
        """What is possible at a position, as far as it is looked at."""
        return dict.fromkeys(islice(self.walker.legal(state), MOST_OFFERED))

    def parting(self, one: Step, other: Step) -> Parting | None:
        """What tells two steps apart that the same events have come to; None if nothing does, maybe after events that
        are asked for in one of them alone."""
        if not isinstance(one, State) or not isinstance(other, State) or one.at == other.at:
            return None if self.shows_the_same(one, other) else Parting(one, other)
        if self._joins(one, other) is not None or self._joins(other, one) is not None:
            return None
        return Parting(one, other)

    def joined(self, one: State, other: Step) -> Step:
        """The other position, after what is asked for there alone, where it meets the first."""
        if not isinstance(other, State) or one.at == other.at:
            return other
        return self._joins(one, other) or other

    def allowed(self, one: State, other: State) -> Parting | None:
        """An event that only one of two positions allows, which comes to what nothing in the other comes to."""
        if self.same_but_the_answer(one, other) and other.slots[self._selector] not in self._in_offers(one):
            return None
        here, there = self.offered(one), self.offered(other)
        for own, events, rest, foreign in ((other, there, here, one), (one, here, there, other)):
            asked, outcomes = {e.by for e in rest}, list[Step]()
            for event in [e for e in events if e not in rest][:TRIED]:
                if event.by not in asked:
                    return Parting(one, other, event)
                outcomes = outcomes or [self.walker.advance(foreign, e) for e in islice(rest, 2 * TRIED)]
                came = self.walker.advance(own, event)
                if not any(self.same_but_the_answer(o, came) for o in outcomes):
                    return Parting(one, other, event)
        return None

    def same_but_the_answer(self, one: Step, other: Step) -> bool:
        """Whether two steps are the same in everything but the answer that they go by."""
        if not isinstance(one, State) or not isinstance(other, State):
            return type(one) is type(other) and self.shows_the_same(one, other)
        a, b, at = one.slots, other.slots, self._selector
        return one.at == other.at and a[:at] == b[:at] and a[at + 1 :] == b[at + 1 :]

    def _in_offers(self, state: State) -> frozenset[int]:
        """The answers that have a place in what is possible at a position by the rules."""
        known = self._places.get(state)
        if known is None:
            noting, at = NotingSelector(), self._selector
            self.offered(State(state.at, (*state.slots[:at], noting, *state.slots[at + 1 :])))
            if len(self._places) >= MOST_KEPT:
                self._places.clear()
            known = self._places[state] = noting.taken()
        return known

    def _joins(self, one: State, other: State) -> State | None:
        """What a position comes to by few events that shows and asks the same as another one."""
        waiting: list[State] = [other]
        for _ in range(INSERTED):
            further = [step for state in waiting for step in self._ways_on(state)]
            waiting = [step for step in further if isinstance(step, State)][: 4 * TRIED]
            for state in waiting:
                if state.at == one.at and self.shows_the_same(one, state):
                    return state
        return None

    def _ways_on(self, state: State) -> Iterator[Step]:
        for event in islice(self.walker.legal(state), TRIED):
            yield self.walker.advance(state, event)

    def _looks(self, state: State) -> tuple[object, ...]:
        slots = state.slots
        return tuple([slots[at] for at in self._shown])


def _telling(core: Core) -> frozenset[str]:
    """The counters that tell games apart by themselves: those of a player, and those on which score or end hang."""
    ends = [one.winners for body in bodies(core) for one in walk(body, Finish)]
    decisive = variables_of((core.score, core.over, tuple(ends)))
    own = {name for name, var in core.vars.items() if core.seats.number > 1 and len(var.keys) == 1
           and getattr(var.keys[0], "domain", "") == "player"}  # fmt: skip
    return frozenset(decisive) | own
