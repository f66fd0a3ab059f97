"""Operators as terms, each case as in the reference engine."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Op, Operator
from referee.core.types import Scalar, SetOf
from referee.symbolic import term, value
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym


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


def operate(expr: Op, args: list[Sym]) -> Sym:
    """The value of an operator on evaluated operands."""
    match expr.op:
        case Operator.NOT:
            return term.no(_num(args[0]))
        case Operator.ADD:
            return term.total([_num(a) for a in args])
        case Operator.SUB:
            return _num(args[0]) - _num(args[1])
        case Operator.MUL:
            return term.times(_num(args[0]), _num(args[1]))
        case Operator.NEG:
            return -_num(args[0])
        case Operator.LOWER:
            return term.lower(_num(args[0]), _num(args[1]))
        case Operator.HIGHER:
            return term.higher(_num(args[0]), _num(args[1]))
        case Operator.EQ:
            return value.equal(args[0], args[1])
        case Operator.NE:
            return term.no(value.equal(args[0], args[1]))
        case Operator.LT:
            return term.less(_num(args[0]), _num(args[1]))
        case Operator.LE:
            return term.at_most(_num(args[0]), _num(args[1]))
        case Operator.GT:
            return term.less(_num(args[1]), _num(args[0]))
        case Operator.GE:
            return term.at_most(_num(args[1]), _num(args[0]))
        case Operator.IN:
            return _within(args[0], args[1])
        case Operator.SET:
            return _set_of(expr, args)
        case Operator.UNION | Operator.MINUS:
            return _combined(expr.op, args[0], args[1])
        case Operator.SIZE:
            group = args[0]
            if isinstance(group, Counts):
                return group.size
            assert isinstance(group, Bits)
            return term.total([term.number(bit) for _, bit in group.members()])
        case Operator.BETWEEN:
            left, right = _num(args[0]), _num(args[1])
            return term.choose(term.at_most(left, right), right - left, left - right)
        case _:
            assert_never(expr.op)


def _within(member: Sym, group: Sym) -> Cond:
    there = member.has if isinstance(member, Opt) else True
    if isinstance(group, Counts):
        return term.both(
            there, term.disj(term.both(term.equal(_num(member), i), term.less(0, n)) for i, n in group.members())
        )
    assert isinstance(group, Bits)
    return term.both(there, group.has(_num(member)))


def _set_of(expr: Op, args: list[Sym]) -> Bits:
    assert isinstance(expr.type, SetOf)
    kind: Scalar = expr.type.of
    values = [_num(a) for a in args]
    fixed = [v for v in values if isinstance(v, int)]
    lo, hi = min([kind.lo, *fixed]), max([kind.hi, *fixed])
    return Bits(lo, tuple(term.disj(term.equal(v, i) for v in values) for i in range(lo, hi + 1)))


def _combined(op: Operator, left: Sym, right: Sym) -> Bits:
    assert isinstance(left, Bits)
    assert isinstance(right, Bits)
    lo = min(left.lo, right.lo)
    hi = max(left.lo + len(left.bits), right.lo + len(right.bits))
    bits = []
    for i in range(lo, hi):
        one, two = left.has(i), right.has(i)
        bits.append(term.disj((one, two)) if op is Operator.UNION else term.both(one, term.no(two)))
    return Bits(lo, tuple(bits))
