"""Plainly takes components out of zones and lays them into zones, looked up anew each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, assert_never

from referee.core.expr import End, Place
from referee.core.ruleset import Form, Zone
from referee.diagnostics.source import Span
from referee.game.state import empty
from referee.interpreter.interruptions import NO_ROOM, NOT_THERE, Fault
from tests.twin.plain_evaluate import entry, evaluate
from tests.twin.plain_frame import Frame

Blocks = tuple[tuple[int, ...], ...]


def take(moved: Sequence[int], place: Place, frame: Frame, span: Span | None) -> None:
    """Plainly takes components (sorted) out of a place; RT02 if one is not there."""
    zone = frame.layout.core.zones[place.zone]
    index = entry(frame.zones[place.zone], place.zone, place.keys, frame, span)
    content = frame.slots[index]
    spot = _spot(place, zone, frame)
    match zone.form:
        case Form.BAG:
            left: Any = _without(content, moved)
        case Form.LINE:
            left = _from_line(content, moved, place.end, spot)
        case Form.SLOTS:
            left = _from_slots(content, moved, spot)
        case Form.PILE:
            left = _from_pile(content, moved, place.end)
        case _:
            assert_never(zone.form)
    if left is None:
        raise Fault(NOT_THERE, f"{_names(moved, frame)} is not in {place.zone}", span)
    frame.slots[index] = left


def add(moved: Sequence[int], place: Place, frame: Frame, span: Span | None) -> None:
    """Lays components (sorted) into a place; RT03 if the spot is taken or the zone cannot hold them."""
    zone = frame.layout.core.zones[place.zone]
    index = entry(frame.zones[place.zone], place.zone, place.keys, frame, span)
    content = frame.slots[index]
    spot = _spot(place, zone, frame)
    if amount(zone, content) + len(moved) > zone.capacity:
        raise Fault(NO_ROOM, f"{place.zone} cannot hold more than {zone.capacity}", span)
    match zone.form:
        case Form.BAG:
            made: Any = tuple(sorted((*content, *moved)))
        case Form.LINE:
            made = _into_line(content, moved, place.end, spot)
        case Form.SLOTS:
            made = _into_slots(content, moved, spot)
        case Form.PILE:
            block = tuple(moved)
            made = (*content, block) if place.end is End.BOTTOM else (block, *content)
        case _:
            assert_never(zone.form)
    if made is None:
        raise Fault(NO_ROOM, f"there is no room for {_names(moved, frame)} there in {place.zone}", span)
    frame.slots[index] = made


def clear(place: Place, frame: Frame) -> list[int]:
    """Plainly takes everything out of a zone instance."""
    zone = frame.layout.core.zones[place.zone]
    index = entry(frame.zones[place.zone], place.zone, place.keys, frame, place.span)
    found = components(zone, frame.slots[index])
    frame.slots[index] = empty(zone)
    return found


def components(zone: Zone, content: Any) -> list[int]:
    """The classes of all components in a zone instance, with repetition."""
    match zone.form:
        case Form.BAG | Form.LINE:
            return list(content)
        case Form.SLOTS:
            return [c for c in content if c is not None]
        case Form.PILE:
            return [c for block in content for c in block]
        case _:
            assert_never(zone.form)


def amount(zone: Zone, content: Any) -> int:
    """The number of components in a zone instance."""
    return len(components(zone, content))


def _spot(place: Place, zone: Zone, frame: Frame) -> int | None:
    if place.spot is None:
        return None
    spot: int = evaluate(place.spot, frame)
    return spot - (zone.spots.lo if zone.spots is not None else 0)


def _without(content: Sequence[int], moved: Sequence[int]) -> tuple[int, ...] | None:
    left = list(content)
    for one in moved:
        if one not in left:
            return None
        left.remove(one)
    return tuple(left)


def _from_line(content: tuple[int, ...], moved: Sequence[int], end: End | None,
               spot: int | None) -> tuple[int, ...] | None:
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


def _from_slots(content: tuple[int | None, ...], moved: Sequence[int],
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


def _from_pile(content: Blocks, moved: Sequence[int], end: End | None) -> Blocks | None:
    """From an end: block after block, the next only when one is used up. From no end: wherever they lie, topmost."""
    blocks = list(reversed(content)) if end is End.BOTTOM else list(content)
    wanted = Counter(moved)
    kept: list[tuple[int, ...]] = []
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


def _into_line(content: tuple[int, ...], moved: Sequence[int], end: End | None,
               spot: int | None) -> tuple[int, ...] | None:
    if spot is None:
        return (*moved, *content) if end is End.BOTTOM else (*content, *moved)
    return (*content[:spot], *moved, *content[spot:]) if 0 <= spot <= len(content) else None


def _into_slots(content: tuple[int | None, ...], moved: Sequence[int],
                spot: int | None) -> tuple[int | None, ...] | None:
    if spot is None or len(moved) != 1 or not 0 <= spot < len(content) or content[spot] is not None:
        return None
    return (*content[:spot], moved[0], *content[spot + 1:])


def _names(moved: Sequence[Any], frame: Frame) -> str:
    known = frame.layout.core.components
    return ", ".join("nothing" if one is None else str(known[one].name) for one in moved)
