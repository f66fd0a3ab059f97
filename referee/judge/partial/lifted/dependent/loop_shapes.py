"""Loops that do the same with each of several components: what of them can be done at once."""

from __future__ import annotations

from dataclasses import dataclass
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
    Place,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of, reads
from referee.core.ruleset import Form
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
from referee.game.state import Layout


@dataclass(frozen=True, slots=True)
class MovingLoop:
    """A loop that moves each of some components, one by one, if a condition holds for it."""

    kinds: Where
    cond: Expr | None
    move: Move


def one_by_one(stmt: Each, layout: Layout) -> MovingLoop | None:
    """A loop over what lies in a bag, ascending, that only moves each to an end of a pile or line, or into a bag; none
    of which hangs on what was moved before."""
    found = _moved(stmt.body[0]) if len(stmt.body) == 1 else None
    kinds = _ascending(stmt.source)
    if found is None or kinds is None:
        return None
    cond, move = found
    to, source, zones, place = move.to, move.source, layout.core.zones, _place(kinds.source)
    if move.what != Local(stmt.var, move.what.type) or move.number is not None or to.spot is not None:
        return None
    if place is None or place.spot is not None or zones[place.zone].form is not Form.BAG:
        return None
    if zones[source.zone].form is not Form.BAG or zones[to.zone].form is Form.SLOTS or to.zone == source.zone:
        return None
    if stmt.var in locals_of((to.keys, source.keys)) or reads((cond, to.keys, source.keys)) & {to.zone, source.zone}:
        return None
    return MovingLoop(kinds, cond, move)


def _moved(stmt: Stmt) -> tuple[Expr | None, Move] | None:
    """A move, and the condition that it stands under alone."""
    match stmt:
        case Move():
            return None, stmt
        case Branch(cond, yes, no):
            inner = _moved(yes[0]) if len(yes) == 1 and not no else None
            return None if inner is None or inner[0] is not None else (cond, inner[1])
        case (Put() | Merge() | Swap() | Bind() | Each() | Repeat() | Decide() | Commit() | Chance() | Unspecified()
              | Finish() | Call()):
            return None
        case _:
            assert_never(stmt)


def _ascending(source: Domainlike) -> Where | None:
    """The set that is gone through from the least on; None if it is anything else."""
    match source:
        case Members(of, first, down):
            return None if down or (first is not None and first != Const(0, first.type)) else _filter(of)
        case Numbers() | All() | Within():
            return None
        case _:
            assert_never(source)


def _filter(expr: Expr) -> Where | None:
    match expr:
        case Where():
            return expr
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Connected() | Split()
              | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def _place(source: Domainlike) -> Place | None:
    match source:
        case Within(place):
            return place
        case Members() | Numbers() | All():
            return None
        case _:
            assert_never(source)
