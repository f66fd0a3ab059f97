"""Makes and reads sets as numbers that have a bit for each member.

What lies on spots is such sets, one for each class; bags are as how many of each class lie there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
        while spots:
            spot = spots & -spots
            lying[spot.bit_length() - 1 - low] = number
            spots ^= spot
    return tuple(lying)


def bag_counts(content: Sequence[int], classes: int) -> list[int]:
    """How many of each class lie in a bag."""
    return [content.count(number) for number in range(classes)]


def bag_content(counts: Sequence[int]) -> tuple[int, ...]:
    """What lies in a bag, from what `bag_counts` finds."""
    return tuple([number for number, many in enumerate(counts) for _ in range(many)])


def lies_at(sets: Sequence[int], empty: int, at: int) -> int | None:
    """The class that lies on a spot."""
    if empty >> at & 1:
        return None
    return next(number for number, one in enumerate(sets) if one >> at & 1)
