"""Claims about how much lies in some zones together: what is moved between these changes nothing about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.flow import Ask, Draw, Fork, Gather, Node, Rule, Run
from referee.core.read_write_sets import changes, places_of, writes
from referee.core.ruleset import Core
from referee.core.stmt import (
    Bind,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import statements
from referee.core.types import size
from referee.game.state import spread

MOST_MEMBERS = 64
"""A sum over more members is not taken apart into what is counted."""
_COMPARED = (Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE)
Terms = Counter[tuple[str, tuple[int, ...]]]
"""How often what lies in an instance of a zone is counted."""


def moved(source: str, to: str) -> str:
    """A name, which no variable or zone has, for that components are moved from one zone to another."""
    return f"{source}\n{to}"


def claim_changes(node: Node) -> frozenset[str]:
    """As `changes`; that something is moved from zone to zone stands for both."""
    match node:
        case Run(body):
            return frozenset(name for stmt in statements(body) for name in _changed(stmt))
        case Ask() | Draw() | Gather() | Fork() | Rule():
            return changes(node)
        case _:
            assert_never(node)


def _changed(stmt: Stmt) -> frozenset[str]:
    match stmt:
        case Move(_, _, source, to):
            return frozenset((moved(source.zone, to.zone),))
        case (Put() | Merge() | Swap() | Finish() | Bind() | Branch() | Each() | Repeat() | Decide() | Commit() |
              Chance() | Unspecified() | Call()):
            return writes(stmt)
        case _:
            assert_never(stmt)


def conserved(claim: Expr, core: Core) -> frozenset[str]:
    """The zones of which a claim only asks how much lies in all of them together, each counted once."""
    match claim:
        case Op(op, (one, other)) if op in _COMPARED:
            sides = one, other
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return frozenset()
        case _:
            assert_never(claim)
    for counted, beside in (sides, sides[::-1]):
        terms = _terms(counted, {})
        if terms is not None:
            once = {zone for zone, _ in terms if zone not in places_of(beside) and all(
                terms[zone, key] == 1 for key in spread(0, core.zones[zone].keys).keys())}
            return frozenset(once)
    return frozenset()


def _terms(expr: Expr, known: Mapping[str, int]) -> Terms | None:
    """What a sum counts; None if it is no sum of how much lies in zones."""
    match expr:
        case Const(int()):
            return Counter()
        case Op(Operator.ADD, parts):
            return _together([_terms(one, known) for one in parts])
        case Let(name, value, body):
            number = _number(value, known)
            return None if number is None else _terms(body, {**known, name: number})
        case Fold(FoldKind.COUNT, _, Within(Place(zone, keys, None, None)), None, None):
            found = [_number(key, known) for key in keys]
            return None if None in found else Counter([(zone, tuple(one for one in found if one is not None))])
        case Fold(FoldKind.SUM, name, All(of, None), None, body) if body is not None and size(of) <= MOST_MEMBERS:
            return _together([_terms(body, {**known, name: one}) for one in range(of.lo, of.hi + 1)])
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def _together(parts: list[Terms | None]) -> Terms | None:
    found: Terms = Counter()
    for one in parts:
        if one is None:
            return None
        found.update(one)
    return found


def _number(expr: Expr, known: Mapping[str, int]) -> int | None:
    """The number that an expression is, of locals that are known."""
    match expr:
        case Const(int() as value):
            return value
        case Local(name):
            return known.get(name)
        case (Const() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split() |
              Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)
