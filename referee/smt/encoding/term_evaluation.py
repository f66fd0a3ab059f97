"""Expressions as terms where it is kept what lies in each zone, each case as in the reference engine."""

from __future__ import annotations

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
from referee.core.ruleset import Form
from referee.smt import term
from referee.smt.encoding import content
from referee.smt.encoding.content import LineContent, Pile, Slots
from referee.smt.semantics.connected_terms import Web, exactly
from referee.smt.semantics.context import RANGE
from referee.smt.semantics.expression_semantics import Interpreter, Member
from referee.smt.semantics.term_position import Contents
from referee.smt.term import Cond
from referee.smt.value import Counts, Opt, Sym, Unencodable, merge


class Evaluator(Interpreter[Contents]):
    """Turns expressions into terms; keys and members are what they are known to be in the context."""

    def __call__(self, expr: Expr) -> Sym:
        match expr:
            case Const():
                return self.const(expr)
            case Local():
                return self.local(expr)
            case Get():
                return self.get(expr)
            case Look():
                return self.look(expr)
            case Op():
                return self.operated(expr)
            case And():
                return self.joined(expr.parts, True)
            case Or():
                return self.joined(expr.parts, False)
            case If():
                return self.chosen(expr)
            case At():
                return self._at(expr)
            case Fold():
                return self.folded(expr)
            case Where():
                return self.filtered(expr)
            case Connected():
                return self.connected(expr)
            case Split():
                return self.split(expr)
            case Let():
                return self.named(expr)
            case Only():
                return self.single(expr)
            case After():
                return self.after(expr)
            case _:
                assert_never(expr)

    def members(self, source: Domainlike, once: bool) -> list[Member]:
        known = self.context.known
        known.check()
        match source:
            case Numbers() | All() | Members():
                found = self.listed(source)
            case Within():
                found = self._within(source, once)
            case _:
                assert_never(source)
        return [Member(m.there, known.number(m.value), m.number) for m in found if known.cond(m.there) is not False]

    def reached(self, web: Web) -> dict[int, Cond]:
        return exactly(web)

    def unseen(self, node: object) -> Cond:
        return False

    def _at(self, expr: At) -> Sym:
        core = self.context.store.layout.core
        zone = core.zones[expr.place.zone]
        there, inside = self.context.store.zone(zone, [self.key(k) for k in expr.place.keys])
        self.context.fail(term.no(inside), RANGE, expr.span)
        spot = self.key(expr.spot) - (zone.spots.lo if zone.spots is not None else 0)
        match there:
            case Slots(spots):
                if isinstance(spot, int) and 0 <= spot < len(spots):
                    return spots[spot]
                known = term.disj(term.equal(spot, i) for i in range(len(spots)))
                self.context.fail(term.no(known), RANGE, expr.span)
                cases = [(term.equal(spot, i), one) for i, one in enumerate(spots)]
            case LineContent(items, length):
                cases = [(term.equal(spot, i), Opt(term.less(i, length), one)) for i, one in enumerate(items)]
            case Counts() | Pile():
                raise Unencodable(f"{zone.name} has no positions")
            case _:
                assert_never(there)
        found: Sym = Opt(False, expr.type.of.lo)
        for cond, one in reversed(cases):
            found = merge(cond, one, found)
        return found

    def _within(self, source: Within, once: bool) -> list[Member]:
        place = source.place
        core = self.context.store.layout.core
        zone = core.zones[place.zone]
        here, inside = self.context.store.zone(zone, [self.key(k) for k in place.keys])
        there = self.context.known.content(here)
        self.context.fail(term.no(inside), RANGE, place.span)
        lo, hi = content.classes(core, zone)
        if place.spot is not None:
            spot = self.key(place.spot) - (zone.spots.lo if zone.spots is not None else 0)
            if isinstance(there, LineContent):
                return [Member(term.both(term.equal(spot, i), term.less(i, there.length)), item)
                        for i, item in enumerate(there.items)]
            assert isinstance(there, Slots)
            return [Member(term.both(term.equal(spot, i), one.has), one.value) for i, one in enumerate(there.spots)]
        if isinstance(there, LineContent) and zone.form is Form.LINE and place.end is None:
            return [Member(term.less(i, there.length), item) for i, item in enumerate(there.items)]
        return self.counted(content.held(there, lo, hi, place.end), once)
