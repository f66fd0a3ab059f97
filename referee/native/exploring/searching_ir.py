"""Machine code that finds positions: from one that is kept all that come next, each kept once.

Positions lie one behind the other as they lie in the memory of a game, in the order in which they were found; instead
of the claims in doubt each has the number of the position that it was come to from first. They are compared whole,
byte for byte; a table says where to look.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from llvmlite import ir

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks, is_rest
from referee.core.read_write_sets import left_behind
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I64, NO, POINTER, IrWriter, load, pointer, store, word
from referee.native.judging.judging_ir import is_rest_at
from referee.native.memory_layout import AT_AT, DOUBTS_AT, USED_AT
from referee.native.playing_ir import gone_on
from referee.native.point_ir import END, MOST_ROWS
from referee.native.value_forms import SetForm, Ssa
from referee.native.ways.way_rows import row_width

POSITIONS, COUNT, HEAD, UNTIL, ROOM, TABLE, MASK, ROWS, WAYS, ENDS, TESTED = range(11)
"""The words of the book of a search: where positions lie, how many there are, the first that is not gone on from, where
to stop, for how many there is room; the table, the number of its places less one; room for ways; how many ways and ends
were met; whether claims are tested."""
BOOK_WORDS = 11
"""How many words that book has."""
DONE, NO_ROOM, NO_PLACE = 0, 1, 2
"""What a search says: it came to `UNTIL`; there is no room for a position; the table is too full."""
FACTOR = 0x9E3779B97F4A7C15
"""What a hash is multiplied with for each word of a position: 2 to the power of 64, by the golden ratio."""
_EVERY = (1 << 64) - 1
"""A word in which all bits are set."""


def write_search(flow: Flow, code: NativeCoder) -> None:
    """Goes on from positions that are kept, nearest first: the book. `DONE`, or why not; unusual if another engine has
    to go on from the position that is next."""
    out = code.out
    book = out.function.args[2]
    head, inside, over, ended, unknown = (out.block() for _ in range(5))
    out.go(head)
    out.begin(head)
    here = load(out, book, HEAD)
    out.at.cbranch(out.at.icmp_unsigned("<", here, load(out, book, UNTIL)), inside, over)
    out.begin(inside)
    kept = _kept_at(code, book, here)
    at = out.at.load(out.address(kept, AT_AT), typ=I64, align=8)
    ways = out.local(I64, word(0))
    next_ = out.block()
    switch = out.at.switch(at, unknown)
    switch.add_case(word(END), ended)
    for number, node in enumerate(flow.nodes):
        if asks(node) is not None:
            begin = out.block()
            switch.add_case(word(number), begin)
            out.begin(begin)
            _gone_on_from(code, number, node, book, kept, ways)
            out.go(next_)
    out.begin(ended)
    store(out, out.at.add(load(out, book, ENDS), word(1)), book, ENDS)
    out.at.branch(next_)
    out.begin(next_)
    store(out, out.at.add(load(out, book, WAYS), out.at.load(ways, typ=I64)), book, WAYS)
    store(out, out.at.add(here, word(1)), book, HEAD)
    out.at.branch(head)
    out.begin(unknown)
    out.at.branch(out.leaving)
    out.begin(over)
    out.at.ret(word(DONE))


def _gone_on_from(code: NativeCoder, at: int, node: Node, book: Ssa, kept: Ssa, ways: Ssa) -> None:
    out = code.out
    rows = pointer(out, book, ROWS)
    _laid_out(code, kept, node)

    def each(count: Ssa, take: Callable[[Ssa], Ssa]) -> None:
        none = out.at.or_(out.at.icmp_signed("<=", count, word(0)), out.at.icmp_signed("==", count, word(MOST_ROWS)))
        out.leave_if(none)
        out.at.store(out.at.add(out.at.load(ways, typ=I64), count), ways)
        with out.counting(count) as (index, _):
            with out.only_if(out.at.icmp_signed(">", index, word(0))):
                _laid_out(code, kept, node)
            after = take(index)
            said = out.call("land", out.state, out.fixed, book, word(at), after)
            with out.only_if(out.at.icmp_signed("!=", said, word(DONE))):
                out.at.ret(said)

    out.at.store(word(0), ways)
    match node:
        case Rule():
            count = out.call(f"found {at}", out.state, out.fixed, rows, word(MOST_ROWS))
            each(count, lambda index: out.call(f"ruled {at}", out.state, out.fixed, out.at.load(
                out.at.gep(rows, [index], source_etype=I64), typ=I64, align=8)))
        case Ask() | Draw() | Gather():
            width = row_width(node)

            def all_of(by: Ssa) -> None:
                count = out.call(f"ways {at}", out.state, out.fixed, by, rows, word(MOST_ROWS))
                each(count, lambda index: out.call(f"apply {at}", out.state, out.fixed, by, out.at.gep(
                    rows, [out.at.mul(index, word(width))], source_etype=I64)))

            if isinstance(node, Gather):
                pending = code.load(node.pending, out.address(out.state, code.memory.vars[node.pending].base))
                assert isinstance(pending, SetForm)
                bits = out.resized(out.narrowed(pending, 0, 64), I64)
                with out.members_of(bits, 0) as (by, _):
                    _laid_out(code, kept, node)
                    all_of(by)
            else:
                all_of(out.call(f"who {at}", out.state, out.fixed))
        case Run() | Fork():
            raise TypeError(f"nobody is asked at node {at}")
        case _:
            assert_never(node)


def _laid_out(code: NativeCoder, kept: Ssa, node: Node) -> None:
    """Puts a position that is kept into the memory of a game. Where claims were tested none is in doubt."""
    out = code.out
    copied(out, out.state, kept, code.memory.size)
    doubts = 0 if is_rest(node) else _EVERY
    out.at.store(ir.Constant(I64, doubts), out.address(out.state, DOUBTS_AT), align=8)


def write_land(flow: Flow, code: NativeCoder) -> None:
    """On from where an event led to, and the position come to is kept: book, node, what the event said."""
    out = code.out
    _, _, book, at, after = out.function.args
    come = gone_on(code, at, after)
    with out.only_if(out.at.icmp_signed("!=", load(out, book, TESTED), word(0))):
        ended = out.at.icmp_signed("==", come, word(END))
        with out.only_if(out.at.or_(ended, is_rest_at(flow, code, come))):
            held = out.call("hold", out.state, out.fixed)
            out.leave_if(out.at.icmp_signed("!=", held, word(1)))
    out.at.ret(out.call("keep", out.state, out.fixed, book, come))


def write_keep(flow: Flow, code: NativeCoder) -> None:
    """Keeps the position in the memory of a game, if it is new: book, node or end. Where the game is over nobody asks
    for registers any more."""
    out = code.out
    _, _, book, come = out.function.args
    with out.only_if(out.at.icmp_signed("==", come, word(END))):
        for name in sorted(left_behind(flow)):
            cells = code.memory.vars[name]
            if not cells.fixed:
                _zeroed(out, out.address(out.state, cells.base), cells.stride * code.layout.vars[name].count)
    out.at.store(come, out.address(out.state, AT_AT), align=8)
    out.at.store(word(code.memory.size), out.address(out.state, USED_AT), align=8)  # how far it once was says nothing
    out.at.store(load(out, book, HEAD), out.address(out.state, DOUBTS_AT), align=8)
    count = load(out, book, COUNT)
    full = out.at.icmp_unsigned(">", out.at.mul(count, word(2)), load(out, book, MASK))
    with out.only_if(full):
        out.at.ret(word(NO_PLACE))
    hashed = _hashed(code, out.state)
    place = _place(code, book, hashed, out.state)
    with out.only_if(out.at.icmp_unsigned(">=", count, load(out, book, ROOM))):
        out.at.ret(word(NO_ROOM))
    out.at.store(_entry(out, hashed, count), place, align=8)
    copied(out, _kept_at(code, book, count), out.state, code.memory.size)
    store(out, out.at.add(count, word(1)), book, COUNT)
    out.at.ret(word(DONE))


def write_seat(code: NativeCoder) -> None:
    """Says in a new table where the positions that are kept lie: book."""
    out = code.out
    book = out.function.args[2]
    with out.counting(load(out, book, COUNT)) as (index, _):
        kept = _kept_at(code, book, index)
        hashed = _hashed(code, kept)
        out.at.store(_entry(out, hashed, index), _place(code, book, hashed, None), align=8)
    out.at.ret(word(DONE))


def _place(code: NativeCoder, book: Ssa, hashed: Ssa, wanted: Ssa | None) -> Ssa:
    """The free place of the table where a position that is not kept belongs; the function ends if it is kept."""
    out = code.out
    table, mask = pointer(out, book, TABLE), load(out, book, MASK)
    at = out.local(I64, out.at.and_(hashed, mask))
    head, taken, on, free = (out.block() for _ in range(4))
    out.go(head)
    out.begin(head)
    index = out.at.load(at, typ=I64)
    place = out.at.gep(table, [index], source_etype=I64)
    entry = out.at.load(place, typ=I64, align=8)
    out.at.cbranch(out.at.icmp_unsigned("==", entry, word(0)), free, taken)
    out.begin(taken)
    if wanted is not None:
        tag = ir.Constant(I64, _EVERY ^ 0xFFFFFFFF)
        alike = out.at.icmp_unsigned("==", out.at.and_(out.at.xor(entry, hashed), tag), word(0))
        with out.only_if(alike):
            number = out.at.sub(out.at.and_(entry, word(0xFFFFFFFF)), word(1))
            with out.only_if(_same(code, wanted, _kept_at(code, book, number))):
                out.at.ret(word(DONE))
    out.go(on)
    out.begin(on)
    out.at.store(out.at.and_(out.at.add(index, word(1)), mask), at)
    out.at.branch(head)
    out.begin(free)
    return place


def _entry(out: IrWriter, hashed: Ssa, number: Ssa) -> Ssa:
    """What stands in the table for a position: a part of its hash, and its number."""
    tag = ir.Constant(I64, _EVERY ^ 0xFFFFFFFF)
    return out.at.or_(out.at.and_(hashed, tag), out.at.add(number, word(1)))


def _hashed(code: NativeCoder, kept: Ssa) -> Ssa:
    out = code.out
    total = out.local(I64, word(0))
    factor = ir.Constant(I64, FACTOR)
    with out.counting(word(code.memory.size // 8 - 1)) as (index, _):
        one = out.at.load(out.at.gep(kept, [out.at.add(index, word(1))], source_etype=I64), typ=I64, align=8)
        now = out.at.load(total, typ=I64)
        turned = out.at.or_(out.at.shl(now, word(5)), out.at.lshr(now, word(59)))
        out.at.store(out.at.mul(out.at.xor(turned, one), factor), total)
    found = out.at.load(total, typ=I64)
    return out.at.xor(found, out.at.lshr(found, word(29)))


def _same(code: NativeCoder, one: Ssa, other: Ssa) -> Ssa:
    """Whether two positions are the same, but for where they were come to from."""
    out = code.out
    differ = out.local(I64, word(0))
    with out.counting(word(code.memory.size // 8 - 1)) as (index, _):
        at = out.at.add(index, word(1))
        left, right = (out.at.load(out.at.gep(kept, [at], source_etype=I64), typ=I64, align=8) for kept in (one, other))
        out.at.store(out.at.or_(out.at.load(differ, typ=I64), out.at.xor(left, right)), differ)
    return out.at.icmp_unsigned("==", out.at.load(differ, typ=I64), word(0))


def _zeroed(out: IrWriter, place: Ssa, size: int) -> None:
    fill = out.at.module.declare_intrinsic("llvm.memset", [POINTER, I64])
    out.at.call(fill, [place, ir.Constant(ir.IntType(8), 0), word(size), NO])


def copied(out: IrWriter, to: Ssa, source: Ssa, size: int) -> None:
    """Copies a position."""
    copy = out.at.module.declare_intrinsic("llvm.memcpy", [POINTER, POINTER, I64])
    out.at.call(copy, [to, source, word(size), NO])


def _kept_at(code: NativeCoder, book: Ssa, number: Ssa) -> Ssa:
    out = code.out
    first = pointer(out, book, POSITIONS)
    return out.address(first, 0, out.at.mul(number, word(code.memory.size)))
