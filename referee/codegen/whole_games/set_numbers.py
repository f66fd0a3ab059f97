"""Sets as numbers, with a bit for each member; what lies on spots as such sets, one for each class; both made and read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST_KEPT = 4_096
"""So many sets are remembered with their members."""


def number_of(members: Iterable[int]) -> int:
    """The number of a set. Raises `ValueError` for one with a member below 0."""
    found = 0
    for one in members:
        found |= 1 << one
    return found


def members_of(number: int) -> tuple[int, ...]:
    """The members of a set, ascending."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return tuple(found)


class KnownMembers(dict[int, tuple[int, ...]]):
    """The members of sets by their numbers, ascending; the last ones are remembered."""

    def __missing__(self, number: int) -> tuple[int, ...]:
        if len(self) >= MOST_KEPT:
            self.clear()
        made = self[number] = members_of(number)
        return made


class KnownBest(dict[int, int | None]):
    """The least or greatest value that members of sets have in a table, by the numbers of the sets; the last ones are
    remembered."""

    def __init__(self, values: Sequence[int], low: int, least: bool) -> None:
        """`low` is the member whose value stands first."""
        super().__init__()
        self._told = values, low, least

    def __missing__(self, number: int) -> int | None:
        if len(self) >= MOST_KEPT:
            self.clear()
        values, low, least = self._told
        of_them = [values[one - low] for one in members_of(number)]
        made = self[number] = (min if least else max)(of_them, default=None)
        return made

    def __reduce__(self) -> tuple[type, tuple[Sequence[int], int, bool]]:
        return KnownBest, self._told


def spot_sets(content: Sequence[int | None], low: int, classes: int) -> tuple[list[int], int]:
    """The spots on which each class lies, and the empty ones. `low` is the number of the first spot."""
    found, empty = [0] * classes, 0
    for at, one in enumerate(content, low):
        if one is None:
            empty |= 1 << at
        else:
            found[one] |= 1 << at
    return found, empty


def spot_content(found: tuple[Sequence[int], int], low: int, high: int) -> tuple[int | None, ...]:
    """What lies on spots, from what `spot_sets` finds."""
    lying: list[int | None] = [None] * (high - low + 1)
    for number, spots in enumerate(found[0]):
        for at in members_of(spots):
            lying[at - low] = number
    return tuple(lying)


def lies_at(sets: Sequence[int], empty: int, at: int) -> int | None:
    """The class that lies on a spot."""
    if empty >> at & 1:
        return None
    return next(number for number, one in enumerate(sets) if one >> at & 1)
