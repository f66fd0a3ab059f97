"""Operators as terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from referee.core.expr import Op
from referee.core.operators import Operations
from referee.core.types import Scalar
from referee.smt import term, value
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym


def alike(left: Sym, right: Sym) -> tuple[Sym, Sym]:
    """Two values in one representation: a sure member beside one that may be missing."""
    if isinstance(left, Opt) and not isinstance(right, Opt):
        return left, Opt(True, right)
    if isinstance(right, Opt) and not isinstance(left, Opt):
        return Opt(True, left), right
    return left, right


def _num(found: Sym) -> Num:
    if isinstance(found, Opt):
        return found.value
    assert not isinstance(found, Bits | Counts)
    return found


class TermOperators(Operations[Sym]):
    """Each operator as in the reference engine."""

    def equal(self, one: Sym, other: Sym) -> Sym:
        return value.equal(one, other)

    def unequal(self, one: Sym, other: Sym) -> Sym:
        return term.no(value.equal(one, other))

    def less(self, one: Sym, other: Sym) -> Sym:
        return term.less(_num(one), _num(other))

    def at_most(self, one: Sym, other: Sym) -> Sym:
        return term.at_most(_num(one), _num(other))

    def greater(self, one: Sym, other: Sym) -> Sym:
        return term.less(_num(other), _num(one))

    def at_least(self, one: Sym, other: Sym) -> Sym:
        return term.at_most(_num(other), _num(one))

    def member(self, one: Sym, group: Sym) -> Sym:
        return _within(one, group)

    def negation(self, one: Sym) -> Sym:
        return term.no(_num(one))

    def total(self, one: Sym, other: Sym) -> Sym:
        return term.total([_num(one), _num(other)])

    def difference(self, one: Sym, other: Sym) -> Sym:
        return _num(one) - _num(other)

    def product(self, one: Sym, other: Sym) -> Sym:
        return term.times(_num(one), _num(other))

    def opposite(self, one: Sym) -> Sym:
        return -_num(one)

    def lower(self, numbers: Sequence[Sym]) -> Sym:
        return reduce(term.lower, [_num(one) for one in numbers])

    def higher(self, numbers: Sequence[Sym]) -> Sym:
        return reduce(term.higher, [_num(one) for one in numbers])

    def distance(self, one: Sym, other: Sym) -> Sym:
        left, right = _num(one), _num(other)
        return term.choose(term.at_most(left, right), right - left, left - right)

    def set_of(self, members: Sequence[Sym], of: Scalar) -> Sym:
        values = [_num(one) for one in members]
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
            there, term.disj(term.both(term.equal(_num(member), i), term.less(0, n)) for i, n in group.members())
        )
    assert isinstance(group, Bits)
    return term.both(there, group.has(_num(member)))


def _combined(left: Sym, right: Sym, bit: Callable[[Cond, Cond], Cond]) -> Bits:
    assert isinstance(left, Bits)
    assert isinstance(right, Bits)
    lo = min(left.lo, right.lo)
    hi = max(left.lo + len(left.bits), right.lo + len(right.bits))
    return Bits(lo, tuple(bit(left.has(i), right.has(i)) for i in range(lo, hi)))
