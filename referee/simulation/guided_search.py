"""Games played toward a place in the rules: of what is possible, what leads nearest to it is preferred."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import islice
from random import Random

from referee.core.flow import Flow, Rule, point_of, ways_on
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.walker import Walker
from referee.simulation.strategies import Manners, drawn
from referee.simulation.witness import Witness
from referee.system.deadline import Clock, OutOfTime

OFFERED, LOOKED_AT = 200, 10
"""Of so many events so many are looked at, and the one that leads nearest is chosen."""
STEADY = (0.95, 0.8, 0.5, 0.2)
"""How often somebody does what leads nearest; games take turns. In the others the game has time to go its way."""


@dataclass(frozen=True, slots=True)
class Aimed:
    """A game played toward some nodes. `came`: after how many events it was at one of them."""

    setting: Setting
    events: tuple[Event, ...]
    came: tuple[tuple[int, State], ...]


def never_came(games: int) -> str:
    """What is said of what was seen in no game, these among them."""
    return f", nor in {games} played toward it" if games else ""


def not_reached(witness: Witness | None, games: int) -> tuple[str, ...]:
    """What is said of what only the position of a scenario shows, and none of these games."""
    if not games or witness is None or witness.tale is None:
        return ()
    return (f"{games} games were played toward it from the start, and none of them shows it",)


def distances(flow: Flow, goals: Set[int]) -> dict[int, int]:
    """For each node with a way to a goal, at how few points on it somebody is asked, before the goal."""
    before: dict[int, list[int]] = {}
    for index, node in enumerate(flow.nodes):
        for other in ways_on(node):
            before.setdefault(other, []).append(index)
    found = dict.fromkeys(goals, 0)
    waiting = deque(goals)
    while waiting:
        here = waiting.popleft()
        for index in before.get(here, ()):
            asked = point_of(flow.nodes[index]) is not None
            far = found[here] + asked
            if far < found.get(index, far + 1):
                found[index] = far
                (waiting.append if asked else waiting.appendleft)(index)
    return found


class Toward:
    """Plays toward some nodes, with a seed."""

    def __init__(self, walker: Walker, players: tuple[str, ...], goals: Set[int], seed: int, clock: Clock) -> None:
        self._walker, self._players, self._goals, self._clock = walker, players, goals, clock
        self._far = distances(walker.flow, goals)
        self._most_far = len(walker.flow.nodes)
        self._random = Random(f"{seed} {sorted(goals)}")
        self._manners = Manners(walker, self._random)

    def games(self, number: int, events: int) -> Iterator[Aimed]:
        """So many games, each with so many events at most; fewer after Ctrl-C or if the time is up."""
        for index in range(number):
            if self._clock.hurried:
                return
            try:
                yield self._one(index, events)
            except Fault:
                continue
            except OutOfTime:
                return
            except KeyboardInterrupt:
                if not self._clock.hurry():
                    raise
                return

    def _one(self, index: int, most: int) -> Aimed:
        setting = drawn(self._walker, Setting(self._players), index, self._random)
        step: Step = self._walker.begin(setting)
        events, came = list[Event](), list[tuple[int, State]]()
        while isinstance(step, State):
            if step.at in self._goals:
                came.append((len(events), step))
            if len(events) >= most:
                break
            self._clock.tick()
            event, step = self._nearer(step, STEADY[index % len(STEADY)])
            events.append(event)
        return Aimed(setting, tuple(events), tuple(came))

    def _nearer(self, state: State, steady: float) -> tuple[Event, Step]:
        if isinstance(self._walker.flow.nodes[state.at], Rule) or self._random.random() > steady:
            return self._manners.any(state)
        offered = list(islice(self._walker.legal(state), OFFERED))
        some = self._random.sample(offered, min(LOOKED_AT, len(offered)))
        tried = [(event, self._walker.advance(state, event)) for event in some]
        return min(tried, key=lambda one: self._distance(one[1]))

    def _distance(self, step: Step) -> int:
        return self._far.get(step.at, self._most_far) if isinstance(step, State) else self._most_far
