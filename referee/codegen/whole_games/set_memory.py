"""What was found out of sets that are numbers, remembered by their numbers; the last ones only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.codegen.whole_games.set_numbers import members_of, number_of

MOST_KEPT = 4_096
"""So many sets are remembered with what was found out of them."""
WIDEST_GROUP = 8
"""Rows are looked at together that have no more members than this."""


class KnownMembers(dict[int, tuple[int, ...]]):
    """The members of sets, ascending."""

    def __missing__(self, number: int) -> tuple[int, ...]:
        if len(self) >= MOST_KEPT:
            self.clear()
        made = self[number] = members_of(number)
        return made


class KnownBest(dict[int, int | None]):
    """The least or greatest value that members of sets have in a table."""

    def __init__(self, values: Sequence[int], low: int, least: bool) -> None:
        """`low` is the member whose value stands first."""
        super().__init__()
        self._told = values, low, least

    def __missing__(self, number: int) -> int | None:
        if len(self) >= MOST_KEPT:
            self.clear()
        made = self[number] = _best(number, *self._told)
        return made

    def __reduce__(self) -> tuple[type, tuple[Sequence[int], int, bool]]:
        return KnownBest, self._told


class KnownEnds(dict[int, int]):
    """The members of sets that have the least or greatest value in a table."""

    def __init__(self, values: Sequence[int], low: int, least: bool) -> None:
        """`low` is the member whose value stands first."""
        super().__init__()
        self._told = values, low, least

    def __missing__(self, number: int) -> int:
        if len(self) >= MOST_KEPT:
            self.clear()
        values, low, _ = self._told
        best = _best(number, *self._told)
        made = self[number] = number_of(one for one in members_of(number) if values[one - low] == best)
        return made

    def __reduce__(self) -> tuple[type, tuple[Sequence[int], int, bool]]:
        return KnownEnds, self._told


def _best(number: int, values: Sequence[int], low: int, least: bool) -> int | None:
    return (min if least else max)((values[one - low] for one in members_of(number)), default=None)


class KnownRows(dict[int, bool]):
    """Whether all members of one row, any of them, are in a set; of sets that have no members outside of the rows."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, number: int) -> bool:
        if len(self) >= MOST_KEPT:
            self.clear()
        made = self[number] = any(not row & ~number for row in self._rows)
        return made

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return KnownRows, (self._rows,)


def grouped_rows(rows: Sequence[int]) -> tuple[tuple[int, KnownRows], ...]:
    """Rows in groups of those that lie close together: what is in any row of the group, and which sets have one."""
    groups: list[tuple[int, list[int]]] = []
    for row in rows:
        for at, (members, some) in enumerate(groups):
            if (members | row).bit_count() <= WIDEST_GROUP:
                groups[at] = members | row, [*some, row]
                break
        else:
            groups.append((row, [row]))
    return tuple((members, KnownRows(some)) for members, some in groups)
