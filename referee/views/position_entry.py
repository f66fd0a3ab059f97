"""A position on the way through a game as the entry `state` of a header, from which the rest of the game is a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from referee.core.flow import Ask, Draw, Gather, PointNode, Rule
from referee.core.ruleset import TURN, Core, Key, Role, Var
from referee.core.types import Scalar
from referee.game.log.strict_json import Json
from referee.game.player_views import ZoneView
from referee.game.start_position import BadPosition
from referee.game.state import Layout, State, starts
from referee.game.value_codec import encode_value, place_text
from referee.interpreter.start_points import StartPoint
from referee.interpreter.walker import Walker
from referee.views.start_view import said_of


def state_entry(walker: Walker, players: tuple[str, ...], state: State) -> dict[str, Json]:
    """Everything that the rules keep of a game at a position: where it rests, whose turn it is, what lies where, every
    counter that is not as it starts, and what the point needs of the way to it.

    Raises `BadPosition` (LG28) if no game can start there, and `Unshown` if a place has no name of its own.
    """
    point = walker.start_points.at(state.at)
    if point is None:
        name = walker.course.point(state.at).point.name
        raise BadPosition("LG28", f"no game can start at {name}", name)
    if walker.who(state) != _asked(walker, point.node, state):
        raise BadPosition("LG28", f"at {point.name} some have chosen already: no game can start there", point.name)
    entry: dict[str, Json] = {"at": point.name}
    turn = walker.layout.read_var(state, TURN, ())
    if isinstance(turn, int):
        entry["turn"] = players[turn]
    entry["place"] = _places(walker, players, state)
    held = {**_counters(walker.core, walker.layout, players, state), **_registers(walker, players, point, state)}
    return {**entry, "set": held} if held else entry


def _asked(walker: Walker, node: PointNode, state: State) -> frozenset[int]:
    """Who is asked at a point when it is come to."""
    match node:
        case Gather(parts=parts):
            frame = walker.course.frame(state)
            return frozenset[int]().union(*(frame.evaluate(actors) for actors, _ in parts))
        case Ask() | Draw() | Rule():
            return walker.who(state)
        case _:
            assert_never(node)


def _places(walker: Walker, players: tuple[str, ...], state: State) -> dict[str, Json]:
    core, layout = walker.core, walker.layout
    found: dict[str, Json] = {}
    for zone in core.zones.values():
        for key in layout.zones[zone.name].keys():
            content = layout.read_zone(state, zone.name, key)
            assert isinstance(content, tuple)
            number = sum(len(part) if isinstance(part, tuple) else part is not None for part in content)
            if number:
                found.update(said_of(core, players, ZoneView(zone.name, key, content, number)))
            else:
                found[place_text(core, players, zone.name, zone.keys, key)] = []
    return found


def _counters(core: Core, layout: Layout, players: tuple[str, ...], state: State) -> dict[str, Json]:
    """The counters that are not as they start."""
    return {place_text(core, players, var.name, var.keys, key): value for var in core.vars.values()
            if var.role is Role.STATE and " " not in var.name
            for key, value in _values(core, layout, players, var, state, changed=True)}


def _registers(walker: Walker, players: tuple[str, ...], point: StartPoint, state: State) -> dict[str, Json]:
    """What the point needs of the way to it, and what else the rules keep that is not as it starts."""
    found: dict[str, Json] = {}
    for one in point.registers:
        values = dict(_values(walker.core, walker.layout, players, one.var, state, changed=not one.needed))
        if values:
            found[one.name] = _nested(walker.core, players, one.var.keys, values, ())
    return found


def _values(core: Core, layout: Layout, players: tuple[str, ...], var: Var, state: State, *,
            changed: bool) -> Iterator[tuple[Key, Json]]:
    """The value of each key of a variable. `changed`: of those alone that are not as they start."""
    entries = layout.vars[var.name]
    for key, start in zip(entries.keys(), starts(var, entries.count), strict=True):
        value = layout.read_var(state, var.name, key)
        if not changed or value != start:
            yield key, encode_value(core, players, var.type, value)  # type: ignore[arg-type]  # in a game no value is open


def _nested(core: Core, players: tuple[str, ...], keys: tuple[Scalar, ...], values: Mapping[Key, Json],
            key: Key) -> Json:
    """A value, or an object with one for each key, key by key."""
    if not keys:
        return values[key]
    first = range(keys[0].lo, keys[0].hi + 1)
    return {str(encode_value(core, players, keys[0], one)): _nested(core, players, keys[1:], values, (*key, one))
            for one in first if any(known[:len(key) + 1] == (*key, one) for known in values)}
