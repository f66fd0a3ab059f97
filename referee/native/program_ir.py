"""The module of a flow: a function for each of its nodes, and those that carry a game from point to point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from llvmlite import ir

from referee.codegen.invariant_code import InvariantCode
from referee.codegen.offer_groups import MOST_NODES, choosers, groups, once, plain, successors
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
    offered,
)
from referee.core.read_write_sets import changes
from referee.game.event import CHOICE, FATE, TABLE
from referee.game.state import Layout
from referee.native.by_lot.counted_games_ir import write_games
from referee.native.exploring.counting_ir import write_asked, write_count
from referee.native.exploring.searching_ir import write_keep, write_land, write_search, write_seat
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I64, POINTER, GrowingModule, IrWriter, word
from referee.native.judging.beginning_ir import write_begin
from referee.native.judging.judging_ir import write_judge
from referee.native.judging.line_lookup_ir import write_find, write_learn
from referee.native.judging.whole_text_ir import write_text
from referee.native.member_ir import each
from referee.native.memory_layout import DOUBTS_AT, MemoryLayout
from referee.native.native_scope import Scope
from referee.native.playing_ir import write_draw, write_play
from referee.native.point_ir import END, HERE, MOST_ROWS, REFUSED, UNUSUAL, NativeOffered, distinct
from referee.native.sets.aliases import aliases_put_in
from referee.native.statement_ir import NativeEffects
from referee.native.value_forms import NONE, NotNative, NumberForm, SetForm, Ssa
from referee.native.ways.event_kinds import Said, by_kinds
from referee.native.ways.way_rows import argument_widths, in_rows, row_width
from referee.native.zone_runtime import add_runtime
from referee.native.zones.zone_ir import LyingIr

GO = "go"
JUDGED = (I64, POINTER, I64, POINTER, POINTER, I64, POINTER, POINTER, I64)
"""What `judge` takes: node, numbers of events, how many, what events say, their arguments, whether what holds is
tested, where the game then is, a position to be laid into memory first and its bytes (-1: none)."""
MOST_CALLS = 2_000
"""After so many nodes on the way to one point the step is left to the other engines."""
MOST_CLAIMS = 63
"""So many claims have a bit of their own; those behind share the last."""


class ProgramIr:
    """Writes the module of a flow. `keys`: what kinds of events there are, which a judge is told by their number: in
    this order; with each how many words each of its arguments takes."""

    def __init__(self, flow: Flow, layout: Layout, memory: MemoryLayout) -> None:
        self.flow = flow = aliases_put_in(flow)
        self.layout = layout
        self.memory = memory
        self.module = GrowingModule("referee")
        self.claims = InvariantCode(flow)
        self.prover = BoundProver(layout)
        self.keys: dict[Said, list[int]] = {}
        self.left: dict[str, str] = {}
        self._numbers: dict[Said, int] = {}
        self._taken: dict[int, list[Said]] = {}
        self._writers: dict[str, Callable[[NativeCoder], None]] = {}
        self._entered: dict[int, str] = {}
        self._ways = Counter(after for node in flow.nodes for after in successors(node))
        add_runtime(self.module)

    def write(self, asked: Sequence[str]) -> None:
        """Writes the functions that are asked for, and those that they call."""
        self._offer_all()
        for name in asked:
            made = self.module.function(name)
            made.linkage = "external"
            made.attributes.discard("noinline")
        while self.module.waiting:
            name = self.module.waiting.pop()
            if name == GO and self.module.waiting:
                self.module.waiting.insert(0, GO)  # it has to know all nodes that others go on to
            else:
                self._write_function(name, self._writers[name])

    def _offer_all(self) -> None:
        for bit in range(self.claims.number):
            self._function(f"claim {bit}", [], partial(self._claim, bit=bit))
        for at, node in enumerate(self.flow.nodes):
            self._node(at, node)
        self._function("hold", [], self._hold)
        self._function(GO, [I64], self._go)
        self._function("take", [I64, I64, I64, POINTER], self._take)
        self._function("begin", [I64], lambda code: write_begin(self.flow, code, self._enter(self.flow.start)))
        self._function("judge", JUDGED, partial(write_judge, self.flow))
        self._function("find", [POINTER, POINTER, I64, POINTER], write_find)
        self._function("learn", [POINTER, POINTER, I64, I64], write_learn)
        self._function("text", [POINTER, POINTER, I64, I64], partial(write_text, self.flow))
        self._function("play", [I64, POINTER, I64, POINTER, POINTER, POINTER, I64], partial(write_play, self.flow))
        self._function("games", [I64, POINTER, POINTER, I64, I64, POINTER, POINTER], lambda code: write_games(
            self.flow, code, self))
        self._function("seat", [POINTER], write_seat)
        for name, kinds, write in (("keep", [POINTER, I64], write_keep), ("land", [POINTER, I64, I64], write_land),
                                   ("search", [POINTER], write_search), ("asked", [I64], write_asked),
                                   ("count", [I64, I64, I64, POINTER, POINTER], write_count)):
            self._function(name, kinds, partial(write, self.flow))

    def _function(self, name: str, kinds: Sequence[Ssa], write: Callable[[NativeCoder], None]) -> None:
        """A function of the position that gives a number, if somebody calls it."""
        self.module.offer(name, kinds)
        self._writers[name] = write

    def _write_function(self, name: str, write: Callable[[NativeCoder], None]) -> None:
        """One that machine code is not made of leaves all to others."""
        function = self.module.function(name)
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
            lying = LyingIr(out, zone, self.memory.forms[zone.name], words).number()
            with out.only_if(out.at.icmp_signed(">", lying, limit)):
                out.at.ret(word(0))
        out.at.ret(word(1))

    def _doubt(self, code: NativeCoder, node: Node) -> None:
        """The claims that a node may break are in doubt from here on."""
        touched = self.claims.touched(changes(node))
        bits = {min(bit, MOST_CLAIMS) for bit in range(self.claims.number) if touched >> bit & 1}
        mask = sum(1 << bit for bit in bits)
        if mask and code.out.landing is None:  # in games that are only counted nobody tests them
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
                self._function(f"ruled {at}", [I64], lambda code: self.ruled(code, node, code.out.function.args[2]))
                if node.candidates is not None:
                    ruling: Said = (node.point.name, CHOICE), (False,)
                    self._said(at, ruling, [1])
                    self._function(f"take {at} {self._numbers[ruling]}", [I64, POINTER],
                                   partial(self._take_ruling, at=at))
                self._function(f"arrive {at}", [], lambda code: self._arrive_at_rule(code, at, node))
            case Ask() | Draw():
                self._offering(at, node)
                for name, evenly in (("draw", False), ("try", True)):
                    self._function(f"{name} {at}", [I64, POINTER, POINTER], partial(
                        self._draw, node=node, evenly=evenly))
            case Gather():
                self._offering(at, node)
            case _:
                assert_never(node)

    def _offering(self, at: int, node: OfferNode) -> None:
        self._function(f"who {at}", [], lambda code: self._who(code, node))
        self._function(f"some {at}", [I64], lambda code: self._offered(code, node, 2).some())
        self._function(f"ways {at}", [I64, POINTER, I64], lambda code: self._write_ways(code, node))
        self._function(f"apply {at}", [I64, POINTER], lambda code: self._apply(code, node))
        for key, numbers in groups(node).items():
            for said, chosen in by_kinds(key, node, numbers).items():
                self._said(at, said, argument_widths(offered(node), chosen))
                self._function(f"take {at} {self._numbers[said]}", [I64, POINTER], partial(
                    self._take_at, node=node, chosen=chosen, said=said))
        self._function(f"arrive {at}", [], lambda code: self._arrive(code, at, node))

    def _said(self, at: int, said: Said, widths: Sequence[int]) -> None:
        """There is such a kind of events at a node: its number, and so many words are needed."""
        self._taken.setdefault(at, []).append(said)
        self._numbers.setdefault(said, len(self._numbers))
        known = self.keys.setdefault(said, list(widths))
        known[:] = [max(pair) for pair in zip(known, widths, strict=True)]

    # --- parts of a course that is one function

    def chain(self, code: NativeCoder, at: int) -> None:
        """The nodes from one on, up to a point."""
        self._chain(code, at, set(), first=True)

    def kept(self, code: NativeCoder, node: OfferNode, writer: NativeOffered, chosen: int, scope: Scope) -> None:
        """What a legal event leaves behind, and on to the next point."""
        self._kept(code, node, writer, chosen, scope)

    def ruled(self, code: NativeCoder, node: Rule, value: Ssa) -> None:
        """What the table rules, and on to the next point."""
        self._doubt(code, node)
        if node.into is not None:
            at = code.out.address(code.out.state, self.memory.vars[node.into].base)
            code.store(NumberForm(value), node.into, at, sure=False)
        self._chain(code, node.next, set())

    def offered_at(self, code: NativeCoder, node: OfferNode, by: Ssa) -> NativeOffered:
        """What writes the alternatives of a point."""
        return NativeOffered(code, offered(node), actor(node, self.prover), by, choosers(node))

    # --- nodes

    def _enter(self, at: int) -> Ssa:
        """A node that the game goes on to from elsewhere."""
        if at not in self._entered:
            self._entered[at] = f"{'run' if asks(self.flow.nodes[at]) is None else 'arrive'} {at}"
            self.module.function(self._entered[at])
        return word(at)

    def _offered(self, code: NativeCoder, node: OfferNode, by: int) -> NativeOffered:
        return self.offered_at(code, node, code.out.function.args[by])

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

    def _take_at(self, code: NativeCoder, *, node: OfferNode, chosen: Sequence[int], said: Said) -> None:
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

        writer.check(chosen, words, self.keys[said], use)
        out.at.branch(stranger)
        out.begin(stranger)
        out.at.ret(word(REFUSED))

    def _take_ruling(self, code: NativeCoder, *, at: int) -> None:
        """Takes what the table rules, if it is one of the candidates: the next node, or refused."""
        out = code.out
        by, words = out.function.args[2], out.function.args[3]
        with out.only_if(out.at.icmp_signed("!=", by, word(TABLE))):
            out.at.ret(word(REFUSED))
        values = out.local(I64, number=MOST_ROWS)
        count = out.call(f"found {at}", out.state, out.fixed, values, word(MOST_ROWS))
        out.leave_if(out.at.icmp_signed("<=", count, word(0)))
        choice = out.at.load(words, typ=I64, align=8)
        with out.counting(count) as (index, _):
            there = out.at.load(out.at.gep(values, [index], source_etype=I64), typ=I64, align=8)
            with out.only_if(out.at.icmp_signed("==", there, choice)):
                out.at.ret(out.call(f"ruled {at}", out.state, out.fixed, choice))
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
            if in_rows(offered(node)[number_of]):
                begin = out.block()
                switch.add_case(word(number_of), begin)
                out.begin(begin)
                self._kept(code, node, writer, number_of, writer.from_row(number_of, row))
        out.begin(nothing)
        out.at.branch(out.leaving)

    def _draw(self, code: NativeCoder, *, node: Ask | Draw, evenly: bool) -> None:
        """Writes down a way whose parameters are drawn one by one."""
        if not (evenly or once(node)):
            raise NotNative("several ways that are one event")
        write_draw(node, self._offered(code, node, 2), code, evenly=evenly)

    def _write_ways(self, code: NativeCoder, node: OfferNode) -> None:
        """Writes down a way for every event that there is, up to a number: how many."""
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
            again = out.block()
            writer.write_row(number_of, scope, out.at.gep(rows, [out.at.mul(so_far, word(width))], source_etype=I64))
            writer.unless_known(number_of, rows, so_far, width, again)
            out.at.store(out.at.add(so_far, word(1)), count)
            out.go(again)
            out.begin(again)

        if not plain(node):
            raise NotNative("events that are not known by what a log says of them")
        writer.each_way(use)
        out.at.ret(out.at.load(count, typ=I64))

    def _chain(self, code: NativeCoder, at: int, passed: set[int], first: bool = False) -> None:
        """The nodes from one on that no other way leads to, up to a point; the last is what is returned."""
        node, out = self.flow.nodes[at], code.out
        if asks(node) is not None or (self._ways[at] != 1 and not first) or (
                at in passed or len(passed) >= MOST_NODES):
            if not out.at.block.is_terminated:
                self._onward(out, at)
            return
        passed.add(at)
        self._doubt(code, node)
        match node:
            case Run():
                watched = tuple(one for one in self.flow.core.invariants if one.everywhere)
                effects = NativeEffects(code, at, watched)
                effects.ended = partial(self._onward, out, END)
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

    def _onward(self, out: IrWriter, at: int) -> None:
        """On to a node, or the end of the game."""
        if out.landing is not None:
            out.landing(at)
        else:
            out.at.ret(word(END) if at == END else self._enter(at))

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
            out.at.ret(word(HERE))  # whether anything is possible is tested when an event is refused
            return
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
            out.at.ret(self._enter(otherwise))

    def _arrive_at_group(self, code: NativeCoder, at: int, node: Gather) -> None:
        out = code.out
        bits = out.call(f"who {at}", out.state, out.fixed)
        out.leave_if(out.at.icmp_signed("<", bits, word(0)))
        pending = out.address(out.state, self.memory.vars[node.pending].base)
        code.store(SetForm(bits, 0, 64), node.pending, pending, sure=True)
        self._doubt(code, node)
        with out.only_if(out.at.icmp_signed("==", bits, word(0))):
            out.at.ret(self._enter(node.next))
        if node.point.automatic:
            self._only_choices(code, at, node, bits)
            return
        with out.members_of(bits, 0) as (by, _):
            out.leave_if(out.at.icmp_signed("!=", out.call(f"some {at}", out.state, out.fixed, by), word(1)))
        out.at.ret(word(HERE))

    def _only_choices(self, code: NativeCoder, at: int, node: Gather, bits: Ssa) -> None:
        """Takes what each player of a group has to do, if nobody has a choice; `HERE` if somebody has."""
        out = code.out
        rows, chosen = out.local(I64, number=2 * row_width(node)), out.local(I64, word(1))
        with out.members_of(bits, 0) as (by, _):
            count = out.call(f"ways {at}", out.state, out.fixed, by, rows, word(2))
            out.leave_if(out.at.icmp_signed("<=", count, word(0)))
            with out.only_if(out.at.icmp_signed("==", count, word(2))):
                out.at.store(word(0), chosen)
        with out.only_if(out.at.icmp_signed("==", out.at.load(chosen, typ=I64), word(0))):
            out.at.ret(word(HERE))
        with out.members_of(bits, 0) as (by, _):
            out.call(f"ways {at}", out.state, out.fixed, by, rows, word(2))  # what others have chosen changes nothing
            after = out.call(f"apply {at}", out.state, out.fixed, by, rows)
            with out.only_if(out.at.icmp_signed("!=", after, word(HERE))):
                out.at.ret(after)
        out.at.branch(out.leaving)

    def _found(self, code: NativeCoder, node: Rule) -> None:
        """Writes down the candidates, each once: how many."""
        out = code.out
        values, most = out.function.args[2], out.function.args[3]
        count = out.local(I64, word(0))
        alone = node.candidates is not None and distinct(node.candidates)

        def put(member: Ssa, behind: Ssa) -> None:
            so_far = out.at.load(count, typ=I64)
            new = out.local(I64, word(1))
            with out.counting(word(0) if alone else so_far) as (index, _):
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
        for index, name in self._entered.items():
            begin = out.block()
            switch.add_case(word(index), begin)
            out.begin(begin)
            after = out.call(name, out.state, out.fixed)
            if asks(self.flow.nodes[index]) is not None:
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
        """Takes an event at a node: node, kind, who, arguments."""
        out = code.out
        _, _, at, key, by, words = out.function.args
        nothing = out.block()
        nodes = out.at.switch(at, nothing)
        for index, kinds in self._taken.items():
            begin = out.block()
            nodes.add_case(word(index), begin)
            out.begin(begin)
            keys = out.at.switch(key, nothing)
            for said in kinds:
                inside = out.block()
                number_of = self._numbers[said]
                keys.add_case(word(number_of), inside)
                out.begin(inside)
                out.at.ret(out.call(f"take {index} {number_of}", out.state, out.fixed, by, words))
        out.begin(nothing)
        out.at.ret(word(REFUSED))
