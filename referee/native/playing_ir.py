"""Machine code that plays a game out: every way that there is, and one of them by lot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from llvmlite import ir

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks, offered, offers
from referee.core.free_ranges import ranges_wide
from referee.core.intervals import Bounds
from referee.game.event import FATE, TABLE
from referee.interpreter.playouts import FEW_LISTED, TRIES
from referee.native.by_lot.drawing_plan import tries
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I64, word
from referee.native.point_ir import END, HERE, MOST_ROWS, UNUSUAL, NativeOffered
from referee.native.value_forms import NotNative, SetForm, Ssa
from referee.native.ways.way_rows import row_width

HEAD = 2
"""Words on a tape before an event as it is written down: its node, and who."""


def tape_width(flow: Flow) -> int:
    """How many words an event takes on a tape."""
    return HEAD + max((row_width(node) for one in flow.nodes if (node := offers(one)) is not None), default=1)


def write_play(flow: Flow, code: NativeCoder) -> None:
    """Plays by lot from a node on: node, generator, most events, room for ways, where the game then is and how many
    events were played before the last, a tape for events or nothing, whether the table rules. How many events were
    played; unusual if another engine has to go on behind those.

    The law is that of other play-outs: each legal event alike, who of several is first each alike, fate one parameter
    after the other by components.
    """
    out = code.out
    _, _, start, random, most, rows, reached, tape, ruling = out.function.args
    now, done = out.local(I64, start), out.local(I64, word(0))
    head, inside, over, next_ = out.block(), out.block(), out.block(), out.block()
    out.go(head)
    out.begin(head)
    index = out.at.load(done, typ=I64)
    out.at.store(index, out.at.gep(reached, [word(1)], source_etype=I64), align=8)
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
        by, row = played(code, number_of, node, (random, rows, ruling), taken)
        wanted = out.at.icmp_unsigned("!=", out.at.ptrtoint(tape, I64), word(0))
        with out.only_if(wanted):
            width = tape_width(flow)
            place = out.at.gep(tape, [out.at.mul(index, word(width))], source_etype=I64)
            for offset, value in enumerate((word(number_of), by)):
                out.at.store(value, out.at.gep(place, [word(offset)], source_etype=I64), align=8)
            out.call("copy_words", out.at.gep(place, [word(HEAD)], source_etype=I64), row, word(width - HEAD))
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


def played(code: NativeCoder, at: int, node: Node, given: tuple[Ssa, Ssa, Ssa], taken: Ssa) -> tuple[Ssa, Ssa]:
    """Takes an event at a node by lot: who does, and the way as it was written down."""
    out = code.out
    random, rows, ruling = given
    match node:
        case Rule():
            out.leave_if(out.at.icmp_signed("==", ruling, word(0)))
            count = out.call(f"found {at}", out.state, out.fixed, rows, word(MOST_ROWS))
            out.leave_if(out.at.icmp_signed("<=", count, word(0)))
            chosen = out.at.gep(rows, [drawn_lot(code, random, count)], source_etype=I64)
            value = out.at.load(chosen, typ=I64, align=8)
            out.at.store(out.call(f"ruled {at}", out.state, out.fixed, value), taken)
            return word(TABLE), chosen
        case Draw():
            _drawn(code, at, word(FATE), random, rows)
            out.at.store(out.call(f"apply {at}", out.state, out.fixed, word(FATE), rows), taken)
            return word(FATE), rows
        case Ask() | Gather():
            by = _pending(code, node, random) if isinstance(node, Gather) else out.call(
                f"who {at}", out.state, out.fixed)
            row = _by_lot(code, at, node, by, random, rows)
            out.at.store(out.call(f"apply {at}", out.state, out.fixed, by, row), taken)
            return by, row
        case Run() | Fork():
            raise TypeError(f"nobody is asked at node {at}")
        case _:
            assert_never(node)


def _by_lot(code: NativeCoder, at: int, node: Ask | Gather, by: Ssa, random: Ssa, rows: Ssa) -> Ssa:
    """A way that somebody can take, written down."""
    out = code.out
    match node:
        case Ask():
            single = True
        case Gather():
            single = False
        case _:
            assert_never(node)
    if ranges_wide(node, FEW_LISTED):
        if not single:
            out.leave_if(ir.Constant(ir.IntType(1), 1))
        else:
            _drawn(code, at, by, random, rows)
        return rows
    place, behind = out.local(I64, word(0)), out.block()
    if single and NativeOffered(code, offered(node), Bounds(0, 63), by).plans() is not None:
        listed = out.block()
        tried = out.call(f"try {at}", out.state, out.fixed, by, random, rows)
        out.at.cbranch(out.at.icmp_signed("==", tried, word(1)), behind, listed)
        out.begin(listed)
    count = out.call(f"ways {at}", out.state, out.fixed, by, rows, word(FEW_LISTED + 1))
    out.leave_if(out.at.icmp_signed("<=", count, word(0)))
    many = out.at.icmp_signed(">", count, word(FEW_LISTED))
    several, few = out.block(), out.block()
    out.at.cbranch(many, several, few)
    out.begin(several)
    if single:
        _drawn(code, at, by, random, rows)
        out.at.branch(behind)
    else:
        out.at.branch(out.leaving)
    out.begin(few)
    out.at.store(out.at.mul(drawn_lot(code, random, count), word(row_width(node))), place)
    out.at.branch(behind)
    out.begin(behind)
    return out.at.gep(rows, [out.at.load(place, typ=I64)], source_etype=I64)


def _drawn(code: NativeCoder, at: int, by: Ssa, random: Ssa, rows: Ssa) -> None:
    drawn = code.out.call(f"draw {at}", code.out.state, code.out.fixed, by, random, rows)
    code.out.leave_if(code.out.at.icmp_signed("!=", drawn, word(1)))


def _pending(code: NativeCoder, node: Gather, random: Ssa) -> Ssa:
    """One of those who have not chosen yet."""
    out = code.out
    pending = code.load(node.pending, out.address(out.state, code.memory.vars[node.pending].base))
    assert isinstance(pending, SetForm)
    bits = out.resized(out.narrowed(pending, 0, 64), I64)
    left = out.local(I64, drawn_lot(code, random, out.size_of(bits)))
    found = out.local(I64, word(0))
    with out.members_of(bits, 0) as (by, behind):
        more = out.at.load(left, typ=I64)
        out.at.store(by, found)
        out.at.store(out.at.sub(more, word(1)), left)
        on = out.block()
        out.at.cbranch(out.at.icmp_signed("==", more, word(0)), behind, on)
        out.begin(on)
    return out.at.load(found, typ=I64)


def write_draw(node: Ask | Draw, writer: NativeOffered, code: NativeCoder, *, evenly: bool) -> None:
    """Draws the parameters of a way one after the other, each component of a source alike: who, generator, room for
    the way. 1 if it was found, 0 if no try was. `evenly`: so that each way comes up alike."""
    out = code.out
    random, row = out.function.args[3:]
    out.state.add_attribute("noalias")  # what is drawn lies elsewhere: what is read of a position is read once
    plans = writer.plans() if evenly else None
    if evenly and plans is None:
        raise NotNative("ways that do not come up alike")
    with trying(code, TRIES if plans is None else tries(plans)) as (again, over):
        if plans is not None:
            writer.tried(plans, lambda count: drawn_lot(code, random, count), writer.row_written(row), again)
        else:
            alternatives = len(offered(node))
            switch = out.at.switch(
                drawn_lot(code, random, word(alternatives)) if alternatives > 1 else word(0), again)
            for one in range(alternatives):
                begin = out.block()
                switch.add_case(word(one), begin)
                out.begin(begin)
                writer.drawn(one, lambda count: drawn_lot(code, random, count), row, again)
        out.begin(over)
    out.at.ret(word(0))


@contextmanager
def trying(code: NativeCoder, most: int) -> Iterator[tuple[Ssa, Ssa]]:
    """So many tries: the block where the next one begins, and the one behind the last. What is tried ends by itself."""
    out = code.out
    tried, again, over, once_more = out.local(I64, word(0)), out.block(), out.block(), out.block()
    out.go(again)
    out.begin(again)
    number = out.at.load(tried, typ=I64)
    out.at.store(out.at.add(number, word(1)), tried)
    out.at.cbranch(out.at.icmp_signed("<", number, word(most)), once_more, over)
    out.begin(once_more)
    yield again, over


def drawn_lot(code: NativeCoder, random: Ssa, number_of: Ssa) -> Ssa:
    """A number below another one, from a generator (xorshift64*)."""
    out, wide = code.out, ir.IntType(128)
    state = out.at.load(random, typ=I64, align=8)
    for shift, left in ((12, False), (25, True), (27, False)):
        moved = out.at.shl(state, word(shift)) if left else out.at.lshr(state, word(shift))
        state = out.at.xor(state, moved)
    out.at.store(state, random, align=8)
    mixed = out.at.mul(state, ir.Constant(I64, 0x2545F4914F6CDD1D))
    product = out.at.mul(out.at.zext(mixed, wide), out.at.zext(number_of, wide))
    return out.at.trunc(out.at.lshr(product, ir.Constant(wide, 64)), I64)


def gone_on(code: NativeCoder, at: Ssa, after: Ssa) -> Ssa:
    """Where a game comes to that goes on, behind an event at a node: a point, or the end. What is unusual is left."""
    out = code.out
    out.leave_if(out.at.icmp_signed("==", after, word(UNUSUAL)))
    reached = out.local(I64, after)
    with out.only_if(out.at.icmp_signed("==", after, word(HERE))):
        out.at.store(at, reached)
    with out.only_if(out.at.icmp_signed(">=", after, word(0))):
        out.at.store(out.call("go", out.state, out.fixed, after), reached)
    come = out.at.load(reached, typ=I64)
    out.leave_if(out.at.icmp_signed("==", come, word(UNUSUAL)))
    return come
