"""Looks for a short game in which an answer matters.

A known game is played anew, with cards drawn sooner and without what it can do without; where nothing of it is possible
something else is done.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

from referee.core.types import Value
from referee.frontend.names.other_answers import OtherAnswer
from referee.game.event import FATE, Event
from referee.game.state import State
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.review.questions.noted_games import NotedGame, Taken, carried_out, noted_game
from referee.review.questions.noting_selector import NotingSelector
from referee.review.questions.trials import AnswerTrials, Difference
from referee.simulation.set_up import SetUp
from referee.system.deadline import Clock, OutOfTime

SHORT = 8
"""A game with so many events after set-up is short enough."""
FAR = 12
"""One with more shows less than the position of a scenario does."""
STEPS = 1_200
"""So many events are played at most to find a shorter game."""
LATE = 3
"""Half of the cards that come sooner are among so many that come last."""
LOOKED_AT = 12
"""Of what is left of the known game so many events are tried at a position."""


class ShortGames:
    """Looks for shorter games of one core."""

    def __init__(self, walker: Walker, trials: AnswerTrials, seed: int) -> None:
        self._walker, self._trials, self._seed = walker, trials, seed
        self._set_up = SetUp(walker)

    def shorter(self, answer: OtherAnswer, found: Difference, clock: Clock) -> Difference:
        """The shortest game that was found in a while, or the known one."""
        random, left = Random(f"{self._seed} {len(found.events)} {answer.dimension} {answer.name}"), STEPS
        try:
            while left > 0 and self._length(found)[0] > SHORT:
                game = self._anew(found, random, clock)
                left -= len(game.events) + 1
                other = self._trials.parted(answer, game)
                if other is not None and self._length(other) < self._length(found):
                    smaller = self._trials.minimised(answer.index, other, clock)
                    found = min(smaller, other, key=self._length)
        except (OutOfTime, Fault):
            pass
        return found

    def is_far(self, one: Difference) -> bool:
        """Whether a game has so many events after set-up that nobody reads it."""
        return self._length(one)[0] > FAR

    def _length(self, one: Difference) -> tuple[int, int]:
        """How many events come after set-up, and how many in all."""
        return len(one.events) - self._set_up.events(one.setting, one.events), len(one.events)

    def _anew(self, known: Difference, random: Random, clock: Clock) -> NotedGame:
        events = list(known.events)
        if random.random() < 0.8:
            events = _without_some(events, random)
        for _ in range(random.randrange(4)):
            events = _exchanged(events, random)
        if random.random() < 0.5:
            events = _drawn_sooner(events, random)
        most = len(known.events) - 1
        return noted_game(self._walker, known.setting, most, clock, partial(self._next, events, random))

    def _next(self, left: list[Event], random: Random, state: State, noting: NotingSelector) -> Taken | None:
        """The first event of what is left that is possible; else anything, as long as something is left."""
        if not left:
            return None
        for number, event in enumerate(left[:LOOKED_AT]):
            if self._walker.check(state, event) is None:
                del left[number]
                return carried_out(self._walker, state, event, noting)
        return carried_out(self._walker, state, choose(self._walker, state, random), noting)


def _without_some(events: list[Event], random: Random) -> list[Event]:
    """Without a run of events that begins anywhere."""
    start = random.randrange(len(events))
    return events[:start] + events[start + 1 + random.randrange(1 + len(events) // 2) :]


def _drawn_sooner(events: list[Event], random: Random) -> list[Event]:
    """What fate does somewhere is done first, where it can be."""
    of_fate = [number for number, event in enumerate(events) if event.by == FATE]
    if not of_fate:
        return events
    chosen = random.choice(of_fate)
    return [events[chosen], *events[:chosen], *events[chosen + 1 :]]


def _exchanged(events: list[Event], random: Random) -> list[Event]:
    """Two events of fate with a member of what they give exchanged: somebody gets a card sooner, often a late one."""
    having = [(number, at) for number, event in enumerate(events) if event.by == FATE
              for at, (_, value) in enumerate(event.args) if _members(value)]  # fmt: skip
    if len(having) < 2:
        return events
    late = random.randrange(1, min(LATE, len(having) - 1) + 1)
    last = len(having) - late if random.random() < 0.5 else random.randrange(1, len(having))
    (one, here), (other, there) = having[random.randrange(last)], having[last]
    given, taken = (random.choice(_members(events[n].args[at][1])) for n, at in ((one, here), (other, there)))
    changed = list(events)
    changed[one] = _with(events[one], here, given, taken)
    changed[other] = _with(changed[other], there, taken, given)
    return changed


def _members(value: Value) -> tuple[int, ...]:
    """What an argument names: one member, or several."""
    if isinstance(value, tuple):
        return value
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else ()


def _with(event: Event, at: int, old: int, new: int) -> Event:
    """An event that gives another member in one of its arguments."""
    name, value = event.args[at]
    if not isinstance(value, tuple):
        return replace(event, args=(*event.args[:at], (name, new), *event.args[at + 1 :]))
    members = list(value)
    if old in members:
        members[members.index(old)] = new
    return replace(event, args=(*event.args[:at], (name, tuple(sorted(members))), *event.args[at + 1 :]))
