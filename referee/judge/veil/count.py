"""In how many ways tokens can have classes so that all conditions hold."""

from __future__ import annotations

from collections.abc import Sequence

from referee.judge.veil.hidden import members
from referee.judge.veil.search import Domains, tightened
from referee.judge.veil.store import Store

MOST_COUNTED = 2_000
MOST_OPEN = 12
Group = tuple[int, ...]
"""Tokens that stand in one list: their order is no matter."""


class TooManyWays(Exception):
    """There are more ways than are counted."""


def ways(store: Store, groups: Sequence[Group]) -> int:
    """The number of ways, those alike that differ in the order within a group alone. Raises `TooManyWays`."""
    if sum(store.domains[token].bit_count() > 1 for group in groups for token in group) > MOST_OPEN:
        raise TooManyWays
    conditions = tuple(store.conditions.values())
    order = [(token, group[index - 1] if index else None) for group in groups for index, token in enumerate(group)]
    left = [MOST_COUNTED]

    def count(domains: Domains, at: int) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise TooManyWays
        tight = tightened(domains, conditions)
        if tight is None:
            return 0
        if at == len(order):
            return 1 if _rest(tight, conditions) else 0
        token, before = order[at]
        least = tight[before].bit_length() - 1 if before is not None else 0
        return sum(count({**tight, token: 1 << one}, at + 1) for one in members(tight[token]) if one >= least)

    return count(store.domains, 0)


def _rest(domains: Domains, conditions: Sequence[object]) -> bool:
    """Whether what stands in no hole can be as well: mostly there is nothing such."""
    return all(mask.bit_count() >= 1 for mask in domains.values())
