"""Takes components out of zones and lays them into zones, each form by its own rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, assert_never

from referee.core.expr import End, Place
from referee.core.ruleset import Form, Zone
from referee.core.types import size
from referee.diagnostics.source import Span
from referee.game.state import empty
from referee.interpreter.closures.closure_types import NOTHING, Compiler, Env, Fn, Slots
from referee.interpreter.closures.source_closures import keyed
from referee.interpreter.interruptions import NO_ROOM, NOT_THERE, Fault

Classes = tuple[int, ...]
Blocks = tuple[Classes, ...]
Handling = Callable[[Classes, Slots, Env], None]
"""Something done with components (sorted classes)."""


def taker(place: Place, code: Compiler, span: Span | None) -> Handling:
    """Takes components out of a place; RT02 if one is not there."""
    zone, spot = code.layout.core.zones[place.zone], _spot(place, code)
    where = keyed(code.layout.zones[zone.name], zone.name, place.keys, NOTHING, code, span)

    def take(moved: Classes, slots: Slots, env: Env) -> None:
        index = where(slots, env)
        left = taken(zone, slots[index], moved, place.end, None if spot is None else spot(slots, env))
        if left is None:
            raise Fault(NOT_THERE, f"{_names(moved, code)} is not in {zone.name}", span)
        slots[index] = left

    return take


def adder(place: Place, code: Compiler, span: Span | None) -> Handling:
    """Lays components into a place; RT03 if the spot is taken or the zone cannot hold them."""
    zone, spot = code.layout.core.zones[place.zone], _spot(place, code)
    where = keyed(code.layout.zones[zone.name], zone.name, place.keys, NOTHING, code, span)
    limited = zone.spots is None or zone.capacity < size(zone.spots)  # else a free spot is room enough

    def add(moved: Classes, slots: Slots, env: Env) -> None:
        index = where(slots, env)
        content = slots[index]
        if limited and amount(zone, content) + len(moved) > zone.capacity:
            raise Fault(NO_ROOM, f"{zone.name} cannot hold more than {zone.capacity}", span)
        made = added(zone, content, moved, place.end, None if spot is None else spot(slots, env))
        if made is None:
            raise Fault(NO_ROOM, f"there is no room for {_names(moved, code)} there in {zone.name}", span)
        slots[index] = made

    return add


def clearer(place: Place, code: Compiler) -> Callable[[Slots, Env], list[int]]:
    """Takes everything out of a zone instance, and says what it was."""
    zone = code.layout.core.zones[place.zone]
    where = keyed(code.layout.zones[zone.name], zone.name, place.keys, NOTHING, code, place.span)

    def clear(slots: Slots, env: Env) -> list[int]:
        index = where(slots, env)
        found = components(zone, slots[index])
        slots[index] = empty(zone)
        return found

    return clear


def _spot(place: Place, code: Compiler) -> Fn | None:
    if place.spot is None:
        return None
    zone, spot = code.layout.core.zones[place.zone], code.expr(place.spot)
    low = zone.spots.lo if zone.spots is not None else 0
    return spot if low == 0 else lambda slots, env: spot(slots, env) - low


def components(zone: Zone, content: Any) -> list[int]:
    """The classes of all components in a zone instance, with repetition."""
    match zone.form:
        case Form.BAG | Form.LINE:
            return list(content)
        case Form.SLOTS:
            return [one for one in content if one is not None]
        case Form.PILE:
            return [one for block in content for one in block]
        case _:
            assert_never(zone.form)


def amount(zone: Zone, content: Any) -> int:
    """The number of components in a zone instance."""
    match zone.form:
        case Form.BAG | Form.LINE:
            return len(content)
        case Form.SLOTS:
            return sum(one is not None for one in content)
        case Form.PILE:
            return sum(map(len, content))
        case _:
            assert_never(zone.form)


def taken(zone: Zone, content: Any, moved: Classes, end: End | None, spot: int | None) -> Any:
    """What is left when components are taken; None if one is not there."""
    match zone.form:
        case Form.BAG:
            return _without(content, moved)
        case Form.LINE:
            return _from_line(content, moved, end, spot)
        case Form.SLOTS:
            return _from_slots(content, moved, spot)
        case Form.PILE:
            return _from_pile(content, moved, end)
        case _:
            assert_never(zone.form)


def added(zone: Zone, content: Any, moved: Classes, end: End | None, spot: int | None) -> Any:
    """What is there when components are laid down; None if there is no room for them."""
    match zone.form:
        case Form.BAG:
            return tuple(sorted((*content, *moved)))
        case Form.LINE:
            return _into_line(content, moved, end, spot)
        case Form.SLOTS:
            return _into_slots(content, moved, spot)
        case Form.PILE:
            return (*content, moved) if end is End.BOTTOM else (moved, *content)
        case _:
            assert_never(zone.form)


def _without(content: Classes, moved: Classes) -> Classes | None:
    left = list(content)
    for one in moved:
        if one not in left:
            return None
        left.remove(one)
    return tuple(left)


def _from_line(content: Classes, moved: Classes, end: End | None,
               spot: int | None) -> Classes | None:
    if spot is not None:
        there = 0 <= spot < len(content) and tuple(moved) == content[spot:spot + 1]
        return content[:spot] + content[spot + 1:] if there else None
    if end is None:
        return _without(content, moved)
    count = len(moved)
    at_end = content[-count:] if end is End.TOP else content[:count]
    if tuple(sorted(at_end)) != tuple(moved):
        return None
    return content[:-count] if end is End.TOP else content[count:]


def _from_slots(content: tuple[int | None, ...], moved: Classes,
                spot: int | None) -> tuple[int | None, ...] | None:
    left = list(content)
    for one in moved:
        if spot is None and one in left:
            left[left.index(one)] = None
        elif spot is not None and 0 <= spot < len(left) and left[spot] == one is not None:
            left[spot] = None
        else:
            return None
    return tuple(left)


def _from_pile(content: Blocks, moved: Classes, end: End | None) -> Blocks | None:
    """From an end: block after block, the next only when one is used up. From no end: wherever they lie, topmost."""
    blocks = list(reversed(content)) if end is End.BOTTOM else list(content)
    wanted = Counter(moved)
    kept: list[Classes] = []
    while blocks and wanted:
        block = Counter(blocks.pop(0))
        got = block & wanted
        wanted -= got
        block -= got
        if block:
            kept.append(tuple(sorted(block.elements())))
            if end is not None:
                break
    if wanted:
        return None
    left = [*kept, *blocks]
    return tuple(reversed(left) if end is End.BOTTOM else left)


def _into_line(content: Classes, moved: Classes, end: End | None,
               spot: int | None) -> Classes | None:
    if spot is None:
        return (*moved, *content) if end is End.BOTTOM else (*content, *moved)
    return (*content[:spot], *moved, *content[spot:]) if 0 <= spot <= len(content) else None


def _into_slots(content: tuple[int | None, ...], moved: Classes,
                spot: int | None) -> tuple[int | None, ...] | None:
    if spot is None or len(moved) != 1 or not 0 <= spot < len(content) or content[spot] is not None:
        return None
    return (*content[:spot], moved[0], *content[spot + 1:])


def _names(moved: tuple[Any, ...], code: Compiler) -> str:
    known = code.layout.core.components
    return ", ".join("nothing" if one is None else str(known[one].name) for one in moved)
