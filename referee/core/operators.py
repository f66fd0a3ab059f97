"""The one table of operators: what each makes of evaluated operands, for every representation of values to fill in.

A new operator is one row of `Operations.operate` and one method here; until every representation has that method
(functions, generated source, known and hidden values, intervals, terms) the type checker names those that lack it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, Literal, TypeVar, assert_never

from referee.core.expr import Op, Operator
from referee.core.types import Scalar, SetOf

V = TypeVar("V")
Comparison = Literal[
    Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE, Operator.IN,
]
"""The operators that compare two values."""


class Operations(ABC, Generic[V]):
    """Operators on one representation of values. Nothing has a default: what is not said of one is a type error."""

    def operate(self, expr: Op, args: Sequence[V]) -> V:
        """An operator applied to its operands. `TypeError` for a set that is not of a type of sets."""
        match expr.op:
            case Operator.EQ:
                return self.equal(args[0], args[1])
            case Operator.NE:
                return self.unequal(args[0], args[1])
            case Operator.LT:
                return self.less(args[0], args[1])
            case Operator.LE:
                return self.at_most(args[0], args[1])
            case Operator.GT:
                return self.greater(args[0], args[1])
            case Operator.GE:
                return self.at_least(args[0], args[1])
            case Operator.IN:
                return self.member(args[0], args[1])
            case Operator.NOT:
                return self.negation(args[0])
            case Operator.ADD:
                return self.total(args[0], args[1])
            case Operator.SUB:
                return self.difference(args[0], args[1])
            case Operator.MUL:
                return self.product(args[0], args[1])
            case Operator.NEG:
                return self.opposite(args[0])
            case Operator.LOWER:
                return self.lower(args)
            case Operator.HIGHER:
                return self.higher(args)
            case Operator.BETWEEN:
                return self.distance(args[0], args[1])
            case Operator.SET:
                if not isinstance(expr.type, SetOf):
                    raise TypeError(f"{expr.type} is no type of sets")
                return self.set_of(args, expr.type.of)
            case Operator.UNION:
                return self.union(args[0], args[1])
            case Operator.MINUS:
                return self.without(args[0], args[1])
            case Operator.SIZE:
                return self.size(args[0])
            case _:
                assert_never(expr.op)

    @abstractmethod
    def equal(self, one: V, other: V) -> V:
        """Whether two values are the same."""

    @abstractmethod
    def unequal(self, one: V, other: V) -> V:
        """Whether two values are not the same."""

    @abstractmethod
    def less(self, one: V, other: V) -> V:
        """Whether a number is less than another."""

    @abstractmethod
    def at_most(self, one: V, other: V) -> V:
        """Whether a number is another or less."""

    @abstractmethod
    def greater(self, one: V, other: V) -> V:
        """Whether a number is more than another."""

    @abstractmethod
    def at_least(self, one: V, other: V) -> V:
        """Whether a number is another or more."""

    @abstractmethod
    def member(self, one: V, group: V) -> V:
        """Whether something is a member of a set or Many."""

    @abstractmethod
    def negation(self, one: V) -> V:
        """Whether something does not hold."""

    @abstractmethod
    def total(self, one: V, other: V) -> V:
        """Two numbers together."""

    @abstractmethod
    def difference(self, one: V, other: V) -> V:
        """A number less another."""

    @abstractmethod
    def product(self, one: V, other: V) -> V:
        """So many times a number."""

    @abstractmethod
    def opposite(self, one: V) -> V:
        """A number with the other sign."""

    @abstractmethod
    def lower(self, numbers: Sequence[V]) -> V:
        """The least of one or more numbers."""

    @abstractmethod
    def higher(self, numbers: Sequence[V]) -> V:
        """The greatest of one or more numbers."""

    @abstractmethod
    def distance(self, one: V, other: V) -> V:
        """How far apart two numbers are."""

    @abstractmethod
    def set_of(self, members: Sequence[V], of: Scalar) -> V:
        """The set of some members, which are of a type."""

    @abstractmethod
    def union(self, one: V, other: V) -> V:
        """The members of either of two sets."""

    @abstractmethod
    def without(self, one: V, other: V) -> V:
        """The members of a set that are not in another."""

    @abstractmethod
    def size(self, group: V) -> V:
        """How many members a set or Many has."""


def comparison(op: Operator) -> Comparison | None:
    """The operator, if it compares two values."""
    match op:
        case (Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.IN):
            return op
        case (Operator.NOT | Operator.ADD | Operator.SUB | Operator.MUL | Operator.NEG | Operator.LOWER
              | Operator.HIGHER | Operator.SET | Operator.UNION | Operator.MINUS | Operator.SIZE | Operator.BETWEEN):
            return None
        case _:
            assert_never(op)
