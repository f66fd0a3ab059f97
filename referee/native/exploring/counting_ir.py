"""Machine code that counts how games go on: sequences of so many turns or events from a position.

What a way does to the position is undone by a copy of it, behind which the ways lie that are still to be taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from llvmlite import ir

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks, offers
from referee.game.event import FATE, TABLE
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I1, I8, I64, NO, POINTER, IrWriter, word
from referee.native.memory_layout import USED_AT
from referee.native.playing_ir import gone_on
from referee.native.point_ir import END, MOST_ROWS
from referee.native.value_forms import NotNative, SetForm, Ssa
from referee.native.ways.way_rows import row_width

LEFT, UNTIL, BY_EVENT, LAST = range(4)
"""The words of the book of a count: how many points may still be looked at, where memory ends, whether a step is an
event, and a byte for each node, 1 where whatever is done surely ends a turn."""
BOOK_WORDS = 4
"""How many words that book has."""
NOBODY = -1
"""Whose turn it is where that is not known."""


def widest(flow: Flow) -> int:
    """How many words a way takes at most."""
    return max((row_width(node) for one in flow.nodes if (node := offers(one)) is not None), default=1)


def write_count(flow: Flow, code: NativeCoder) -> None:
    """Counts: node, whose turn it is (or nobody's yet), how many steps, free memory, book. How many sequences there
    are; unusual if another engine has to count them. The position is as it was then."""
    out = code.out
    _, _, at, _, _, memory, book = out.function.args
    left = _read(out, book, LEFT)
    out.leave_if(out.at.icmp_signed("<=", left, word(0)))
    out.at.store(out.at.sub(left, word(1)), _place(out, book, LEFT), align=8)
    size = out.at.load(out.address(out.state, USED_AT), typ=I64, align=8)
    rows = out.address(memory, 0, out.at.and_(out.at.add(size, word(7)), word(-8)))
    behind_rows = out.at.add(out.at.ptrtoint(rows, I64), word(8 * MOST_ROWS * widest(flow)))
    out.leave_if(out.at.icmp_unsigned(">", behind_rows, _read(out, book, UNTIL)))
    _copied(out, memory, out.state, size)
    total = out.local(I64, word(0))
    nothing, over = out.block(), out.block()
    switch = out.at.switch(at, nothing)
    for number, node in enumerate(flow.nodes):
        if asks(node) is not None:
            begin = out.block()
            switch.add_case(word(number), begin)
            out.begin(begin)
            _counted_at(code, number, node, (rows, size, total))
            out.go(over)
    out.begin(nothing)
    out.at.branch(out.leaving)
    out.begin(over)
    out.at.ret(out.at.load(total, typ=I64))


def _counted_at(code: NativeCoder, at: int, node: Node, given: tuple[Ssa, Ssa, Ssa]) -> None:
    out = code.out
    rows, size, total = given
    _, _, _, player, depth, memory, book = out.function.args

    def each(count: Ssa, by: Ssa, width: int, take: Callable[[Ssa], Ssa]) -> None:
        out.leave_if(out.at.icmp_signed("<=", count, word(0)))
        out.leave_if(out.at.icmp_signed("==", count, word(MOST_ROWS)))
        lasts = out.at.inttoptr(_read(out, book, LAST), POINTER)
        last = out.at.load(out.at.gep(lasts, [word(at)], source_etype=I8), typ=I8, align=1)
        only = out.at.and_(out.at.icmp_unsigned("!=", last, ir.Constant(I8, 0)),
                           out.at.icmp_signed("==", depth, word(1)))
        counted, taken, behind = out.block(), out.block(), out.block()
        out.at.cbranch(only, counted, taken)
        out.begin(counted)
        _add(out, total, count)
        out.at.branch(behind)
        out.begin(taken)
        free = out.at.gep(rows, [out.at.mul(count, word(width))], source_etype=I64)
        with out.counting(count) as (index, _):
            come = gone_on(code, word(at), take(out.at.gep(rows, [out.at.mul(index, word(width))], source_etype=I64)))
            _add(out, total, _further(code, come, by, (player, depth, free, book)))
            used = out.at.load(out.address(out.state, USED_AT), typ=I64, align=8)
            _copied(out, out.state, memory, size)
            with out.only_if(out.at.icmp_signed(">", used, size)):
                fill = out.at.module.declare_intrinsic("llvm.memset", [POINTER, I64])
                out.at.call(fill, [out.address(out.state, 0, size), ir.Constant(I8, 0), out.at.sub(used, size), NO])
        out.at.branch(behind)
        out.begin(behind)

    match node:
        case Rule():
            count = out.call(f"found {at}", out.state, out.fixed, rows, word(MOST_ROWS))
            each(count, word(TABLE), 1, lambda row: out.call(
                f"ruled {at}", out.state, out.fixed, out.at.load(row, typ=I64, align=8)))
        case Ask() | Draw() | Gather():
            def all_of(by: Ssa) -> None:
                count = out.call(f"ways {at}", out.state, out.fixed, by, rows, word(MOST_ROWS))
                each(count, by, row_width(node), lambda row: out.call(f"apply {at}", out.state, out.fixed, by, row))

            match node:
                case Gather():
                    with out.members_of(_pending(code, node), 0) as (by, _):
                        all_of(by)
                case Ask():
                    all_of(out.call(f"who {at}", out.state, out.fixed))
                case Draw():
                    all_of(word(FATE))
                case _:
                    assert_never(node)
        case Run() | Fork():
            raise TypeError(f"nobody is asked at node {at}")
        case _:
            assert_never(node)


def _further(code: NativeCoder, come: Ssa, by: Ssa, given: tuple[Ssa, Ssa, Ssa, Ssa]) -> Ssa:
    """How many sequences there are once somebody has done something, and the game has come to a point or its end."""
    out = code.out
    player, depth, free, book = given
    found = out.local(I64, word(0))
    last = out.at.icmp_signed("==", depth, word(1))
    over, goes_on, ended, same, behind = (out.block() for _ in range(5))
    out.at.cbranch(out.at.icmp_signed("==", come, word(END)), ended, goes_on)
    out.begin(goes_on)
    whose = out.at.select(out.at.icmp_signed(">=", by, word(0)), by, player)
    nobody = out.at.icmp_signed("<", whose, word(0))
    asked = out.call("asked", out.state, out.fixed, come)
    out.leave_if(out.at.icmp_signed("<", asked, word(0)))
    own = out.at.shl(word(1), out.at.select(nobody, word(0), whose))
    others = out.at.icmp_unsigned("!=", out.at.and_(asked, out.at.not_(own)), word(0))
    turn = out.at.and_(out.at.icmp_signed("==", _read(out, book, BY_EVENT), word(0)),
                       out.at.or_(nobody, out.at.not_(others)))
    out.at.cbranch(turn, same, over)
    out.begin(same)
    _sub(out, found, come, whose, depth, free, book)
    out.at.branch(behind)
    out.begin(over)
    on = out.block()
    out.at.cbranch(last, ended, on)
    out.begin(on)
    _sub(out, found, come, word(NOBODY), out.at.sub(depth, word(1)), free, book)
    out.at.branch(behind)
    out.begin(ended)
    out.at.store(out.at.zext(last, I64), found)
    out.at.branch(behind)
    out.begin(behind)
    return out.at.load(found, typ=I64)


def _sub(out: IrWriter, found: Ssa, come: Ssa, whose: Ssa, depth: Ssa, free: Ssa, book: Ssa) -> None:
    number = out.call("count", out.state, out.fixed, come, whose, depth, free, book)
    out.leave_if(out.at.icmp_signed("<", number, word(0)))
    out.at.store(number, found)


def write_asked(flow: Flow, code: NativeCoder) -> None:
    """The players who are asked at a node, as bits."""
    out = code.out
    if flow.core.seats.number > 62:
        raise NotNative("that many players")
    nothing = out.block()
    switch = out.at.switch(out.function.args[2], nothing)
    for number, node in enumerate(flow.nodes):
        begin = out.block()
        match node:
            case Ask():
                switch.add_case(word(number), begin)
                out.begin(begin)
                by = out.call(f"who {number}", out.state, out.fixed)
                out.leave_if(out.at.icmp_unsigned(">", by, word(62)))
                out.at.ret(out.at.shl(word(1), by))
            case Gather():
                switch.add_case(word(number), begin)
                out.begin(begin)
                out.at.ret(_pending(code, node))
            case Run() | Fork() | Draw() | Rule():
                out.begin(begin)
                out.at.unreachable()
            case _:
                assert_never(node)
    out.begin(nothing)
    out.at.ret(word(0))


def _pending(code: NativeCoder, node: Gather) -> Ssa:
    """Who has not chosen yet, as bits."""
    out = code.out
    pending = code.load(node.pending, out.address(out.state, code.memory.vars[node.pending].base))
    assert isinstance(pending, SetForm)
    return out.resized(out.narrowed(pending, 0, 64), I64)


def _add(out: IrWriter, total: Ssa, more: Ssa) -> None:
    """Adds to a number; one that is too large is left to others."""
    now = out.at.add(out.at.load(total, typ=I64), more)
    out.leave_if(out.at.icmp_signed("<", now, word(0)))
    out.at.store(now, total)


def _copied(out: IrWriter, to: Ssa, source: Ssa, size: Ssa) -> None:
    copy = out.at.module.declare_intrinsic("llvm.memcpy", [POINTER, POINTER, I64])
    out.at.call(copy, [to, source, size, ir.Constant(I1, 0)])


def _place(out: IrWriter, book: Ssa, at: int) -> Ssa:
    return out.at.gep(book, [word(at)], source_etype=I64)


def _read(out: IrWriter, book: Ssa, at: int) -> Ssa:
    return out.at.load(_place(out, book, at), typ=I64, align=8)
