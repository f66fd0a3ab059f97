"""Operators as terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from referee.core.expr import Op
from referee.core.operators import Operations
from referee.core.types import Scalar
from referee.smt import term, value
from referee.smt.term import Cond
from referee.smt.value import Bits, Counts, Opt, Sym, number_of


def alike(left: Sym, right: Sym) -> tuple[Sym, Sym]:
    """Two values in one representation: a sure member beside one that may be missing."""
    if isinstance(left, Opt) and not isinstance(right, Opt):
        return left, Opt(True, right)
    if isinstance(right, Opt) and not isinstance(left, Opt):
        return Opt(True, left), right
    return left, right


class TermOperators(Operations[Sym]):
    """Each operator as in the reference engine."""

    def equal(self, one: Sym, other: Sym) -> Sym:
        return value.equal(one, other)

    def unequal(self, one: Sym, other: Sym) -> Sym:
        return term.no(value.equal(one, other))

    def less(self, one: Sym, other: Sym) -> Sym:
        return term.less(number_of(one), number_of(other))

    def at_most(self, one: Sym, other: Sym) -> Sym:
        return term.at_most(number_of(one), number_of(other))

    def greater(self, one: Sym, other: Sym) -> Sym:
        return term.less(number_of(other), number_of(one))

    def at_least(self, one: Sym, other: Sym) -> Sym:
        return term.at_most(number_of(other), number_of(one))

    def member(self, one: Sym, group: Sym) -> Sym:
        return _within(one, group)

    def negation(self, one: Sym) -> Sym:
        return term.no(number_of(one))

    def total(self, one: Sym, other: Sym) -> Sym:
        return term.total([number_of(one), number_of(other)])

    def difference(self, one: Sym, other: Sym) -> Sym:
        return number_of(one) - number_of(other)

    def product(self, one: Sym, other: Sym) -> Sym:
        return term.times(number_of(one), number_of(other))

    def opposite(self, one: Sym) -> Sym:
        return -number_of(one)

    def lower(self, numbers: Sequence[Sym]) -> Sym:
        return reduce(term.lower, [number_of(one) for one in numbers])

    def higher(self, numbers: Sequence[Sym]) -> Sym:
        return reduce(term.higher, [number_of(one) for one in numbers])

    def distance(self, one: Sym, other: Sym) -> Sym:
        left, right = number_of(one), number_of(other)
        return term.choose(term.at_most(left, right), right - left, left - right)

    def set_of(self, members: Sequence[Sym], of: Scalar) -> Sym:
        values = [number_of(one) for one in members]
        fixed = [v for v in values if isinstance(v, int)]
        lo, hi = min([of.lo, *fixed]), max([of.hi, *fixed])
        return Bits(lo, tuple(term.disj(term.equal(v, i) for v in values) for i in range(lo, hi + 1)))

    def union(self, one: Sym, other: Sym) -> Sym:
        return _combined(one, other, lambda left, right: term.disj((left, right)))

    def without(self, one: Sym, other: Sym) -> Sym:
        return _combined(one, other, lambda left, right: term.both(left, term.no(right)))

    def size(self, group: Sym) -> Sym:
        if isinstance(group, Counts):
            return group.size
        assert isinstance(group, Bits)
        return term.total([term.number(bit) for _, bit in group.members()])


_TERMS = TermOperators()


def operate(expr: Op, args: Sequence[Sym]) -> Sym:
    """The value of an operator on evaluated operands."""
    return _TERMS.operate(expr, args)


def _within(member: Sym, group: Sym) -> Cond:
    there = member.has if isinstance(member, Opt) else True
    if isinstance(group, Counts):
        return term.both(
            there, term.disj(term.both(term.equal(number_of(member), i), term.less(0, n)) for i, n in group.members())
        )
    assert isinstance(group, Bits)
    return term.both(there, group.has(number_of(member)))


def _combined(left: Sym, right: Sym, bit: Callable[[Cond, Cond], Cond]) -> Bits:
    assert isinstance(left, Bits)
    assert isinstance(right, Bits)
    lo = min(left.lo, right.lo)
    hi = max(left.lo + len(left.bits), right.lo + len(right.bits))
    return Bits(lo, tuple(bit(left.has(i), right.has(i)) for i in range(lo, hi)))
