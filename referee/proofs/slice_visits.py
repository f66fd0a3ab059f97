"""Random games for what is seen on the way: under any readings, so that no way through the rules is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, TypeVar, assert_never

from referee.core.flow import Flow, point_of
from referee.core.ruleset import Role
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Value
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step
from referee.interpreter.closures.closure_types import Fn
from referee.interpreter.closures.statement_closures import Act
from referee.interpreter.course import FlowCourse
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker
from referee.system.deadline import Deadline

_Does = TypeVar("_Does", Act, Fn)
SHORT, EVENTS, LONG = 4, 400, 4_000
"""So many games of some events for each one of many: what comes late is seen too, and what comes early often."""
TRIES = 20
"""How often parameters are drawn until they fit together; then they are what they are by default."""
END = -1
"""The place of a game that is over, among the points."""


def any_setting(walker: Walker, setting: Setting, random: Random) -> Setting:
    """A setting with readings, parameters and givens by lot; raises `Fault` if no values fit together."""
    readings = {
        name: random.randrange(len(one.choices)) if random.random() < 0.5 else one.default
        for name, one in walker.core.readings.items()
    }
    read = replace(setting, readings={**readings, **setting.readings})
    for _ in range(TRIES):
        parameters = {**_parameters(walker, random), **read.parameters}
        with suppress(Fault):  # those that are related may not fit together
            return complete(walker, replace(read, parameters=parameters), random)
    return complete(walker, read, random)


def _parameters(walker: Walker, random: Random) -> dict[str, dict[tuple[int, ...], Value]]:
    """Values for some of the parameters that have one by default, which proofs do not count on."""
    found: dict[str, dict[tuple[int, ...], Value]] = {}
    for name, var in walker.layout.defs.items():
        if var.role is not Role.PARAMETER or var.start is None or random.random() < 0.5:
            continue
        keys = walker.layout.vars[name].keys()
        match var.type:
            case Bool():
                found[name] = {key: random.random() < 0.5 for key in keys}
            case Int(lo, hi) | Elem(_, lo, hi):
                found[name] = {key: random.randint(lo, hi) for key in keys}
            case Maybe() | SetOf() | Many():
                continue
            case _:
                assert_never(var.type)
    return found


def cuts_of(flow: Flow) -> frozenset[int]:
    """The nodes, no points, at which steps end in proofs: all of them, so that each step is small."""
    return frozenset(i for i, node in enumerate(flow.nodes) if point_of(node) is None)


def at_rest(flow: Flow, step: Step) -> State | None:
    """The position of which invariants speak: where somebody is asked outside an action, and at the end."""
    if isinstance(step, Ended):
        return step.state
    point = point_of(flow.nodes[step.at]) if isinstance(step, State) else None
    return step if isinstance(step, State) and point is not None and point.rest else None


class PassedNodes:
    """Keeps the positions that a course passes at some nodes that are no points."""

    def __init__(self, nodes: frozenset[int]) -> None:
        self._nodes = nodes
        self.states: list[State] = []

    def __call__(self, at: int, slots: Sequence[Any]) -> None:
        if at in self._nodes:
            self.states.append(State(at, tuple(slots)))


Choose = Callable[[Walker, State, Random], Event]


class Novel:
    """Chooses among a few random events the one whose kind was taken least: rare places are seen sooner."""

    def __init__(self, tries: int = 3) -> None:
        self._tries = tries
        self._taken: dict[tuple[int, str], int] = {}

    def __call__(self, walker: Walker, state: State, random: Random) -> Event:
        events = [choose(walker, state, random) for _ in range(self._tries)]
        event = min(events, key=lambda one: self._taken.get((state.at, one.label), 0))
        key = state.at, event.label
        self._taken[key] = self._taken.get(key, 0) + 1
        return event


def games(
    walker: Walker, setting: Setting, most: int, seconds: float, events: int, first: int = 0, chosen: Choose = choose
) -> Iterator[tuple[Setting, list[tuple[Event | None, State | Ended | Failed]]]]:
    """Random games as the positions they pass, each with the event before it; no more once the time is over."""
    until = Deadline.computing(seconds)
    for seed in range(first, first + most):
        if until.passed:
            return
        random = Random(seed)
        try:
            whole = any_setting(walker, setting, random)
            yield whole, list(_passed(walker, walker.begin(whole), random, events, chosen))
        except Fault:
            continue


def _passed(
    walker: Walker, step: Step, random: Random, most: int, chosen: Choose
) -> Iterator[tuple[Event | None, State | Ended | Failed]]:
    event: Event | None = None
    for _ in range(most + 1):
        if isinstance(step, Ended | Failed):
            yield event, step
        if not isinstance(step, State):
            return
        yield event, step
        event = chosen(walker, step, random)
        step = walker.advance(step, event)


class Kept:
    """At most so many positions of each place, each as likely as any other (reservoir sampling: Vitter, 1985)."""

    def __init__(self, most: int) -> None:
        self._most, self._random = most, Random(1)
        self._passed: dict[int, int] = {}
        self.states: dict[int, list[State]] = {}

    def add(self, place: int, state: State) -> None:
        """One more position of a place."""
        number = self._passed[place] = self._passed.get(place, 0) + 1
        kept = self.states.setdefault(place, [])
        if len(kept) < self._most:
            kept.append(state)
        elif (at := self._random.randrange(number)) < self._most:
            kept[at] = state


class Seen:
    """Positions of random games by where they are: a point, a node that is none, or `END`; at most some of each."""

    def __init__(self, walker: Walker, setting: Setting, samples: int) -> None:
        self._walker = Walker(walker.flow)
        self._passed = PassedNodes(cuts_of(walker.flow))
        self._walker.course = FlowCourse(walker.flow, self._passed)
        self._setting, self._chosen, self._kept, self._first = setting, Novel(), Kept(samples), 0
        self.states: Mapping[int, Sequence[State]] = self._kept.states

    def play(self, seconds: float) -> None:
        """Plays more games for some seconds: of each few one to its end, if it has one, the others for a while."""
        until = Deadline.computing(seconds)
        while not until.passed:
            for many, events in ((SHORT, EVENTS), (1, LONG)):
                left = until.seconds_left
                for _, passed in games(self._walker, self._setting, many, left, events, self._first, self._chosen):
                    self._keep(passed)
                self._first += many

    def _keep(self, passed: Sequence[tuple[Event | None, State | Ended | Failed]]) -> None:
        for _, step in passed:
            if isinstance(step, Ended):
                self._kept.add(END, step.state)
            elif isinstance(step, State):
                self._kept.add(step.at, step)
        for state in self._passed.states:
            self._kept.add(state.at, state)
        self._passed.states.clear()
