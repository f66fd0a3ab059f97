"""Machine code that follows a log: events one after the other, each tested, taken and gone on from."""

from __future__ import annotations

from llvmlite import ir

from referee.core.flow import Flow, is_rest
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I8, I32, I64, NO, POINTER, word
from referee.native.memory_layout import USED_AT
from referee.native.playing_ir import gone_on
from referee.native.point_ir import END, REFUSED, UNUSUAL
from referee.native.value_forms import Ssa

ROW = 3
"""Words of what an event says: its kind (-1: none that is known), who, where its arguments begin."""


def write_judge(flow: Flow, code: NativeCoder) -> None:
    """Follows events from a position, which is laid into memory unless it lies there, until one is not legal, unusual
    or none that is known, or the game is over: how many. Where the game then is is written down; after what is unusual,
    what lies in memory is good for nothing."""
    out = code.out
    _, _, start, numbers, number_of, table, arguments, tested, reached, image, used = out.function.args
    with out.only_if(out.at.icmp_signed(">=", used, word(0))):
        _laid(code, image, used)
    now, done = out.local(I64, start), out.local(I64, word(0))
    head, inside, over, broken = out.block(), out.block(), out.block(), out.block()
    out.leaving, leaving = broken, out.leaving
    out.go(head)
    out.begin(head)
    index = out.at.load(done, typ=I64)
    at = out.at.load(now, typ=I64)
    more = out.at.icmp_signed("<", index, number_of)
    out.at.cbranch(out.at.and_(more, out.at.icmp_signed(">=", at, word(0))), inside, over)
    out.begin(inside)
    said = out.at.load(out.at.gep(numbers, [index], source_etype=I32), typ=I32, align=4)
    row = out.at.gep(table, [out.at.mul(out.at.sext(said, I64), word(ROW))], source_etype=I64)
    kind, by, begin = (out.at.load(out.at.gep(row, [word(place)], source_etype=I64), typ=I64, align=8)
                       for place in range(ROW))
    args = out.at.gep(arguments, [begin], source_etype=I64)
    after = out.call("take", out.state, out.fixed, at, kind, by, args)
    with out.only_if(out.at.icmp_signed("==", after, word(REFUSED))):
        out.at.branch(over)
    come = gone_on(code, at, after)
    with out.only_if(out.at.icmp_signed("!=", tested, word(0))):
        ended = out.at.icmp_signed("==", come, word(END))
        with out.only_if(out.at.or_(ended, is_rest_at(flow, code, come))):
            held = out.call("hold", out.state, out.fixed)
            out.leave_if(out.at.icmp_signed("!=", held, word(1)))
    out.at.store(come, now)
    out.at.store(out.at.add(index, word(1)), done)
    out.at.branch(head)
    out.begin(over)
    out.at.store(out.at.load(now, typ=I64), reached, align=8)
    out.at.ret(out.at.load(done, typ=I64))
    out.begin(broken)
    out.at.store(word(UNUSUAL), reached, align=8)
    out.at.ret(out.at.load(done, typ=I64))
    out.leaving = leaving


def _laid(code: NativeCoder, image: Ssa, used: Ssa) -> None:
    """Lays a position into memory; what was in use behind it becomes zero."""
    out = code.out
    before = out.at.load(out.address(out.state, USED_AT), typ=I64, align=8)
    copy = out.at.module.declare_intrinsic("llvm.memcpy", [POINTER, POINTER, I64])
    out.at.call(copy, [out.state, image, used, NO])
    with out.only_if(out.at.icmp_signed(">", before, used)):
        fill = out.at.module.declare_intrinsic("llvm.memset", [POINTER, I64])
        out.at.call(fill, [out.address(out.state, 0, used), ir.Constant(I8, 0), out.at.sub(before, used), NO])


def is_rest_at(flow: Flow, code: NativeCoder, at: Ssa) -> Ssa:
    """Whether claims are to hold at a node."""
    rests = code.constant("rests", [int(is_rest(node)) for node in flow.nodes], 8)
    out = code.out
    known = out.at.select(out.at.icmp_signed("<", at, word(0)), word(0), at)
    held = out.at.load(out.at.gep(rests, [known], source_etype=I8), typ=I8, align=1)
    return out.at.icmp_unsigned("!=", held, ir.Constant(I8, 0))
