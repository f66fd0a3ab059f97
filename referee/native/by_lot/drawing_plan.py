"""Plans how a way is drawn so that every way comes up alike.

The plan says below which number a member of each source is drawn, and which guards are asked of all its members at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
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
from referee.core.flow import Alternative
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Param
from referee.core.types import Elem, Int, size
from referee.interpreter.offers import guards_by_stage
from referee.native.expression_ir import NativeCoder
from referee.native.native_scope import Scope
from referee.native.sets.at_once_ir import Asked, Universe, asked_of_each, table_sets, universe_of

ONE_WORD = 64
"""Sets of so many members are one word."""
FEW_TRIES, MORE_TRIES, MANY_WAYS = 24, 150, 256
"""So often a way is tried, and so often where more are drawn from."""
MOST_PAIRS = 1 << 16
"""So many pairs of a row and of what a guard leaves of it are looked at."""


@dataclass(frozen=True, slots=True)
class DrawnParam:
    """Of one parameter. `below`: a number that no source is larger than whatever came before, None where nothing that
    came before has to do with it: then its members are counted. `most`: so many there are at most. `whole`: every value
    of a type, each alike. `asked`: of all members at once; `tested`: of the one that was drawn."""

    below: int | None
    most: int
    whole: Elem | Int | None
    asked: tuple[Asked, ...]
    tested: tuple[Expr, ...]


def drawing_plan(code: NativeCoder, one: Alternative, scope: Scope) -> list[DrawnParam] | None:
    """Of each parameter of an alternative; None if it cannot be said that every way comes up alike. `scope`: its names,
    whatever their values are."""
    plan, before = list[DrawnParam](), set[str]()
    guards = guards_by_stage(one)
    for index, param in enumerate(one.params):
        drawn = _drawn(code, param, [guard.cond for guard in guards[index + 1]], before, scope)
        if drawn is None:
            return None
        plan.append(drawn)
        before.add(param.name)
    return plan


def _drawn(code: NativeCoder, param: Param, conds: Sequence[Expr], before: set[str], scope: Scope) -> DrawnParam | None:
    if param.count is not None:
        return None
    among = universe_of(code, param.source)
    free, row = not locals_of(param.source) & before, 0
    match param.source:
        case Numbers():
            return None
        case All(of):
            if among is None:
                return DrawnParam(size(of), size(of), of, (), tuple(conds))
            free = True
        case Members(of):
            row = 0 if free else _longest_row(code, of)
            if among is None or (not row and not free):
                return None
        case Within():
            if among is None or not free:
                return None
        case _:
            assert_never(param.source)
    asked, tested = list[Asked](), list[Expr]()
    for cond in conds:
        found = asked_of_each(code, cond, param.name, among, scope)
        if found is None or not _worth(found, cond, among, before, free=free):
            tested.append(cond)
        else:
            asked.append(found)
    if not free:
        bound = _bound(code, param.source, asked, row)
        return DrawnParam(bound, bound, None, tuple(asked), tuple(tested))
    if isinstance(param.source, All) and not asked:
        whole = param.source.of
        return DrawnParam(size(whole), size(whole), whole, (), tuple(tested))
    return DrawnParam(None, among.width, None, tuple(asked), tuple(tested))


def tries(plans: Sequence[Sequence[DrawnParam]]) -> int:
    """So often a way is tried before all are listed: oftener where that is long."""
    ways = sum(prod(drawn.most for drawn in plan) for plan in plans)
    return FEW_TRIES if ways <= MANY_WAYS else MORE_TRIES


def _worth(found: Asked, cond: Expr, among: Universe, before: set[str], *, free: bool) -> bool:
    """Whether it pays to ask all members: of what is counted before one is drawn, what is drawn from gets smaller; of
    others one test is better than several if a set is one word, and what constants leave bounds what is drawn from."""
    if free:
        return not locals_of(cond) & before
    return among.width <= ONE_WORD or table_sets(found) is not None


def _bound(code: NativeCoder, source: Domainlike, asked: Sequence[Asked], row: int) -> int:
    """A number that no source is larger than, of which constants leave only a part."""
    match source:
        case Members(Look(table)):
            among = universe_of(code, source)
        case Members() | All() | Numbers() | Within():
            return row
        case _:
            assert_never(source)
    assert among is not None
    rows = {_bits(value, among) for value in code.layout.tables[table][1].values}
    for one in asked:
        sets = table_sets(one)
        if sets is None or len(rows) * len(set(sets)) > MOST_PAIRS:
            continue
        rows = {bits & other for bits in rows for other in set(sets)}
    return max(1, *[bits.bit_count() for bits in rows])


def _bits(value: object, among: Universe) -> int:
    assert isinstance(value, frozenset)
    return sum(1 << one - among.lo for one in value)


def _longest_row(code: NativeCoder, of: Expr) -> int:
    """How many members a row of a table has at most; 0 of what is no row of a table."""
    match of:
        case Look(table):
            return max(map(len, code.layout.tables[table][1].values), default=0)  # type: ignore[arg-type]
        case (Const() | Local() | Get() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return 0
        case _:
            assert_never(of)


