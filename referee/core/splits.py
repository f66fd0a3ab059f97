"""What may be left of a set when sets of a table are taken out of it, and how many ways there are at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb

from referee.core.ruleset import Table

MOST_LEFT = 20_000
"""So many different sets may be left of one; where there are more, the rules make an error (RT06)."""
TOO_MANY_LEFT = f"more than {MOST_LEFT:,} different sets could be left"

Members = frozenset[int]


def parts_of(table: Table) -> tuple[Members, ...]:
    """The values of a table of sets, without the empty one."""
    return tuple(one for one in table.values if isinstance(one, frozenset) and one)


def what_is_left(whole: Members, parts: Iterable[Members], most: int = MOST_LEFT) -> list[Members] | None:
    """Every set that is left of `whole` when some of the parts are taken out, no two of which share a member.

    Parts are taken by their lowest member, one for each at most, so what is left is looked at once however it came
    about. `whole` itself comes first. None if there are more than `most`.
    """
    starting: dict[int, list[Members]] = {}
    for part in parts:
        if part <= whole:
            starting.setdefault(min(part), []).append(part)
    left = {whole: None}
    for lowest in sorted(starting):
        for rest in list(left):
            if lowest in rest:
                left.update((rest - part, None) for part in starting[lowest] if part <= rest)
        if len(left) > most:
            return None
    return list(left)


def most_left(parts: Sequence[Members], size: int) -> int:
    """A bound of how many sets are left of one of `size` members, at most `MOST_LEFT`: that of the ways to take parts.

    The lowest member is left, or goes with one of the parts whose lowest member it is.
    """
    begun = Counter((min(part), len(part)) for part in parts)
    of_size: dict[int, int] = {}
    for (_, large), number in begun.items():
        of_size[large] = max(of_size.get(large, 0), number)
    ways = [1]
    for members in range(1, size + 1):
        taken = sum(min(number, comb(members - 1, large - 1)) * ways[members - large]
                    for large, number in of_size.items() if large <= members)
        ways.append(min(MOST_LEFT, ways[-1] + taken))
    return ways[size]
