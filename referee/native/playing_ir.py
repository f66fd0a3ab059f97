"""Machine code that plays a game out: every way that there is, and one of them by lot."""

from __future__ import annotations

from typing import assert_never

from llvmlite import ir

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I64, word
from referee.native.point_ir import END, HERE, MOST_ROWS, UNUSUAL, row_width
from referee.native.value_forms import SetForm, Ssa


def write_play(flow: Flow, code: NativeCoder) -> None:
    """Plays at random from a node on: node, generator, most events, room for ways, where the game then is. How many
    events were played; unusual if another engine has to play it."""
    out = code.out
    _, _, start, random, most, rows, reached = out.function.args
    now, done = out.local(I64, start), out.local(I64, word(0))
    head, inside, over, next_ = out.block(), out.block(), out.block(), out.block()
    out.go(head)
    out.begin(head)
    index = out.at.load(done, typ=I64)
    out.at.cbranch(out.at.icmp_signed("<", index, most), inside, over)
    out.begin(inside)
    at = out.at.load(now, typ=I64)
    taken = out.local(I64)
    nothing = out.block()
    switch = out.at.switch(at, nothing)
    for number_of, node in enumerate(flow.nodes):
        if asks(node) is None:
            continue
        begin = out.block()
        switch.add_case(word(number_of), begin)
        out.begin(begin)
        _played(code, number_of, node, random, rows, taken)
        out.go(next_)
    out.begin(nothing)
    out.at.branch(out.leaving)
    out.begin(next_)
    after = out.at.load(taken, typ=I64)
    on = gone_on(code, at, after)
    out.at.store(on, now)
    out.at.store(out.at.add(index, word(1)), done)
    with out.only_if(out.at.icmp_signed("==", on, word(END))):
        out.at.branch(over)
    out.at.branch(head)
    out.begin(over)
    out.at.store(out.at.load(now, typ=I64), reached, align=8)
    out.at.ret(out.at.load(done, typ=I64))


def _played(code: NativeCoder, at: int, node: Node, random: Ssa, rows: Ssa, taken: Ssa) -> None:
    out = code.out
    match node:
        case Rule():
            count = out.call(f"found {at}", out.state, out.fixed, rows, word(MOST_ROWS))
            out.leave_if(out.at.icmp_signed("<=", count, word(0)))
            chosen = out.at.gep(rows, [_lot(code, random, count)], source_etype=I64)
            value = out.at.load(chosen, typ=I64, align=8)
            out.at.store(out.call(f"ruled {at}", out.state, out.fixed, value), taken)
        case Ask() | Draw() | Gather():
            width = row_width(node)
            if isinstance(node, Gather):
                pending = code.load(node.pending, out.address(out.state, code.memory.vars[node.pending].base))
                assert isinstance(pending, SetForm)
                bits = out.resized(out.narrowed(pending, 0, 64), I64)
                by = out.resized(out.at.cttz(bits, ir.Constant(ir.IntType(1), 1)), I64)
            else:
                by = out.call(f"who {at}", out.state, out.fixed)
            count = out.call(f"ways {at}", out.state, out.fixed, by, rows, word(MOST_ROWS))
            none = out.at.or_(out.at.icmp_signed("<=", count, word(0)),
                              out.at.icmp_signed("==", count, word(MOST_ROWS)))
            out.leave_if(none)
            place = out.at.mul(_lot(code, random, count), word(width))
            row = out.at.gep(rows, [place], source_etype=I64)
            out.at.store(out.call(f"apply {at}", out.state, out.fixed, by, row), taken)
        case Run() | Fork():
            raise TypeError(f"nobody is asked at node {at}")
        case _:
            assert_never(node)


def _lot(code: NativeCoder, random: Ssa, number_of: Ssa) -> Ssa:
    """A number below another one, from a generator (xorshift64*)."""
    out = code.out
    state = out.at.load(random, typ=I64, align=8)
    for shift, left in ((12, False), (25, True), (27, False)):
        moved = out.at.shl(state, word(shift)) if left else out.at.lshr(state, word(shift))
        state = out.at.xor(state, moved)
    out.at.store(state, random, align=8)
    high = out.at.lshr(out.at.mul(state, ir.Constant(I64, 0x2545F4914F6CDD1D)), word(32))
    return out.at.lshr(out.at.mul(high, number_of), word(32))


def gone_on(code: NativeCoder, at: Ssa, after: Ssa) -> Ssa:
    """Where a game comes to that goes on, behind an event at a node: a point, or the end. What is unusual is left."""
    out = code.out
    out.leave_if(out.at.icmp_signed("==", after, word(UNUSUAL)))
    reached = out.local(I64, after)
    with out.only_if(out.at.icmp_signed("==", after, word(HERE))):
        out.at.store(at, reached)
    with out.only_if(out.at.icmp_signed(">=", after, word(0))):
        out.at.store(out.call("go", out.state, out.fixed, after, word(0)), reached)
    come = out.at.load(reached, typ=I64)
    out.leave_if(out.at.icmp_signed("==", come, word(UNUSUAL)))
    return come
