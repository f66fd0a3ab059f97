"""Between which numbers a value surely lies: so that what is proved needs no test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from referee.core.expr import (
    All,
    And,
    At,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Where,
    Within,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.state import Layout

HUGE = 10**18


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number from lo to hi, or (`none`) nothing; of a set or multiset each of its members."""

    lo: int
    hi: int
    none: bool = False

    def inside(self, lo: int, hi: int) -> bool:
        """True if there is always a number, and one of lo..hi."""
        return not self.none and self.members_inside(lo, hi)

    def members_inside(self, lo: int, hi: int) -> bool:
        """True if every number is one of lo..hi."""
        return self.lo > self.hi or (lo <= self.lo and self.hi <= hi)


WIDE = Bounds(-HUGE, HUGE, True)
EMPTY = Bounds(1, 0, True)
TRUTH = Bounds(0, 1)
Known = Mapping[str, Bounds]
"""What is known of locals."""


def hull(parts: Iterable[Bounds]) -> Bounds:
    """What holds of each part."""
    lo, hi, none = 1, 0, False
    for part in parts:
        none |= part.none
        if part.lo <= part.hi:
            lo, hi = (part.lo, part.hi) if lo > hi else (min(lo, part.lo), max(hi, part.hi))
    return Bounds(lo, hi, none)


def of_type(kind: Type) -> Bounds:
    """What a type says of its values."""
    match kind:
        case Bool():
            return TRUTH
        case Int(lo, hi) | Elem(_, lo, hi):
            return Bounds(lo, hi)
        case Maybe(of):
            return Bounds(of.lo, of.hi, True)
        case SetOf(of):
            return Bounds(of.lo, of.hi)
        case Many(of):
            return Bounds(of.lo, of.hi)
        case _:
            assert_never(kind)


def of_value(value: Value) -> Bounds:
    """What holds of one value."""
    if value is None:
        return EMPTY
    if isinstance(value, (frozenset, tuple)):
        return Bounds(min(value, default=1), max(value, default=0))
    return Bounds(int(value), int(value))


class Prover:
    """Bounds of expressions. Variables in `doubtful` may hold anything."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.doubtful: set[str] = set()
        self._tables: dict[str, Bounds] = {}

    def value(self, expr: Expr, known: Known) -> Bounds:
        """The bounds of an expression."""
        match expr:
            case Const(value):
                return of_value(value)
            case Local(name):
                return known.get(name, WIDE)
            case Get(var):
                return WIDE if var in self.doubtful else of_type(self.layout.defs[var].type)
            case Look(table):
                return self._table(table)
            case Op():
                return self._operator(expr, known)
            case And() | Or():
                return TRUTH
            case If(_, yes, no):
                return hull((self.value(yes, known), self.value(no, known)))
            case At():
                return Bounds(0, len(self.layout.core.components) - 1, True)
            case Fold():
                return self._fold(expr, known)
            case Where(_, source):
                return self.members(source, known)
            case Let(var, value, body):
                return self.value(body, {**known, var: self.value(value, known)})
            case Only(of):
                found = self.value(of, known)
                return Bounds(found.lo, found.hi)
            case _:
                assert_never(expr)

    def members(self, source: Domainlike, known: Known) -> Bounds:
        """The bounds of what a source goes through."""
        match source:
            case Numbers(lo, hi):
                return Bounds(self.value(lo, known).lo, self.value(hi, known).hi)
            case All(of):
                return Bounds(of.lo, of.hi)
            case Members(of):
                found = self.value(of, known)
                return Bounds(found.lo, found.hi)
            case Within():
                return Bounds(0, len(self.layout.core.components) - 1)
            case _:
                assert_never(source)

    def _table(self, name: str) -> Bounds:
        if name not in self._tables:
            self._tables[name] = hull(of_value(value) for value in self.layout.tables[name][1].values)
        return self._tables[name]

    def _fold(self, expr: Fold, known: Known) -> Bounds:
        if expr.kind in (FoldKind.ANY, FoldKind.ALL):
            return TRUTH
        if expr.kind is FoldKind.COUNT:
            return Bounds(0, HUGE)
        if expr.kind is FoldKind.SUM:
            return WIDE
        member = self.members(expr.source, known)
        body = member if expr.body is None else self.value(expr.body, {**known, expr.var: member})
        return body if expr.empty is None else hull((body, self.value(expr.empty, known)))

    def _operator(self, expr: Op, known: Known) -> Bounds:
        args = [self.value(arg, known) for arg in expr.args]
        match expr.op:
            case (Operator.NOT | Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE
                  | Operator.IN):
                return TRUTH
            case Operator.SET | Operator.UNION:
                return hull(args)
            case Operator.MINUS:
                return args[0]
            case Operator.SIZE:
                return Bounds(0, HUGE)
            case Operator.BETWEEN:
                return Bounds(0, HUGE)
            case Operator.NEG:
                return Bounds(-args[0].hi, -args[0].lo)
            case Operator.LOWER:
                return Bounds(min(arg.lo for arg in args), min(arg.hi for arg in args))
            case Operator.HIGHER:
                return Bounds(max(arg.lo for arg in args), max(arg.hi for arg in args))
            case Operator.ADD:
                return Bounds(args[0].lo + args[1].lo, args[0].hi + args[1].hi)
            case Operator.SUB:
                return Bounds(args[0].lo - args[1].hi, args[0].hi - args[1].lo)
            case Operator.MUL:
                corners = [a * b for a in (args[0].lo, args[0].hi) for b in (args[1].lo, args[1].hi)]
                return Bounds(min(corners), max(corners))
            case _:
                assert_never(expr.op)
