"""Random games for what is seen on the way: under any readings, so that no way through the rules is left out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
from referee.engine.course import Course
from referee.engine.faults import Fault
from referee.engine.fn import Env, Fn, Slots
from referee.engine.perform import Act
from referee.engine.play import choose, complete
from referee.engine.walker import Walker
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step

_Does = TypeVar("_Does", Act, Fn)
END = -1
"""The place of a game that is over, among the points."""


def any_setting(walker: Walker, setting: Setting, random: Random) -> Setting:
    """A setting with readings, parameters and givens by lot; raises `Fault` if no values fit together."""
    readings = {
        name: random.randrange(len(one.choices)) if random.random() < 0.5 else one.default
        for name, one in walker.core.readings.items()
    }
    return complete(walker, replace(setting, readings={**readings, **setting.readings}), random)


def cuts_of(flow: Flow) -> frozenset[int]:
    """The nodes, no points, at which loops begin their rounds: every way round passes a point or one of these."""
    if id(flow) not in _CUTS or _CUTS[id(flow)][0] is not flow:
        _CUTS.clear()
        _CUTS[id(flow)] = flow, _cuts(flow)
    return _CUTS[id(flow)][1]


_CUTS: dict[int, tuple[Flow, frozenset[int]]] = {}


def _cuts(flow: Flow) -> frozenset[int]:
    found: set[int] = set()
    done: set[int] = set()
    for start in range(len(flow.nodes)):
        if start in done:
            continue
        open_, stack = {start}, [(start, iter(_passes(flow.nodes[start])))]
        while stack:
            index, following = stack[-1]
            other = next(following, None)
            if other is None:
                stack.pop()
                open_.discard(index)
                done.add(index)
            elif other in open_:
                found.add(other)
            elif other not in done:
                open_.add(other)
                stack.append((other, iter(_passes(flow.nodes[other]))))
    return frozenset(i for i in found if isinstance(flow.nodes[i], Run | Fork))


def _passes(node: Node) -> tuple[int, ...]:
    """Where a node may go on without asking anybody."""
    match node:
        case Run():
            return (node.next,)
        case Fork():
            return (node.yes, node.no)
        case Ask():
            taken = tuple(a.next for a in node.alternatives) if node.point.automatic else ()
            return taken if node.otherwise is None else (*taken, node.otherwise)
        case Gather() | Rule():
            return (node.next,)
        case Draw():
            return (node.alternative.next,) if node.point.automatic else ()


class Watching(Course):
    """A course that keeps the positions that it passes at some nodes."""

    def __init__(self, flow: Flow, nodes: frozenset[int]) -> None:
        super().__init__(flow)
        self._kept_at = nodes
        self.passed: list[State] = []

    def _run(self, at: int, node: Run) -> Act:
        return self._keeping(at, super()._run(at, node))

    def _fork(self, at: int, node: Fork) -> Fn:
        return self._keeping(at, super()._fork(at, node))

    def _keeping(self, at: int, carry_out: _Does) -> _Does:
        if at not in self._kept_at:
            return carry_out

        def keeping(slots: Slots, env: Env) -> Any:
            self.passed.append(State(at, tuple(slots)))
            return carry_out(slots, env)

        return keeping


def games(
    walker: Walker, setting: Setting, most: int, seconds: float, events: int, first: int = 0
) -> Iterator[tuple[Setting, list[tuple[Event | None, State | Ended | Failed]]]]:
    """Random games as the positions they pass, each with the event before it; no more once the time is over."""
    until = time.process_time() + seconds
    for seed in range(first, first + most):
        if time.process_time() > until:
            return
        random = Random(seed)
        try:
            chosen = any_setting(walker, setting, random)
            yield chosen, list(_passed(walker, walker.begin(chosen), random, events))
        except Fault:
            continue


def _passed(
    walker: Walker, step: Step, random: Random, most: int
) -> Iterator[tuple[Event | None, State | Ended | Failed]]:
    event: Event | None = None
    for _ in range(most + 1):
        if isinstance(step, Ended | Failed):
            yield event, step
        if not isinstance(step, State):
            return
        yield event, step
        event = choose(walker, step, random)
        step = walker.advance(step, event)


def seen(walker: Walker, setting: Setting, most: int, seconds: float, events: int) -> dict[int, list[State]]:
    """The positions of random games by where they are: a point, the beginning of a round of a loop, or `END`."""
    watching = Walker(walker.flow)
    watching.course = course = Watching(walker.flow, cuts_of(walker.flow))
    found: dict[int, list[State]] = {}
    for _, passed in games(watching, setting, most, seconds, events):
        for _, step in passed:
            if isinstance(step, Ended):
                found.setdefault(END, []).append(step.state)
            elif isinstance(step, State):
                found.setdefault(step.at, []).append(step)
        for state in course.passed:
            found.setdefault(state.at, []).append(state)
        course.passed.clear()
    return found


def sample(states: dict[int, list[State]], most: int) -> dict[int, list[State]]:
    """At most so many positions of each place, by lot."""
    random = Random(1)
    return {at: random.sample(some, most) if len(some) > most else some for at, some in states.items()}
