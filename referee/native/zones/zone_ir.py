"""Machine code for what lies in an instance of a zone, by its form in memory.

It tells how many components lie there, which, and whether one does; and puts one more or one less there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from llvmlite import ir

from referee.core.intervals import Bounds
from referee.core.ruleset import Zone
from referee.native.ir_writer import I16, I64, IrWriter, word
from referee.native.operator_ir import outside
from referee.native.value_forms import SetForm, Ssa
from referee.native.zones.zone_layout import AsBits, AsCounts, AsList, InBlocks, OnSpots, ZoneLayout, bytes_of

Body = Callable[[Ssa, Ssa], None]
"""Writes what is done with a member (a number); the second is the block behind the loop."""


class LyingIr:
    """Writes what is asked of the instance of a zone that begins at `words`."""

    def __init__(self, out: IrWriter, zone: Zone, form: ZoneLayout, words: Ssa) -> None:
        self.out = out
        self.form = form
        self.words = words
        self._of = f"zone {zone.name}"
        self._first = 0 if zone.spots is None else zone.spots.lo

    def number(self) -> Ssa:
        """How many components lie there."""
        out = self.out
        match self.form:
            case AsList() | AsCounts() | InBlocks():
                return self._word(word(0))
            case AsBits():
                total: Ssa = word(0)
                for index in range(bytes_of(self.form)[0] // 8):
                    total = out.at.add(total, out.size_of(self._bits_at(word(index))))
                return total
            case OnSpots(number, _, width):
                free = out.size_of(self.free().ssa) if width else out.call(
                    "how_often", self.words, word(number), word(-1))
                return out.at.sub(word(number), free)
            case _:
                assert_never(self.form)

    def of_class(self, one: Ssa) -> Ssa:
        """How many components of a class lie there."""
        out, form = self.out, self.form
        match form:
            case AsCounts(lo, width):
                inside = out.at.not_(outside(out, one, lo, width))
                at = out.at.select(inside, out.at.sub(one, word(lo - 1)), word(1))
                return out.at.select(inside, self._word(at), word(0))
            case AsBits(lo, width):
                inside = out.at.not_(outside(out, one, lo, width))
                at = out.at.select(inside, out.at.sub(one, word(lo)), word(0))
                bits = self._bits_at(out.at.lshr(at, word(6)))
                bit = out.at.and_(out.at.lshr(bits, out.at.and_(at, word(63))), word(1))
                return out.at.select(inside, bit, word(0))
            case AsList():
                return out.call("how_often", out.item(self.words, word(1)), self._word(word(0)), one)
            case OnSpots(number):
                return out.call("how_often", self.words, word(number), one)
            case InBlocks(most):
                return out.call("how_often", out.item(self.words, word(2 + most)), self._word(word(0)), one)
            case _:
                assert_never(form)

    # --- spots

    def at_spot(self, spot: Ssa) -> Ssa:
        """The component on a spot that there is, from 0; -1 if there is none."""
        return self._word(spot)

    def free(self) -> SetForm:
        """The spots on which nothing lies; they are kept as a set."""
        return self._set(word(0))

    def with_class(self, one: Ssa, bounds: Bounds) -> SetForm:
        """The spots on which a component of a class lies, or those that are free: `one` may be nothing."""
        out, form = self.out, self._spots()
        above = out.at.sub(one, word(form.lo - 1))
        sure = bounds.members_inside(form.lo, form.lo + form.width - 1)
        if sure and not bounds.none:
            return self._set(above)
        at = out.at.select(out.at.icmp_signed("<", one, word(0)), word(0), above)
        if sure:
            return self._set(at)
        there = out.at.icmp_unsigned("<=", at, word(form.width))
        found = self._set(out.at.select(there, at, word(0)))
        kind = found.ssa.type
        return SetForm(out.at.select(there, found.ssa, ir.Constant(kind, 0)), found.lo, found.width)

    def put_on(self, spot: Ssa, one: Ssa) -> None:
        """Onto a spot that is free."""
        self._on_spot(spot, one, one)

    def take_from(self, spot: Ssa, one: Ssa) -> None:
        """From a spot on which it lies."""
        self._on_spot(spot, word(-1), one)

    def first_with(self, one: Ssa) -> Ssa:
        """The first spot on which a component of a class lies; -1 if there is none."""
        form = self.form
        assert isinstance(form, OnSpots)
        return self.out.call("where_in", self.words, word(form.number), one)

    def _on_spot(self, spot: Ssa, held: Ssa, one: Ssa) -> None:
        """What is on a spot is exchanged: nothing, and a component."""
        out, form = self.out, self._spots(plain=True)
        out.write(out.at.trunc(held, I16), out.item(self.words, spot), 2, self._of)
        if not form.width:
            return
        bit = out.at.shl(word(1), spot if form.number <= 64 else out.at.and_(spot, word(63)))
        behind = word(form.sets_at) if form.number <= 64 else out.at.add(
            out.at.shl(out.at.lshr(spot, word(6)), word(3)), word(form.sets_at))
        for index in (word(0), out.at.sub(one, word(form.lo - 1))):
            place = out.address(self.words, 0, out.at.add(behind, out.at.mul(index, word(form.set_bytes))))
            out.write(out.at.xor(out.read(place, I64, 8, f"{self._of} sets"), bit), place, 8, f"{self._of} sets")

    def _spots(self, *, plain: bool = False) -> OnSpots:
        form = self.form
        assert isinstance(form, OnSpots)
        assert plain or form.width
        return form

    def _set(self, index: Ssa) -> SetForm:
        out, form = self.out, self._spots()
        place = out.address(self.words, form.sets_at, out.at.mul(index, word(form.set_bytes)))
        held = out.read(place, ir.IntType(8 * form.set_bytes), 8, f"{self._of} sets")
        return SetForm(out.resized(held, ir.IntType(form.number)), self._first, form.number)

    # --- bags

    def members(self) -> SetForm | None:
        """The classes of which something lies there as a set, where it lies as one."""
        match self.form:
            case AsBits(lo, width):
                held = self.out.read(self.words, ir.IntType(8 * bytes_of(self.form)[0]), 8, self._of)
                return SetForm(self.out.resized(held, ir.IntType(width)), lo, width)
            case AsCounts() | AsList() | OnSpots() | InBlocks():
                return None
            case _:
                assert_never(self.form)

    def each(self, body: Body, *, once: bool, kept: bool) -> bool:
        """A loop over what lies in a bag that is no list, in order. `once`: alike ones once; `kept`: what lies there
        may be moved meanwhile. False, and nothing is written, for other forms."""
        out, form = self.out, self.form
        match form:
            case AsBits(lo, width):
                kind = ir.IntType(8 * bytes_of(form)[0])
                with out.members_of(out.read(self.words, kind, 8, self._of), lo) as (member, behind):
                    body(member, behind)
                return True
            case AsCounts(lo, width):
                words, behind_all = self.words, out.block()
                if kept:
                    words = out.local(I16, number=1 + width)
                    out.call("copy_items", words, self.words, word(1 + width))
                with out.counting(word(width)) as (index, _):
                    number = out.load_word(words, out.at.add(index, word(1)))
                    member = out.at.add(index, word(lo))
                    if once:
                        with out.only_if(out.at.icmp_signed(">", number, word(0))):
                            body(member, behind_all)
                    else:
                        with out.counting(number) as (_again, _behind):
                            body(member, behind_all)
                out.go(behind_all)
                out.begin(behind_all)
                return True
            case AsList() | OnSpots() | InBlocks():
                return False
            case _:
                assert_never(form)

    def take(self, one: Ssa, bounds: Bounds) -> None:
        """One less of a class in a bag; an error if there is none."""
        out, form = self.out, self.form
        match form:
            case AsCounts():
                place = self._count_place(one, bounds, out.failing)
                there = self._read(place)
                out.refuse_if(out.at.icmp_signed("<=", there, word(0)))
                self._changed(place, there, -1)
            case AsBits():
                place, bit = self._bit_place(one, bounds, out.failing)
                held = out.read(place, I64, 8, self._of)
                out.refuse_if(out.at.icmp_unsigned("==", out.at.and_(held, bit), word(0)))
                out.write(out.at.xor(held, bit), place, 8, self._of)
            case AsList():
                out.refuse_if(out.at.not_(out.call("bag_take", self.words, one)))
            case OnSpots() | InBlocks():
                raise TypeError("no bag")
            case _:
                assert_never(form)

    def lay(self, one: Ssa, bounds: Bounds) -> None:
        """One more of a class in a bag; there is room."""
        out, form = self.out, self.form
        match form:
            case AsCounts():
                place = self._count_place(one, bounds, out.leaving)
                self._changed(place, self._read(place), 1)
            case AsBits():
                place, bit = self._bit_place(one, bounds, out.leaving)
                held = out.read(place, I64, 8, self._of)
                out.leave_if(out.at.icmp_unsigned("!=", out.at.and_(held, bit), word(0)))
                out.write(out.at.or_(held, bit), place, 8, self._of)
            case AsList():
                out.call("bag_lay", self.words, one)
            case OnSpots() | InBlocks():
                raise TypeError("no bag")
            case _:
                assert_never(form)

    def empty(self) -> None:
        """Nothing lies there any more."""
        out, form = self.out, self.form
        match form:
            case OnSpots(number, _, width):
                out.filled(self.words, -1, 2 * number)
                if width:
                    sets = out.address(self.words, form.sets_at)
                    out.filled(sets, 0, (1 + width) * form.set_bytes)
                    out.at.store(ir.Constant(ir.IntType(8 * form.set_bytes), (1 << number) - 1), sets, align=8)
            case AsList() | AsCounts() | AsBits() | InBlocks():
                out.filled(self.words, 0, bytes_of(form)[0])
            case _:
                assert_never(form)

    def _count_place(self, one: Ssa, bounds: Bounds, otherwise: Ssa) -> Ssa:
        form = self.form
        assert isinstance(form, AsCounts)
        self._known(one, bounds, form.lo, form.width, otherwise)
        return self.out.item(self.words, self.out.at.sub(one, word(form.lo - 1)))

    def _bit_place(self, one: Ssa, bounds: Bounds, otherwise: Ssa) -> tuple[Ssa, Ssa]:
        out, form = self.out, self.form
        assert isinstance(form, AsBits)
        self._known(one, bounds, form.lo, form.width, otherwise)
        at = out.at.sub(one, word(form.lo))
        if form.width <= 64:
            return self.words, out.at.shl(word(1), at)
        place = out.at.gep(self.words, [out.at.lshr(at, word(6))], source_etype=I64)
        return place, out.at.shl(word(1), out.at.and_(at, word(63)))

    def _known(self, one: Ssa, bounds: Bounds, lo: int, width: int, otherwise: Ssa) -> None:
        """On at a block if a class has no place there."""
        if bounds.none or not bounds.inside(lo, lo + width - 1):
            on = self.out.block()
            self.out.at.cbranch(outside(self.out, one, lo, width), otherwise, on)
            self.out.begin(on)

    def _changed(self, place: Ssa, there: Ssa, by: int) -> None:
        out = self.out
        out.write(out.at.trunc(out.at.add(there, word(by)), I16), place, 2, self._of)
        all_ = self._word(word(0))
        out.write(out.at.trunc(out.at.add(all_, word(by)), I16), self.words, 2, self._of)

    def _word(self, at: Ssa) -> Ssa:
        return self._read(self.out.item(self.words, at))

    def _read(self, place: Ssa) -> Ssa:
        return self.out.at.sext(self.out.read(place, I16, 2, self._of), I64)

    def _bits_at(self, index: Ssa) -> Ssa:
        return self.out.read(self.out.at.gep(self.words, [index], source_etype=I64), I64, 8, self._of)
