"""The hidden-value engine: of a position with hidden components, its answers together cover every completion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from random import Random
from typing import Any, TypeAlias

from referee.core.flow import Flow
from referee.core.ruleset import Form
from referee.game.event import Event
from referee.game.start_position import HIDDEN_ONE
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.constraints.constraint_search import value
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import members
from referee.judge.partial.constraints.world_positions import as_witnessed
from referee.judge.partial.lifted.choice_points import forks
from referee.judge.partial.lifted.hidden_start import concealed, opened
from referee.judge.partial.lifted.lifted_course import LiftedRules
from referee.judge.partial.lifted.line_passage import Passage
from referee.judge.partial.line_patterns import known
from referee.judge.partial.possible_worlds import PossibleState
from referee.system.deadline import NEVER
from tests.conformance.known import apart

World: TypeAlias = dict[int, int]
"""The class of each token."""
MOST_WORLDS = 40
MOST_NEW = 300
"""So many ways are tried for tokens that came in on the way."""


class Veiled:
    """Positions in which something is hidden, carried on by the hidden-value engine."""

    def __init__(self, walker: Walker, players: tuple[str, ...]) -> None:
        self._walker = walker
        self._rules = LiftedRules(walker.flow)
        self._names = Names(walker.flow, players)
        self.flow: Flow = walker.flow
        self.worlds = 0
        self.split = 0

    def differs(self, state: State, event: Event, random: Random) -> Iterator[str]:
        """How what it makes of a position, of which some components are hidden, differs from what the walker makes of
        each completion."""
        hidden = self._hidden(state, random)
        store, _ = opened(self._walker, hidden, self._names, NEVER)
        ways = list(forks(store, 1_000, 2, lambda trial: Passage(self._rules, hidden, trial).attempt(
            (known(event),), only_ask=False, to_stop=False)))
        self.split += len(ways) > 1
        for world in islice(_worlds(store), MOST_WORLDS):
            self.worlds += 1
            here = _in(hidden, store, world)
            assert isinstance(here, State)
            yield from self._in_world(here, event, world, ways)

    def _in_world(
        self, here: State, event: Event, world: World, ways: list[tuple[ConstraintStore, Any]]
    ) -> Iterator[str]:
        try:
            after = self._walker.advance(here, event) if self._walker.check(here, event) is None else None
        except Fault:
            return
        met = [(store, outcome, full) for store, outcome in ways if (full := _completed(store, world)) is not None]
        if not met:
            yield f"hidden: nothing is said of the completion {world}"
        for store, outcome, full in met:
            step = None if outcome.step is None else self._arrived(_in(outcome.step, store, full))
            for said in apart(self._walker.layout, step, after):
                yield f"hidden: in the completion {world}: {said}"

    def _arrived(self, step: Step) -> Step:
        """A line is carried on to the next point without a test whether somebody can act there."""
        return self._walker.arrive(step) if isinstance(step, State) else step

    def _hidden(self, state: State, random: Random) -> State:
        """The position with some components hidden in some places, as a log tells of it."""
        layout, slots = self._walker.layout, list(state.slots)
        left: Counter[int] = Counter()
        for zone in layout.core.zones.values():
            for index in layout.zones[zone.name].entries:
                if random.random() < 0.6:
                    slots[index], gone = _covered(zone.form, slots[index], random)
                    left.update(gone)
        concealed(layout, slots, left)
        return State(state.at, tuple(slots))


def _covered(form: Form, content: Any, random: Random) -> tuple[Any, list[int]]:
    """What lies in a place with hidden ones for some of it, and which those are."""
    gone: list[int] = []

    def covered(one: int | None) -> int | None:
        if one is None or random.random() < 0.2:
            return one
        gone.append(one)
        return HIDDEN_ONE

    if form is Form.PILE:
        return tuple(tuple(sorted(covered(one) for one in block)) for block in content), gone
    found = tuple(covered(one) for one in content)
    return (tuple(sorted(found)) if form is Form.BAG else found), gone


def _worlds(store: ConstraintStore, fixed: Mapping[int, int] | None = None) -> Iterator[World]:
    """Every way to give the tokens classes with which all holds that is known."""
    given = fixed or {}
    free = [token for token in store.domains if token not in given]
    for classes in product(*(members(store.domains[token]) for token in free)):
        world = {**given, **dict(zip(free, classes, strict=True))}
        if all(store.domains[token] >> one & 1 for token, one in given.items() if token in store.domains) and all(
                value(world, total) >= 0 for total in store.conditions.values()):
            yield world


def _completed(store: ConstraintStore, world: World) -> World | None:
    """A world with classes for what was met since; None if the store excludes it."""
    return next(islice(_worlds(store, world), MOST_NEW), None)


def _in(step: Step, store: ConstraintStore, world: Mapping[int, int]) -> Step:
    """A step as it is in a world."""
    return as_witnessed(PossibleState(step), replace(store, witness=world)).step
