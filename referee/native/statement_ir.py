"""Machine code for the statements of a run: one case for each kind, in the order of `core/stmt.py`."""

from __future__ import annotations

from typing import Protocol, assert_never

from llvmlite import ir

from referee.codegen.statement_code import fits_type
from referee.core.expr import Const, End, Expr, Place, Within
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
from referee.core.types import Type, size
from referee.interpreter.closures.source_closures import counts_once
from referee.native.ir_writer import I16, I64, word
from referee.native.member_ir import each, lying_at, taken_up
from referee.native.memory_layout import ENDED_AT, WINNERS_AT
from referee.native.native_scope import NativeCoding, NativeName, Scope, known
from referee.native.operator_ir import missing, number
from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Several, Ssa


class EntryCoding(NativeCoding, Protocol):
    """What stores values, too."""

    def entry(self, var: str, keys: tuple[Expr, ...], scope: Scope) -> Ssa:
        """Where an entry of a variable lies."""

    def store(self, form: Form, kind: Type, at: Ssa, *, sure: bool) -> None:
        """Puts a value into an entry of a type."""


class NativeEffects:
    """Writes the statements of one run, which stands at a node. `watched`: invariants tested after each of them."""

    def __init__(self, code: EntryCoding, at: int, watched: tuple[Invariant, ...]) -> None:
        self.code = code
        self.out = code.out
        self._at = at
        self._watched = watched
        self.ended: Ssa | None = None

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
                self.code.store(form, kind, self.code.entry(stmt.var, stmt.keys, scope), sure=sure)
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
            kind = self.code.layout.defs[WINNERS].type
            self.code.store(won, kind, self.code.entry(WINNERS, (), {}), sure=False)
        self._watch()
        out.at.store(out.resized(out.narrowed(won, 0, 64), I64), out.address(out.state, WINNERS_AT), align=8)
        out.at.store(word(self._at), out.address(out.state, ENDED_AT), align=8)
        if self.ended is None:
            raise NotNative("the end of a game inside an expression")
        out.at.ret(self.ended)
        out.begin(out.block())

    # --- components

    def _move(self, stmt: Move, scope: Scope) -> None:
        out, code = self.out, self.code
        form = code.value(stmt.what, scope)
        if isinstance(form, NumberForm):
            if code.prover.value(stmt.what, known(scope)).none:
                out.refuse_if(missing(out, form.ssa))
            if stmt.number is None or (isinstance(stmt.number, Const) and stmt.number.value == 1):
                self._take_one(stmt.source, form.ssa, scope)
                self._lay_one(stmt.to, form.ssa, scope)
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

    def _take_one(self, place: Place, one: Ssa, scope: Scope) -> None:
        out = self.out
        zone, words = self.code.zone(place, scope)
        match zone.form:
            case ZoneForm.BAG:
                out.refuse_if(out.at.not_(out.call("list_take", words, one)))
            case ZoneForm.SLOTS if place.spot is not None:
                spot = self.code.spot(place, zone, scope)
                out.refuse_if(out.at.icmp_signed("!=", lying_at(self.code, zone, words, spot), one))
                out.store_word(word(-1), words, spot)
            case ZoneForm.SLOTS:
                spot = out.call("where_in", words, word(self.code.memory.words(zone)), one)
                out.refuse_if(out.at.icmp_signed("<", spot, word(0)))
                out.store_word(word(-1), words, spot)
            case ZoneForm.LINE | ZoneForm.PILE:
                self._taken(place, zone, words, self._single(one), scope)
            case _:
                assert_never(zone.form)

    def _lay_one(self, place: Place, one: Ssa, scope: Scope) -> None:
        self._laid(place, *self.code.zone(place, scope), self._single(one), scope)

    def _take(self, place: Place, what: Several, scope: Scope) -> None:
        self._taken(place, *self.code.zone(place, scope), what, scope)

    def _lay(self, place: Place, what: Several, scope: Scope) -> None:
        self._laid(place, *self.code.zone(place, scope), what, scope)

    def _taken(self, place: Place, zone: Zone, words: Ssa, what: Several, scope: Scope) -> None:
        out = self.out
        match zone.form:
            case ZoneForm.BAG:
                self._each_taken(words, what)
            case ZoneForm.LINE if place.spot is not None:
                spot = self.code.spot(place, zone, scope)
                there = lying_at(self.code, zone, words, spot)
                same = out.at.and_(out.at.icmp_signed("==", what.count, word(1)),
                                   out.at.icmp_signed("==", there, out.load_word(what.items, word(0))))
                out.refuse_if(out.at.not_(same))
                out.call("list_take_at", words, spot)
            case ZoneForm.LINE if place.end is None:
                self._each_taken(words, what)
            case ZoneForm.LINE:
                begin = ir.Constant(ir.IntType(1), place.end is End.BOTTOM)
                out.refuse_if(out.at.not_(out.call("ends_with", words, what.items, what.count, begin)))
            case ZoneForm.SLOTS:
                with out.counting(what.count) as (index, _):
                    one = out.load_word(what.items, index)
                    if place.spot is None:
                        at = out.call("where_in", words, word(self.code.memory.words(zone)), one)
                        out.refuse_if(out.at.icmp_signed("<", at, word(0)))
                    else:
                        at = self.code.spot(place, zone, scope)
                        out.refuse_if(out.at.icmp_signed("!=", lying_at(self.code, zone, words, at), one))
                    out.store_word(word(-1), words, at)
            case ZoneForm.PILE:
                mode = 2 if place.end is None else 1 if place.end is End.BOTTOM else 0
                most = word(self.code.memory.capacities[zone.name])
                out.refuse_if(out.at.not_(out.call("pile_take", words, most, what.items, what.count, word(mode))))
            case _:
                assert_never(zone.form)

    def _each_taken(self, words: Ssa, what: Several) -> None:
        out = self.out
        with out.counting(what.count) as (index, _):
            out.refuse_if(out.at.not_(out.call("list_take", words, out.load_word(what.items, index))))

    def _laid(self, place: Place, zone: Zone, words: Ssa, what: Several, scope: Scope) -> None:
        out = self.out
        most = min(zone.capacity, self.code.memory.capacities[zone.name])
        match zone.form:
            case ZoneForm.BAG:
                self._room(words, what, most)
                with out.counting(what.count) as (index, _):
                    out.call("bag_lay", words, out.load_word(what.items, index))
            case ZoneForm.LINE:
                self._room(words, what, most)
                there = out.load_word(words, word(0))
                if place.spot is not None:
                    begin = self.code.spot(place, zone, scope)
                    out.refuse_if(out.at.icmp_unsigned(">", begin, there))
                else:
                    begin = word(0) if place.end is End.BOTTOM else there
                with out.counting(what.count) as (index, _):
                    out.call("list_lay", words, out.at.add(begin, index), out.load_word(what.items, index))
            case ZoneForm.SLOTS:
                assert zone.spots is not None
                if place.spot is None:
                    out.at.branch(out.failing)  # nothing says onto which spot
                    out.begin(out.block())
                    return
                if zone.capacity < size(zone.spots):
                    free = out.call("how_often", words, word(size(zone.spots)), word(-1))
                    lying = out.at.sub(word(size(zone.spots)), free)
                    out.refuse_if(out.at.icmp_signed(">", out.at.add(lying, what.count), word(zone.capacity)))
                spot = self.code.spot(place, zone, scope)
                inside = out.at.icmp_unsigned("<", spot, word(size(zone.spots)))
                at = out.at.select(inside, spot, word(0))
                free = out.at.icmp_signed("<", out.load_word(words, at), word(0))
                alone = out.at.icmp_signed("==", what.count, word(1))
                out.refuse_if(out.at.not_(out.at.and_(inside, out.at.and_(free, alone))))
                out.store_word(out.load_word(what.items, word(0)), words, spot)
            case ZoneForm.PILE:
                self._room(words, what, most)
                bottom = ir.Constant(ir.IntType(1), place.end is End.BOTTOM)
                room = word(self.code.memory.capacities[zone.name])
                out.call("pile_lay", words, room, what.items, what.count, bottom)
            case _:
                assert_never(zone.form)

    def _room(self, words: Ssa, what: Several, most: int) -> None:
        """That there is room for more; the number of components is the first word."""
        after = self.out.at.add(self.out.load_word(words, word(0)), what.count)
        self.out.refuse_if(self.out.at.icmp_signed(">", after, word(most)))

    def _merge(self, stmt: Merge, scope: Scope) -> None:
        """Everything is taken up before the one block is put down."""
        out, code = self.out, self.code
        places = (stmt.to, *stmt.sources)
        most = sum(max(code.memory.words(code.layout.core.zones[place.zone]), 1) for place in places)
        copy, count = out.local(I16, number=most), out.local(I64, word(0))
        for place in places:
            found = taken_up(code, Within(Place(place.zone, place.keys)), scope, ordered=False)
            out.call("copy_items", out.item(copy, out.at.load(count, typ=I64)), found.items, found.count)
            out.at.store(out.at.add(out.at.load(count, typ=I64), found.count), count)
            zone, words = code.zone(place, scope)
            self._emptied(zone, words)
        what = Several(copy, out.at.load(count, typ=I64), most)
        with out.only_if(out.at.icmp_signed(">", what.count, word(0))):
            out.call("sort_items", what.items, what.count)
            self._lay(stmt.to, what, scope)

    def _emptied(self, zone: Zone, words: Ssa) -> None:
        number_of, empty = self.code.memory.words(zone), word(-1 if zone.form.on_spots else 0)
        with self.out.counting(word(number_of)) as (index, _):
            self.out.store_word(empty, words, index)

    def _swap(self, stmt: Swap, scope: Scope) -> None:
        out, code = self.out, self.code
        (zone, one), (_, other) = (code.zone(place, scope) for place in (stmt.one, stmt.other))
        words = code.memory.words(zone)
        if words != code.memory.words(code.layout.core.zones[stmt.other.zone]):
            raise NotNative("places of different room that are exchanged")
        between = out.local(I16, number=max(words, 1))
        for to, source in ((between, one), (one, other), (other, between)):
            out.call("copy_items", to, source, word(words))
