"""Operators on known values, as the functions of an engine compute them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.operators import Operations
from referee.core.types import Scalar


class KnownOperators(Operations[Any]):
    """Values as every engine exchanges them: numbers, truth values, sets, sorted tuples, nothing."""

    def equal(self, one: Any, other: Any) -> Any:
        return one == other

    def unequal(self, one: Any, other: Any) -> Any:
        return one != other

    def less(self, one: Any, other: Any) -> Any:
        return one < other

    def at_most(self, one: Any, other: Any) -> Any:
        return one <= other

    def greater(self, one: Any, other: Any) -> Any:
        return one > other

    def at_least(self, one: Any, other: Any) -> Any:
        return one >= other

    def member(self, one: Any, group: Any) -> Any:
        return one in group

    def negation(self, one: Any) -> Any:
        return not one

    def total(self, one: Any, other: Any) -> Any:
        return one + other

    def difference(self, one: Any, other: Any) -> Any:
        return one - other

    def product(self, one: Any, other: Any) -> Any:
        return one * other

    def opposite(self, one: Any) -> Any:
        return -one

    def lower(self, numbers: Sequence[Any]) -> Any:
        return min(numbers)

    def higher(self, numbers: Sequence[Any]) -> Any:
        return max(numbers)

    def distance(self, one: Any, other: Any) -> Any:
        return abs(one - other)

    def set_of(self, members: Sequence[Any], of: Scalar) -> Any:
        return frozenset(members)

    def union(self, one: Any, other: Any) -> Any:
        return one | other

    def without(self, one: Any, other: Any) -> Any:
        return one - other

    def size(self, group: Any) -> Any:
        return len(group)


PLAIN = KnownOperators()
