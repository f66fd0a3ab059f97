"""The module of a flow: a function for each of its nodes, and those that carry a game from point to point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from llvmlite import ir

from referee.codegen.compiled_program import MOST_NODES, choosers, groups, once, successors
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.trusted_variables import actor
from referee.codegen.value_bounds import BoundProver
from referee.core.expr import Const
from referee.core.flow import (
    Ask,
    Draw,
    Flow,
    Fork,
    Gather,
    Node,
    OfferNode,
    Rule,
    Run,
    asks,
    is_decision,
    is_rest,
    offered,
    offers,
)
from referee.core.read_write_sets import changes
from referee.game.event import FATE
from referee.game.state import Layout
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I64, POINTER, IrWriter, word
from referee.native.member_ir import each
from referee.native.memory_layout import DOUBTS_AT, MemoryLayout
from referee.native.native_scope import Scope
from referee.native.playing_ir import gone_on, write_play
from referee.native.point_ir import (
    END,
    HERE,
    MOST_ROWS,
    REFUSED,
    UNUSUAL,
    NativeOffered,
    argument_widths,
    row_width,
)
from referee.native.statement_ir import NativeEffects
from referee.native.value_forms import NONE, NotNative, NumberForm, SetForm, Ssa
from referee.native.zone_runtime import add_runtime

CALLED = ("step", "play")
"""The functions that are called from outside."""
MOST_CALLS = 2_000
MOST_CLAIMS = 63
"""So many claims have a bit of their own; those behind share the last."""
Key = tuple[str, ...]


class ProgramIr:
    """Writes the module of a flow. `keys`: the labels and arguments of events, which a judge is told by their number;
    `widths`: how many words the arguments of each take at each node."""

    def __init__(self, flow: Flow, layout: Layout, memory: MemoryLayout) -> None:
        self.flow = flow
        self.layout = layout
        self.memory = memory
        self.module = ir.Module("referee")
        self.claims = InvariantCode(flow)
        self.prover = BoundProver(layout)
        self.keys: dict[Key, int] = {}
        self.widths: dict[tuple[int, Key], list[int]] = {}
        self.left: dict[str, str] = {}
        self._ways = Counter(after for node in flow.nodes for after in successors(node))
        add_runtime(self.module)

    def write(self) -> None:
        """Writes all functions."""
        for bit in range(self.claims.number):
            self._function(f"claim {bit}", [], partial(self._claim, bit=bit))
        for at, node in enumerate(self.flow.nodes):
            self._node(at, node)
        self._function("hold", [], self._hold)
        self._function("go", [I64, I64], self._go)
        self._function("take", [I64, I64, I64, POINTER], self._take)
        self._function("step", [I64, I64, I64, POINTER, I64], self._step)
        self._function("play", [I64, POINTER, I64, POINTER, POINTER], partial(write_play, self.flow))

    def _function(self, name: str, kinds: Sequence[Ssa], write: Callable[[NativeCoder], None]) -> None:
        """A function of the position that gives a number. One that machine code is not made of leaves all to others."""
        function = ir.Function(self.module, ir.FunctionType(I64, [POINTER, POINTER, *kinds]), name)
        if name not in CALLED:  # put into one another they would be one function, which takes long to compile
            function.linkage = "internal"
            function.attributes.add("noinline")
        out = IrWriter(function)
        code = NativeCoder(self.layout, self.memory, self.prover, out)
        try:
            write(code)
        except (NotNative, RecursionError) as why:
            self.left[name] = str(why)
            function.blocks.clear()
            ir.IRBuilder(function.append_basic_block("left")).ret(word(UNUSUAL))
            return
        out.finish(word(UNUSUAL))

    # --- claims

    def _claim(self, code: NativeCoder, *, bit: int) -> None:
        """1 if a claim holds."""
        core = self.flow.core
        first = len(core.invariants)
        if bit < first:
            held = code.truth(core.invariants[bit].guard.cond, {})
            code.out.at.ret(code.out.at.zext(held, I64))
            return
        zone = [one for one in core.zones.values() if one.limit is not None][bit - first]
        assert zone.limit is not None
        out, limit = code.out, code.number(zone.limit, {})
        cells, count = self.memory.zones[zone.name], self.layout.zones[zone.name].count
        with out.counting(word(count)) as (index, _):
            words = out.address(out.state, cells.base, out.at.mul(index, word(cells.stride)))
            if zone.form.on_spots:
                spots = word(self.memory.words(zone))
                lying = out.at.sub(spots, out.call("how_often", words, spots, word(-1)))
            else:
                lying = out.load_word(words, word(0))
            with out.only_if(out.at.icmp_signed(">", lying, limit)):
                out.at.ret(word(0))
        out.at.ret(word(1))

    def _doubt(self, code: NativeCoder, node: Node) -> None:
        """The claims that a node may break are in doubt from here on."""
        touched = self.claims.touched(changes(node))
        bits = {min(bit, MOST_CLAIMS) for bit in range(self.claims.number) if touched >> bit & 1}
        mask = sum(1 << bit for bit in bits)
        if mask:
            out = code.out
            at = out.address(out.state, DOUBTS_AT)
            held = ir.Constant(I64, mask)
            out.at.store(out.at.or_(out.at.load(at, typ=I64, align=8), held), at, align=8)

    def _hold(self, code: NativeCoder) -> None:
        """1 if all claims in doubt hold, and nothing is in doubt any more; unusual if one does not."""
        out = code.out
        at = out.address(out.state, DOUBTS_AT)
        doubts = out.at.load(at, typ=I64, align=8)
        broken = out.block()
        with out.only_if(out.at.icmp_unsigned("!=", doubts, word(0))):
            for bit in range(self.claims.number):
                mask = ir.Constant(I64, 1 << min(bit, MOST_CLAIMS))
                with out.only_if(out.at.icmp_unsigned("!=", out.at.and_(doubts, mask), word(0))):
                    on = out.block()
                    held = out.call(f"claim {bit}", out.state, out.fixed)
                    out.at.cbranch(out.at.icmp_signed("==", held, word(1)), on, broken)
                    out.begin(on)
            out.at.store(word(0), at, align=8)
        out.at.ret(word(1))
        out.begin(broken)
        out.at.ret(word(UNUSUAL))

    # --- nodes

    def _node(self, at: int, node: Node) -> None:
        match node:
            case Run() | Fork():
                self._function(f"run {at}", [], lambda code: self._chain(code, at, set(), first=True))
            case Rule():
                self._function(f"found {at}", [POINTER, I64], lambda code: self._found(code, node))
                self._function(f"ruled {at}", [I64], lambda code: self._ruled(code, node))
                self._function(f"arrive {at}", [I64], lambda code: self._arrive_at_rule(code, at, node))
            case Ask() | Gather() | Draw():
                self._function(f"who {at}", [], lambda code: self._who(code, node))
                self._function(f"some {at}", [I64], lambda code: self._offered(code, node, 2).some())
                self._function(f"ways {at}", [I64, POINTER, I64], lambda code: self._write_ways(code, node))
                self._function(f"apply {at}", [I64, POINTER], lambda code: self._apply(code, node))
                for key, chosen in groups(node).items():
                    number_of = self.keys.setdefault(key, len(self.keys))
                    widths = self.widths[at, key] = argument_widths(offered(node), chosen)
                    self._function(f"take {at} {number_of}", [I64, POINTER], partial(
                        self._take_at, node=node, chosen=chosen, widths=widths))
                self._function(f"arrive {at}", [I64], lambda code: self._arrive(code, at, node))
            case _:
                assert_never(node)

    def _offered(self, code: NativeCoder, node: OfferNode, by: int) -> NativeOffered:
        me = code.out.function.args[by]
        return NativeOffered(code, offered(node), actor(node, self.prover), me, choosers(node))

    def _who(self, code: NativeCoder, node: OfferNode) -> None:
        """The one who is asked; of a group the bits of all that are."""
        out = code.out
        match node:
            case Ask():
                out.at.ret(code.number(node.actor, {}))
            case Draw():
                out.at.ret(word(FATE))
            case Gather():
                bits = word(0)
                for actors, _ in node.parts:
                    group = code.value(actors, {})
                    if not isinstance(group, SetForm):
                        raise NotNative("players who are no set")
                    bits = out.at.or_(bits, out.resized(out.narrowed(group, 0, 64), I64))
                out.at.ret(bits)
            case _:
                assert_never(node)

    def _take_at(self, code: NativeCoder, *, node: OfferNode, chosen: Sequence[int], widths: Sequence[int]) -> None:
        """Takes an event of `by` with such arguments: the next node, or refused."""
        out = code.out
        by, words = out.function.args[2], out.function.args[3]
        stranger, on = out.block(), out.block()
        match node:
            case Ask():
                asked = out.at.icmp_signed("==", by, code.number(node.actor, {}))
            case Draw():
                asked = out.at.icmp_signed("==", by, word(FATE))
            case Gather():
                pending = code.load(node.pending, out.address(out.state, self.memory.vars[node.pending].base))
                assert isinstance(pending, SetForm)
                bits = out.resized(out.narrowed(pending, 0, 64), I64)
                seated = out.at.icmp_unsigned("<", by, word(64))
                bit = out.at.lshr(bits, out.at.select(seated, by, word(0)))
                asked = out.at.and_(seated, out.at.trunc(bit, ir.IntType(1)))
            case _:
                assert_never(node)
        out.at.cbranch(asked, on, stranger)
        out.begin(on)
        writer = self._offered(code, node, 2)

        def use(number_of: int, scope: Scope) -> None:
            self._kept(code, node, writer, number_of, scope)

        writer.check(chosen, words, widths, use)
        out.at.branch(stranger)
        out.begin(stranger)
        out.at.ret(word(REFUSED))

    def _kept(self, code: NativeCoder, node: OfferNode, writer: NativeOffered, chosen: int, scope: Scope) -> None:
        """What a legal event leaves behind, and on to the next point."""
        self._doubt(code, node)
        match node:
            case Ask() | Draw():
                writer.apply(chosen, None, scope)
                self._chain(code, offered(node)[chosen].next, set())
            case Gather():
                writer.apply(chosen, node, scope)
                self._chain(code, node.next, set())
            case _:
                assert_never(node)

    def _apply(self, code: NativeCoder, node: OfferNode) -> None:
        """Takes a way that was written down."""
        out = code.out
        row = out.function.args[3]
        writer = self._offered(code, node, 2)
        chosen = out.at.load(row, typ=I64, align=8)
        nothing = out.block()
        switch = out.at.switch(chosen, nothing)
        for number_of in range(len(offered(node))):
            if writer.in_rows(number_of):
                begin = out.block()
                switch.add_case(word(number_of), begin)
                out.begin(begin)
                self._kept(code, node, writer, number_of, writer.from_row(number_of, row))
        out.begin(nothing)
        out.at.branch(out.leaving)

    def _write_ways(self, code: NativeCoder, node: OfferNode) -> None:
        """Writes down every way that there is, up to a number: how many."""
        out = code.out
        rows, most = out.function.args[3], out.function.args[4]
        writer = self._offered(code, node, 2)
        width = row_width(node)
        count = out.local(I64, word(0))

        def use(number_of: int, scope: Scope) -> None:
            so_far = out.at.load(count, typ=I64)
            full = out.at.icmp_signed(">=", so_far, most)
            with out.only_if(full):
                out.at.ret(so_far)
            begin = out.at.gep(rows, [out.at.mul(so_far, word(width))], source_etype=I64)
            for index, ssa in enumerate(writer.row_of(number_of, scope)):
                out.at.store(ssa, out.at.gep(begin, [word(index)], source_etype=I64), align=8)
            out.at.store(out.at.add(so_far, word(1)), count)

        if not once(node):
            raise NotNative("several ways that are one event")
        writer.each_way(use)
        out.at.ret(out.at.load(count, typ=I64))

    def _chain(self, code: NativeCoder, at: int, passed: set[int], first: bool = False) -> None:
        """The nodes from one on that no other way leads to, up to a point; the last is what is returned."""
        node, out = self.flow.nodes[at], code.out
        if asks(node) is not None or (self._ways[at] != 1 and not first) or (
                at in passed or len(passed) >= MOST_NODES):
            if not out.at.block.is_terminated:
                out.at.ret(word(at))
            return
        passed.add(at)
        self._doubt(code, node)
        match node:
            case Run():
                watched = tuple(one for one in self.flow.core.invariants if one.everywhere)
                effects = NativeEffects(code, at, watched)
                effects.ended = word(END)
                effects.block(node.body, {})
                self._chain(code, node.next, passed)
            case Fork(Const(value)):
                self._chain(code, node.yes if value else node.no, passed)
            case Fork():
                yes, no = out.block(), out.block()
                out.at.cbranch(code.truth(node.cond, {}), yes, no)
                for begin, after in ((yes, node.yes), (no, node.no)):
                    out.begin(begin)
                    self._chain(code, after, passed)
            case Ask() | Gather() | Draw() | Rule():
                raise TypeError(f"somebody is asked at node {at}")
            case _:
                assert_never(node)

    # --- arriving

    def _arrive(self, code: NativeCoder, at: int, node: OfferNode) -> None:
        """Where the game goes on from a point without asking; `HERE` if somebody is asked."""
        match node:
            case Gather():
                self._arrive_at_group(code, at, node)
            case Ask():
                self._arrive_at_offer(code, at, node, node.otherwise)
            case Draw():
                self._arrive_at_offer(code, at, node, None)
            case _:
                assert_never(node)

    def _arrive_at_offer(self, code: NativeCoder, at: int, node: Ask | Draw, otherwise: int | None) -> None:
        out = code.out
        by = out.call(f"who {at}", out.state, out.fixed)
        out.leave_if(out.at.icmp_signed("<", by, word(FATE)))
        if is_decision(node) and otherwise is None and not node.point.automatic:
            with out.only_if(out.at.icmp_signed("==", out.function.args[2], word(0))):
                out.at.ret(word(HERE))
        if not node.point.automatic:
            some = out.call(f"some {at}", out.state, out.fixed, by)
            out.leave_if(out.at.icmp_signed("<", some, word(0)))
            with out.only_if(out.at.icmp_signed("==", some, word(1))):
                out.at.ret(word(HERE))
        else:
            NativeOffered(code, offered(node), actor(node, self.prover), by, choosers(node)).surely_several()
            rows = out.local(I64, number=2 * row_width(node))
            number_of = out.call(f"ways {at}", out.state, out.fixed, by, rows, word(2))
            out.leave_if(out.at.icmp_signed("<", number_of, word(0)))
            with out.only_if(out.at.icmp_signed("==", number_of, word(2))):
                out.at.ret(word(HERE))
            with out.only_if(out.at.icmp_signed("==", number_of, word(1))):
                out.at.ret(out.call(f"apply {at}", out.state, out.fixed, by, rows))
        if otherwise is None:
            out.at.branch(out.leaving)
        else:
            out.at.ret(word(otherwise))

    def _arrive_at_group(self, code: NativeCoder, at: int, node: Gather) -> None:
        out = code.out
        bits = out.call(f"who {at}", out.state, out.fixed)
        out.leave_if(out.at.icmp_signed("<", bits, word(0)))
        kind = self.layout.defs[node.pending].type
        code.store(SetForm(bits, 0, 64), kind, out.address(out.state, self.memory.vars[node.pending].base), sure=True)
        self._doubt(code, node)
        with out.only_if(out.at.icmp_signed("==", bits, word(0))):
            out.at.ret(word(node.next))
        if node.point.automatic:
            out.at.branch(out.leaving)
            return
        with out.members_of(bits, 0) as (by, _):
            out.leave_if(out.at.icmp_signed("!=", out.call(f"some {at}", out.state, out.fixed, by), word(1)))
        out.at.ret(word(HERE))

    def _found(self, code: NativeCoder, node: Rule) -> None:
        """Writes down the candidates, each once: how many."""
        out = code.out
        values, most = out.function.args[2], out.function.args[3]
        count = out.local(I64, word(0))

        def put(member: Ssa, behind: Ssa) -> None:
            so_far = out.at.load(count, typ=I64)
            new = out.local(I64, word(1))
            with out.counting(so_far) as (index, _):
                there = out.at.load(out.at.gep(values, [index], source_etype=I64), typ=I64, align=8)
                with out.only_if(out.at.icmp_signed("==", there, member)):
                    out.at.store(word(0), new)
            with out.only_if(out.at.icmp_signed("==", out.at.load(new, typ=I64), word(1))):
                out.leave_if(out.at.icmp_signed(">=", so_far, most))
                out.at.store(member, out.at.gep(values, [so_far], source_etype=I64), align=8)
                out.at.store(out.at.add(so_far, word(1)), count)

        if node.candidates is not None:
            each(code, node.candidates, {}, put)
        out.at.ret(out.at.load(count, typ=I64))

    def _ruled(self, code: NativeCoder, node: Rule) -> None:
        out = code.out
        self._doubt(code, node)
        if node.into is not None:
            at = out.address(out.state, self.memory.vars[node.into].base)
            code.store(NumberForm(out.function.args[2]), self.layout.defs[node.into].type, at, sure=False)
        self._chain(code, node.next, set())

    def _arrive_at_rule(self, code: NativeCoder, at: int, node: Rule) -> None:
        out = code.out
        if node.candidates is None:
            out.at.branch(out.leaving)
            return
        values = out.local(I64, number=MOST_ROWS)
        count = out.call(f"found {at}", out.state, out.fixed, values, word(MOST_ROWS))
        out.leave_if(out.at.icmp_signed("<=", count, word(0)))
        with out.only_if(out.at.icmp_signed("==", count, word(1))):
            out.at.ret(out.call(f"ruled {at}", out.state, out.fixed, out.at.load(values, typ=I64, align=8)))
        ruling = out.at.load(out.address(out.state, self.memory.rulings[node.point.name].base), typ=I64, align=8)
        with out.only_if(out.at.icmp_signed("!=", ruling, word(NONE))), out.counting(count) as (index, _):
            there = out.at.load(out.at.gep(values, [index], source_etype=I64), typ=I64, align=8)
            with out.only_if(out.at.icmp_signed("==", there, ruling)):
                out.at.ret(out.call(f"ruled {at}", out.state, out.fixed, ruling))
        out.at.ret(word(HERE))

    # --- on from point to point

    def _go(self, code: NativeCoder) -> None:
        """On from a node to the next point at which somebody is really asked; or the end."""
        out = code.out
        now, calls = out.local(I64, out.function.args[2]), out.local(I64, word(0))
        head, over, unknown = out.block(), out.block(), out.block()
        out.go(head)
        out.begin(head)
        at = out.at.load(now, typ=I64)
        done = out.at.add(out.at.load(calls, typ=I64), word(1))
        out.at.store(done, calls)
        out.leave_if(out.at.icmp_signed(">", done, word(MOST_CALLS)))
        switch = out.at.switch(at, unknown)
        for index, node in enumerate(self.flow.nodes):
            begin = out.block()
            switch.add_case(word(index), begin)
            out.begin(begin)
            if asks(node) is None:
                after = out.call(f"run {index}", out.state, out.fixed)
            else:
                after = out.call(f"arrive {index}", out.state, out.fixed, out.function.args[3])
                with out.only_if(out.at.icmp_signed("==", after, word(HERE))):
                    out.at.ret(at)
            on = out.block()
            out.at.store(after, now)
            out.at.cbranch(out.at.icmp_signed("<", after, word(0)), over, on)
            out.begin(on)
            out.at.branch(head)
        out.begin(over)
        out.at.ret(out.at.load(now, typ=I64))
        out.begin(unknown)
        out.at.branch(out.leaving)

    def _take(self, code: NativeCoder) -> None:
        """Takes an event at a node: node, key, who, arguments."""
        out = code.out
        _, _, at, key, by, words = out.function.args
        nothing = out.block()
        nodes = out.at.switch(at, nothing)
        for index, node in enumerate(self.flow.nodes):
            offering = offers(node)
            if offering is None:
                continue
            begin = out.block()
            nodes.add_case(word(index), begin)
            out.begin(begin)
            keys = out.at.switch(key, nothing)
            for name in groups(offering):
                inside = out.block()
                keys.add_case(word(self.keys[name]), inside)
                out.begin(inside)
                out.at.ret(out.call(f"take {index} {self.keys[name]}", out.state, out.fixed, by, words))
        out.begin(nothing)
        out.at.ret(word(REFUSED))

    def _step(self, code: NativeCoder) -> None:
        """Takes an event and goes on: node, key, who, arguments, whether what holds is tested. The node that the game
        comes to, or the end; refused: nothing was done; unusual: what lies in memory is good for nothing."""
        out = code.out
        _, _, at, key, by, args, tested = out.function.args
        after = out.call("take", out.state, out.fixed, at, key, by, args)
        with out.only_if(out.at.icmp_signed("==", after, word(REFUSED))):
            out.at.ret(after)
        come = gone_on(code, at, after)
        with out.only_if(out.at.icmp_signed("!=", tested, word(0))):
            ended = out.at.icmp_signed("==", come, word(END))
            with out.only_if(out.at.or_(ended, self._is_rest(code, come))):
                held = out.call("hold", out.state, out.fixed)
                out.leave_if(out.at.icmp_signed("!=", held, word(1)))
        out.at.ret(come)

    def _is_rest(self, code: NativeCoder, at: Ssa) -> Ssa:
        """Whether claims are to hold at a node."""
        rests = code.constant("rests", [int(is_rest(node)) for node in self.flow.nodes], 8)
        out = code.out
        known = out.at.select(out.at.icmp_signed("<", at, word(0)), word(0), at)
        held = out.at.load(out.at.gep(rests, [known], source_etype=ir.IntType(8)), typ=ir.IntType(8), align=1)
        return out.at.icmp_unsigned("!=", held, ir.Constant(ir.IntType(8), 0))
