"""Machine code for operators, from code for their operands."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from referee.core.operators import Operations
from referee.core.types import Scalar
from referee.native.ir_writer import I64, IrWriter, hull, word
from referee.native.value_forms import NONE, Form, Group, Number, NotNative, Several, Ssa, Truth, universe


class NativeOperators(Operations[Form]):
    """Each operator on forms, written into a function."""

    def __init__(self, out: IrWriter) -> None:
        self.out = out

    def equal(self, one: Form, other: Form) -> Form:
        return Truth(self._same(one, other))

    def unequal(self, one: Form, other: Form) -> Form:
        return Truth(self.out.at.not_(self._same(one, other)))

    def _same(self, one: Form, other: Form) -> Ssa:
        at = self.out.at
        if isinstance(one, Group) and isinstance(other, Group):
            lo, width = hull([one, other])
            return at.icmp_unsigned("==", self.out.widened(one, lo, width), self.out.widened(other, lo, width))
        if isinstance(one, Several) and isinstance(other, Several):
            return self.out.call("same_items", one.items, one.count, other.items, other.count)
        if isinstance(one, Truth) and isinstance(other, Truth):
            return at.icmp_unsigned("==", one.ssa, other.ssa)
        return at.icmp_signed("==", number(self.out, one), number(self.out, other))

    def _compared(self, sign: str, one: Form, other: Form) -> Form:
        return Truth(self.out.at.icmp_signed(sign, number(self.out, one), number(self.out, other)))

    def less(self, one: Form, other: Form) -> Form:
        return self._compared("<", one, other)

    def at_most(self, one: Form, other: Form) -> Form:
        return self._compared("<=", one, other)

    def greater(self, one: Form, other: Form) -> Form:
        return self._compared(">", one, other)

    def at_least(self, one: Form, other: Form) -> Form:
        return self._compared(">=", one, other)

    def member(self, one: Form, group: Form) -> Form:
        ssa = number(self.out, one)
        if isinstance(group, Several):
            return Truth(self.out.at.icmp_signed(">", self.out.call("how_often", group.items, group.count, ssa), word(0)))
        if not isinstance(group, Group):
            raise NotNative("a member of what is no set")
        return Truth(is_member(self.out, ssa, group))

    def negation(self, one: Form) -> Form:
        return Truth(self.out.at.not_(truth(one)))

    def total(self, one: Form, other: Form) -> Form:
        return Number(self.out.at.add(number(self.out, one), number(self.out, other)))

    def difference(self, one: Form, other: Form) -> Form:
        return Number(self.out.at.sub(number(self.out, one), number(self.out, other)))

    def product(self, one: Form, other: Form) -> Form:
        return Number(self.out.at.mul(number(self.out, one), number(self.out, other)))

    def opposite(self, one: Form) -> Form:
        return Number(self.out.at.neg(number(self.out, one)))

    def lower(self, numbers: Sequence[Form]) -> Form:
        return self._best("<", numbers)

    def higher(self, numbers: Sequence[Form]) -> Form:
        return self._best(">", numbers)

    def _best(self, sign: str, numbers: Sequence[Form]) -> Form:
        best = number(self.out, numbers[0])
        for more in numbers[1:]:
            ssa = number(self.out, more)
            best = self.out.at.select(self.out.at.icmp_signed(sign, ssa, best), ssa, best)
        return Number(best)

    def distance(self, one: Form, other: Form) -> Form:
        apart = self.out.at.sub(number(self.out, one), number(self.out, other))
        return Number(self.out.at.select(self.out.at.icmp_signed("<", apart, word(0)), self.out.at.neg(apart), apart))

    def set_of(self, members: Sequence[Form], of: Scalar) -> Form:
        lo, width = universe(of)
        bits = ir.Constant(ir.IntType(width), 0)
        for one in members:
            ssa = number(self.out, one)
            self.out.leave_if(outside(self.out, ssa, lo, width))
            bits = self.out.at.or_(bits, self.out.bit_of(ssa, lo, width))
        return Group(bits, lo, width)

    def union(self, one: Form, other: Form) -> Form:
        left, right, lo, width = self._both(one, other)
        return Group(self.out.at.or_(left, right), lo, width)

    def without(self, one: Form, other: Form) -> Form:
        left, right, lo, width = self._both(one, other)
        return Group(self.out.at.and_(left, self.out.at.not_(right)), lo, width)

    def _both(self, one: Form, other: Form) -> tuple[Ssa, Ssa, int, int]:
        if not isinstance(one, Group) or not isinstance(other, Group):
            raise NotNative("sets of what may come several times")
        lo, width = hull([one, other])
        return self.out.widened(one, lo, width), self.out.widened(other, lo, width), lo, width

    def size(self, group: Form) -> Form:
        if isinstance(group, Several):
            return Number(group.count)
        if not isinstance(group, Group):
            raise NotNative("the size of what is no set")
        return Number(self.out.size_of(group.ssa))


def number(out: IrWriter, form: Form) -> Ssa:
    """A form as 64 bits; yes is 1. `NotNative` for sets."""
    if isinstance(form, Number):
        return form.ssa
    if isinstance(form, Truth):
        return out.at.zext(form.ssa, I64)
    raise NotNative("a set where a number is asked for")


def truth(form: Form) -> Ssa:
    """A form as one bit. `NotNative` for what is neither yes nor no."""
    if isinstance(form, Truth):
        return form.ssa
    raise NotNative("a value where yes or no is asked for")


def outside(out: IrWriter, ssa: Ssa, lo: int, width: int) -> Ssa:
    """Whether a number is none of lo..lo+width-1; nothing is none of them."""
    return out.at.icmp_unsigned(">=", out.at.sub(ssa, word(lo)), word(width))


def is_member(out: IrWriter, ssa: Ssa, group: Group) -> Ssa:
    """Whether a number is in a set; nothing is in none."""
    inside = out.at.not_(outside(out, ssa, group.lo, group.width))
    kind = ir.IntType(max(group.width, 64))
    at = out.at.select(inside, out.at.sub(ssa, word(group.lo)), word(0))
    bit = out.at.trunc(out.at.lshr(out.resized(group.ssa, kind), out.resized(at, kind)), ir.IntType(1))
    return out.at.and_(inside, bit)


def missing(out: IrWriter, ssa: Ssa) -> Ssa:
    """Whether a Maybe is nothing."""
    return out.at.icmp_signed("==", ssa, word(NONE))
