"""Sources that are a place with filters: which classes they let through, where that depends on the class alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias, assert_never
from weakref import WeakKeyDictionary

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
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
    Place,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Zone
from referee.game.state import Layout
from referee.smt.abstraction.class_groups import admitted
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.encoding.term_store import TermStore
from referee.smt.semantics.context import Context


@dataclass(frozen=True, slots=True)
class Filtered:
    """A place and what is asked of its components, one after the other."""

    place: Place
    filters: tuple[tuple[str, Expr], ...]


def one_asked_for(expr: Fold, found: Filtered) -> Expr | None:
    """What a fold that asks for one class alone asks for."""
    if found.filters or expr.kind not in (FoldKind.ANY, FoldKind.COUNT) or found.place.spot or found.place.end:
        return None
    conds = [c for c in (expr.where, expr.body) if c is not None]
    match conds:
        case [Op(op=Operator.EQ, args=(Local(name=name), other))] if name == expr.var:
            return None if expr.var in locals_of(other) or isinstance(other, Const) else other
        case [Op(op=Operator.EQ, args=(other, Local(name=name)))] if name == expr.var:
            return None if expr.var in locals_of(other) or isinstance(other, Const) else other
        case _:  # asks for something else, or for more: it is looked at member by member
            return None


def filters_of(source: Domainlike) -> Filtered | None:
    """A source that is a place with filters; None for any other."""
    match source:
        case Within():
            return Filtered(source.place, ())
        case Members(of=Where() as among):
            inner = filters_of(among.source)
            if inner is None:
                return None
            return Filtered(inner.place, (*inner.filters, *(((among.var, among.where),) if among.where else ())))
        case Numbers() | All() | Members():
            return None
        case _:
            assert_never(source)


def selected(layout: Layout, zone: Zone, filters: Iterable[tuple[str, Expr]]) -> frozenset[int] | None:
    """The classes that a zone admits and that pass filters; None if that depends on more than the class."""
    parts = tuple(filters)
    key = (zone.name, *((var, id(cond)) for var, cond in parts))
    known = _SELECTED.setdefault(layout, {}).get(key)
    if known is None:
        known = parts, _selected(layout, zone, parts)
        _SELECTED[layout][key] = known
    return known[1]


_Known: TypeAlias = tuple[tuple[tuple[str, Expr], ...], frozenset[int] | None]
_SELECTED: WeakKeyDictionary[Layout, dict[tuple[object, ...], _Known]] = WeakKeyDictionary()
"""What was selected before, by the names of filters and which expressions they are; these are kept, so that none other
takes their place."""


def _selected(layout: Layout, zone: Zone, filters: Iterable[tuple[str, Expr]]) -> frozenset[int] | None:
    found = admitted(layout.core, zone)
    for var, cond in filters:
        inside = static_mask(layout, cond, var, found)
        if inside is None:
            return None
        found = inside
    return found


def static_mask(layout: Layout, cond: Expr, var: str, among: frozenset[int]) -> frozenset[int] | None:
    """The classes for which a condition holds that depends on the class alone; None if it depends on more."""
    if not _static(cond, frozenset({var})):
        return None
    store, found = TermStore(layout, []), set()
    for c in among:
        context = Context(store, {var: c})
        holds = Evaluator(context)(cond)
        if not isinstance(holds, bool) or context.failures:
            return None
        if holds:
            found.add(c)
    return frozenset(found)


def _static(expr: Expr, names: frozenset[str]) -> bool:
    match expr:
        case Const():
            return True
        case Local():
            return expr.name in names
        case Look():
            return all(_static(k, names) for k in expr.keys)
        case Op():
            return all(_static(a, names) for a in expr.args)
        case And() | Or():
            return all(_static(p, names) for p in expr.parts)
        case If():
            return all(_static(p, names) for p in (expr.cond, expr.yes, expr.no))
        case Let():
            return _static(expr.value, names) and _static(expr.body, names | {expr.var})
        case Get() | At() | Fold() | Where() | Connected() | Split() | Only() | After():
            return False
        case _:
            assert_never(expr)
