"""Machine code for what is made of the members of a source: any, all, numbers, sums, the best, those that pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from llvmlite import ir

from referee.core.expr import (
    All,
    And,
    Connected,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Members,
    Numbers,
    Op,
    Operator,
    Where,
    Within,
)
from referee.core.intervals import Bounds
from referee.core.types import Bool
from referee.native.ir_writer import I1, I64, NO, YES, word
from referee.native.member_ir import each
from referee.native.native_scope import NativeCoding, NativeName, Scope, known
from referee.native.operator_ir import number, outside
from referee.native.sets.at_once_ir import all_of, first_at_once, passing_at_once, some, universe_of
from referee.native.sets.table_folds_ir import best_of_set, searched_by_masks
from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Ssa, Truth, universe, word_bits


def fold(code: NativeCoding, expr: Fold, scope: Scope) -> Form:
    """The value of a fold."""
    match expr.kind:
        case FoldKind.ANY:
            return _search(code, expr, scope, found=True)
        case FoldKind.ALL:
            return _search(code, expr, scope, found=False)
        case FoldKind.COUNT | FoldKind.SUM:
            return _total(code, expr, scope)
        case FoldKind.MIN | FoldKind.MAX:
            return _best(code, expr, scope)
        case _:
            assert_never(expr.kind)


def _passing(code: NativeCoding, expr: Fold | Where, scope: Scope, use: Callable[[Ssa, Scope, Ssa], None], *,
             ordered: bool) -> None:
    """Uses each member that passes: its number, the scope with it, and the block behind the loop."""
    bounds = code.prover.members(expr.source, known(scope))
    few, rest = None, list[Expr]()
    if expr.where is not None and _ascending(expr.source):
        few, rest = first_at_once(code, expr.source, expr.var, (expr.where,), scope)
    if few is not None:
        with code.out.members_of(few.ssa, few.lo) as (member, behind_all):
            inner = {**scope, expr.var: NativeName(NumberForm(member), bounds)}
            if not rest:
                use(member, inner, behind_all)
            else:
                with code.out.only_if(code.truth(And(tuple(rest)), inner)):
                    use(member, inner, behind_all)
        return

    def one(member: Ssa, behind: Ssa) -> None:
        inner = {**scope, expr.var: NativeName(NumberForm(member), bounds)}
        if expr.where is None:
            use(member, inner, behind)
            return
        with code.out.only_if(code.truth(expr.where, inner)):
            use(member, inner, behind)

    each(code, expr.source, scope, one, ordered=ordered)


def _ascending(source: Domainlike) -> bool:
    """Whether members are gone through from the lowest on."""
    match source:
        case Numbers(down=down):
            return not down
        case All(_, first, down) | Members(_, first, down):
            return first is None and not down
        case Within():
            return True
        case _:
            assert_never(source)


def _number_of(code: NativeCoding, source: Domainlike, scope: Scope) -> Ssa | None:
    """How many components there are in all that lies in a place, or members in a set; None of another source."""
    match source:
        case Within(place):
            return code.lying(place, scope).number() if place.spot is None and place.end is None else None
        case Members() | All():
            among = universe_of(code, source)
            return None if among is None else code.out.size_of(all_of(code, source, among, scope))
        case Numbers():
            return None
        case _:
            assert_never(source)


def _search(code: NativeCoding, expr: Fold, scope: Scope, *, found: bool) -> Form:
    """Stops at the first member that decides. Where the members lie in another order an error is left to others: a
    member that decides may come before the one in error."""
    out = code.out
    answer = out.local(I1, NO if found else YES)
    if not found and expr.body is None and expr.where is None:
        return Truth(YES)

    def use(member: Ssa, inner: Scope, behind: Ssa) -> None:
        if found:
            decides = YES if expr.body is None else code.truth(expr.body, inner)
        else:
            decides = NO if expr.body is None else code.truth(expr.body, inner)
            decides = out.at.not_(decides)
        with out.only_if(decides):
            out.at.store(YES if found else NO, answer)
            out.at.branch(behind)

    if not found and expr.body is None:  # all that are there pass
        expr = Fold(expr.kind, expr.var, expr.source, None, expr.where, expr.type, expr.empty, expr.span)
    decisive = _decisive(expr, found=found)
    rows = searched_by_masks(code, expr, scope)
    if rows is not None:
        return Truth(rows)
    whole = not _ascending(expr.source)
    few, rest = first_at_once(code, expr.source, expr.var, decisive, scope, whole=whole) if decisive else (None, [])
    if few is not None and not rest:
        return Truth(some(code, few.ssa) if found else out.at.not_(some(code, few.ssa)))
    if few is not None:
        bounds = code.prover.members(expr.source, known(scope))
        with out.members_of(few.ssa, few.lo) as (member, behind_all):
            inner = {**scope, expr.var: NativeName(NumberForm(member), bounds)}
            with out.only_if(code.truth(And(tuple(rest)), inner)):
                out.at.store(YES if found else NO, answer)
                out.at.branch(behind_all)
        return Truth(out.at.load(answer, typ=I1))
    with out.failing_to(out.failing if _in_order(code, expr.source) else out.leaving):
        _passing(code, expr, scope, use, ordered=False)
    return Truth(out.at.load(answer, typ=I1))


def _decisive(expr: Fold, *, found: bool) -> tuple[Expr, ...]:
    """What holds of a member that decides."""
    conds = () if expr.where is None else (expr.where,)
    if expr.body is None:
        return conds
    return (*conds, expr.body if found else Op(Operator.NOT, (expr.body,), Bool()))


def _in_order(code: NativeCoding, source: Domainlike) -> bool:
    """Whether members are gone through in their order even where that is not asked for."""
    match source:
        case Numbers() | All() | Members():
            return True
        case Within(place):
            return not (code.layout.core.zones[place.zone].form.on_spots
                        or code.layout.core.zones[place.zone].form.in_blocks)
        case _:
            assert_never(source)


def _total(code: NativeCoding, expr: Fold, scope: Scope) -> Form:
    """The sum of the bodies, or how many members there are."""
    out, bounds = code.out, code.prover.value(expr, known(scope))
    kind = ir.IntType(word_bits(bounds.lo, bounds.hi))
    if expr.kind is FoldKind.COUNT and expr.where is None:
        number_of = _number_of(code, expr.source, scope)
        if number_of is not None:
            return NumberForm(out.signed(number_of, kind.width))
    if expr.kind is FoldKind.COUNT and expr.where is not None:
        few = passing_at_once(code, expr.source, expr.var, (expr.where,), scope)
        if few is not None:
            return NumberForm(out.resized(out.size_of(few.ssa), kind))
    total = out.local(kind, ir.Constant(kind, 0))

    def use(member: Ssa, inner: Scope, behind: Ssa) -> None:
        if expr.kind is FoldKind.COUNT:
            value = word(1)
        else:
            value = member if expr.body is None else number(out, code.value(expr.body, inner))
        out.at.store(out.at.add(out.at.load(total, typ=kind), out.signed(value, kind.width)), total)

    _passing(code, expr, scope, use, ordered=False)
    return NumberForm(out.at.load(total, typ=kind))


def _best(code: NativeCoding, expr: Fold, scope: Scope) -> Form:
    out, bounds = code.out, code.prover.value(expr, known(scope))
    kind = ir.IntType(word_bits(bounds.lo, bounds.hi))
    quick = best_of_set(code, expr, scope)
    if quick is not None:
        found, ssa = quick
        return _or_empty(code, expr, found, NumberForm(out.signed(ssa, kind.width)), scope)
    best, any_ = out.local(kind, ir.Constant(kind, 0)), out.local(I1, NO)
    sign = "<" if expr.kind is FoldKind.MIN else ">"

    def use(member: Ssa, inner: Scope, behind: Ssa) -> None:
        value = member if expr.body is None else number(out, code.value(expr.body, inner))
        value = out.signed(value, kind.width)
        first = out.at.not_(out.at.load(any_, typ=I1))
        better = out.at.or_(first, out.at.icmp_signed(sign, value, out.at.load(best, typ=kind)))
        out.at.store(out.at.select(better, value, out.at.load(best, typ=kind)), best)
        out.at.store(YES, any_)

    _passing(code, expr, scope, use, ordered=False)
    found = out.at.load(any_, typ=I1)
    return _or_empty(code, expr, found, NumberForm(out.at.load(best, typ=kind)), scope)


def _or_empty(code: NativeCoding, expr: Fold, found: Ssa, best: NumberForm, scope: Scope) -> Form:
    """The best if there was any; else what stands for nothing, or an error."""
    out, empty = code.out, expr.empty
    if empty is None:
        out.refuse_if(out.at.not_(found))
        return best
    return out.either(found, lambda: best, lambda: NumberForm(number(out, code.value(empty, scope))))


def filtered(code: NativeCoding, expr: Where, scope: Scope) -> Form:
    """The set of the members that pass."""
    out = code.out
    lo, width = universe(expr.type.of)
    few = None if expr.where is None else passing_at_once(code, expr.source, expr.var, (expr.where,), scope)
    if few is not None and lo <= few.lo and few.lo + few.width <= lo + width:
        return few
    kind = ir.IntType(width)
    bits = out.local(kind, ir.Constant(kind, 0))
    bounds = code.prover.members(expr.source, known(scope))
    sure = bounds.members_inside(lo, lo + width - 1)

    def use(member: Ssa, inner: Scope, behind: Ssa) -> None:
        if not sure:
            out.leave_if(outside(out, member, lo, width))
        out.at.store(out.at.or_(out.at.load(bits, typ=kind), out.bit_of(member, lo, width)), bits)

    _passing(code, expr, scope, use, ordered=False)
    return SetForm(out.at.load(bits, typ=kind), lo, width)


def connected(code: NativeCoding, expr: Connected, scope: Scope) -> Form:
    """What steps lead to from a member: those that were met, and of these those whose steps are still to be taken."""
    out = code.out
    lo, width = universe(expr.type.of)
    kind = ir.IntType(width)
    start = code.number(expr.start, scope)
    out.leave_if(outside(out, start, lo, width))
    first = out.bit_of(start, lo, width)
    found, met, todo = out.local(kind, first), out.local(kind, first), out.local(kind, first)
    bounds = Bounds(lo, lo + width - 1)
    head, inside, behind = out.block(), out.block(), out.block()
    out.go(head)
    out.begin(head)
    now = out.at.load(todo, typ=kind)
    out.at.cbranch(out.at.icmp_unsigned("!=", now, ir.Constant(kind, 0)), inside, behind)
    out.begin(inside)
    here = out.at.add(out.resized(out.at.cttz(now, YES), I64), word(lo))
    out.at.store(out.at.and_(now, out.at.sub(now, ir.Constant(kind, 1))), todo)
    with out.failing_to(out.leaving):  # they are met in another order
        steps = code.value(expr.step, {**scope, expr.here: NativeName(NumberForm(here), bounds)})
        if not isinstance(steps, SetForm):
            raise NotNative("steps to what is no set")
        new = out.at.and_(out.narrowed(steps, lo, width), out.at.not_(out.at.load(met, typ=kind)))
        out.at.store(out.at.or_(out.at.load(met, typ=kind), new), met)
        if expr.where is None:
            for held in (found, todo):
                out.at.store(out.at.or_(out.at.load(held, typ=kind), new), held)
        else:
            with out.members_of(new, lo) as (member, _):
                inner = {**scope, expr.var: NativeName(NumberForm(member), bounds)}
                with out.only_if(code.truth(expr.where, inner)):
                    bit = out.bit_of(member, lo, width)
                    for held in (found, todo):
                        out.at.store(out.at.or_(out.at.load(held, typ=kind), bit), held)
    out.go(head)
    out.begin(behind)
    return SetForm(out.at.load(found, typ=kind), lo, width)
