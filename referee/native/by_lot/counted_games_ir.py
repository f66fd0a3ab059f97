"""Machine code that plays many games by lot in one call and counts them: nobody is told of their events.

Of a small flow the whole course is one function: a node is a block of it, what was drawn is never written down, and
registers that nobody reads later are no memory. Nothing is left in doubt for claims, which no play-out tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, assert_never

from referee.core.expr import Members
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, OfferNode, Rule, Run, asks, is_decision
from referee.core.free_ranges import ranges_wide
from referee.interpreter.playouts import FEW_LISTED
from referee.native.by_lot.drawing_plan import tries
from referee.native.exploring.searching_ir import copied
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I64, YES, word
from referee.native.memory_layout import WINNERS_AT
from referee.native.native_scope import Scope
from referee.native.playing_ir import drawn_lot, played, trying
from referee.native.point_ir import END, HERE, UNUSUAL, NativeOffered
from referee.native.value_forms import SetForm, Ssa

MOST_FUSED = 60
"""Of a flow of more nodes the course is no single function."""
MOVES, WINS = 0, 1
"""What is counted: events, then of each seat the games that it won."""


class CourseCoding(Protocol):
    """What writes the parts of a course."""

    def chain(self, code: NativeCoder, at: int) -> None:
        """The nodes from one on, up to a point."""

    def kept(self, code: NativeCoder, node: OfferNode, writer: NativeOffered, chosen: int, scope: Scope) -> None:
        """What a legal event leaves behind, and on to the next point."""

    def ruled(self, code: NativeCoder, node: Rule, value: Ssa) -> None:
        """What the table rules, and on to the next point."""

    def offered_at(self, code: NativeCoder, node: OfferNode, by: Ssa) -> NativeOffered:
        """What writes the alternatives of a point."""


def write_games(flow: Flow, code: NativeCoder, course: CourseCoding) -> None:
    """Plays games by lot from a position: node, the position as it lies in memory, generator, how many games, most
    events of each, room for ways, what is counted. How many games are over; the first that is not was left to another
    engine, or is too long."""
    out = code.out
    _, _, start, image, random, number, most, rows, counted = out.function.args
    for block in (out.state, out.fixed, image, random, rows, counted):
        block.add_attribute("noalias")
    lot = out.local(I64, out.at.load(random, typ=I64, align=8))
    game, made, all_made = out.local(I64, word(0)), out.local(I64), out.local(I64, word(0))
    head, begin, over, done = (out.block() for _ in range(4))
    out.leaving, leaving = done, out.leaving
    out.failing = out.leaving
    out.go(head)
    out.begin(head)
    out.at.cbranch(out.at.icmp_signed("<", out.at.load(game, typ=I64), number), begin, done)
    out.begin(begin)
    copied(out, out.state, image, code.memory.size)
    out.at.store(word(0), made)
    if len(flow.nodes) <= MOST_FUSED:
        _Course(flow, code, course, (lot, rows, made, most), over).write(start)
    else:
        _by_steps(code, (start, lot, most, rows), made, over)
    out.begin(over)
    out.at.store(out.at.add(out.at.load(game, typ=I64), word(1)), game)
    out.at.store(out.at.add(out.at.load(all_made, typ=I64), out.at.load(made, typ=I64)), all_made)
    won = out.at.load(out.address(out.state, WINNERS_AT), typ=I64, align=8)
    for seat in range(flow.core.seats.number):
        place = out.at.gep(counted, [word(WINS + seat)], source_etype=I64)
        bit = out.at.and_(out.at.lshr(won, word(seat)), word(1))
        out.at.store(out.at.add(out.at.load(place, typ=I64, align=8), bit), place, align=8)
    out.at.branch(head)
    out.begin(done)
    out.at.store(out.at.load(lot, typ=I64), random, align=8)
    out.at.store(out.at.load(all_made, typ=I64), counted, align=8)
    out.at.ret(out.at.load(game, typ=I64))
    out.leaving = leaving


def _by_steps(code: NativeCoder, given: Sequence[Ssa], made: Ssa, over: Ssa) -> None:
    """A game of a large flow, event by event."""
    out = code.out
    start, lot, most, rows = given
    reached = out.local(I64, number=2)
    nothing = out.at.inttoptr(word(0), out.state.type)
    events = out.call("play", out.state, out.fixed, start, lot, most, rows, reached, nothing, word(1))
    ended = out.at.icmp_signed("==", out.at.load(reached, typ=I64, align=8), word(END))
    out.leave_if(out.at.or_(out.at.icmp_signed("<", events, word(0)), out.at.not_(ended)))
    out.at.store(events, made)
    out.at.branch(over)


class _Course:
    """Writes the course of a game: a block for each node where it goes on, and one for each point where somebody is
    really asked."""

    def __init__(self, flow: Flow, code: NativeCoder, course: CourseCoding, given: tuple[Ssa, Ssa, Ssa, Ssa],
                 over: Ssa) -> None:
        self._flow = flow
        self._code = code
        self._course = course
        self._lot, self._rows, self._made, self._most = given
        self._over = over
        self._landings: dict[int, Ssa] = {}
        self._waiting: list[int] = []
        self._asked = {at: code.out.block() for at, node in enumerate(flow.nodes) if asks(node) is not None}
        self._after = code.out.local(I64)
        self._turn = code.out.block()

    def write(self, start: Ssa) -> None:
        """From a point on."""
        out = self._code.out
        out.landing = self._landed
        out.at.store(start, self._after)
        out.at.branch(self._turn)
        for at in self._asked:
            out.begin(self._asked[at])
            self._event(at, self._flow.nodes[at])
            if not out.at.block.is_terminated:
                out.at.unreachable()
        while self._waiting:
            at = self._waiting.pop()
            out.begin(self._landings[at])
            self._arrived(at, self._flow.nodes[at])
            if not out.at.block.is_terminated:
                out.at.unreachable()
        out.begin(self._turn)
        switch = out.at.switch(out.at.load(self._after, typ=I64), out.leaving)
        switch.add_case(word(END), self._over)
        for at, block in self._asked.items():
            switch.add_case(word(at), block)
        out.landing = None

    def _landed(self, at: int) -> None:
        """On to a node, or the end."""
        out = self._code.out
        if at == END:
            out.at.branch(self._over)
            return
        if at not in self._landings:
            self._landings[at] = out.block()
            self._waiting.append(at)
        out.at.branch(self._landings[at])

    def _arrived(self, at: int, node: Node) -> None:
        out = self._code.out
        match node:
            case Run() | Fork():
                self._course.chain(self._code, at)
            case Ask() if is_decision(node) and node.otherwise is None and not node.point.automatic:
                out.at.branch(self._asked[at])
            case Rule(candidates=Members() as among):
                found = self._code.value(among.of, {})
                if not isinstance(found, SetForm):
                    self._called(at)
                    return
                several = out.block()
                single = out.block()
                out.at.cbranch(out.at.icmp_unsigned("==", out.size_of(found.ssa), word(1)), single, several)
                out.begin(single)
                value = out.at.add(out.resized(out.at.cttz(found.ssa, YES), I64), word(found.lo))
                self._course.ruled(self._code, node, value)
                out.begin(several)
                self._called(at)
            case Ask() | Draw() | Gather() | Rule():
                self._called(at)
            case _:
                assert_never(node)

    def _called(self, at: int) -> None:
        """As other functions have it."""
        out = self._code.out
        self._gone_on(at, out.call(f"arrive {at}", out.state, out.fixed))

    def _gone_on(self, at: int, after: Ssa) -> None:
        """To where a function says that the game comes."""
        out = self._code.out
        out.leave_if(out.at.icmp_signed("==", after, word(UNUSUAL)))
        with out.only_if(out.at.icmp_signed("==", after, word(HERE))):
            out.at.branch(self._asked[at])
        out.at.store(after, self._after)
        with out.only_if(out.at.icmp_signed(">=", after, word(0))):
            out.at.store(out.call("go", out.state, out.fixed, after), self._after)
        out.at.branch(self._turn)

    def _event(self, at: int, node: Node) -> None:
        """An event by lot."""
        out = self._code.out
        made = out.at.load(self._made, typ=I64)
        out.leave_if(out.at.icmp_signed(">=", made, self._most))
        out.at.store(out.at.add(made, word(1)), self._made)
        match node:
            case Ask():
                by = self._code.number(node.actor, {})
                self._quickly(node, by)
            case Draw() | Gather() | Rule():
                pass
            case Run() | Fork():
                raise TypeError(f"nobody is asked at node {at}")
            case _:
                assert_never(node)
        taken = out.local(I64)
        played(self._code, at, node, (self._lot, self._rows, word(1)), taken)
        self._gone_on(at, out.at.load(taken, typ=I64))

    def _quickly(self, node: Ask, by: Ssa) -> None:
        """By drawing as often as it takes, some times; what follows is what is done if it takes longer."""
        out, code = self._code.out, self._code
        if ranges_wide(node, FEW_LISTED):
            return
        writer = self._course.offered_at(code, node, by)
        plans = writer.plans()
        if plans is None:
            return
        with trying(code, tries(plans)) as (again, over):
            writer.tried(plans, lambda count: drawn_lot(code, self._lot, count),
                         lambda number, scope: self._course.kept(code, node, writer, number, scope), again)
            out.begin(over)


