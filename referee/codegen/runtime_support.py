"""What generated code calls: interruptions, and what is done with the contents of zones."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from referee.core.expr import End
from referee.core.ruleset import Zone
from referee.game.state import empty
from referee.interpreter.closures.zone_moves import Classes, added, amount, components, taken


class StepError(Exception):
    """The rules make an error here. A guard or a source takes it for no; elsewhere the walker tells which error."""


class Again(Exception):
    """The walker has to do this step: a value that nobody stated is read, or the game stops, or goes on for long."""


def turned(values: Sequence[int], at: int, down: bool) -> list[int]:
    """Members in their order, from one on and round again."""
    if down:
        return [*[v for v in values if v <= at], *[v for v in values if v > at]]
    return [*[v for v in values if v >= at], *[v for v in values if v < at]]


def only(value: Any) -> Any:
    """The one member of a set, or what a Maybe holds."""
    if value is None:
        raise StepError
    if not isinstance(value, (frozenset, tuple)):
        return value
    if len(value) != 1:
        raise StepError
    return next(iter(value))


def lying(content: Sequence[int | None], one: int | None, low: int) -> list[int]:
    """The spots on which something lies, ascending; `low` is the number of the first spot."""
    found, at = list[int](), -1
    for _ in range(content.count(one)):
        at = content.index(one, at + 1)
        found.append(at + low)
    return found


def lying_of(content: Sequence[int | None], some: frozenset[int | None], low: int) -> list[int]:
    """The spots on which any of some things lies, ascending."""
    return [at for at, one in enumerate(content, low) if one in some]


def bag_without(content: Classes, one: int) -> Classes:
    """A bag without one component."""
    at = bisect_left(content, one)
    if at < len(content) and content[at] == one:
        return content[:at] + content[at + 1:]
    raise StepError


def bag_with(content: Classes, one: int) -> Classes:
    """A bag with one component more."""
    at = bisect_right(content, one)
    return (*content[:at], one, *content[at:])


def moved(value: Any, number: int | None) -> Classes:
    """The components that a move is about, sorted."""
    if value is None:
        raise StepError
    if isinstance(value, (tuple, frozenset)):
        return tuple(sorted(value))
    return (value,) if number is None else (value,) * number


def bag_less(content: Classes, what: Classes) -> Classes:
    """A bag without several components."""
    left = list(content)
    try:
        for one in what:
            left.remove(one)
    except ValueError:
        raise StepError from None
    return tuple(left)


def pile_less(zone: Zone, content: Any, what: Classes, end: End | None) -> Any:
    """A pile without several components; mostly they are fewer than the block at the end holds."""
    if content and end is not None:
        at = 0 if end is End.TOP else len(content) - 1
        if len(what) < len(content[at]):
            return (*content[:at], bag_less(content[at], what), *content[at + 1:])
        if what == content[at]:
            return content[1:] if end is End.TOP else content[:-1]
    return take(zone, content, what, end, None)


def take(zone: Zone, content: Any, what: Classes, end: End | None, spot: int | None) -> Any:
    """What is left of a zone when components are taken."""
    left = taken(zone, content, what, end, spot)
    if left is None:
        raise StepError
    return left


def lay(zone: Zone, content: Any, what: Classes, end: End | None, spot: int | None) -> Any:
    """What is in a zone when components are laid into it."""
    if amount(zone, content) + len(what) > zone.capacity:
        raise StepError
    made = added(zone, content, what, end, spot)
    if made is None:
        raise StepError
    return made


def gathered(zone: Zone, content: Any) -> list[int]:
    """Everything in a zone."""
    return components(zone, content)


def nothing_in(zone: Zone) -> Any:
    """What an empty zone holds."""
    return empty(zone)


def blocks_of(zone: Zone, content: Any, end: End) -> list[list[int]]:
    """The blocks of a pile from an end on."""
    assert zone.form.in_blocks
    found = [list(block) for block in content]
    return found[::-1] if end is End.BOTTOM else found
