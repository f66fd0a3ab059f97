"""Between which numbers a value surely lies: so that what is proved needs no test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

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
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.intervals import (
    HUGE,
    INTERVALS,
    TRUTH,
    WIDE,
    Bounds,
    fold,
    hull,
    most_members,
    of_type,
    of_value,
)
from referee.core.types import size
from referee.game.state import Layout

Known = Mapping[str, Bounds]
"""What is known of locals."""


class BoundProver:
    """Bounds of expressions. Variables in `doubtful` may hold anything."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.doubtful: set[str] = set()
        self._tables: dict[str, Bounds] = {}
        self._components = sum(one.number for one in layout.core.components)

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
                return INTERVALS.operate(expr, [self.value(arg, known) for arg in expr.args])
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
            case Connected(start, _, step):
                return hull((self.value(start, known), self.value(step, {**known, expr.here: WIDE})))
            case Split():
                return self.value(expr.body, {**known, expr.rest: self.value(expr.of, known)})
            case Let(var, value, body):
                return self.value(body, {**known, var: self.value(value, known)})
            case Only(of):
                found = self.value(of, known)
                return Bounds(found.lo, found.hi)
            case After(_, value, failing=failing):
                return hull(self.value(one, known) for one in (value, failing) if one is not None)
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
        member = self.members(expr.source, known)
        body = member if expr.body is None else self.value(expr.body, {**known, expr.var: member})
        empty = None if expr.empty is None else self.value(expr.empty, known)
        return fold(expr.kind, body, empty, self.most_of(expr.source, known))

    def most_of(self, source: Domainlike, known: Known) -> int:
        """No source has more members, alike ones counted each."""
        match source:
            case Numbers() | All():
                found = self.members(source, known)
                return min(max(found.hi - found.lo + 1, 0), HUGE)
            case Members(of):
                known_of = self.value(of, known)
                typed = of_type(of.type)  # what may hold anything may also hold more than its type says
                return most_members(of.type) if known_of.members_inside(typed.lo, typed.hi) else HUGE
            case Within(place):
                zone = self.layout.core.zones[place.zone]
                return size(zone.spots) if zone.spots is not None else min(zone.capacity, self._components)
            case _:
                assert_never(source)
