"""Writes one function of machine code: blocks, loops, locals, and where to go when the rules make an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

from llvmlite import ir

from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Several, Ssa, Truth

I1, I8, I16, I32, I64, POINTER = (ir.IntType(1), ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64),
                                  ir.PointerType())
MOST_BLOCKS = 200_000
"""A function of more blocks is not made."""


def word(value: int) -> Ssa:
    """A constant number."""
    return ir.Constant(I64, value)


YES, NO = ir.Constant(I1, 1), ir.Constant(I1, 0)


class IrWriter:
    """One function while it is written. `state`, `fixed`: the blocks of memory that it works on.

    `failing`: the block to go to when the rules make an error; `leaving`: when another engine has to do it all again.
    """

    def __init__(self, function: Ssa) -> None:
        self.function = function
        self._entry = ir.IRBuilder(function.append_basic_block("entry"))
        self._first = function.append_basic_block("first")
        self.at = ir.IRBuilder(self._first)
        self.state: Ssa = function.args[0]
        self.fixed: Ssa = function.args[1]
        self.leaving: Ssa = function.append_basic_block("leaving")
        self.failing: Ssa = self.leaving
        self._blocks = 0

    def finish(self, left: Ssa) -> None:
        """The function is written; `left` is what it returns where it leaves all to others."""
        if not self.at.block.is_terminated:
            self.at.unreachable()
        ir.IRBuilder(self.leaving).ret(left)
        self._entry.branch(self._first)

    def finish_without_leaving(self) -> None:
        """The function is written, and nothing in it is left to others."""
        ir.IRBuilder(self.leaving).unreachable()
        self._entry.branch(self._first)

    # --- blocks

    def block(self) -> Ssa:
        """A new block, not yet begun."""
        self._blocks += 1
        if self._blocks > MOST_BLOCKS:
            raise NotNative(f"a function of more than {MOST_BLOCKS} blocks")
        return self.function.append_basic_block()

    def go(self, block: Ssa) -> None:
        """On to a block, unless the function was left here."""
        if not self.at.block.is_terminated:
            self.at.branch(block)

    def begin(self, block: Ssa) -> None:
        """What follows is written into a block."""
        self.at.position_at_end(block)

    def refuse_if(self, cond: Ssa) -> None:
        """An error of the rules if a condition holds."""
        on = self.block()
        self.at.cbranch(cond, self.failing, on)
        self.begin(on)

    def leave_if(self, cond: Ssa) -> None:
        """Left to other engines if a condition holds."""
        on = self.block()
        self.at.cbranch(cond, self.leaving, on)
        self.begin(on)

    @contextmanager
    def failing_to(self, block: Ssa) -> Iterator[None]:
        """Inside, an error of the rules goes on at a block."""
        before, self.failing = self.failing, block
        yield
        self.failing = before

    @contextmanager
    def only_if(self, cond: Ssa) -> Iterator[None]:
        """What is done if a condition holds."""
        inside, behind = self.block(), self.block()
        self.at.cbranch(cond, inside, behind)
        self.begin(inside)
        yield
        self.go(behind)
        self.begin(behind)

    def either(self, cond: Ssa, yes: Callable[[], Form], no: Callable[[], Form]) -> Form:
        """One of two values; the other is not computed."""
        one, other, behind = self.block(), self.block(), self.block()
        self.at.cbranch(cond, one, other)
        self.begin(one)
        left = yes()
        left_end = self.at.block
        self.begin(other)
        right = no()
        right_end = self.at.block
        return self.joined([(left, left_end), (right, right_end)], behind)

    def joined(self, ways: list[tuple[Form, Ssa]], behind: Ssa) -> Form:
        """The value with which a block was come to; each way with the block that it ends in."""
        first = ways[0][0]
        match first:
            case NumberForm():
                numbers = [(one.ssa, end) for one, end in ways if isinstance(one, NumberForm)]
                bits = max(ssa.type.width for ssa, _ in numbers)
                wide = list[tuple[Ssa, Ssa]]()
                for ssa, end in numbers:
                    self.begin(end)
                    wide.append((self.signed(ssa, bits), end))
                return NumberForm(self._phi(wide, ways, behind))
            case Truth():
                return Truth(self._phi([(one.ssa, end) for one, end in ways if isinstance(one, Truth)], ways, behind))
            case SetForm():
                groups = [(one, end) for one, end in ways if isinstance(one, SetForm)]
                lo, width = hull([one for one, _ in groups])
                made = []
                for one, end in groups:
                    self.begin(end)
                    made.append((self.widened(one, lo, width), end))
                return SetForm(self._phi(made, ways, behind), lo, width)
            case Several():
                many = [(one, end) for one, end in ways if isinstance(one, Several)]
                counts = [(one.count, end) for one, end in many]
                for _, end in ways:
                    self.begin(end)
                    self.at.branch(behind)
                self.begin(behind)
                items = self._merge([(one.items, end) for one, end in many], ways)
                return Several(items, self._merge(counts, ways), max(one.most for one, _ in many))
            case _:
                assert_never(first)

    def _phi(self, found: list[tuple[Ssa, Ssa]], ways: list[tuple[Form, Ssa]], behind: Ssa) -> Ssa:
        for _, end in ways:
            self.begin(end)
            self.at.branch(behind)
        self.begin(behind)
        return self._merge(found, ways)

    def _merge(self, found: list[tuple[Ssa, Ssa]], ways: list[tuple[Form, Ssa]]) -> Ssa:
        if len(found) != len(ways):
            raise NotNative("a value of one form or another")
        merged = self.at.phi(found[0][0].type)
        for ssa, end in found:
            merged.add_incoming(ssa, end)
        return merged

    # --- locals and loops

    def local(self, kind: Ssa, start: Ssa | None = None, number: int = 1) -> Ssa:
        """A place for a value in the function's own memory."""
        made = self._entry.alloca(kind, size=number) if number > 1 else self._entry.alloca(kind)
        made.type = POINTER  # whatever is stored there later
        if start is not None:
            self.at.store(start, made)
        return made

    @contextmanager
    def counting(self, number: Ssa) -> Iterator[tuple[Ssa, Ssa]]:
        """A loop for 0, 1, ... below a number; with the block behind it."""
        at = self.local(I64, word(0))
        head, inside, behind = self.block(), self.block(), self.block()
        self.go(head)
        self.begin(head)
        index = self.at.load(at, typ=I64)
        self.at.cbranch(self.at.icmp_signed("<", index, number), inside, behind)
        self.begin(inside)
        yield index, behind
        if not self.at.block.is_terminated:
            self.at.store(self.at.add(index, word(1)), at)
            self.at.branch(head)
        self.begin(behind)

    @contextmanager
    def members_of(self, bits: Ssa, lo: int, *, down: bool = False) -> Iterator[tuple[Ssa, Ssa]]:
        """A loop for each member of a set of bits, ascending or (`down`) descending; with the block behind it."""
        kind = bits.type
        left = self.local(kind, bits)
        head, inside, behind = self.block(), self.block(), self.block()
        self.go(head)
        self.begin(head)
        now = self.at.load(left, typ=kind)
        self.at.cbranch(self.at.icmp_unsigned("!=", now, ir.Constant(kind, 0)), inside, behind)
        self.begin(inside)
        if down:
            zeros = self.at.ctlz(now, YES)
            at = self.at.sub(ir.Constant(kind, kind.width - 1), zeros)
            self.at.store(self.at.xor(now, self.at.shl(ir.Constant(kind, 1), at)), left)
        else:
            at = self.at.cttz(now, YES)
            self.at.store(self.at.and_(now, self.at.sub(now, ir.Constant(kind, 1))), left)
        yield self.at.add(self.resized(at, I64), word(lo)), behind
        self.go(head)
        self.begin(behind)

    # --- memory

    def address(self, block: Ssa, base: int, offset: Ssa | None = None) -> Ssa:
        """Where something lies in a block of memory: so many bytes from its begin, and so many more."""
        place = word(base) if offset is None else self.at.add(offset, word(base))
        return self.at.gep(block, [place], source_etype=I8)

    def item(self, words: Ssa, index: Ssa) -> Ssa:
        """Where a 16-bit word of a list lies."""
        return self.at.gep(words, [index], source_etype=I16)

    def load_word(self, words: Ssa, index: Ssa) -> Ssa:
        """A 16-bit word of a list as a number."""
        return self.at.sext(self.at.load(self.item(words, index), typ=I16, align=2), I64)

    def store_word(self, value: Ssa, words: Ssa, index: Ssa) -> None:
        """Puts a number into a list as a 16-bit word."""
        self.at.store(self.at.trunc(value, I16), self.item(words, index), align=2)

    # --- sets

    def resized(self, ssa: Ssa, kind: Ssa) -> Ssa:
        """A number without sign in another width."""
        if ssa.type.width == kind.width:
            return ssa
        return self.at.zext(ssa, kind) if ssa.type.width < kind.width else self.at.trunc(ssa, kind)

    def signed(self, ssa: Ssa, bits: int) -> Ssa:
        """A number in at least so many bits."""
        return ssa if ssa.type.width >= bits else self.at.sext(ssa, ir.IntType(bits))

    def widened(self, group: SetForm, lo: int, width: int) -> Ssa:
        """The bits of a set in a universe that has all of its own."""
        if (group.lo, group.width) == (lo, width):
            return group.ssa
        kind = ir.IntType(width)
        return self.at.shl(self.resized(group.ssa, kind), ir.Constant(kind, group.lo - lo))

    def narrowed(self, group: SetForm, lo: int, width: int) -> Ssa:
        """The bits of a set in another universe; members that it has not are an error of the rules."""
        if lo <= group.lo and group.lo + group.width <= lo + width:
            return self.widened(group, lo, width)
        whole_lo, whole = hull([group, SetForm(None, lo, width)])
        bits, kind = self.widened(group, whole_lo, whole), ir.IntType(whole)
        mask = ir.Constant(kind, (1 << width) - 1 << lo - whole_lo)
        outside = self.at.and_(bits, self.at.not_(mask))
        self.refuse_if(self.at.icmp_unsigned("!=", outside, ir.Constant(kind, 0)))
        return self.resized(self.at.lshr(bits, ir.Constant(kind, lo - whole_lo)), ir.IntType(width))

    def bit_of(self, member: Ssa, lo: int, width: int) -> Ssa:
        """The set of one member, which is known to be of the universe."""
        kind = ir.IntType(width)
        return self.at.shl(ir.Constant(kind, 1), self.resized(self.at.sub(member, word(lo)), kind))

    def size_of(self, bits: Ssa) -> Ssa:
        """How many bits are set."""
        counting = self.at.module.declare_intrinsic("llvm.ctpop", [bits.type])
        return self.resized(self.at.call(counting, [bits]), I64)

    def call(self, name: str, *args: Ssa) -> Ssa:
        """Calls a function of the module by its name."""
        return self.at.call(self.at.module.globals[name], args)


def hull(groups: list[SetForm]) -> tuple[int, int]:
    """The universe that has all of several: its lowest number, and its width."""
    lo = min(one.lo for one in groups)
    width = max(one.lo + one.width for one in groups) - lo
    if width > 2048:
        raise NotNative(f"a set of {width} different members")
    return lo, width
