"""Chains of cases: `if ... else if ... else`, `depending on`, `when ...:`; which values each takes, which are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch
from referee.core.traverse import bodies, statements, walk
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class Chain:
    """Cases in order, each with its condition and place. `rest`: what is done in no case; `last`: where that stands."""

    cases: tuple[tuple[Expr, Span], ...]
    rest: Block
    last: Span | None


def chains_of(core: Core) -> Iterator[Chain]:
    """Every chain of cases in the rules, of statements and of values."""
    inner: set[int] = set()
    for block in bodies(core):
        for stmt in statements(block, Branch):
            if id(stmt) not in inner:
                yield _of_branches(stmt, inner)
    for one in walk((core.main, tuple(core.actions.values()), tuple(core.procedures.values())), If):
        if id(one) not in inner:
            yield _of_values(one, inner)


def _of_branches(stmt: Branch, inner: set[int]) -> Chain:
    cases, rest = [(stmt.cond, stmt.origin.span)], stmt.no
    while len(rest) == 1 and isinstance(rest[0], Branch):
        inner.add(id(rest[0]))
        cases.append((rest[0].cond, rest[0].origin.span))
        rest = rest[0].no
    origin = getattr(rest[0], "origin", None) if rest else None
    return Chain(tuple(cases), rest, origin.span if origin is not None else None)


def _of_values(one: If, inner: set[int]) -> Chain:
    cases: list[tuple[Expr, Span]] = []
    rest: Expr = one
    while isinstance(rest, If):
        inner.add(id(rest))
        if rest.span is not None:
            cases.append((rest.cond, rest.span))
        rest = rest.no
    return Chain(tuple(cases), (), rest.span if len(cases) > 1 else None)


def taken(chain: Chain) -> Iterator[tuple[Span, str]]:
    """The cases that those before them leave nothing, and why; the last one too, if it stands anywhere."""
    before: list[Expr] = []
    asked = _Asked()
    for cond, span in chain.cases:
        if any(cond == other for other in before):
            yield span, "the same condition stands before it"
        elif asked.all_of(cond):
            yield span, "cases before it take these values"
        before.append(cond)
        asked.add(cond)
    if chain.last is not None and asked.everything:
        yield chain.last, "cases before it take all values"


def leaves_nothing(chain: Chain) -> bool:
    """True if the cases of a chain take every value of what they ask for."""
    asked = _Asked()
    for cond, _ in chain.cases:
        asked.add(cond)
    return asked.everything


class _Asked:
    """The values that were asked for so far, by the expression that they are values of."""

    def __init__(self) -> None:
        self._of: list[Expr] = []
        self._values: list[set[Value]] = []

    @property
    def everything(self) -> bool:
        """True if one thing alone was asked for, and all its values."""
        return len(self._of) == 1 and _all(self._of[0].type) <= self._values[0]

    def all_of(self, cond: Expr) -> bool:
        """True if a condition asks for nothing that was not asked for."""
        tests = list(_tests(cond))
        return all(test is not None and test[1] <= self._known(test[0]) for test in tests)

    def add(self, cond: Expr) -> None:
        """Notes what a condition asks for."""
        for test in _tests(cond):
            if test is not None:
                self._known(test[0]).update(test[1])

    def _known(self, of: Expr) -> set[Value]:
        if of not in self._of:
            self._of.append(of)
            self._values.append(set())
        return self._values[self._of.index(of)]


def _tests(cond: Expr) -> Sequence[tuple[Expr, frozenset[Value]] | None]:
    return [_test(part) for part in (cond.parts if isinstance(cond, Or) else (cond,))]


def _test(cond: Expr) -> tuple[Expr, frozenset[Value]] | None:
    """The expression and the values of a test such as `card is GOAL` or `card is in {GOAL, NO}`."""
    match cond:
        case Op(op=Operator.EQ, args=(of, Const(value=value))) if not isinstance(of, Const):
            return of, frozenset((value,))
        case Op(op=Operator.IN, args=(of, Const(value=frozenset() as some))) if not isinstance(of, Const):
            return of, frozenset(some)
        case Op(op=Operator.IN, args=(of, Op(op=Operator.SET, args=members))) if not isinstance(of, Const):
            fixed = [one.value for one in members if isinstance(one, Const)]
            return (of, frozenset(fixed)) if len(fixed) == len(members) else None
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(cond)


def _all(kind: Type) -> frozenset[Value]:
    """Every value of a type; of a set more than there are."""
    match kind:
        case Bool():
            return frozenset((False, True))
        case Int(lo, hi) | Elem(_, lo, hi):
            return frozenset(range(lo, hi + 1))
        case Maybe(of):
            return frozenset((None, *range(of.lo, of.hi + 1)))
        case SetOf() | Many():
            return frozenset(("a set",))  # type: ignore[arg-type]
        case _:
            assert_never(kind)
