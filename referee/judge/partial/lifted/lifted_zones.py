"""Takes components out of zones and lays them into zones, where not all are known: each form by its own rules."""

from __future__ import annotations

from collections import Counter
from typing import Any, assert_never

from referee.core.expr import End
from referee.core.ruleset import Form, Zone
from referee.interpreter.closures import zone_moves
from referee.judge.partial.constraints.hidden_values import Bag, Token
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.hidden_pools import HiddenPool, bag_of

Moved = tuple[int, ...] | Bag
"""Components on their way: known classes, sorted, or a bag."""


def taken(trial: Trial, zone: Zone, content: Any, moved: Moved, end: End | None, spot: int | None) -> Any:
    """What is left when components are taken; None if one is not there."""
    match zone.form:
        case Form.BAG:
            return _without(trial, content, moved)
        case Form.PILE:
            return _from_pile(trial, content, moved, end)
        case Form.LINE | Form.SLOTS:
            return _from_places(trial, zone, content, moved, end, spot)
        case _:
            assert_never(zone.form)


def laid(trial: Trial, zone: Zone, content: Any, moved: Moved, end: End | None, spot: int | None) -> Any:
    """What is there when components are laid down; None if there is no room for them."""
    match zone.form:
        case Form.BAG:
            return trial.plain(bag_of(content).plus(bag_of(moved), trial.line))
        case Form.PILE:
            return (*content, moved) if end is End.BOTTOM else (moved, *content)
        case Form.LINE | Form.SLOTS:
            return zone_moves.added(zone, content, _singly(trial, moved), end, spot)
        case _:
            assert_never(zone.form)


def _singly(trial: Trial, moved: Moved) -> tuple[Any, ...]:
    """Components one by one: of several the classes are decided, because they lie down in their order."""
    if isinstance(moved, tuple):
        return moved
    if len(moved) == 1 and not moved.known and len(moved.tokens) == 1:
        return (Token(next(iter(moved.tokens))),)
    return HiddenPool(moved).plain(trial)


def _without(trial: Trial, content: Any, moved: Moved) -> Any:
    bag = bag_of(content)
    left = trial.less(bag, moved) if isinstance(moved, Bag) else trial.without(bag, Counter(moved))
    return None if left is None else trial.plain(left)


def _from_pile(trial: Trial, content: Any, moved: Moved, end: End | None) -> Any:
    """From an end: block after block, the next only when one is used up. From no end: wherever they lie, topmost."""
    if end is None and len(content) > 1:
        return _from_anywhere(trial, content, moved)
    blocks = list(reversed(content)) if end is End.BOTTOM else list(content)
    wanted = bag_of(moved)
    while blocks and len(wanted):
        block = bag_of(blocks[0])
        if len(block) >= len(wanted):  # as it was drawn: the contrary would have to be found out
            left = trial.less(block, wanted)
            if left is None:
                return None
            blocks[:1] = [trial.plain(left)] if len(left) else []
            wanted = Bag({}, {})
            break
        rest = trial.less(wanted, block)
        if rest is None:
            return None
        wanted = rest
        blocks.pop(0)
    if len(wanted):
        return None
    return tuple(reversed(blocks) if end is End.BOTTOM else blocks)


def _from_anywhere(trial: Trial, content: Any, moved: Moved) -> Any:
    blocks = [bag_of(block) for block in content]
    for one in moved if isinstance(moved, tuple) else HiddenPool(moved).plain(trial):
        at = next((index for index, block in enumerate(blocks) if trial.has(block, one)), None)
        if at is None:
            return None
        left = trial.without(blocks[at], {one: 1})
        assert left is not None
        blocks[at] = left
    return tuple(trial.plain(block) for block in blocks if len(block))


def _from_places(trial: Trial, zone: Zone, content: Any, moved: Moved, end: End | None, spot: int | None) -> Any:
    """From a line or from spots: what lies there hidden is the very thing that is taken, or is decided."""
    if isinstance(moved, Bag) and len(moved) == 1 and not moved.known and len(moved.tokens) == 1:
        token = next(iter(moved.tokens))
        for index, one in enumerate(content):
            if isinstance(one, Token) and one.id == token and _may_leave(zone, content, index, end, spot):
                rest = [*content[:index], None, *content[index + 1:]]
                return tuple(rest) if zone.form.on_spots else tuple(one for one in rest if one is not None)
    classes = moved if isinstance(moved, tuple) else HiddenPool(moved).plain(trial)
    if len(classes) == 1 and (zone.form is Form.LINE or spot is not None):
        return _one_from_places(trial, zone, content, classes[0], end, spot)
    known = tuple(trial.class_of(one) if isinstance(one, Token) else one for one in content)
    return zone_moves.taken(zone, known, classes, end, spot)


def _one_from_places(trial: Trial, zone: Zone, content: Any, wanted: int, end: End | None, spot: int | None) -> Any:
    """What is left without the first component of a class that may be taken; only what lies where it may is asked."""
    for index, one in enumerate(content):
        if one is None or not _may_leave(zone, content, index, end, spot):
            continue
        if trial.is_in(one.id, 1 << wanted) if isinstance(one, Token) else one == wanted:
            left = [None] if zone.form.on_spots else []
            return (*content[:index], *left, *content[index + 1:])
    return None


def _may_leave(zone: Zone, content: Any, index: int, end: End | None, spot: int | None) -> bool:
    if spot is not None:
        return index == spot
    if zone.form.on_spots or end is None:
        return True
    return index == (len(content) - 1 if end is End.TOP else 0)
