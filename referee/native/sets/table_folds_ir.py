"""Machine code for folds over what constant tables say, without going through the members.

They are the best of a set, and rows of which all, or some, of the members pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import assert_never

from llvmlite import ir

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
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
    Or,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.native.ir_writer import I32, I64, YES, word
from referee.native.native_scope import NativeCoding, Scope
from referee.native.sets.at_once_ir import (
    Asked,
    Universe,
    all_of,
    asked_of_each,
    passing,
    passing_at_once,
    some,
    universe_of,
)
from referee.native.sets.tabled_conditions import values_of
from referee.native.value_forms import Ssa

MOST_STEPS = 16
"""Of so many different values it is asked one after the other whether a member has it."""
MOST_ROWS_AT_ONCE = 32
"""Rows of one list that are tested side by side: a longer list is left to other ways."""
MOST_MASK_BYTES = 1 << 16
"""Bytes for the sets of all rows: if they take more, rows are not tested side by side."""
SIDE_BY_SIDE = 4
"""So many rows are tested at once at least."""


# --- the best of a set


def best_of_set(code: NativeCoding, expr: Fold, scope: Scope) -> tuple[Ssa, Ssa] | None:
    """Whether there is any member, and the least or greatest value of one if constants say what it is; None of what has
    to be gone through."""
    among = universe_of(code, expr.source)
    if among is None:
        return None
    values = list(range(among.lo, among.lo + among.width)) if expr.body is None else (
        values_of(code, expr.body, expr.var, among.lo, among.width))
    if values is None or not (_sorted(values) or _sorted(values[::-1]) or len(set(values)) <= MOST_STEPS):
        return None
    if expr.where is not None:
        few = passing_at_once(code, expr.source, expr.var, (expr.where,), scope)
        if few is None:
            return None
        bits = few.ssa
    else:
        bits = all_of(code, expr.source, among, scope)
    return some(code, bits), _best(code, values, bits, among, least=expr.kind is FoldKind.MIN)


def _sorted(values: Sequence[int]) -> bool:
    return all(one <= other for one, other in pairwise(values))


def _best(code: NativeCoding, values: list[int], bits: Ssa, among: Universe, *, least: bool) -> Ssa:
    out, kind = code.out, bits.type
    if _sorted(values) or _sorted(values[::-1]):
        lowest = _sorted(values) == least
        if lowest:
            at = out.at.cttz(bits, YES)
        else:
            at = out.at.sub(ir.Constant(kind, kind.width - 1), out.at.ctlz(bits, YES))
        at = out.resized(at, I64)
        if values == list(range(among.lo, among.lo + among.width)):
            return out.at.add(at, word(among.lo))
        held = code.constant(("values", tuple(values)), values, 64)
        at = out.at.select(some(code, bits), at, word(0))
        return out.at.load(out.at.gep(held, [at], source_etype=I64), typ=I64, align=8)
    found: Ssa = word(0)
    for value in sorted(set(values), reverse=least):
        alike = ir.Constant(kind, sum(1 << at for at, one in enumerate(values) if one == value))
        found = out.at.select(some(code, out.at.and_(bits, alike)), word(value), found)
    return found


# --- rows of which all, or some, pass


def searched_by_masks(code: NativeCoding, expr: Fold, scope: Scope) -> Ssa | None:
    """Whether any row, or every one, has all or some of its members passing: rows are constant sets, and all of them
    are tested side by side. None of other folds."""
    inner = _inner(expr)
    row_of = None if inner is None or expr.where is not None else _row_of(inner.source, expr.var)
    if inner is None or row_of is None:
        return None
    cells = universe_of(code, inner.source)
    rows = None if cells is None or cells.width > 64 else _rows(code, expr.source)
    if rows is None or cells is None or expr.var in locals_of((inner.where, inner.body)):
        return None
    of_none = (expr.kind is FoldKind.ANY) == (inner.kind is FoldKind.ALL)  # a row decides if none of its cells is asked
    lists, index_of = rows
    most = -(-max(map(len, lists), default=1) // SIDE_BY_SIDE) * SIDE_BY_SIDE
    if not 0 < most <= MOST_ROWS_AT_ONCE or len(lists) * most * 8 > MOST_MASK_BYTES or (of_none and cells.width > 63):
        return None
    asked = _asked(code, inner, cells, scope)
    masks = values_by_row(code, row_of, cells)
    if asked is None or masks is None or any(row not in masks for one in lists for row in one):
        return None
    top = 1 << 63 if of_none else 0
    held = [masks[row] if row is not None else top for one in lists
            for row in (*one, *[None] * (most - len(one)))]
    return _tested(code, held, most, _cells(code, asked, inner, cells, scope), top, _index(code, index_of, scope),
                   found=expr.kind is FoldKind.ANY, of_none=of_none)


def _inner(expr: Fold) -> Fold | None:
    """The search among the members of a row."""
    match expr.body:
        case Fold() as inner:
            return inner if inner.kind in (FoldKind.ANY, FoldKind.ALL) and (
                inner.where is not None or inner.body is not None) else None
        case None:
            return None
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Where() | Connected() | Split()
              | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr.body)


def _row_of(source: Domainlike, var: str) -> Look | None:
    """The entry of a table for a member, if that is what is gone through."""
    match source:
        case Members(Look(_, (Local(name),)) as look):
            return look if name == var else None
        case Members() | All() | Numbers() | Within():
            return None
        case _:
            assert_never(source)


def _rows(code: NativeCoding, source: Domainlike) -> tuple[list[list[int]], Look | None] | None:
    """The rows that a source may go through: one list for each entry of a table, or one in all."""
    match source:
        case All(of):
            return [list(range(of.lo, of.hi + 1))], None
        case Members(Look() as look):
            values = code.layout.tables[look.table][1].values
            if any(not isinstance(value, frozenset) for value in values):
                return None
            return [sorted(value) for value in values if isinstance(value, frozenset)], look
        case Members() | Numbers() | Within():
            return None
        case _:
            assert_never(source)


def values_by_row(code: NativeCoding, of: Look, cells: Universe) -> dict[int, int] | None:
    """The set that a table has for each row, as bits."""
    entries, table = code.layout.tables[of.table]
    low = entries.lows[0]
    found = dict[int, int]()
    for at, value in enumerate(table.values):
        if not isinstance(value, frozenset):
            return None
        found[low + at] = sum(1 << one - cells.lo for one in value)
    return found


def _asked(code: NativeCoding, inner: Fold, cells: Universe, scope: Scope) -> list[Asked] | None:
    found = [asked_of_each(code, cond, inner.var, cells, scope) for cond in (inner.where, inner.body)
             if cond is not None]
    return None if None in found else [one for one in found if one is not None]


def _cells(code: NativeCoding, asked: Sequence[Asked], inner: Fold, cells: Universe, scope: Scope) -> Ssa:
    """The cells of which one makes a row pass, or (`all`) fail."""
    out = code.out
    found = [passing(code, one, cells, scope) for one in asked]
    if inner.kind is FoldKind.ALL:
        found[-1] = out.at.not_(found[-1])
    bits = found[0]
    for further in found[1:]:
        bits = out.at.and_(bits, further)
    return out.resized(bits, I64)


def _index(code: NativeCoding, look: Look | None, scope: Scope) -> Ssa:
    return word(0) if look is None else code.entry_of(look, scope)


def _tested(code: NativeCoding, held: list[int], most: int, bits: Ssa, top: int, index: Ssa, *, found: bool,
            of_none: bool) -> Ssa:
    out, lanes = code.out, ir.VectorType(I64, most)
    masks = code.constant(("masks", most, tuple(held)), held, 64)
    rows = out.at.load(out.at.gep(masks, [out.at.mul(index, word(most))], source_etype=I64), typ=lanes, align=8)
    alike = out.at.insert_element(ir.Constant(lanes, ir.Undefined), out.at.or_(bits, ir.Constant(I64, top)),
                                  ir.Constant(I32, 0))
    alike = out.at.shuffle_vector(alike, alike, ir.Constant(ir.VectorType(I32, most), [0] * most))
    met = out.at.icmp_unsigned("==" if of_none else "!=", out.at.and_(rows, alike), ir.Constant(lanes, [0] * most))
    decided = out.at.bitcast(met, ir.IntType(most))
    return out.at.icmp_unsigned("!=" if found else "==", decided, ir.Constant(ir.IntType(most), 0))


