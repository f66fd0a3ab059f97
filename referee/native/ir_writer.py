"""Writes one function of machine code: blocks, loops, locals, and where to go when the rules make an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import assert_never

from llvmlite import binding, ir

from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Several, Ssa, Truth

I1, I8, I16, I32, I64, POINTER = (ir.IntType(1), ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64),
                                  ir.PointerType())
MOST_BLOCKS = 200_000
"""A function of more blocks is not made."""


def word(value: int) -> Ssa:
    """A constant number."""
    return ir.Constant(I64, value)


YES, NO = ir.Constant(I1, 1), ir.Constant(I1, 0)


class GrowingModule(ir.Module):  # type: ignore[misc]  # the library has no types
    """A module in which a function is declared when one that is written calls it, and stands in `waiting` until it is
    written, too: nothing is written that nobody calls."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._kinds: dict[str, Sequence[Ssa]] = {}
        self.waiting: list[str] = []
        self.constants: dict[tuple[int, object], Ssa] = {}
        self.tables: dict[object, object] = {}
        """What is made once of conditions, by what it is made of."""

    def offer(self, name: str, kinds: Sequence[Ssa]) -> None:
        """There is such a function of the position, if it is called: what it takes besides. It gives a number."""
        self._kinds[name] = kinds

    def function(self, name: str) -> Ssa:
        """The function of a name."""
        if name not in self.globals:
            made = ir.Function(self, ir.FunctionType(I64, [POINTER, POINTER, *self._kinds[name]]), name)
            made.linkage = "internal"
            made.attributes.add("noinline")  # put into one another they would take long to compile
            self.waiting.append(name)
        return self.globals[name]


class IrWriter:
    """One function while it is written. `state`, `fixed`: the blocks of memory that it works on.

    `failing`: the block to go to when the rules make an error; `leaving`: when another engine has to do it all again.
    `landing`: what writes how the game goes on at a node, where a function is the whole course; else the node is what
    the function gives.
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
        self.landing: Callable[[int], None] | None = None
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
        if bits.type.width > 64:
            with self._members_by_words(bits, lo, down=down) as found:
                yield found
            return
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

    @contextmanager
    def _members_by_words(self, bits: Ssa, lo: int, *, down: bool) -> Iterator[tuple[Ssa, Ssa]]:
        """The same for a set of many bits, 64 of them at a time."""
        number = -(-bits.type.width // 64)
        whole = ir.IntType(64 * number)
        kept = self.local(whole)
        self.at.store(self.resized(bits, whole), kept)
        last = self.block()
        with self.counting(word(number)) as (index, _):
            at = self.at.sub(word(number - 1), index) if down else index
            now = self.at.load(self.at.gep(kept, [at], source_etype=I64), typ=I64, align=8)
            first = self.at.mul(at, word(64))
            with self.members_of(now, lo, down=down) as (member, _inner):
                yield self.at.add(member, first), last
        self.go(last)
        self.begin(last)

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

    def read(self, place: Ssa, kind: Ssa, align: int, of: str) -> Ssa:
        """What lies somewhere. `of`: whose it is; nothing else that is said to be somebody's lies there."""
        found = self.at.load(place, typ=kind, align=align)
        found.set_metadata("tbaa", self._belongs(of))
        return found

    def write(self, value: Ssa, place: Ssa, align: int, of: str) -> None:
        """Puts a value somewhere; `of` as for `read`."""
        self.at.store(value, place, align=align).set_metadata("tbaa", self._belongs(of))

    def _belongs(self, of: str) -> Ssa:
        module = self.function.module
        kind = module.add_metadata([of, module.add_metadata(["entries"]), word(0)])
        return module.add_metadata([kind, kind, word(0)])

    def side_by_side(self, first: Ssa, count: int, wanted: Ssa, of: str) -> Ssa:
        """A bit for each of at least 8 numbers that lie side by side and are alike: they are compared at once. The last
        may overlap with those before. `of`: whose they are."""
        bits, kind, done = ir.IntType(count), wanted.type, 0
        found = ir.Constant(bits, 0)
        while done < count:
            left = count - done
            number = next((lanes for lanes in (64, 32, 16) if lanes <= left), 8)
            begin = min(done, count - number)
            lanes = ir.VectorType(kind, number)
            alike = self.at.insert_element(ir.Constant(lanes, ir.Undefined), wanted, ir.Constant(I32, 0))
            alike = self.at.shuffle_vector(alike, alike, ir.Constant(ir.VectorType(I32, number), [0] * number))
            held = self.read(self.at.gep(first, [word(begin)], source_etype=kind), lanes, kind.width // 8, of)
            same = self.at.bitcast(self.at.icmp_signed("==", held, alike), ir.IntType(number))
            found = self.at.or_(found, self.at.shl(self.resized(same, bits), ir.Constant(bits, begin)))
            done = begin + number
        return found

    def filled(self, place: Ssa, byte: int, number: int) -> None:
        """So many bytes alike."""
        fill = self.at.module.declare_intrinsic("llvm.memset", [POINTER, I64])
        self.at.call(fill, [place, ir.Constant(I8, byte), word(number), NO])

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

    def cut(self, group: SetForm, lo: int, width: int) -> Ssa:
        """The bits of a set in another universe, of the members that are there."""
        whole_lo, whole = hull([group, SetForm(None, lo, width)])
        bits = self.widened(group, whole_lo, whole)
        return self.resized(self.at.lshr(bits, ir.Constant(bits.type, lo - whole_lo)), ir.IntType(width))

    def bit_of(self, member: Ssa, lo: int, width: int) -> Ssa:
        """The set of one member, which is known to be of the universe."""
        kind = ir.IntType(width)
        return self.at.shl(ir.Constant(kind, 1), self.resized(self.at.sub(member, word(lo)), kind))

    def size_of(self, bits: Ssa) -> Ssa:
        """How many bits are set."""
        counting = self.at.module.declare_intrinsic("llvm.ctpop", [bits.type])
        return self.resized(self.at.call(counting, [bits]), I64)

    def nth_bit(self, bits: Ssa, number: Ssa) -> Ssa:
        """Where a set bit lies before which so many others are."""
        kind = bits.type
        if kind.width <= 64 and binding.get_host_cpu_features().get("bmi2"):
            module, name = self.function.module, "llvm.x86.bmi.pdep.64"
            if name not in module.globals:
                ir.Function(module, ir.FunctionType(I64, [I64, I64]), name)
            bit = self.at.call(module.globals[name], [self.at.shl(word(1), number), self.resized(bits, I64)])
            return self.at.cttz(bit, NO)
        left, rest = self.local(I64, number), self.local(kind, bits)
        head, passed, found = self.block(), self.block(), self.block()
        self.go(head)
        self.begin(head)
        more, now = self.at.load(left, typ=I64), self.at.load(rest, typ=kind)
        self.at.cbranch(self.at.icmp_signed("==", more, word(0)), found, passed)
        self.begin(passed)
        self.at.store(self.at.sub(more, word(1)), left)
        self.at.store(self.at.and_(now, self.at.sub(now, ir.Constant(kind, 1))), rest)
        self.at.branch(head)
        self.begin(found)
        return self.resized(self.at.cttz(now, NO), I64)

    def call(self, name: str, *args: Ssa) -> Ssa:
        """Calls a function of the module by its name."""
        return self.at.call(self.function.module.function(name), args)


def hull(groups: list[SetForm]) -> tuple[int, int]:
    """The universe that has all of several: its lowest number, and its width."""
    lo = min(one.lo for one in groups)
    width = max(one.lo + one.width for one in groups) - lo
    if width > 2048:
        raise NotNative(f"a set of {width} different members")
    return lo, width


def load(out: IrWriter, block: Ssa, at: int) -> Ssa:
    """A word of a block."""
    return out.at.load(out.at.gep(block, [word(at)], source_etype=I64), typ=I64, align=8)


def store(out: IrWriter, value: Ssa, block: Ssa, at: int) -> None:
    """Puts a word into a block."""
    out.at.store(value, out.at.gep(block, [word(at)], source_etype=I64), align=8)


def pointer(out: IrWriter, block: Ssa, at: int) -> Ssa:
    """A word of a block that says where something lies."""
    return out.at.inttoptr(load(out, block, at), out.state.type)
