"""Machine code for the statements of a run: one case for each kind, in the order of `core/stmt.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, assert_never

from llvmlite import ir

from referee.codegen.statement_code import fits_type
from referee.core.expr import Const, End, Place, Within
from referee.core.intervals import WIDE, Bounds
from referee.core.ruleset import WINNERS, Invariant, Zone
from referee.core.ruleset import Form as ZoneForm
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    is_whole,
)
from referee.core.types import size
from referee.interpreter.closures.source_closures import counts_once
from referee.native.ir_writer import I16, I64, word
from referee.native.member_ir import each, lying_at, most_lying, taken_up
from referee.native.memory_layout import ENDED_AT, WINNERS_AT
from referee.native.native_scope import NativeCoding, NativeName, Scope, known
from referee.native.operator_ir import missing, number
from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Several, Ssa
from referee.native.zones.zone_ir import LyingIr


class EntryCoding(NativeCoding, Protocol):
    """What stores values, too."""

    def store(self, form: Form, var: str, at: Ssa, *, sure: bool) -> None:
        """Puts a value into an entry of a variable."""


class NativeEffects:
    """Writes the statements of one run, which stands at a node. `watched`: invariants tested after each of them."""

    def __init__(self, code: EntryCoding, at: int, watched: tuple[Invariant, ...]) -> None:
        self.code = code
        self.out = code.out
        self._at = at
        self._watched = watched
        self.ended: Callable[[], None] | None = None

    def block(self, statements: Block, scope: Scope) -> None:
        """Statements one after the other."""
        for stmt in statements:
            scope = self._step(stmt, scope)
            if is_whole(stmt):
                self._watch()

    def _watch(self) -> None:
        if self.out.at.block.is_terminated:
            return
        for one in self._watched:
            self.out.refuse_if(self.out.at.not_(self.code.truth(one.guard.cond, {})))

    def _step(self, stmt: Stmt, scope: Scope) -> Scope:
        """One statement; the scope behind it."""
        match stmt:
            case Put():
                kind = self.code.layout.defs[stmt.var].type
                form = self.code.value(stmt.value, scope)
                sure = fits_type(self.code.prover.value(stmt.value, known(scope)), kind)
                self.code.store(form, stmt.var, self.code.entry(stmt.var, stmt.keys, scope), sure=sure)
            case Move():
                self._move(stmt, scope)
            case Merge():
                self._merge(stmt, scope)
            case Swap():
                self._swap(stmt, scope)
            case Branch():
                self._branch(stmt, scope)
            case Each():
                self._each(stmt, scope)
            case Finish():
                self._finish(stmt, scope)
            case Bind():
                bounds = self.code.prover.value(stmt.value, known(scope))
                return {**scope, stmt.name: NativeName(self.code.value(stmt.value, scope), bounds)}
            case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise TypeError(f"{type(stmt).__name__} is no statement of a run")
            case _:
                assert_never(stmt)
        return scope

    def _branch(self, stmt: Branch, scope: Scope) -> None:
        out = self.out
        yes, no, behind = out.block(), out.block(), out.block()
        out.at.cbranch(self.code.truth(stmt.cond, scope), yes, no)
        for begin, body in ((yes, stmt.yes), (no, stmt.no)):
            out.begin(begin)
            self.block(body, scope)
            out.go(behind)
        out.begin(behind)

    def _each(self, stmt: Each, scope: Scope) -> None:
        """The members are read before the body writes: components are taken up first, sets and numbers are values."""
        bounds = self.code.prover.members(stmt.source, known(scope))
        once = counts_once(stmt.source, self.code.layout)

        def one(member: Ssa, behind: Ssa) -> None:
            self.block(stmt.body, {**scope, stmt.var: NativeName(NumberForm(member), bounds)})

        each(self.code, stmt.source, scope, one, ordered=True, once=once)

    def _finish(self, stmt: Finish, scope: Scope) -> None:
        out = self.out
        won = self.code.value(stmt.winners, scope)
        if not isinstance(won, SetForm):
            raise NotNative("winners that are no set")
        if WINNERS in self.code.layout.vars:
            self.code.store(won, WINNERS, self.code.entry(WINNERS, (), {}), sure=False)
        self._watch()
        out.at.store(out.resized(out.narrowed(won, 0, 64), I64), out.address(out.state, WINNERS_AT), align=8)
        out.at.store(word(self._at), out.address(out.state, ENDED_AT), align=8)
        if self.ended is None:
            raise NotNative("the end of a game inside an expression")
        self.ended()
        out.begin(out.block())

    # --- components

    def _move(self, stmt: Move, scope: Scope) -> None:
        out, code = self.out, self.code
        form = code.value(stmt.what, scope)
        if isinstance(form, NumberForm):
            if code.prover.value(stmt.what, known(scope)).none:
                out.refuse_if(missing(out, form.ssa))
            if stmt.number is None or (isinstance(stmt.number, Const) and stmt.number.value == 1):
                bounds = code.prover.value(stmt.what, known(scope))
                bounds = Bounds(bounds.lo, bounds.hi)
                self._take_one(stmt.source, form.ssa, bounds, scope)
                self._lay_one(stmt.to, form.ssa, bounds, scope)
                return
        what = self._listed(form, None if stmt.number is None else code.number(stmt.number, scope))
        with out.only_if(out.at.icmp_signed(">", what.count, word(0))):
            self._take(stmt.source, what, scope)
            self._lay(stmt.to, what, scope)

    def _listed(self, form: Form, times: Ssa | None) -> Several:
        """The components that a move is about, on a list."""
        out = self.out
        match form:
            case Several():
                return form
            case SetForm(bits, lo, width):
                copy, count = out.local(I16, number=width), out.local(I64, word(0))
                with out.members_of(bits, lo) as (member, _):
                    so_far = out.at.load(count, typ=I64)
                    out.store_word(member, copy, so_far)
                    out.at.store(out.at.add(so_far, word(1)), count)
                return Several(copy, out.at.load(count, typ=I64), width)
            case _:
                one, most = number(out, form), 512
                copy = out.local(I16, number=most)
                count = word(1) if times is None else out.at.select(
                    out.at.icmp_signed("<", times, word(0)), word(0), times)
                out.leave_if(out.at.icmp_signed(">", count, word(most)))
                with out.counting(count) as (index, _):
                    out.store_word(one, copy, index)
                return Several(copy, count, most)

    def _single(self, one: Ssa) -> Several:
        copy = self.out.local(I16)
        self.out.store_word(one, copy, word(0))
        return Several(copy, word(1), 1)

    def _take_one(self, place: Place, one: Ssa, bounds: Bounds, scope: Scope) -> None:
        zone, there = self.code.layout.core.zones[place.zone], self.code.lying(place, scope)
        match zone.form:
            case ZoneForm.BAG:
                there.take(one, bounds)
            case ZoneForm.SLOTS:
                self._from_spot(place, zone, there, one, scope)
            case ZoneForm.LINE | ZoneForm.PILE:
                self._taken(place, zone, there, self._single(one), scope)
            case _:
                assert_never(zone.form)

    def _from_spot(self, place: Place, zone: Zone, there: LyingIr, one: Ssa, scope: Scope) -> None:
        out = self.out
        if place.spot is None:
            spot = there.first_with(one)
            out.refuse_if(out.at.icmp_signed("<", spot, word(0)))
        else:
            spot = self.code.spot(place, zone, scope)
            held = there.at_spot(spot) if self._is_spot(place, zone, scope) else lying_at(there, spot)
            out.refuse_if(out.at.icmp_signed("!=", held, one))
        there.take_from(spot, one)

    def _is_spot(self, place: Place, zone: Zone, scope: Scope) -> bool:
        """Whether a place is surely one that the zone has."""
        assert place.spot is not None
        return zone.spots is not None and self.code.prover.value(place.spot, known(scope)).inside(
            zone.spots.lo, zone.spots.hi)

    def _lay_one(self, place: Place, one: Ssa, bounds: Bounds, scope: Scope) -> None:
        zone, there = self.code.layout.core.zones[place.zone], self.code.lying(place, scope)
        match zone.form:
            case ZoneForm.BAG:
                self._room(zone, there, word(1))
                there.lay(one, bounds)
            case ZoneForm.SLOTS:
                self._onto_spot(place, zone, there, one, scope)
            case ZoneForm.LINE | ZoneForm.PILE:
                self._laid(place, zone, there, self._single(one), scope)
            case _:
                assert_never(zone.form)

    def _onto_spot(self, place: Place, zone: Zone, there: LyingIr, one: Ssa, scope: Scope) -> None:
        out = self.out
        assert zone.spots is not None
        if place.spot is None:
            out.at.branch(out.failing)  # nothing says onto which spot
            out.begin(out.block())
            return
        if zone.capacity < size(zone.spots):
            out.refuse_if(out.at.icmp_signed(">=", there.number(), word(zone.capacity)))
        spot = self.code.spot(place, zone, scope)
        if not self._is_spot(place, zone, scope):
            out.refuse_if(out.at.icmp_unsigned(">=", spot, word(size(zone.spots))))
        out.refuse_if(out.at.icmp_signed(">=", there.at_spot(spot), word(0)))
        there.put_on(spot, one)

    def _take(self, place: Place, what: Several, scope: Scope) -> None:
        self._taken(place, self.code.layout.core.zones[place.zone], self.code.lying(place, scope), what, scope)

    def _lay(self, place: Place, what: Several, scope: Scope) -> None:
        self._laid(place, self.code.layout.core.zones[place.zone], self.code.lying(place, scope), what, scope)

    def _taken(self, place: Place, zone: Zone, there: LyingIr, what: Several, scope: Scope) -> None:
        out, words = self.out, there.words
        match zone.form:
            case ZoneForm.BAG:
                with out.counting(what.count) as (index, _):
                    there.take(out.load_word(what.items, index), WIDE)
            case ZoneForm.LINE if place.spot is not None:
                spot = self.code.spot(place, zone, scope)
                held = lying_at(there, spot)
                same = out.at.and_(out.at.icmp_signed("==", what.count, word(1)),
                                   out.at.icmp_signed("==", held, out.load_word(what.items, word(0))))
                out.refuse_if(out.at.not_(same))
                out.call("list_take_at", words, spot)
            case ZoneForm.LINE if place.end is None:
                with out.counting(what.count) as (index, _):
                    out.refuse_if(out.at.not_(out.call("list_take", words, out.load_word(what.items, index))))
            case ZoneForm.LINE:
                begin = ir.Constant(ir.IntType(1), place.end is End.BOTTOM)
                out.refuse_if(out.at.not_(out.call("ends_with", words, what.items, what.count, begin)))
            case ZoneForm.SLOTS:
                with out.counting(what.count) as (index, _):
                    self._from_spot(place, zone, there, out.load_word(what.items, index), scope)
            case ZoneForm.PILE:
                mode = 2 if place.end is None else 1 if place.end is End.BOTTOM else 0
                most = word(self.code.memory.capacities[zone.name])
                out.refuse_if(out.at.not_(out.call("pile_take", words, most, what.items, what.count, word(mode))))
            case _:
                assert_never(zone.form)

    def _laid(self, place: Place, zone: Zone, there: LyingIr, what: Several, scope: Scope) -> None:
        out, words = self.out, there.words
        match zone.form:
            case ZoneForm.BAG:
                self._room(zone, there, what.count)
                with out.counting(what.count) as (index, _):
                    there.lay(out.load_word(what.items, index), WIDE)
            case ZoneForm.LINE:
                self._room(zone, there, what.count)
                lying = there.number()
                if place.spot is not None:
                    begin = self.code.spot(place, zone, scope)
                    out.refuse_if(out.at.icmp_unsigned(">", begin, lying))
                else:
                    begin = word(0) if place.end is End.BOTTOM else lying
                with out.counting(what.count) as (index, _):
                    out.call("list_lay", words, out.at.add(begin, index), out.load_word(what.items, index))
            case ZoneForm.SLOTS:
                out.refuse_if(out.at.icmp_signed("!=", what.count, word(1)))
                self._onto_spot(place, zone, there, out.load_word(what.items, word(0)), scope)
            case ZoneForm.PILE:
                self._room(zone, there, what.count)
                bottom = ir.Constant(ir.IntType(1), place.end is End.BOTTOM)
                room = word(self.code.memory.capacities[zone.name])
                out.call("pile_lay", words, room, what.items, what.count, bottom)
            case _:
                assert_never(zone.form)

    def _room(self, zone: Zone, there: LyingIr, more: Ssa) -> None:
        """That there is room for more. Bags that are no lists have room for all that there are."""
        most = self.code.memory.capacities[zone.name]
        if self.code.memory.listed(zone.name) or most == zone.capacity:
            after = self.out.at.add(there.number(), more)
            self.out.refuse_if(self.out.at.icmp_signed(">", after, word(most)))

    def _merge(self, stmt: Merge, scope: Scope) -> None:
        """Everything is taken up before the one block is put down."""
        out, code = self.out, self.code
        places = (stmt.to, *stmt.sources)
        most = sum(most_lying(code.memory.forms[place.zone], code.memory.capacities[place.zone]) for place in places)
        copy, count = out.local(I16, number=most), out.local(I64, word(0))
        for place in places:
            found = taken_up(code, Within(Place(place.zone, place.keys)), scope, ordered=False)
            out.call("copy_items", out.item(copy, out.at.load(count, typ=I64)), found.items, found.count)
            out.at.store(out.at.add(out.at.load(count, typ=I64), found.count), count)
            code.lying(place, scope).empty()
        what = Several(copy, out.at.load(count, typ=I64), most)
        with out.only_if(out.at.icmp_signed(">", what.count, word(0))):
            out.call("sort_items", what.items, what.count)
            self._lay(stmt.to, what, scope)

    def _swap(self, stmt: Swap, scope: Scope) -> None:
        out, code = self.out, self.code
        one, other = (code.lying(place, scope).words for place in (stmt.one, stmt.other))
        size, another = (code.memory.zones[place.zone].stride for place in (stmt.one, stmt.other))
        if size != another or code.memory.forms[stmt.one.zone] != code.memory.forms[stmt.other.zone]:
            raise NotNative("places of different room that are exchanged")
        between = out.local(I16, number=max(size // 2, 1))
        for to, source in ((between, one), (one, other), (other, between)):
            out.call("copy_items", to, source, word(size // 2))
