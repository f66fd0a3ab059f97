"""Machine code for points: whether anything is legal, all that is, whether an event is, and what one leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import assert_never

from llvmlite import ir

from referee.codegen.offer_groups import logged, stored
from referee.codegen.statement_code import fits_type
from referee.core.expr import (
    All,
    Domainlike,
    Expr,
    Members,
    Numbers,
    Within,
)
from referee.core.flow import Alternative, Gather
from referee.core.intervals import Bounds
from referee.core.stmt import Param
from referee.core.types import Elem, Int, SetOf, size
from referee.interpreter.offers import ME, guards_by_stage
from referee.native.by_lot.drawing_plan import DrawnParam, drawing_plan
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I16, I64, IrWriter, word
from referee.native.member_ir import each, member_test
from referee.native.native_scope import NativeName, Scope, known
from referee.native.operator_ir import is_member
from referee.native.sets.at_once_ir import all_of, passing, universe_of
from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Several, Ssa, Truth, members_of
from referee.native.ways.choice_ir import ChoiceCode
from referee.native.ways.narrowed_members import Narrowing
from referee.native.ways.way_rows import argument_places, columns

HERE, UNUSUAL, END, REFUSED = -1, -2, -3, -4
"""What stands for a node: still at this point; another engine does it again; the game is over; not legal."""
MOST_ROWS = 4_096
"""So many ways are written down at most."""
Use = Callable[[int, Scope], None]
"""Writes what is done with an alternative whose parameters are bound; the block ends there or goes on."""


class NativeOffered:
    """Writes what is done with the alternatives of one point."""

    def __init__(self, code: NativeCoder, alternatives: Sequence[Alternative], me: Bounds, by: Ssa,
                 parts: Sequence[Expr] = ()) -> None:
        self.code = code
        self.out: IrWriter = code.out
        self._me = me
        self._by = by
        self._alternatives = alternatives
        self._parts = parts  # in a group: who may take which alternative

    # --- what is legal

    def some(self) -> None:
        """1 if anything is legal, else 0."""
        def found(number: int, scope: Scope) -> None:
            self.out.at.ret(word(1))

        for number in range(len(self._alternatives)):
            self._entered(number, partial(self._ways, number, 0, found, enough=True))
        self.out.at.ret(word(0))

    def _asks_nothing_of(self, number: int, index: int) -> bool:
        """Whether a parameter is the last, and nothing is asked of its value."""
        one = self._alternatives[number]
        return index == len(one.params) - 1 and not guards_by_stage(one)[-1]

    def _counts_alone(self, number: int) -> bool:
        """Whether the only parameter takes several, and nothing is asked of which."""
        params = self._alternatives[number].params
        return len(params) == 1 and params[0].count is not None and self._asks_nothing_of(number, 0)

    def _enough(self, number: int, index: int, use: Use, scope: Scope, otherwise: Ssa) -> None:
        """Uses an alternative if there is any choice of several; which one is not said."""
        with self.out.failing_to(otherwise):
            choice = ChoiceCode(self.code, self._alternatives[number].params[index], scope)
        with self.out.only_if(self.out.at.icmp_signed("<=", choice.least, choice.most)):
            use(number, scope)
        self.out.go(otherwise)

    def surely_several(self) -> None:
        """`HERE` if the only alternative takes several of which there is more than one choice: somebody is asked."""
        if len(self._alternatives) != 1 or not self._counts_alone(0):
            return
        self._entered(0, partial(self._choices, self._alternatives[0].params[0]))

    def _choices(self, param: Param, scope: Scope, otherwise: Ssa) -> None:
        out = self.out
        self._held(self._alternatives[0], 0, scope, otherwise)
        with out.failing_to(otherwise):
            several = ChoiceCode(self.code, param, scope).surely_several()
        with out.only_if(several):
            out.at.ret(word(HERE))
        out.at.branch(otherwise)

    def each_way(self, use: Use) -> None:
        """Every way to take an alternative, in a fixed order."""
        for number in range(len(self._alternatives)):
            self._entered(number, partial(self._ways, number, 0, use))

    def _entered(self, number: int, write: Callable[[Scope, Ssa], None]) -> None:
        """An alternative for who may take it; what is written ends at the second, where the next one is looked at."""
        otherwise = self.out.block()
        if self._parts:
            group = self.code.value(self._parts[number], {})
            if not isinstance(group, SetForm):
                raise NotNative("players who are no set")
            on = self.out.block()
            self.out.at.cbranch(is_member(self.out, self._by, group), on, otherwise)
            self.out.begin(on)
        write(self._bound(self._alternatives[number]), otherwise)
        self.out.begin(otherwise)

    def _bound(self, one: Alternative) -> Scope:
        scope: dict[str, NativeName] = {ME: NativeName(NumberForm(self._by), self._me)}
        for name, value in one.fixed:
            bounds = self.code.prover.value(value, known(scope))
            scope[name] = NativeName(self.code.value(value, scope), bounds)
        return scope

    def _held(self, one: Alternative, index: int, scope: Scope, otherwise: Ssa) -> None:
        """What follows is reached if the guards hold that can be tested now. One in error does not."""
        self._conditions([guard.cond for guard in guards_by_stage(one)[index]], scope, otherwise)

    def _conditions(self, conds: Sequence[Expr], scope: Scope, otherwise: Ssa) -> None:
        with self.out.failing_to(otherwise):
            for cond in conds:
                on = self.out.block()
                self.out.at.cbranch(self.code.truth(cond, scope), on, otherwise)
                self.out.begin(on)

    def _ways(self, number: int, index: int, use: Use, scope: Scope, otherwise: Ssa, *, enough: bool = False) -> None:
        """`enough`: one way is enough."""
        one = self._alternatives[number]
        self._held(one, index, scope, otherwise)
        if index == len(one.params):
            with self.out.failing_to(self.out.leaving):
                use(number, scope)
            self.out.go(otherwise)
            return
        if enough and one.params[index].count is not None and self._asks_nothing_of(number, index):
            self._enough(number, index, use, scope, otherwise)
            return
        self._values(one, index, scope, otherwise, partial(self._ways, number, index + 1, use, enough=enough))

    def _values(self, of: Alternative, index: int, scope: Scope, otherwise: Ssa,
                write: Callable[[Scope, Ssa], None]) -> None:
        """A loop over the values that a parameter can take, each once; none if its source is in error."""
        out, param = self.out, of.params[index]
        bounds = self.code.prover.members(param.source, known(scope))
        if param.count is not None:
            def several(choice: Several) -> None:
                again = out.block()
                write({**scope, param.name: NativeName(choice, bounds)}, again)
                out.begin(again)

            with out.failing_to(otherwise):
                ChoiceCode(self.code, param, scope).every(several)
            out.at.branch(otherwise)
            return

        def one(member: Ssa, behind: Ssa) -> None:
            again = out.block()
            write({**scope, param.name: NativeName(NumberForm(member), bounds)}, again)
            out.begin(again)

        with out.failing_to(otherwise):
            few = self._narrowed(of, index, scope)
            if few is None:
                each(self.code, param.source, scope, one, ordered=True, once=not distinct(param.source))
            else:
                with out.members_of(few.ssa, few.lo) as (member, behind):
                    one(member, behind)
        out.at.branch(otherwise)

    def _narrowed(self, of: Alternative, index: int, scope: Scope) -> SetForm | None:
        """Of the values of a parameter those for which the guards that are tested next may hold, if something is known
        of that; and nothing is written if it is not."""
        param, out = of.params[index], self.out
        among, group = _universe(param.source)
        if among is None:
            return None
        conds = [guard.cond for guard in guards_by_stage(of)[index + 1]]
        bits = Narrowing(self.code, param.name, among, scope).mask(conds)
        if bits is None or group is None:
            return None if bits is None else SetForm(bits, among.lo, size(among))
        form = self.code.value(group, scope)
        if not isinstance(form, SetForm):
            raise NotNative("the members of what is no set")
        return SetForm(out.at.and_(out.narrowed(form, among.lo, size(among)), bits), among.lo, size(among))

    # --- whether an event is legal

    def check(self, chosen: Sequence[int], words: Ssa, widths: Sequence[int], use: Use) -> None:
        """The first of these alternatives that the arguments fit; behind it: none does."""
        for number in chosen:
            self._entered(number, partial(self._fits, number, 0, 0, words, widths, use))

    def _fits(self, number: int, index: int, arg: int, words: Ssa, widths: Sequence[int], use: Use, scope: Scope,
              otherwise: Ssa) -> None:
        one, out = self._alternatives[number], self.out
        self._held(one, index, scope, otherwise)
        if index == len(one.params):
            with out.failing_to(out.leaving):
                use(number, scope)
            out.go(otherwise)
            return
        param = one.params[index]
        if param.arg is None:
            self._values(one, index, scope, otherwise, partial(
                self._fits, number, index + 1, arg, words, widths, use))
            return
        begin = sum(widths[:arg])
        bounds = self.code.prover.members(param.source, known(scope))
        on = out.block()
        with out.failing_to(otherwise):
            form: Form
            if param.count is None:
                ssa = out.at.load(out.at.gep(words, [word(begin)], source_etype=I64), typ=I64, align=8)
                test = member_test(self.code, param.source, ssa, scope)
                form = NumberForm(ssa)
            else:
                form = self._several(words, begin, widths[arg] - 1)
                test = ChoiceCode(self.code, param, scope).taken(form)
        out.at.cbranch(test, on, otherwise)
        out.begin(on)
        inner = {**scope, param.name: NativeName(form, bounds)}
        self._fits(number, index + 1, arg + 1, words, widths, use, inner, otherwise)

    def _several(self, words: Ssa, begin: int, most: int) -> Several:
        out = self.out
        copy = out.local(I16, number=max(most, 1))
        count = out.at.load(out.at.gep(words, [word(begin)], source_etype=I64), typ=I64, align=8)
        first = out.at.gep(words, [word(begin + 1)], source_etype=I64)
        with out.counting(count) as (index, _):
            out.store_word(out.at.load(out.at.gep(first, [index], source_etype=I64), typ=I64, align=8), copy, index)
        return Several(copy, count, most)

    # --- what is kept

    def apply(self, number: int, gather: Gather | None, scope: Scope) -> None:
        """What a legal event leaves in registers."""
        one, code, out = self._alternatives[number], self.code, self.out
        for register, local in one.stores:
            name = scope[local]
            cells, kind = code.memory.vars[register], code.layout.defs[register].type
            if gather is None:
                at = out.address(out.state, cells.base)
            else:
                low = code.layout.vars[register].lows[0]
                at = out.address(out.state, cells.base, out.at.mul(out.at.sub(self._by, word(low)), word(cells.stride)))
            code.store(name.form, register, at, sure=fits_type(name.bounds, kind))
        if gather is not None:
            at = out.address(out.state, code.memory.vars[gather.pending].base)
            pending = code.load(gather.pending, at)
            assert isinstance(pending, SetForm)
            left = out.at.and_(pending.ssa, out.at.not_(out.bit_of(self._by, pending.lo, pending.width)))
            code.store(SetForm(left, pending.lo, pending.width), gather.pending, at, sure=True)
            still = out.at.icmp_unsigned("!=", left, ir.Constant(left.type, 0))
            with out.only_if(still):
                out.at.ret(word(HERE))

    # --- ways by lot

    def plans(self) -> list[list[DrawnParam]] | None:
        """How a way of each alternative is drawn so that every way comes up alike; None where that cannot be done."""
        if any(param.arg is None for one in self._alternatives for param in one.params):
            return None  # several ways may be one event
        found = [drawing_plan(self.code, one, self._bounds_of(one)) for one in self._alternatives]
        return None if self._parts or None in found else [plan for plan in found if plan is not None]

    def tried(self, plans: Sequence[Sequence[DrawnParam]], lot: Callable[[Ssa], Ssa], use: Use, again: Ssa) -> None:
        """Draws a way so that each comes up alike, and uses it; on at a block if what was drawn is none."""
        out, scopes = self.out, [self._bound(one) for one in self._alternatives]
        if len(plans) == 1:
            self._drawn_evenly(0, plans[0], scopes[0], {}, lot, use, again)
            return
        weights = list[Ssa]()
        sources = list[dict[int, SetForm]]()
        for one, plan, scope in zip(self._alternatives, plans, scopes, strict=True):
            found = dict[int, SetForm]()
            weight: Ssa = word(1)
            for index, drawn in enumerate(plan):
                if drawn.below is None:
                    found[index] = self._filtered(one, index, drawn, scope, again)
                    weight = out.at.mul(weight, out.size_of(found[index].ssa))
                else:
                    weight = out.at.mul(weight, word(drawn.below))
            weights.append(weight)
            sources.append(found)
        total: Ssa = word(0)
        for weight in weights:
            total = out.at.add(total, weight)
        chosen, so_far = lot(total), word(0)
        for number, (plan, scope, weight) in enumerate(zip(plans, scopes, weights, strict=True)):
            so_far = out.at.add(so_far, weight)
            inside, on = out.block(), out.block()
            out.at.cbranch(out.at.icmp_unsigned("<", chosen, so_far), inside, on)
            out.begin(inside)
            self._drawn_evenly(number, plan, scope, sources[number], lot, use, again)
            out.begin(on)
        out.at.branch(again)

    def _filtered(self, one: Alternative, index: int, drawn: DrawnParam, scope: Scope, again: Ssa) -> SetForm:
        """The members of a source for which those guards hold that are asked of all at once."""
        out, code, param = self.out, self.code, one.params[index]
        among = universe_of(code, param.source)
        assert among is not None
        with out.failing_to(again):
            bits = all_of(code, param.source, among, scope)
            for asked in drawn.asked:
                bits = out.at.and_(bits, passing(code, asked, among, scope))
        return SetForm(bits, among.lo, among.width)

    def _drawn_evenly(self, number: int, plan: Sequence[DrawnParam], scope: Scope, sources: Mapping[int, SetForm],
                      lot: Callable[[Ssa], Ssa], use: Use, again: Ssa) -> None:
        one, out = self._alternatives[number], self.out
        self._held(one, 0, scope, again)
        for index, (param, drawn) in enumerate(zip(one.params, plan, strict=True)):
            bounds = self.code.prover.members(param.source, known(scope))
            if drawn.whole is not None:
                member = out.at.add(lot(word(size(drawn.whole))), word(drawn.whole.lo))
            else:
                form = sources[index] if index in sources else self._filtered(one, index, drawn, scope, again)
                member = self._member_by_lot(form, lot, again, drawn.below)
            scope = {**scope, param.name: NativeName(NumberForm(member), bounds)}
            self._conditions(drawn.tested, scope, again)
        for rival in range(number):
            other = self._alternatives[rival]
            if other.label == one.label and logged(other) == logged(one):
                values = [scope[param.name].form for param in one.params]
                on = out.block()
                self._unless_legal(rival, 0, values, self._bound(other), on, again)
                out.begin(on)
        with out.failing_to(out.leaving):
            use(number, scope)

    def _unless_legal(self, number: int, index: int, values: Sequence[Form], scope: Scope, otherwise: Ssa,
                      legal: Ssa) -> None:
        """On at a block if an alternative takes an event with such arguments: then it is no way of another one."""
        one, out = self._alternatives[number], self.out
        self._held(one, index, scope, otherwise)
        if index == len(one.params):
            out.at.branch(legal)
            return
        param, form = one.params[index], values[index]
        if not isinstance(form, NumberForm):
            raise NotNative("a way that takes several")
        on = out.block()
        with out.failing_to(otherwise):
            test = member_test(self.code, param.source, form.ssa, scope)
        out.at.cbranch(test, on, otherwise)
        out.begin(on)
        bounds = self.code.prover.members(param.source, known(scope))
        inner = {**scope, param.name: NativeName(form, bounds)}
        self._unless_legal(number, index + 1, values, inner, otherwise, legal)

    def row_written(self, row: Ssa) -> Use:
        """What writes a way down."""
        def use(number: int, scope: Scope) -> None:
            self.write_row(number, scope, row)
            self.out.at.ret(word(1))

        return use

    def drawn(self, number: int, lot: Callable[[Ssa], Ssa], row: Ssa, again: Ssa) -> None:
        """Draws the parameters of an alternative one after the other, each component of its source alike, and writes
        the way down; on at a block if there is nothing to draw, or a guard does not hold."""
        one, out = self._alternatives[number], self.out
        scope = self._bound(one)
        for index, param in enumerate(one.params):
            self._held(one, index, scope, again)
            bounds = self.code.prover.members(param.source, known(scope))
            form: Form
            if param.count is not None:
                with out.failing_to(again):
                    form = ChoiceCode(self.code, param, scope).by_lot(lot, again)
            else:
                form = NumberForm(self._one_of(param.source, lot, scope, again))
            scope = {**scope, param.name: NativeName(form, bounds)}
        self._held(one, len(one.params), scope, again)
        self.row_written(row)(number, scope)

    def _one_of(self, source: Domainlike, lot: Callable[[Ssa], Ssa], scope: Scope, again: Ssa) -> Ssa:
        """A member of a source by lot: as often as it is there."""
        out = self.out
        with out.failing_to(again):
            match source:
                case All(of):
                    return out.at.add(lot(word(size(of))), word(of.lo))
                case Members(of):
                    form = self.code.value(of, scope)
                    if isinstance(form, SetForm):
                        return self._member_by_lot(form, lot, again, None)
                case Within(place) if place.spot is None and place.end is None:
                    held = self.code.lying(place, scope).members()
                    if held is not None:
                        return self._member_by_lot(held, lot, again, None)
                case Numbers() | Within():
                    pass
                case _:
                    assert_never(source)
        total, found = out.local(I64, word(0)), out.local(I64, word(0))

        def counted(member: Ssa, behind: Ssa) -> None:
            out.at.store(out.at.add(out.at.load(total, typ=I64), word(1)), total)

        def taken(member: Ssa, behind: Ssa) -> None:
            left = out.at.load(total, typ=I64)
            out.at.store(member, found)
            out.at.store(out.at.sub(left, word(1)), total)
            on = out.block()
            out.at.cbranch(out.at.icmp_signed("==", left, word(0)), behind, on)
            out.begin(on)

        out.at.store(word(0), total)
        with out.failing_to(again):
            each(self.code, source, scope, counted, ordered=True)
            number = out.at.load(total, typ=I64)
            on = out.block()
            out.at.cbranch(out.at.icmp_signed(">", number, word(0)), on, again)
            out.begin(on)
            out.at.store(lot(number), total)
            each(self.code, source, scope, taken, ordered=True)
        return out.at.load(found, typ=I64)

    def _member_by_lot(self, form: SetForm, lot: Callable[[Ssa], Ssa], again: Ssa, below: int | None) -> Ssa:
        """A member of a set by lot; none if a number drawn `below` another is too high."""
        out, on = self.out, self.out.block()
        count = out.size_of(form.ssa)
        number = lot(count if below is None else word(below))
        out.at.cbranch(out.at.icmp_unsigned("<", number, count), on, again)
        out.begin(on)
        return out.at.add(out.nth_bit(form.ssa, number), word(form.lo))

    # --- rows: ways written down

    def write_row(self, number: int, scope: Scope, row: Ssa) -> None:
        """Writes a way down: its alternative, then what `columns` says, each where that says."""
        one, out = self._alternatives[number], self.out
        self._put(word(number), row, 0)
        for name, (at, width) in columns(one).items():
            form = scope[name].form
            match form:
                case NumberForm(ssa):
                    self._put(ssa, row, at)
                case Several(items, count, _):
                    self._put(count, row, at)
                    with out.counting(word(width - 1)) as (index, _):
                        place = self._word_at(row, at + 1, index)
                        there = out.at.icmp_signed("<", index, count)
                        known = out.load_word(items, out.at.select(there, index, word(0)))
                        out.at.store(out.at.select(there, known, word(0)), place, align=8)
                case Truth() | SetForm():
                    raise NotNative("a way that keeps what is no member")
                case _:
                    assert_never(form)

    def _word_at(self, row: Ssa, at: int, offset: Ssa | None = None) -> Ssa:
        place = word(at) if offset is None else self.out.at.add(offset, word(at))
        return self.out.at.gep(row, [place], source_etype=I64)

    def _put(self, ssa: Ssa, row: Ssa, at: int) -> None:
        self.out.at.store(ssa, self._word_at(row, at), align=8)

    def _got(self, row: Ssa, at: int) -> Ssa:
        return self.out.at.load(self._word_at(row, at), typ=I64, align=8)

    def unless_known(self, number: int, rows: Ssa, so_far: Ssa, width: int, again: Ssa) -> None:
        """On at a block if a way that is written down before the last is the same event: an event is taken in the
        first."""
        one, out = self._alternatives[number], self.out
        rivals = [other for other in range(number + 1) if other < number or any(
            param.arg is None for param in one.params)]
        rivals = [other for other in rivals if self._alternatives[other].label == one.label
                  and logged(self._alternatives[other]) == logged(one)]
        if not rivals:
            return
        mine = argument_places(one)
        last = out.at.gep(rows, [out.at.mul(so_far, word(width))], source_etype=I64)
        with out.counting(so_far) as (index, _):
            row = out.at.gep(rows, [out.at.mul(index, word(width))], source_etype=I64)
            taken = self._got(row, 0)
            for other in rivals:
                theirs, on = argument_places(self._alternatives[other]), out.block()
                if [several for _, several in theirs] != [several for _, several in mine]:
                    continue
                with out.only_if(out.at.icmp_signed("==", taken, word(other))):
                    for (place, several), (at, _) in zip(theirs, mine, strict=True):
                        self._alike(last, at, row, place, several, on)
                    out.at.branch(again)
                out.go(on)
                out.begin(on)

    def _alike(self, one: Ssa, at: int, other: Ssa, place: int, several: bool, differ: Ssa) -> None:
        """What follows is reached if two rows have the same in some places."""
        out, same = self.out, self.out.block()
        number = self._got(one, at)
        out.at.cbranch(out.at.icmp_signed("==", number, self._got(other, place)), same, differ)
        out.begin(same)
        if several:
            with out.counting(number) as (index, _):
                mine, theirs = (out.at.load(self._word_at(row, first, index), typ=I64, align=8)
                                for row, first in ((one, at + 1), (other, place + 1)))
                on = out.block()
                out.at.cbranch(out.at.icmp_signed("==", mine, theirs), on, differ)
                out.begin(on)

    def from_row(self, number: int, row: Ssa) -> Scope:
        """What is bound by a way that was written down."""
        one = self._alternatives[number]
        scope: dict[str, NativeName] = {ME: NativeName(NumberForm(self._by), self._me)}
        bounds, several = known(self._bounds_of(one)), {param.name for param in one.params if param.count is not None}
        known_columns = columns(one)
        for name in stored(one):
            at, width = known_columns[name]
            form = self._several(row, at, width - 1) if name in several else NumberForm(self._got(row, at))
            scope[name] = NativeName(form, bounds[name])
        return scope

    def _bounds_of(self, one: Alternative) -> Scope:
        scope: dict[str, NativeName] = {ME: NativeName(NumberForm(self._by), self._me)}
        for name, value in one.fixed:
            scope[name] = NativeName(NumberForm(self._by), self.code.prover.value(value, known(scope)))
        for param in one.params:
            scope[param.name] = NativeName(NumberForm(self._by), self.code.prover.members(param.source, known(scope)))
        return scope


def _universe(source: Domainlike) -> tuple[Elem | Int | None, Expr | None]:
    """Of what the members of a source are, if each is there once and they are gone through from the least; and the set
    that has them, if they are not all of these."""
    match source:
        case All(of, first, down):
            return (None if first is not None or down else of), None
        case Members(of, first, down):
            return (members_of(of.type) if first is None and not down else None), of
        case Numbers() | Within():
            return None, None
        case _:
            assert_never(source)


def distinct(source: Domainlike) -> bool:
    """Whether no member comes twice."""
    match source:
        case Numbers() | All():
            return True
        case Members(of):
            return isinstance(of.type, SetOf)
        case Within():
            return False
        case _:
            assert_never(source)
