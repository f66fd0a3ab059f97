"""Source for operators, from source for their operands."""

from __future__ import annotations

from collections.abc import Sequence

from referee.codegen.code_scope import tight
from referee.core.operators import Operations
from referee.core.types import Scalar


class Text(Operations[str]):
    """Each operator as Python writes it, in brackets where something may stand beside it."""

    def equal(self, one: str, other: str) -> str:
        return f"({one} == {other})"

    def unequal(self, one: str, other: str) -> str:
        return f"({one} != {other})"

    def less(self, one: str, other: str) -> str:
        return f"({one} < {other})"

    def at_most(self, one: str, other: str) -> str:
        return f"({one} <= {other})"

    def greater(self, one: str, other: str) -> str:
        return f"({one} > {other})"

    def at_least(self, one: str, other: str) -> str:
        return f"({one} >= {other})"

    def member(self, one: str, group: str) -> str:
        return f"({one} in {group})"

    def negation(self, one: str) -> str:
        return f"(not {one})"

    def total(self, one: str, other: str) -> str:
        return f"({one} + {other})"

    def difference(self, one: str, other: str) -> str:
        return f"({one} - {other})"

    def product(self, one: str, other: str) -> str:
        return f"({one} * {other})"

    def opposite(self, one: str) -> str:
        return f"(-{tight(one)})"

    def lower(self, numbers: Sequence[str]) -> str:
        return f"min({', '.join(numbers)})" if len(numbers) > 1 else numbers[0]

    def higher(self, numbers: Sequence[str]) -> str:
        return f"max({', '.join(numbers)})" if len(numbers) > 1 else numbers[0]

    def distance(self, one: str, other: str) -> str:
        return f"abs({one} - {tight(other)})"

    def set_of(self, members: Sequence[str], of: Scalar) -> str:
        return f"frozenset(({', '.join(members)},))" if members else "frozenset()"

    def union(self, one: str, other: str) -> str:
        return f"({one} | {other})"

    def without(self, one: str, other: str) -> str:
        return f"({one} - {other})"

    def size(self, group: str) -> str:
        return f"len({group})"


TEXT = Text()
