"""What is legal, listed, and the events that ways are: what functions call that play by lot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.game.event import Event

MOST_KNOWN = 65_536
"""So many events are kept by who does them and how, then all are forgotten."""


def watched(pairs: Sequence[tuple[int, int]], inside: int) -> tuple[list[int], int, int]:
    """The values whose sets are met by another set; of that, what is to be looked at, and what of it is there as long
    as nothing changes: of each set that is met its greatest member, and all members of the others."""
    found, looked, seen = [], 0, 0
    for value, members in pairs:
        there = members & inside
        if there:
            found.append(value)
            there = 1 << there.bit_length() - 1
            seen |= there
            looked |= there
        else:
            looked |= members
    return found, looked, seen


def event_rows(label: str, args: tuple[str, ...], seats: int, most: int) -> list[list[Event]]:
    """The events with one argument, by who and its value."""
    return [[Event(by, label, ((args[0], value),)) for value in range(most + 1)] for by in range(seats)]


class KnownEvents(dict[tuple[Any, ...], Event]):
    """Events of a point, by who, the number of the alternative, and the arguments; the last ones are remembered."""

    def __init__(self, told: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
        """`told`: label and arguments of each alternative."""
        super().__init__()
        self._told = told

    def __missing__(self, way: tuple[Any, ...]) -> Event:
        if len(self) >= MOST_KNOWN:
            self.clear()
        by, number, *values = way
        label, args = self._told[number]
        made = self[way] = Event(by, label, tuple(zip(args, values, strict=True)))
        return made

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return KnownEvents, (self._told,)
