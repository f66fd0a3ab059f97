"""One step in every engine: from a known, a hidden, a symbolic and a sliced position, and what it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.ruleset import Core, Role
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from tests.conformance.declared import hangs_on_more, undeclared
from tests.conformance.hidden import Veiled
from tests.conformance.known import Compiled, Exact, Guided, Structured
from tests.conformance.machined import Machined
from tests.conformance.sliced import Passed, Sliced, some_slice
from tests.smt.drawn import shaken

NAMES = ("ana", "ben", "cleo")
GIVEN = 4
MOST_INSIDE = 4
"""So many events are followed inside a body."""


@dataclass
class Tally:
    """What was compared: steps by what became of them, completions of hidden positions, positions whose answers were
    several, slices; steps that machine code made, and those that it left to others; what the solver could not encode or
    answer."""

    steps: Counter[str] = field(default_factory=Counter)
    completions: int = 0
    split: int = 0
    sliced: int = 0
    machined: int = 0
    left: int = 0
    unencoded: set[str] = field(default_factory=set)


class Engines:
    """All engines of one core. `keep`: the shares of variables and zones that slices keep, one slice for each.
    `apart`: things offered at one point get different labels; `machine`: machine code is compared, too, which has to
    be compiled."""

    def __init__(self, core: Core, seed: int, keep: tuple[float, ...], apart: bool = False, *,
                 machine: bool = True) -> None:
        self.random = Random(seed)
        flow = told_apart(lower(core)) if apart else lower(core)
        self.setting = Setting(NAMES, parameters={"given": {(): GIVEN}} if "given" in core.vars else {})
        self.passed = Passed(flow)
        self.walker = Walker(flow)
        layout = self.walker.layout
        self._compiled, self._guided = Compiled(flow), Guided(flow)
        self._machined = Machined(flow) if machine else None
        self._twin = Structured(self.walker, self.setting)
        # of a random core a step from a position of which nothing is known is a very large term
        self._exact = [Exact(flow, unknown=unknown) for unknown in ((False,) if apart else (False, True))]
        self._hidden = Veiled(self.walker, NAMES)
        self._sliced = [Sliced(flow, some_slice(flow, layout, self.random, share), self.setting) for share in keep]

    def start(self) -> Step:
        """The first point of a game."""
        return self.walker.begin(self.setting)

    def shaken(self, state: State) -> State:
        """A position at the same point in which much is otherwise."""
        return shaken(self.walker, state, self.random, (Role.STATE,), 12)

    def differs(self, state: State, event: Event, tally: Tally, first: bool) -> Iterator[str]:
        """What engines make otherwise of an event. `first`: the position is at the first point of the game."""
        try:
            after = self.walker.advance(state, event) if self.walker.check(state, event) is None else None
        except Fault:
            return
        tally.steps[type(after).__name__] += 1
        yield from self._compiled.differs(state, event, after)
        if self._machined is not None:
            yield from self._machined.differs(state, event, after)
            tally.machined, tally.left = self._machined.followed, self._machined.left
        if first and after is not None:
            yield from self._twin.differs(state, event, after)
        yield from self._guided.differs(state, event, after)
        for one in self._exact:
            yield from one.differs(state, event, after)
            tally.unencoded.update(one.unencoded)
        yield from self._hidden.differs(state, event, self.random)
        tally.completions, tally.split = tally.completions + self._hidden.worlds, tally.split + self._hidden.split
        self._hidden.worlds = self._hidden.split = 0
        if after is None:
            return
        _, pairs = self.passed.steps(state, event)
        yield from undeclared(self.walker.layout, self.walker.flow, pairs)
        yield from hangs_on_more(self.walker, state, event, after, self.random)
        for sliced in self._sliced:
            tally.sliced += len(pairs)
            yield from sliced.differs(pairs)
            tally.unencoded.update(sliced.unencoded)

    def each(self, times: int, tally: Tally) -> Iterator[str]:
        """What engines make otherwise of every body that the first point offers, so many times, from any positions;
        where somebody is asked inside it, of what comes then too."""
        begun = self.start()
        assert isinstance(begun, State)
        for label in sorted({event.label for event in self.walker.legal(begun)}):
            for _ in range(times):
                state = self.shaken(begun)
                event = self.random.choice([one for one in self.walker.legal(state) if one.label == label])
                yield from self._tried(state, event, tally, True)
                after = self.walker.advance(state, event)
                for _ in range(MOST_INSIDE):
                    if not isinstance(after, State) or after.at == begun.at:
                        break
                    event = choose(self.walker, after, self.random)
                    yield from self._tried(after, event, tally, False)
                    after = self.walker.advance(after, event)

    def played(self, most: int, tally: Tally) -> Iterator[str]:
        """What engines make otherwise of a random game, and of positions near those of it."""
        step = self.start()
        for _ in range(most):
            if not isinstance(step, State):
                return
            near = self.shaken(step)
            for state in (step, near):
                try:
                    event = choose(self.walker, state, self.random)
                except (Fault, IndexError, ValueError):  # nothing is possible in a position that no game comes to
                    continue
                yield from self._tried(state, event, tally, False)
            step = self.walker.advance(step, choose(self.walker, step, self.random))

    def _tried(self, state: State, event: Event, tally: Tally, first: bool) -> Iterator[str]:
        for tried in (event, *self._near(event, state)):
            for said in self.differs(state, tried, tally, first):
                yield f"{said} [{tried} at {state.at}: {state.slots}]"

    def _near(self, event: Event, state: State) -> Iterator[Event]:
        if not event.args or isinstance(self.walker.flow.nodes[state.at], Rule):
            return
        index = self.random.randrange(len(event.args))
        name, given = event.args[index]
        if isinstance(given, int) and not isinstance(given, bool) and given < 5:
            yield Event(event.by, event.label, (*event.args[:index], (name, given + 1), *event.args[index + 1:]))


def told_apart(flow: Flow) -> Flow:
    """The flow with labels and arguments that tell all ways to take something at a point apart, and fate asked always:
    as in the flows of rules texts."""
    nodes = list(flow.nodes)
    for index, node in enumerate(nodes):
        match node:
            case Ask():
                nodes[index] = replace(node, alternatives=tuple(
                    _told(one, number) for number, one in enumerate(node.alternatives)))
            case Gather():
                nodes[index] = replace(node, parts=tuple(
                    (actors, _told(one, number)) for number, (actors, one) in enumerate(node.parts)))
            case Draw():
                nodes[index] = replace(node, point=replace(node.point, automatic=False), alternative=_told(
                    node.alternative, 0))
            case Run() | Fork() | Rule():
                pass
            case _:
                assert_never(node)
    return replace(flow, nodes=tuple(nodes))


def _told(one: Alternative, number: int) -> Alternative:
    params = tuple(replace(param, arg=param.arg or param.name) for param in one.params)
    return replace(one, label=f"{one.label} {number}", params=params)
