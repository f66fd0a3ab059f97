"""Games that break a claim: by chance, and by looking at every position as far as time allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from typing import assert_never

from referee.core.ruleset import Role
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Value
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step, Stopped
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.proofs.proof_outcomes import RefutingGame
from referee.proofs.slice_visits import games
from referee.system.deadline import Deadline

FEW_SETTINGS = 64
Broken = Callable[[Step], Sequence[str]]
"""The names of the claims that are broken where a game has come to, or on the way there from the point before."""


@dataclass
class Searched:
    """What a search came to. `complete`: every position was looked at; `depth`: all of so many events were."""

    broken: dict[str, RefutingGame] = field(default_factory=dict)
    complete: bool = False
    depth: int = 0
    positions: int = 0


def by_chance(
    walker: Walker, setting: Setting, broken: Broken, seconds: float, events: int, first: int
) -> dict[str, RefutingGame]:
    """Claims that random games break, each with the shortest game met."""
    found: dict[str, RefutingGame] = {}
    for chosen, passed in games(walker, setting, 100_000, seconds, events, first):
        told: list[Event] = []
        for event, step in passed:
            if event is not None:
                told.append(event)
            for name in broken(step):
                if name not in found or len(told) < len(found[name].events):
                    found[name] = RefutingGame(chosen, tuple(told))
    return found


# ---------------------------------------------------------------------- every position
def every_position(walker: Walker, setting: Setting, broken: Broken, seconds: float, most: int) -> Searched:
    """Breadth first from every setting there is; the games found are shortest as far as the search was complete."""
    settings = list(_settings(walker, setting))
    result = Searched()
    if not settings:
        return result
    until = Deadline.computing(seconds)
    seen: dict[State, tuple[State | None, Event | None, Setting]] = {}
    layer = [s for chosen in settings for s in _arrived(walker.begin(chosen), None, None, chosen, seen, broken, result)]
    while layer:
        following: list[State] = []
        for state in layer:
            if until.passed or len(seen) > most:
                return result
            chosen = seen[state][2]
            for event in walker.legal(state):
                following += _arrived(walker.advance(state, event), state, event, chosen, seen, broken, result)
        result.depth, result.positions, layer = result.depth + 1, len(seen), following
    result.complete, result.positions = True, len(seen)
    return result


def _arrived(
    step: Step, before: State | None, event: Event | None, chosen: Setting,
    seen: dict[State, tuple[State | None, Event | None, Setting]], broken: Broken, result: Searched,
) -> Iterator[State]:
    """The position that a step leads to, if it is new and the game goes on there."""
    state = step.state if isinstance(step, Ended | Stopped) else step
    if not isinstance(state, State):
        for name in broken(step):
            result.broken.setdefault(name, RefutingGame(chosen, _events(before, event, seen), True))
        return
    new = state not in seen
    if new:
        seen[state] = before, event, chosen
    if new or isinstance(step, Ended):
        for name in broken(step):
            if name not in result.broken:
                result.broken[name] = RefutingGame(chosen, _events(before, event, seen), True)
    if new and isinstance(step, State):
        yield state


def _events(
    before: State | None, event: Event | None, seen: Mapping[State, tuple[State | None, Event | None, Setting]]
) -> tuple[Event, ...]:
    told: list[Event] = []
    while event is not None and before is not None:
        told.append(event)
        before, event, _ = seen[before]
    return tuple(reversed(told))


def _settings(walker: Walker, setting: Setting) -> Iterator[Setting]:
    """Every way to fix readings, parameters and givens; nothing if there are many."""
    ways: list[list[tuple[str, tuple[int, ...], Value]]] = []
    number = 1
    for name, var in walker.layout.defs.items():
        if var.role not in (Role.READING, Role.PARAMETER, Role.GIVEN):
            continue
        values: list[Value]
        match var.type:
            case Bool():
                values = [False, True]
            case Int(lo, hi) | Elem(_, lo, hi):
                values = list(range(lo, hi + 1))
            case Maybe() | SetOf() | Many():
                return
            case _:
                assert_never(var.type)
        for key in walker.layout.vars[name].keys():
            ways.append([(name, key, one) for one in values])
            number *= len(values)
            if number > FEW_SETTINGS:
                return
    for combination in product(*ways):
        yield from _fixed(walker, setting, combination)


def _fixed(
    walker: Walker, setting: Setting, combination: tuple[tuple[str, tuple[int, ...], Value], ...]
) -> Iterator[Setting]:
    stated: dict[Role, dict[str, dict[tuple[int, ...], Value]]] = {}
    for name, key, one in combination:
        stated.setdefault(walker.layout.defs[name].role, {}).setdefault(name, {})[key] = one
    readings = {n: i for n, keys in stated.get(Role.READING, {}).items() if isinstance(i := keys[()], int)}
    fixed = replace(
        setting, readings=readings, givens=stated.get(Role.GIVEN, {}),
        parameters=stated.get(Role.PARAMETER, {}),
    )
    try:
        yield complete(walker, fixed, Random(0))
    except (Fault, Unsettled):
        return


# ---------------------------------------------------------------------- shorter games
def minimised(walker: Walker, game: RefutingGame, name: str, broken: Broken) -> RefutingGame:
    """The game without events that it does not need: none of what is left can be dropped alone."""
    if game.shortest:
        return game
    events = list(game.events)
    size = max(1, len(events) // 2)
    while True:
        shorter, at = False, 0
        while at < len(events):
            tried = _breaks(walker, game.setting, [*events[:at], *events[at + size:]], name, broken)
            if tried is None:
                at += size
            else:
                events, shorter = tried, True
        if not shorter and size == 1:
            return RefutingGame(game.setting, tuple(events))
        size = size if shorter else max(1, size // 2)


def _breaks(walker: Walker, setting: Setting, events: list[Event], name: str, broken: Broken) -> list[Event] | None:
    """The events up to the break, if they are legal and break the claim; else None."""
    step: Step = walker.begin(setting)
    for number in range(len(events) + 1):
        if name in broken(step):
            return events[:number]
        if number == len(events) or not isinstance(step, State) or walker.check(step, events[number]) is not None:
            return None
        step = walker.advance(step, events[number])
    return None
