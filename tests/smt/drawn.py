"""Steps to compare: positions of whole random games, spread over their length, and positions that no game reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, Node
from referee.core.ruleset import Form, Role, Var, Zone
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.event import FATE, Event
from referee.game.setting import Setting
from referee.game.state import Slot, State
from referee.interpreter.closures.zone_moves import added, components, taken
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine

NAMES = ("ana", "ben", "cleo", "dan", "eve", "finn")
Take = tuple[int, str]
MOST_GAMES, MOST_EVENTS = 20, 400
MOST_FORCED, MOST_LISTED = 1_000, 200


@dataclass(frozen=True)
class Drawn:
    """A position and an event to try there. `reached`: a game comes to the position."""

    state: State
    event: Event
    reached: bool = True


def players_of(flow: Flow) -> tuple[str, ...]:
    """The names of the players of a flow."""
    return flow.core.seats.roles or NAMES[: flow.core.seats.number]


def takes(flow: Flow) -> set[Take]:
    """What is offered anywhere: node and action."""
    return {(index, one.action) for index, node in enumerate(flow.nodes) for one in _alternatives(node)}


def _alternatives(node: Node) -> tuple[Alternative, ...]:
    match node:
        case Ask():
            return node.alternatives
        case Gather():
            return tuple(one for _, one in node.parts)
        case Draw():
            return (node.alternative,)
        case _:
            return ()


def tries(flow: Flow, state: State, event: Event) -> set[Take]:
    """What an event may mean to take."""
    return {(state.at, one.action) for one in _alternatives(flow.nodes[state.at]) if one.label == event.label}


def taken_by(walker: Walker, one: Drawn) -> Take | None:
    """What an event takes, None if nothing."""
    found = [a for a in _alternatives(walker.flow.nodes[one.state.at]) if a.label == one.event.label]
    if len(found) > 1:
        offer = walker.course.taking(one.state.at, one.event, walker.course.frame(one.state))
        return None if offer is None else (one.state.at, offer.alternative.action)
    return (one.state.at, found[0].action) if found else None


def games(flow: Flow) -> list[list[Drawn]]:
    """Random games: three, and more until everything that is offered was taken at every point, or `MOST_GAMES`."""
    walker, wanted, played = engine(flow), takes(flow), list[list[Drawn]]()
    while len(played) < 3 or (wanted and len(played) < MOST_GAMES):
        random, game = Random(len(played)), list[Drawn]()
        step = walker.begin(complete(walker, _setting(flow, len(played), random), random))
        while isinstance(step, State) and len(game) < MOST_EVENTS:
            event = choose(walker, step, random)
            game.append(Drawn(step, event))
            step = walker.advance(step, event)
        wanted -= {take for one in game if (take := taken_by(walker, one)) is not None}
        played.append(game)
    return played


def _setting(flow: Flow, number: int, random: Random) -> Setting:
    """The readings at their defaults for the first game, then any."""
    readings = {name: random.randrange(len(one.choices)) for name, one in flow.core.readings.items()}
    return Setting(players_of(flow), readings=readings if number else {})


def draw(flow: Flow, number: int, random: Random) -> Iterator[Drawn]:
    """So many steps at least: each thing that is offered taken once (or tried, if no position was found where it can
    be), then steps spread over the games; of five of these, three have a wrong event, one is from a position that no
    game reaches."""
    every, walker, first = [one for game in games(flow) for one in game], Walker(flow), dict[Take, Drawn]()
    for one in every:
        take = taken_by(walker, one)
        if take is not None:
            first.setdefault(take, one)
    for missing in sorted(takes(flow) - first.keys()):
        for one in forced(walker, missing, every, random):
            first[missing] = one
    yield from first.values()
    left = max(3 * len(first) // 5, number - len(first))
    for index in range(left):
        one = every[index * len(every) // left]
        match index % 5:
            case 0:
                yield one
            case 1 | 2 | 3:
                yield refused(walker, one, every, random)
            case _:
                event = one.event if random.random() < 0.7 else damaged(one.event, every, flow, random)
                yield Drawn(shaken(walker, one.state, random), event, reached=False)


def refused(walker: Walker, one: Drawn, every: list[Drawn], random: Random) -> Drawn:
    """The position with an event that is not legal there, if one is soon found."""
    for _ in range(8):
        tried = replace(one, event=damaged(one.event, every, walker.flow, random))
        if walker.check(tried.state, tried.event) is not None:
            break
    return tried


def damaged(event: Event, every: list[Drawn], flow: Flow, random: Random) -> Event:
    """An event like another one, with an argument, the player or everything changed."""
    numbers = [i for i, (_, given) in enumerate(event.args) if isinstance(given, int) and not isinstance(given, bool)]
    kind = random.randrange(4)
    if kind < 2 and numbers:
        i = random.choice(numbers)
        name, given = event.args[i]
        assert isinstance(given, int)
        args = (*event.args[:i], (name, max(0, given + random.choice((-1, 1, 2)))), *event.args[i + 1 :])
        return Event(event.by, event.label, args)
    if kind == 2:
        return Event(random.choice([FATE, *range(flow.core.seats.number)]), event.label, event.args)
    return random.choice(every).event


# ---------------------------------------------------------------------- positions that no game reaches
def forced(walker: Walker, take: Take, every: list[Drawn], random: Random) -> Iterator[Drawn]:
    """A position at a point where something can be taken that no game took: found among shaken ones."""
    index, action = take
    labels = {one.label for one in _alternatives(walker.flow.nodes[index]) if one.action == action}
    for number in range(MOST_FORCED):
        state = _read_otherwise(walker, State(index, random.choice(every).state.slots), random)
        if number % 2:
            state = _swept(walker, state, random)
        state = shaken(walker, state, random, (Role.STATE, Role.COUNTER, Role.REGISTER), 4 + number // 50)
        try:
            events = [one for one in islice(walker.legal(state), MOST_LISTED) if one.label in labels]
        except Fault:
            continue
        for one in (Drawn(state, event, reached=False) for event in events):
            if taken_by(walker, one) == take:
                yield one
                return
    alternative = next(one for one in _alternatives(walker.flow.nodes[index]) if one.action == action)
    args = tuple((param.arg, some(param.type, random)) for param in alternative.params if param.arg is not None)
    yield Drawn(state, Event(random.choice(sorted(_asked(walker, state))), alternative.label, args), reached=False)


def _asked(walker: Walker, state: State) -> frozenset[int]:
    try:
        return walker.who(state) or frozenset((FATE,))
    except Fault:
        return frozenset((FATE,))


def _swept(walker: Walker, state: State, random: Random) -> State:
    """The position with some zones emptied into others, as far as these hold that."""
    slots, zones = list(state.slots), list(walker.core.zones.values())
    for zone in random.sample(zones, random.randint(1, len(zones))) if zones else ():
        target = random.choice(zones)
        for _ in range(30):
            _move(walker, slots, zone, target, random)
    return State(state.at, tuple(slots))


def _read_otherwise(walker: Walker, state: State, random: Random) -> State:
    """The position with any readings, and any values for some parameters."""
    slots = list(state.slots)
    for var in walker.layout.defs.values():
        if var.role is Role.PARAMETER and random.random() < 0.5:
            spread = walker.layout.vars[var.name]
            slots[spread.base : spread.base + spread.count] = [some(var.type, random) for _ in range(spread.count)]
    for name, one in walker.core.readings.items():
        slots[walker.layout.vars[name].base] = random.randrange(len(one.choices))
    return State(state.at, tuple(slots))


def shaken(walker: Walker, state: State, random: Random, roles: Sequence[Role] = (Role.STATE, Role.COUNTER),
           most: int = 4) -> State:
    """A position in which some values are others of their type, and some components lie elsewhere."""
    slots, layout = list(state.slots), walker.layout
    changeable = [v for v in layout.defs.values() if v.role in roles]
    zones = list(layout.core.zones.values())
    for _ in range(random.randint(1, most)):
        if changeable and random.random() < 0.5:
            var: Var = random.choice(changeable)
            spread = layout.vars[var.name]
            slots[spread.base + random.randrange(spread.count)] = some(var.type, random)
        elif len(zones) > 0:
            _move(walker, slots, random.choice(zones), random.choice(zones), random)
    return State(state.at, tuple(slots))


def _move(walker: Walker, slots: list[Slot], source: Zone, target: Zone, random: Random) -> None:
    layout = walker.layout
    here = layout.zones[source.name].base + random.randrange(layout.zones[source.name].count)
    there = layout.zones[target.name].base + random.randrange(layout.zones[target.name].count)
    lying = [c for c in components(source, slots[here]) if walker.core.components[c].kind in target.kinds]
    if not lying or here == there:
        return
    one = random.choice(lying)
    left = taken(source, slots[here], (one,), None, None)
    spots = [None] if target.form is not Form.SLOTS else list(range(len(slots[there])))  # type: ignore[arg-type]
    made = added(target, slots[there], (one,), None, random.choice(spots))
    if left is not None and made is not None and len(components(target, made)) <= target.capacity:
        slots[here], slots[there] = left, made


def some(kind: Type, random: Random) -> Value:
    """Some value of a type."""
    match kind:
        case Bool():
            return random.random() < 0.5
        case Int(lo, hi) | Elem(_, lo, hi):
            return random.randint(lo, hi)
        case Maybe(of):
            return None if random.random() < 0.3 else random.randint(of.lo, of.hi)
        case SetOf(of):
            return frozenset(i for i in range(of.lo, of.hi + 1) if random.random() < 0.5)
        case Many(of, most):
            return tuple(sorted(random.randint(of.lo, of.hi) for _ in range(random.randint(0, most))))
