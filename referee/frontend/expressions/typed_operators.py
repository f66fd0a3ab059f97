"""Making expressions: operators with the interval that their result lies in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from referee.core.expr import And, Const, Expr, Get, If, Local, Op, Operator
from referee.core.intervals import INTERVALS, of_type
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.diagnostics.source import Span

TRUE = Const(True, Bool())
FALSE = Const(False, Bool())
FLAG = Int(0, 1)
"""The type of a yes or no that a procedure gives: 1 for yes."""


def number(value: int, span: Span | None = None) -> Const:
    """A whole number."""
    return Const(value, Int(value, value), span)


def member(value: int, of: Elem, span: Span | None = None) -> Const:
    """A fixed member of a domain."""
    return Const(value, Elem(of.domain, value, value), span)


def nothing(of: Scalar, span: Span | None = None) -> Const:
    """Nothing, where a member might be."""
    return Const(None, Maybe(of), span)


def equal(left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """True if both are the same value."""
    return Op(Operator.EQ, (left, right), Bool(), span)


def negate(cond: Expr, span: Span | None = None) -> Expr:
    """The opposite condition."""
    return Op(Operator.NOT, (cond,), Bool(), span)


def compare(op: Operator, left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """A comparison of two numbers or two members of an ordered domain."""
    return Op(op, (left, right), Bool(), span)


def both(parts: Iterable[Expr], span: Span | None = None) -> Expr:
    """True if all parts are; one part stands for itself, none is true."""
    kept = tuple(p for p in parts if p != TRUE)
    return kept[0] if len(kept) == 1 else And(kept, span) if kept else TRUE


def arithmetic(op: Operator, left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """Sum, difference, product, lesser, greater or distance of two numbers, with its interval."""
    a, b = left.type, right.type
    assert isinstance(a, Int)
    assert isinstance(b, Int)
    made = Op(op, (left, right), Int(0, 0), span)
    kind = INTERVALS.operate(made, (of_type(a), of_type(b))).type
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(kind.lo, kind, span)
    return replace(made, type=kind)


def join(left: Type, right: Type) -> Type | None:
    """The smallest type that holds the values of both, or None if there is none."""
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        a = left.of if isinstance(left, Maybe) else left
        b = right.of if isinstance(right, Maybe) else right
        inner = join(a, b)
        return Maybe(inner) if isinstance(inner, Int | Elem) else None
    if isinstance(left, Int) and isinstance(right, Int):
        return Int(min(left.lo, right.lo), max(left.hi, right.hi))
    if isinstance(left, Elem) and isinstance(right, Elem) and left.domain == right.domain:
        return Elem(left.domain, min(left.lo, right.lo), max(left.hi, right.hi))
    if isinstance(left, SetOf) and isinstance(right, SetOf):
        inner = join(left.of, right.of)
        return SetOf(inner) if isinstance(inner, Int | Elem) else None
    return left if left == right else None


def within(kind: Type, whole: Type) -> bool:
    """Whether every value of a type is one of another."""
    return join(kind, whole) == whole


def as_flag(cond: Expr, span: Span | None = None) -> Expr:
    """A condition as what a procedure gives."""
    return If(cond, number(1, span), number(0, span), FLAG, span)


def from_flag(expr: Expr, span: Span | None = None) -> Expr:
    """What a procedure has given as a condition."""
    return equal(expr, number(1, span), span)


def simple(expr: Expr) -> bool:
    """True if evaluating it again costs nothing and cannot differ within one evaluation."""
    return isinstance(expr, Const | Local) or (isinstance(expr, Get) and not expr.keys)


def as_parameter(given: Type, declared: Type) -> Type:
    """The type of what is given, as a definition has it: any member of its parameter's; a number keeps its bounds."""
    match declared:
        case Int():
            return given
        case Bool() | Elem() | Maybe() | SetOf() | Many():
            return declared
        case _:
            assert_never(declared)


def singleton(expr: Expr) -> Expr:
    """The set of one member."""
    kind = expr.type
    assert isinstance(kind, Elem | Int)
    return Op(Operator.SET, (expr,), SetOf(kind), expr.span)


def plural(number: int, noun: str) -> str:
    """`1 name`, `2 names`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def article(noun: str) -> str:
    """`a line`, `an option`."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"
