"""The ways to fill the holes so far, where there are few: what tokens can be together so that all conditions hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.core.types import Type
from referee.judge.partial.constraints.constraint_search import Domains, Tightening, tightened
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Sum, members

MOST_COUNTED = 2_000
"""So much is looked at while the ways to fill holes are counted; then they are not counted."""
MOST_OPEN = 12
"""Holes with several values left; with more the ways are not counted."""


class Filled(NamedTuple):
    """What stands for a hole: what is known of it, and tokens; of several in one list the order is no matter.

    `values`: what stands there for each class of the only token, where that is no component.
    `less`: where it follows from other holes, the tokens with their signs: once more (+1) or once fewer (-1) than what
    is known; `tokens` has none then, so that no way is counted twice.
    """

    line: int
    name: str
    kind: Type
    known: Any
    tokens: tuple[int, ...]
    less: tuple[tuple[int, int], ...] = ()
    values: Mapping[int, Any] | None = None

    @property
    def signed(self) -> tuple[tuple[int, int], ...]:
        """All tokens, each with its sign."""
        return self.less or tuple((token, 1) for token in self.tokens)


World = tuple[tuple[Any, tuple[int, ...]], ...]


class TooManyWays(Exception):
    """There are more ways than are counted."""


class CountingBudget:
    """How much may still be looked at while ways are counted."""

    def __init__(self) -> None:
        self._left = MOST_COUNTED

    def spend(self) -> None:
        """Something is looked at. Raises `TooManyWays`."""
        self._left -= 1
        if self._left < 0:
            raise TooManyWays


def worlds(store: ConstraintStore, filled: Sequence[Filled], budget: CountingBudget) -> Iterator[World]:
    """Each way to fill the holes once. Raises `TooManyWays`."""
    store = store.whole()
    conditions = tuple(total for total in store.conditions.values() if store.bounds(total)[0] < 0)
    following = tuple(token for token in store.derived if any(token in total.weights for total in conditions))
    order = [(token, hole.tokens[index - 1] if index else None)
             for hole in filled for index, token in enumerate(hole.tokens)]
    if sum(store.domains[token].bit_count() > 1 for token, _ in order) > MOST_OPEN:
        raise TooManyWays

    tightening = Tightening(conditions)

    def each(domains: Domains, at: int, news: tuple[int, ...] | None = None) -> Iterator[Domains]:
        budget.spend()
        tight = tightening.of(domains, news)
        if tight is None:
            return
        if at == len(order):
            left = _followed(store, tight, following, conditions)
            if left is not None:
                yield left
            return
        token, before = order[at]
        least = tight[before].bit_length() - 1 if before is not None else 0
        for one in members(tight[token]):
            if one >= least:
                yield from each({**tight, token: 1 << one}, at + 1, (token,))

    for domains in each(store.domains, 0):
        yield tuple(_said(hole, domains) for hole in filled)


def _followed(store: ConstraintStore, domains: Domains, following: Sequence[int],
              conditions: Sequence[Sum]) -> Domains | None:
    """With what follows from what is known; None if conditions are against it. Raises `TooManyWays` if it does not."""
    for token in following:
        one = store.derived[token]
        if any(domains[base].bit_count() > 1 for base in one.base):
            raise TooManyWays
        found = 1 << one.at(tuple(domains[base].bit_length() - 1 for base in one.base))
        if not domains[token] & found:
            return None
        domains = {**domains, token: found}
    return tightened(domains, conditions) if following else domains


def _said(hole: Filled, domains: Domains) -> tuple[Any, tuple[int, ...]]:
    """What stands for a hole in one world."""
    classes = tuple(domains[token].bit_length() - 1 for token in hole.tokens)
    return (hole.known, classes) if hole.values is None else (hole.values[classes[0]], ())
