"""The way of a log with holes in one world: each event with what stands in its holes there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Value
from referee.game.event import Event
from referee.judge.partial.constraints.model_counting import Filled
from referee.judge.partial.line_patterns import Pattern

MOST_KEPT = 5_000
"""Events since the first hole that are kept, at most; of a longer way nothing is told."""

LineEvents = tuple[tuple[int, Event], ...]
"""Events with their lines, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class EventTrail:
    """The events since the first hole, the last one first; `number` of them, also where the first are not kept."""

    line: int
    event: Event
    number: int
    before: EventTrail | None

    def events(self) -> LineEvents | None:
        """The events in order; None if not all are kept."""
        found: list[tuple[int, Event]] = []
        one: EventTrail | None = self
        while one is not None:
            found.append((one.line, one.event))
            one = one.before
        return tuple(reversed(found)) if len(found) == self.number else None


def after(trail: EventTrail | None, line: int, event: Event) -> EventTrail:
    """The trail with one event more."""
    number = 1 if trail is None else trail.number + 1
    return EventTrail(line, event, number, trail if number <= MOST_KEPT else None)


def in_world(
    lines: Sequence[tuple[int, Pattern]], filled: Sequence[Filled], witness: Mapping[int, int]
) -> LineEvents | None:
    """The events of some lines with what stands in their holes in one world; None if that is not known of a hole (it is
    forgotten where only settings are asked, and ways are joined)."""
    holes = {(one.line, one.name): _value(one, witness) for one in filled}
    if any((line, name) not in holes for line, pattern in lines for name in pattern.holes):
        return None
    return tuple((line, Event(pattern.by, pattern.label, (
        *pattern.known.items(), *((name, holes[line, name]) for name in pattern.holes)))) for line, pattern in lines)


def _value(hole: Filled, witness: Mapping[int, int]) -> Value:
    if hole.values is not None:
        value: Value = hole.values[witness[hole.tokens[0]]]
        return value
    match hole.kind:
        case Many():
            return tuple(sorted(_members(hole, witness).elements()))
        case SetOf():
            return frozenset(_members(hole, witness))
        case Bool() | Int() | Elem() | Maybe():
            return witness[hole.tokens[0]] if hole.tokens else hole.known
        case _:
            assert_never(hole.kind)


def _members(hole: Filled, witness: Mapping[int, int]) -> Counter[int]:
    """How many of each class are among several."""
    found: Counter[int] = Counter()
    for one in hole.known or ():
        member, number = one if isinstance(one, tuple) else (one, 1)
        found[member] += number
    for token, sign in hole.signed:
        found[witness[token]] += sign
    return +found
