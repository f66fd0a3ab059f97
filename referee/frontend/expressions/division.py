"""Division: whole quotients and remainders, of sums, products and comparisons, found a binary digit at a time."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.expr import Const, Expr, If, Let, Local, Op, Operator
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators

Wrap = Callable[[Expr], Expr]


def quotient(left: Expr, right: Expr, up: bool, fresh: Callable[[str], str], span: Span) -> Expr:
    """A number divided by one that is at least 1, rounded to the next whole number below, or above if `up`."""
    if not up:
        wrap, known, by = _named(left, right, fresh)
        found, whole = _below(known, by, fresh)
        return wrap(whole(found))
    below = quotient(
        typed_operators.arithmetic(Operator.SUB, typed_operators.number(0), left), right, False, fresh, span
    )
    return typed_operators.arithmetic(Operator.SUB, typed_operators.number(0), below, span)


def remainder(left: Expr, right: Expr, fresh: Callable[[str], str], span: Span) -> Expr:
    """What is left of a number when a number that is at least 1 is taken away as often as it can be: never negative."""
    wrap, known, by = _named(left, right, fresh)
    found, whole = _below(known, by, fresh)
    taken = typed_operators.arithmetic(Operator.MUL, by, found)
    kind, divisor = _int(known), _int(by)
    most = min(divisor.hi - 1, kind.hi) if kind.lo >= 0 else divisor.hi - 1
    if isinstance(known, Const) and isinstance(taken, Const):
        return typed_operators.arithmetic(Operator.SUB, known, taken, span)
    return wrap(whole(Op(Operator.SUB, (known, taken), Int(0, most), span)))


def _named(left: Expr, right: Expr, fresh: Callable[[str], str]) -> tuple[Wrap, Expr, Expr]:
    """Both numbers so that they can be read again and again, and what puts their names round a value."""
    names = [(fresh("number"), one) for one in (left, right)]
    known, by = (one if typed_operators.simple(one) else Local(name, one.type) for name, one in names)

    def wrap(inner: Expr) -> Expr:
        for name, one in reversed(names):
            inner = inner if typed_operators.simple(one) else Let(name, one, inner, inner.type)
        return inner

    return wrap, known, by


def _below(known: Expr, by: Expr, fresh: Callable[[str], str]) -> tuple[Expr, Wrap]:
    """The greatest whole number that, so many times, is not more than a number; what puts its digits round a value."""
    kind, divisor = _int(known), _int(by)
    ends = [end // number for end in (kind.lo, kind.hi) for number in (divisor.lo, divisor.hi)]
    least, most = min(ends), max(ends)
    found: Expr = typed_operators.number(least)
    digits: list[tuple[str, Expr]] = []
    for digit in reversed(range((most - least).bit_length())):
        more = typed_operators.arithmetic(Operator.ADD, found, typed_operators.number(2**digit))
        fits = typed_operators.compare(Operator.LE, typed_operators.arithmetic(Operator.MUL, more, by), known)
        reached = Int(least, min(most, _int(more).hi))
        digits.append((fresh("quotient"), If(fits, more, found, reached)))
        found = Local(digits[-1][0], reached)

    def whole(inner: Expr) -> Expr:
        for name, value in reversed(digits):
            inner = Let(name, value, inner, inner.type)
        return inner

    return found, whole


def _int(expr: Expr) -> Int:
    assert isinstance(expr.type, Int)
    return expr.type
