"""Machine code for what can be gone through: loops over its members, and whether something is one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from llvmlite import ir

from referee.core.expr import All, Domainlike, End, Expr, Members, Numbers, Within
from referee.core.ruleset import Form as ZoneForm
from referee.core.types import size
from referee.native.ir_writer import I16, I64, word
from referee.native.native_scope import NativeCoding, Scope
from referee.native.operator_ir import is_member, outside
from referee.native.value_forms import NotNative, SetForm, Several, Ssa
from referee.native.zones.zone_ir import Body, LyingIr
from referee.native.zones.zone_layout import AsBits, AsCounts, AsList, InBlocks, OnSpots, ZoneLayout


def each(code: NativeCoding, source: Domainlike, scope: Scope, body: Body, *, ordered: bool = True,
         once: bool = False) -> None:
    """A loop over the members of a source. `ordered`: in their order, however they lie; `once`: alike ones once."""
    match source:
        case Numbers(lo, hi, down):
            _numbers(code, code.number(lo, scope), code.number(hi, scope), body, down=down)
        case All(of, first, down):
            if first is None:
                _numbers(code, word(of.lo), word(of.hi), body, down=down)
            else:
                _seats(code, of.lo, size(of), code.number(first, scope), body, down=down)
        case Members(of, first, down):
            _members(code, code.value(of, scope), None if first is None else first, scope, body, down=down, once=once)
        case Within():
            zone = code.layout.core.zones[source.place.zone]
            if not code.memory.listed(zone.name) and code.lying(source.place, scope).each(
                    body, once=once, kept=ordered):
                return
            if not ordered and source.place.spot is None and source.place.end is None and not once:
                _lying(code, source, scope, body)
            else:
                found = taken_up(code, source, scope, ordered=ordered or once)
                items(code, found, body, once=once, sorted_=not zone.form.by_position)
        case _:
            assert_never(source)


def _numbers(code: NativeCoding, lo: Ssa, hi: Ssa, body: Body, *, down: bool) -> None:
    out = code.out
    with out.counting(out.at.add(out.at.sub(hi, lo), word(1))) as (index, behind):
        body(out.at.sub(hi, index) if down else out.at.add(lo, index), behind)


def _seats(code: NativeCoding, lo: int, number: int, first: Ssa, body: Body, *, down: bool) -> None:
    """Round from one on; from the end if that one is none of them."""
    out = code.out
    start = out.at.sub(first, word(lo))
    start = out.at.select(outside(out, first, lo, number), word(number - 1 if down else 0), start)
    with out.counting(word(number)) as (index, behind):
        at = out.at.add(out.at.sub(start, index), word(number)) if down else out.at.add(start, index)
        at = out.at.select(out.at.icmp_signed(">=", at, word(number)), out.at.sub(at, word(number)), at)
        body(out.at.add(at, word(lo)), behind)


def _members(code: NativeCoding, of: object, first: Expr | None, scope: Scope, body: Body, *, down: bool,
             once: bool) -> None:
    out = code.out
    if isinstance(of, Several):
        if first is not None:
            raise NotNative("going round a multiset")
        items(code, of, body, once=once, sorted_=True, down=down)
        return
    if not isinstance(of, SetForm):
        raise NotNative("the members of what is no set")
    if first is None:
        with out.members_of(of.ssa, of.lo, down=down) as (member, behind):
            body(member, behind)
        return
    kind = ir.IntType(of.width)
    at = out.at.sub(code.number(first, scope), word(of.lo + (-1 if down else 0)))  # so many stand before (down: up to)
    at = out.at.select(out.at.icmp_signed("<", at, word(0)), word(0), at)
    wide = ir.IntType(of.width + 64)
    at = out.at.select(out.at.icmp_signed(">", at, word(of.width)), word(of.width), at)
    mask = out.at.trunc(out.at.sub(out.at.shl(ir.Constant(wide, 1), out.resized(at, wide)), ir.Constant(wide, 1)), kind)
    before, after = out.at.and_(of.ssa, mask), out.at.and_(of.ssa, out.at.not_(mask))
    one, other = (before, after) if down else (after, before)
    behind = out.block()
    now, rest = out.local(kind, one), out.local(I64, word(0))
    again, check, turn = out.block(), out.block(), out.block()
    out.go(again)
    out.begin(again)
    with out.members_of(out.at.load(now, typ=kind), of.lo, down=down) as (member, _):
        body(member, behind)
    out.go(check)
    out.begin(check)
    out.at.cbranch(out.at.icmp_signed("==", out.at.load(rest, typ=I64), word(0)), turn, behind)
    out.begin(turn)
    out.at.store(word(1), rest)
    out.at.store(other, now)
    out.at.branch(again)
    out.begin(behind)


def items(code: NativeCoding, found: Several, body: Body, *, once: bool, sorted_: bool, down: bool = False) -> None:
    """A loop over a list; `once`: what came already is passed over, which in a sorted one is the item before."""
    out = code.out
    with out.counting(found.count) as (index, behind):
        place = out.at.sub(out.at.sub(found.count, word(1)), index) if down else index
        member = out.load_word(found.items, place)
        if not once:
            body(member, behind)
            return
        if sorted_ and not down:
            before = out.at.select(out.at.icmp_signed("==", index, word(0)), word(0), out.at.sub(index, word(1)))
            new = out.at.or_(out.at.icmp_signed("==", index, word(0)),
                             out.at.icmp_signed("!=", out.load_word(found.items, before), member))
        elif not down:
            new = out.at.icmp_signed("==", out.call("how_often", found.items, index, member), word(0))
        else:
            raise NotNative("a multiset gone through backwards, once each")
        with out.only_if(new):
            body(member, behind)


def _lying(code: NativeCoding, source: Within, scope: Scope, body: Body) -> None:
    """The components of a whole zone instance as they lie; of a bag that is a list, too."""
    out, found = code.out, code.lying(source.place, scope)
    words, form = found.words, found.form
    match form:
        case AsList():
            with out.counting(out.load_word(words, word(0))) as (index, behind):
                body(out.load_word(words, out.at.add(index, word(1))), behind)
        case OnSpots(number):
            with out.counting(word(number)) as (index, behind):
                member = out.load_word(words, index)
                with out.only_if(out.at.icmp_signed(">=", member, word(0))):
                    body(member, behind)
        case InBlocks(most):
            with out.counting(out.load_word(words, word(0))) as (index, behind):
                body(out.load_word(words, out.at.add(index, word(2 + most))), behind)
        case AsCounts() | AsBits():
            found.each(body, once=False, kept=False)
        case _:
            assert_never(form)


def taken_up(code: NativeCoding, source: Within, scope: Scope, *, ordered: bool) -> Several:
    """The components in a place on a list of their own, which stays as it is when they are moved."""
    out, place = code.out, source.place
    there, zone = code.lying(place, scope), code.layout.core.zones[place.zone]
    words, form = there.words, there.form
    most = most_lying(form, code.memory.capacities[zone.name])
    copy, number = out.local(I16, number=most), out.local(I64)
    out.at.store(word(0), number)

    def put(member: Ssa) -> None:
        so_far = out.at.load(number, typ=I64)
        out.store_word(member, copy, so_far)
        out.at.store(out.at.add(so_far, word(1)), number)

    if place.spot is not None:
        one = lying_at(there, code.spot(place, zone, scope))
        with out.only_if(out.at.icmp_signed(">=", one, word(0))):
            put(one)
        return Several(copy, out.at.load(number, typ=I64), most)
    end, sort = place.end, ordered
    match form:
        case AsCounts() | AsBits():
            there.each(lambda member, behind: put(member), once=False, kept=False)
            sort = False
        case AsList():
            whole = out.load_word(words, word(0))
            single = out.at.select(out.at.icmp_signed(">", whole, word(0)), word(1), word(0))
            if end is None or zone.form is ZoneForm.BAG:
                _copied(code, words, word(1), whole, put)
            else:
                _copied(code, words, word(1) if end is End.BOTTOM else whole, single, put)
            sort = False
        case OnSpots(spots):
            with out.counting(word(spots)) as (index, _):
                member = out.load_word(words, index)
                with out.only_if(out.at.icmp_signed(">=", member, word(0))):
                    put(member)
        case InBlocks(room):
            whole, blocks = out.load_word(words, word(0)), out.load_word(words, word(1))
            if end is None:
                _copied(code, words, word(2 + room), whole, put)
            else:
                some = out.at.icmp_signed(">", blocks, word(0))
                last = out.at.select(some, out.at.add(blocks, word(1)), word(2))
                large = out.load_word(words, word(2) if end is End.TOP else last)
                large = out.at.select(some, large, word(0))
                begin = word(2 + room) if end is End.TOP else out.at.add(out.at.sub(whole, large), word(2 + room))
                _copied(code, words, begin, large, put)
                sort = False
        case _:
            assert_never(form)
    found = Several(copy, out.at.load(number, typ=I64), most)
    if sort:
        out.call("sort_items", copy, found.count)
    return found


def most_lying(form: ZoneLayout, capacity: int) -> int:
    """So many components lie in an instance at most."""
    match form:
        case OnSpots(number):
            return max(number, capacity, 1)
        case AsList() | AsCounts() | AsBits() | InBlocks():
            return max(capacity, 1)
        case _:
            assert_never(form)


def _copied(code: NativeCoding, words: Ssa, begin: Ssa, number: Ssa, put: Callable[[Ssa], None]) -> None:
    with code.out.counting(number) as (index, _):
        put(code.out.load_word(words, code.out.at.add(index, begin)))


def lying_at(there: LyingIr, spot: Ssa) -> Ssa:
    """The component on a spot or at a position, by its index; -1 if there is none, or no such place."""
    out, words, form = there.out, there.words, there.form
    match form:
        case OnSpots(spots):
            number, first = word(spots), 0
        case AsList():
            number, first = out.load_word(words, word(0)), 1
        case AsCounts() | AsBits() | InBlocks():
            raise NotNative("a position in what has none")
        case _:
            assert_never(form)
    inside = out.at.icmp_unsigned("<", spot, number)
    at = out.at.select(inside, out.at.add(spot, word(first)), word(0))
    return out.at.select(inside, out.load_word(words, at), word(-1))


def member_test(code: NativeCoding, source: Domainlike, ssa: Ssa, scope: Scope) -> Ssa:
    """Whether a number is a member of a source."""
    out = code.out
    match source:
        case Numbers(lo, hi):
            return out.at.and_(out.at.icmp_signed("<=", code.number(lo, scope), ssa),
                               out.at.icmp_signed("<=", ssa, code.number(hi, scope)))
        case All(of):
            return out.at.not_(outside(out, ssa, of.lo, size(of)))
        case Members(of):
            form = code.value(of, scope)
            if isinstance(form, Several):
                return out.at.icmp_signed(">", out.call("how_often", form.items, form.count, ssa), word(0))
            if isinstance(form, SetForm):
                return is_member(out, ssa, form)
            raise NotNative("a member of what is no set")
        case Within(place):
            if place.spot is None and place.end is None:
                return out.at.icmp_signed(">", code.lying(place, scope).of_class(ssa), word(0))
            found = taken_up(code, source, scope, ordered=False)
            return out.at.icmp_signed(">", out.call("how_often", found.items, found.count, ssa), word(0))
        case _:
            assert_never(source)
