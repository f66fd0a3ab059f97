"""The ways to fill the holes so far, where there are few: what tokens can be together so that all conditions hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from referee.core.types import Type
from referee.judge.partial.constraints.constraint_search import Domains, tightened
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import members

MOST_COUNTED = 2_000
MOST_OPEN = 12
"""Holes with several values left; with more the ways are not counted."""


class Filled(NamedTuple):
    """What stands for a hole: what is known of it, and tokens; of several in one list the order is no matter.

    `less`: where it follows from other holes, the tokens with their signs: once more (+1) or once fewer (-1) than what
    is known; `tokens` has none then, so that no way is counted twice.
    """

    line: int
    name: str
    kind: Type
    known: Any
    tokens: tuple[int, ...]
    less: tuple[tuple[int, int], ...] = ()

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
    conditions = tuple(store.conditions.values())
    order = [(token, hole.tokens[index - 1] if index else None)
             for hole in filled for index, token in enumerate(hole.tokens)]
    if sum(store.domains[token].bit_count() > 1 for token, _ in order) > MOST_OPEN:
        raise TooManyWays

    def each(domains: Domains, at: int) -> Iterator[Domains]:
        budget.spend()
        tight = tightened(domains, conditions)
        if tight is None:
            return
        if at == len(order):
            yield tight
            return
        token, before = order[at]
        least = tight[before].bit_length() - 1 if before is not None else 0
        for one in members(tight[token]):
            if one >= least:
                yield from each({**tight, token: 1 << one}, at + 1)

    for domains in each(store.domains, 0):
        yield tuple((hole.known, tuple(domains[token].bit_length() - 1 for token in hole.tokens)) for hole in filled)
