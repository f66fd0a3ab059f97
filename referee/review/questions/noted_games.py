"""Games by the rules, with the other answers that have a place in each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from random import Random
from typing import assert_never

from referee.core.flow import Ask, Draw, Gather, Rule
from referee.frontend.names.other_answers import SELECTOR
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker
from referee.review.questions.noting_selector import NotingSelector
from referee.simulation.strategies import drawn
from referee.system.deadline import Clock

LOOKED_AT = 5
"""Of so many events a player takes the one after which he has the best score."""
OFFERED = 40
"""Of so many events it is noted on what they hang."""
AT_RANDOM = 1 / 3
"""So often a player who could take the best event takes any."""
ONE_GAME = 0.15
"""A game that takes more than this share of the time for all of them is broken off."""


@dataclass(frozen=True, slots=True)
class NotedGame:
    """A game by the rules: its positions, one more than events unless it is over; what it came to; the answers that
    have a place in what was possible at each position, and in what each event did; `begun`: those that have one in what
    is done before the first; `visits`: after how many events it comes to a place of each answer."""

    setting: Setting
    states: tuple[State, ...]
    events: tuple[Event, ...]
    last: Step
    offers: tuple[frozenset[int], ...]
    effects: tuple[frozenset[int], ...]
    begun: frozenset[int]
    visits: Mapping[int, Sequence[int]]


def under(walker: Walker, state: State, answer: int) -> State:
    """A position in which the rules go on with another answer."""
    at = walker.layout.vars[SELECTOR].base
    return State(state.at, (*state.slots[:at], answer, *state.slots[at + 1 :]))


def noted_games(walker: Walker, players: tuple[str, ...], seed: int, events: int, clock: Clock) -> Iterator[NotedGame]:
    """Games without end, of players who look one step ahead for a better score, and do anything a third of the time.

    Raises `OutOfTime`.
    """
    random, number, share = Random(seed), 0, ONE_GAME * clock.left()

    def taken(until: float, state: State, noting: NotingSelector) -> Taken | None:
        return _taken(walker, random, state, noting) if clock.left() >= until else None

    while True:
        clock.tick()
        try:
            setting = drawn(walker, Setting(players), number, random)
        except Fault:
            setting = Setting(players)
        yield noted_game(walker, setting, events, clock, partial(taken, clock.left() - share))
        number += 1


def noted_game_of(walker: Walker, setting: Setting, seed: int, events: int, clock: Clock) -> NotedGame:
    """One such game from a setting; the same seed and setting give the same. Raises `OutOfTime`, `Fault`."""
    random = Random(seed)
    whole = complete(walker, setting, random)
    return noted_game(walker, whole, events, clock, partial(_taken, walker, random))


Taken = tuple[Event, Step, frozenset[int]]
"""An event, what it comes to, and the answers that have a place in what it does."""
Take = Callable[[State, "NotingSelector"], Taken | None]
"""What is done in a position; None to break the game off."""


def noted_game(walker: Walker, setting: Setting, most: int, clock: Clock, take: Take) -> NotedGame:
    """A game of at most so many events, by whoever says what is done. Raises `OutOfTime`."""
    noting = NotingSelector()
    step = walker.begin(replace(setting, readings={**setting.readings, SELECTOR: noting}))
    begun = noting.taken()
    states, events, offers, effects = list[State](), list[Event](), list[frozenset[int]](), list[frozenset[int]]()
    while isinstance(step, State) and len(events) < most:
        if len(events) % 16 == 0:
            clock.tick()
        for _ in islice(walker.legal(step), OFFERED):
            pass
        met = noting.taken()
        taken = take(step, noting)
        if taken is None:
            break
        offers.append(met)
        states.append(step)
        event, step, done = taken
        effects.append(done)
        events.append(event)
    visits = _visits(offers, effects)
    return NotedGame(setting, tuple(states), tuple(events), step, tuple(offers), tuple(effects), begun, visits)


def _visits(offers: Sequence[frozenset[int]], effects: Sequence[frozenset[int]]) -> Mapping[int, Sequence[int]]:
    visits = dict[int, list[int]]()
    for number, (here, there) in enumerate(zip(offers, effects, strict=True)):
        for answer in here | there:
            visits.setdefault(answer, []).append(number)
    return visits


def _taken(walker: Walker, random: Random, state: State, noting: NotingSelector) -> Taken:
    node = walker.course.point(state.at)
    match node:
        case Ask():
            if walker.core.score is not None and random.random() > AT_RANDOM:
                return _best(walker, state, random, noting)
        case Gather() | Draw() | Rule():
            pass
        case _:
            assert_never(node)
    return carried_out(walker, state, choose(walker, state, random), noting)


def _best(walker: Walker, state: State, random: Random, noting: NotingSelector) -> Taken:
    """Of a few events the one after which who takes it has the best score, or has won."""
    events = dict.fromkeys(choose(walker, state, random) for _ in range(LOOKED_AT))
    tried = [carried_out(walker, state, event, noting) for event in events]
    return max(tried, key=lambda one: _worth(walker, one[1], one[0].by))


def carried_out(walker: Walker, state: State, event: Event, noting: NotingSelector) -> Taken:
    """An event carried out, once: what one player tried is not carried out again."""
    noting.taken()
    step = walker.advance(state, event)
    return event, step, noting.taken()


def _worth(walker: Walker, step: Step, player: int) -> float:
    if isinstance(step, Ended):
        return float("inf") if player in step.winners else float("-inf")
    if not isinstance(step, State):
        return float("-inf")
    return float((walker.score_of(step, player) if player >= 0 else None) or 0)
