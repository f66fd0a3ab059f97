"""Random games with everything that was passed on the way, and events that most positions refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from referee.core.ruleset import Core
from referee.core.types import Elem, Int, Many, Value
from referee.game.event import TABLE, Event
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.state import State, Step
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker

NAMES = ("ana", "ben", "cleo", "dan", "eve", "finn", "gil", "hana", "ivo", "jo", "kim", "lea")


@dataclass(frozen=True, slots=True)
class Game:
    """A game played at random: `steps[n]` is where it stood before `events[n]`, the last one where it came to."""

    setting: Setting
    steps: tuple[Step, ...]
    events: tuple[Event, ...]

    @property
    def states(self) -> list[tuple[State, Event | None]]:
        """Every position somebody was asked at, with what he then did."""
        events: list[Event | None] = [*self.events, None]
        return [(step, event) for step, event in zip(self.steps, events, strict=True) if isinstance(step, State)]


def setting_for(walker: Walker, random: Random) -> Setting:
    """Players by name, with a value for everything that is open and a choice for every reading."""
    readings = {name: random.randrange(len(one.choices)) for name, one in walker.core.readings.items()}
    players = walker.core.seats.roles or NAMES[: walker.core.seats.number]
    return complete(walker, Setting(players, readings=readings), random)


def play(walker: Walker, seed: int, most: int) -> Game:
    """A game of at most so many events."""
    random = Random(seed)
    setting = setting_for(walker, random)
    steps, events = [walker.begin(setting)], list[Event]()
    while isinstance(here := steps[-1], State) and len(events) < most:
        event = choose(walker, here, random)
        events.append(event)
        steps.append(walker.advance(here, event))
    return Game(setting, tuple(steps), tuple(events))


def strange(core: Core, known: Iterable[Event], random: Random, number: int) -> Iterator[Event]:
    """Events that the rules have words for, but hardly ever allow: other players, other values, too few, too many."""
    pool = list(known)
    for _ in range(number):
        event = random.choice(pool)
        match random.randrange(4):
            case 0:
                yield replace(event, by=random.randrange(-2, core.seats.number))
            case 1:
                yield _another_value(core, event, random)
            case 2:
                yield replace(event, args=event.args[: random.randrange(len(event.args) + 1)])
            case _:
                yield replace(event, label=random.choice(pool).label)


def _another_value(core: Core, event: Event, random: Random) -> Event:
    if not event.args:
        return event
    at = random.randrange(len(event.args))
    name, value = event.args[at]
    other = name, _value(core, event, name, value, random)
    return replace(event, args=(*event.args[:at], other, *event.args[at + 1:]))


def _value(core: Core, event: Event, name: str, value: Value, random: Random) -> Value:
    """Another value of the type; of a number also one outside."""
    known = Signatures.of(core)
    kind = known.rulings[event.label] if event.by == TABLE else random.choice(known.labels[event.label][name])
    match kind:
        case Int(lo, hi):
            return random.randint(lo - 1, hi + 1)
        case Elem(domain):
            return random.randrange(core.domains[domain].size)
        case Many(of):
            kept = list(value) if isinstance(value, tuple) else []
            return tuple(sorted(random.choice([kept[1:], [*kept, random.randint(of.lo, of.hi)]])))
        case _:
            return value


