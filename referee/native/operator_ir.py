"""Machine code for operators, from code for their operands."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from referee.core.operators import Operations
from referee.core.types import Scalar
from referee.native.ir_writer import I64, IrWriter, hull, word
from referee.native.value_forms import NONE, Form, NotNative, NumberForm, SetForm, Several, Ssa, Truth, universe


class NativeOperators(Operations[Form]):
    """Each operator on forms, written into a function."""

    def __init__(self, out: IrWriter) -> None:
        self.out = out
        self.bits = 64
        """In so many bits what is asked for next is computed."""

    def _two(self, one: Form, other: Form, bits: int = 64) -> tuple[Ssa, Ssa]:
        left, right = number(self.out, one), number(self.out, other)
        bits = max(bits, left.type.width, right.type.width)
        return self.out.signed(left, bits), self.out.signed(right, bits)

    def equal(self, one: Form, other: Form) -> Form:
        return Truth(self._same(one, other))

    def unequal(self, one: Form, other: Form) -> Form:
        return Truth(self.out.at.not_(self._same(one, other)))

    def _same(self, one: Form, other: Form) -> Ssa:
        at = self.out.at
        if isinstance(one, SetForm) and isinstance(other, SetForm):
            lo, width = hull([one, other])
            return at.icmp_unsigned("==", self.out.widened(one, lo, width), self.out.widened(other, lo, width))
        if isinstance(one, Several) and isinstance(other, Several):
            return self.out.call("same_items", one.items, one.count, other.items, other.count)
        if isinstance(one, Truth) and isinstance(other, Truth):
            return at.icmp_unsigned("==", one.ssa, other.ssa)
        return at.icmp_signed("==", *self._two(one, other))

    def _compared(self, sign: str, one: Form, other: Form) -> Form:
        return Truth(self.out.at.icmp_signed(sign, *self._two(one, other)))

    def less(self, one: Form, other: Form) -> Form:
        return self._compared("<", one, other)

    def at_most(self, one: Form, other: Form) -> Form:
        return self._compared("<=", one, other)

    def greater(self, one: Form, other: Form) -> Form:
        return self._compared(">", one, other)

    def at_least(self, one: Form, other: Form) -> Form:
        return self._compared(">=", one, other)

    def member(self, one: Form, group: Form) -> Form:
        ssa = plain(self.out, one)
        if isinstance(group, Several):
            often = self.out.call("how_often", group.items, group.count, ssa)
            return Truth(self.out.at.icmp_signed(">", often, word(0)))
        if not isinstance(group, SetForm):
            raise NotNative("a member of what is no set")
        return Truth(is_member(self.out, ssa, group))

    def negation(self, one: Form) -> Form:
        return Truth(self.out.at.not_(truth(one)))

    def total(self, one: Form, other: Form) -> Form:
        return NumberForm(self.out.at.add(*self._two(one, other, self.bits)))

    def difference(self, one: Form, other: Form) -> Form:
        return NumberForm(self.out.at.sub(*self._two(one, other, self.bits)))

    def product(self, one: Form, other: Form) -> Form:
        return NumberForm(self.out.at.mul(*self._two(one, other, self.bits)))

    def opposite(self, one: Form) -> Form:
        return NumberForm(self.out.at.neg(self.out.signed(number(self.out, one), self.bits)))

    def lower(self, numbers: Sequence[Form]) -> Form:
        return self._best("<", numbers)

    def higher(self, numbers: Sequence[Form]) -> Form:
        return self._best(">", numbers)

    def _best(self, sign: str, numbers: Sequence[Form]) -> Form:
        found = [number(self.out, one) for one in numbers]
        bits = max(ssa.type.width for ssa in found)
        best, *others = [self.out.signed(ssa, bits) for ssa in found]
        for ssa in others:
            best = self.out.at.select(self.out.at.icmp_signed(sign, ssa, best), ssa, best)
        return NumberForm(best)

    def distance(self, one: Form, other: Form) -> Form:
        apart = self.out.at.sub(*self._two(one, other, self.bits))
        below = self.out.at.icmp_signed("<", apart, ir.Constant(apart.type, 0))
        return NumberForm(self.out.at.select(below, self.out.at.neg(apart), apart))

    def set_of(self, members: Sequence[Form], of: Scalar) -> Form:
        lo, width = universe(of)
        bits = ir.Constant(ir.IntType(width), 0)
        for one in members:
            ssa = plain(self.out, one)
            self.out.leave_if(outside(self.out, ssa, lo, width))
            bits = self.out.at.or_(bits, self.out.bit_of(ssa, lo, width))
        return SetForm(bits, lo, width)

    def union(self, one: Form, other: Form) -> Form:
        left, right, lo, width = self._both(one, other)
        return SetForm(self.out.at.or_(left, right), lo, width)

    def without(self, one: Form, other: Form) -> Form:
        left, right, lo, width = self._both(one, other)
        return SetForm(self.out.at.and_(left, self.out.at.not_(right)), lo, width)

    def _both(self, one: Form, other: Form) -> tuple[Ssa, Ssa, int, int]:
        if not isinstance(one, SetForm) or not isinstance(other, SetForm):
            raise NotNative("sets of what may come several times")
        lo, width = hull([one, other])
        return self.out.widened(one, lo, width), self.out.widened(other, lo, width), lo, width

    def size(self, group: Form) -> Form:
        if isinstance(group, Several):
            return NumberForm(group.count)
        if not isinstance(group, SetForm):
            raise NotNative("the size of what is no set")
        return NumberForm(self.out.size_of(group.ssa))


def number(out: IrWriter, form: Form) -> Ssa:
    """A form as a number, in 64 bits or more; yes is 1. `NotNative` for sets."""
    if isinstance(form, NumberForm):
        return form.ssa
    if isinstance(form, Truth):
        return out.at.zext(form.ssa, I64)
    raise NotNative("a set where a number is asked for")


def plain(out: IrWriter, form: Form) -> Ssa:
    """A form as 64 bits, for what finds or is counted. `NotNative` for sets and for larger numbers."""
    ssa = number(out, form)
    if ssa.type.width != 64:
        raise NotNative("numbers that large")
    return ssa


def truth(form: Form) -> Ssa:
    """A form as one bit. `NotNative` for what is neither yes nor no."""
    if isinstance(form, Truth):
        return form.ssa
    raise NotNative("a value where yes or no is asked for")


def outside(out: IrWriter, ssa: Ssa, lo: int, width: int) -> Ssa:
    """Whether a number is none of lo..lo+width-1; nothing is none of them."""
    return out.at.icmp_unsigned(">=", out.at.sub(ssa, ir.Constant(ssa.type, lo)), ir.Constant(ssa.type, width))


def is_member(out: IrWriter, ssa: Ssa, group: SetForm) -> Ssa:
    """Whether a number is in a set; nothing is in none."""
    inside = out.at.not_(outside(out, ssa, group.lo, group.width))
    kind = ir.IntType(max(group.width, 64))
    at = out.at.select(inside, out.at.sub(ssa, word(group.lo)), word(0))
    bit = out.at.trunc(out.at.lshr(out.resized(group.ssa, kind), out.resized(at, kind)), ir.IntType(1))
    return out.at.and_(inside, bit)


def missing(out: IrWriter, ssa: Ssa) -> Ssa:
    """Whether a Maybe is nothing."""
    return out.at.icmp_signed("==", ssa, word(NONE))
