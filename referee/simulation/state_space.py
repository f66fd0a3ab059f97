"""All positions of a small game, nearest first; of a large one those that are near."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import assert_never

from referee.core.ruleset import Role, Var
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Value
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.system.deadline import Clock, OutOfTime, Stopwatch

MOST_SETTINGS = 32
"""From so many settings at most: each has positions of its own."""
MOST_EVENTS = 400
"""A position with more legal events is not gone on from, and the space is not whole."""
MOST_ENTRIES = 4_000_000
"""Entries of all positions together: of large ones fewer are kept, so that memory is bounded."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A step, and how the game came to it: from a position by an event, or by its beginning."""

    step: Step
    before: State | None
    event: Event | None
    setting: Setting
    depth: int


class StateSpace:
    """Positions found breadth first, from every setting if there are few.

    `whole`: these are all that any game can come to. `depth`: all that lie so many events from the beginning are known;
    `seconds` of computing.
    `cleaned` makes one of positions that are to count as one.
    """

    def __init__(self, walker: Walker, most: int, cleaned: Callable[[Step], Step]) -> None:
        self._walker = walker
        self._cleaned = cleaned
        self._from: dict[State, Reached] = {}
        self.ends: list[Reached] = []
        self.depth = 0
        self.whole = False
        self.seconds = 0.0
        self._most = min(most, MOST_ENTRIES // max(1, walker.layout.size))

    @classmethod
    def searched(
        cls, walker: Walker, players: tuple[str, ...], most: int, clock: Clock,
        cleaned: Callable[[Step], Step] = lambda step: step,
    ) -> StateSpace:  # fmt: skip
        """The positions that a search finds, `most` of them; those found so far if it is broken off."""
        space = cls(walker, most, cleaned)
        space._search(players, clock)
        return space

    @property
    def size(self) -> int:
        """How many positions are known."""
        return len(self._from)

    def positions(self) -> Iterator[Reached]:
        """The positions at which somebody is asked, nearest first."""
        return iter(self._from.values())

    def events(self, reached: Reached) -> tuple[Event, ...]:
        """The events that lead to it: none could be fewer."""
        found: list[Event] = []
        while reached.before is not None and reached.event is not None:
            found.append(reached.event)
            reached = self._from[reached.before]
        return tuple(reversed(found))

    def _search(self, players: tuple[str, ...], clock: Clock) -> None:
        watch = Stopwatch.computing()
        every = settings(self._walker, Setting(players))
        self.whole = every is not None
        try:
            if every is not None:
                self._search_from(every, clock)
        except (OutOfTime, KeyboardInterrupt) as stopped:
            if isinstance(stopped, KeyboardInterrupt) and not clock.hurry():
                raise
            self.whole = False
        self.seconds = watch.seconds

    def _search_from(self, every: list[Setting], clock: Clock) -> None:
        waiting: deque[Reached] = deque()
        for setting in every:
            self._keep(Reached(self._cleaned(self._walker.begin(setting)), None, None, setting, 0), waiting)
        while waiting:
            clock.tick()
            here = waiting.popleft()
            self.depth = here.depth
            if len(self._from) >= self._most or not self._from_here(here, waiting):
                self.whole = False
                return

    def _from_here(self, here: Reached, waiting: deque[Reached]) -> bool:
        state = here.step
        assert isinstance(state, State)
        offered = list(islice(self._walker.legal(state), MOST_EVENTS + 1))
        for event in offered[:MOST_EVENTS]:
            step = self._cleaned(self._walker.advance(state, event))
            self._keep(Reached(step, state, event, here.setting, here.depth + 1), waiting)
        return len(offered) <= MOST_EVENTS

    def _keep(self, reached: Reached, waiting: deque[Reached]) -> None:
        if not isinstance(reached.step, State):
            self.ends.append(reached)
        elif reached.step not in self._from:
            self._from[reached.step] = reached
            waiting.append(reached)


def settings(walker: Walker, setting: Setting) -> list[Setting] | None:
    """Every setting there can be; None if there are too many, or values are related."""
    return None if walker.core.relations else stated_in_every_way(walker, setting, MOST_SETTINGS)


def stated_in_every_way(walker: Walker, setting: Setting, most: int) -> list[Setting] | None:
    """A setting with every choice of readings and every value of parameters and givens, whether related as the rules
    say or not; None if there are more than `most`."""
    choices: list[list[tuple[str, object, Value]]] = []
    for choice in _choices(walker, most):
        choices.append(choice)
        if _number(choices, most) > most:
            return None
    return [_made(walker, setting, way) for way in product(*choices)]


def _choices(walker: Walker, most: int) -> Iterator[list[tuple[str, object, Value]]]:
    """For each reading, parameter and given what can be said of it; of more than `most` values only so many and one."""
    for name, var in walker.layout.defs.items():
        if var.role is Role.READING:
            yield [(name, None, i) for i in range(len(walker.core.readings[name].choices))]
        if var.role in (Role.PARAMETER, Role.GIVEN):
            for key in walker.layout.vars[name].keys():
                yield [(name, key, value) for value in values_of(var, most)]


def _number(choices: list[list[tuple[str, object, Value]]], most: int) -> int:
    """How many ways there are to choose one of each; of more than `most` only that they are more."""
    total = 1
    for one in choices:
        total *= len(one)
        if total > most:
            break
    return total


def values_of(var: Var, most: int = MOST_SETTINGS) -> list[Value]:
    """The values that a parameter or given can have; a default is one of them, and not more than that. Of more than
    `most` only so many and one."""
    match var.type:
        case Bool():
            return [False, True]
        case Int(lo, hi) | Elem(_, lo, hi):
            return list(range(lo, min(hi, lo + most) + 1))
        case Maybe() | SetOf() | Many():
            raise AssertionError(f"{var.name}: what is stated is never of such a type (VR03)")
        case _:
            assert_never(var.type)


def _made(walker: Walker, setting: Setting, way: tuple[tuple[str, object, Value], ...]) -> Setting:
    readings: dict[str, int] = {}
    stated: dict[Role, dict[str, dict[tuple[int, ...], Value]]] = {Role.GIVEN: {}, Role.PARAMETER: {}}
    for name, key, value in way:
        role = walker.layout.defs[name].role
        if role is Role.READING:
            assert isinstance(value, int)
            readings[name] = value
        else:
            assert isinstance(key, tuple)
            stated[role].setdefault(name, {})[key] = value
    return replace(setting, readings=readings, givens=stated[Role.GIVEN], parameters=stated[Role.PARAMETER])
