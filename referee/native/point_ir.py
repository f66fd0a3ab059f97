"""Machine code for points: whether anything is legal, all that is, whether an event is, and what one leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from llvmlite import ir

from referee.codegen.point_code import logged, stored
from referee.codegen.statement_code import fits_type
from referee.core.expr import All, Domainlike, End, Expr, Members, Numbers, Within
from referee.core.flow import Alternative, Gather, OfferNode, offered
from referee.core.intervals import Bounds
from referee.core.stmt import Param
from referee.core.types import Elem, Int, Many, Maybe, SetOf
from referee.interpreter.multisets import cap
from referee.interpreter.offers import ME, guards_by_stage
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I1, I16, I64, IrWriter, word
from referee.native.member_ir import each, member_test, taken_up
from referee.native.native_scope import NativeName, Scope, known
from referee.native.operator_ir import is_member
from referee.native.value_forms import Form, NotNative, NumberForm, SetForm, Several, Ssa

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
            least, most, *_ = self._ends(self._alternatives[number].params[index], scope)
        with self.out.only_if(self.out.at.icmp_signed("<=", least, most)):
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
            least, most, found, in_blocks = self._ends(param, scope)
            items, count = found.items, found.count
            if in_blocks:  # looked at as far as the block at the end goes
                assert isinstance(param.source, Within)
                block = taken_up(self.code, param.source, scope, ordered=False)
                items, count = block.items, block.count
        free = out.at.icmp_signed("<", least, most)
        partly = out.at.icmp_signed(">", least, word(0))
        if not param.repeated:
            partly = out.at.and_(partly, out.at.icmp_signed("<", least, count))
        alike = out.call("how_often", items, count, out.load_word(items, word(0)))
        differ = out.at.and_(partly, out.at.icmp_signed("<", alike, count))
        with out.only_if(out.at.or_(free, differ)):
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
        with self.out.failing_to(otherwise):
            for guard in guards_by_stage(one)[index]:
                on = self.out.block()
                self.out.at.cbranch(self.code.truth(guard.cond, scope), on, otherwise)
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
        self._values(one.params[index], scope, otherwise, partial(self._ways, number, index + 1, use, enough=enough))

    def _values(self, param: Param, scope: Scope, otherwise: Ssa, write: Callable[[Scope, Ssa], None]) -> None:
        """A loop over the values that a parameter can take, each once; none if its source is in error."""
        out = self.out
        if param.count is not None:
            self.code.out.at.branch(out.leaving)  # all multisets: left to those who list them one by one
            return
        bounds = self.code.prover.members(param.source, known(scope))

        def one(member: Ssa, behind: Ssa) -> None:
            again = out.block()
            write({**scope, param.name: NativeName(NumberForm(member), bounds)}, again)
            out.begin(again)

        with out.failing_to(otherwise):
            each(self.code, param.source, scope, one, ordered=True, once=not _distinct(param.source))
        out.at.branch(otherwise)

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
            self._values(param, scope, otherwise, partial(self._fits, number, index + 1, arg, words, widths, use))
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
                test = self._taken(param, form, scope)
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

    def _ends(self, param: Param, scope: Scope) -> tuple[Ssa, Ssa, Several, bool]:
        """How many can be taken, at least and at most; from what; and whether that lies in blocks."""
        out = self.out
        assert param.count is not None
        source = param.source
        in_blocks = isinstance(source, Within) and source.place.end is not None and (
            self.code.layout.core.zones[source.place.zone].form.in_blocks)
        if in_blocks:
            assert isinstance(source, Within)
            if param.among is not None:
                raise NotNative("some of those on top of a pile")
            whole = Within(type(source.place)(source.place.zone, source.place.keys))
            found = taken_up(self.code, whole, scope, ordered=False)
        else:
            found = self._listed(param, scope)
        limit = cap(param)
        number = found.count
        if param.repeated:
            number = out.at.mul(number, word(limit))
        least, most = (self.code.number(end, scope) for end in param.count)
        least = out.at.select(out.at.icmp_signed("<", least, word(0)), word(0), least)
        for bound in (word(limit), number):
            most = out.at.select(out.at.icmp_signed("<", bound, most), bound, most)
        return least, most, found, in_blocks

    def _listed(self, param: Param, scope: Scope) -> Several:
        """What can be taken from, on one list."""
        out = self.out
        size = self.code.prover.most_of(param.source, known(scope))
        if not 0 <= size <= 4096:
            raise NotNative(f"several of {size}")
        copy, count = out.local(I16, number=max(size, 1)), out.local(I64, word(0))
        among = None if param.among is None else self.code.value(param.among, scope)

        def put(member: Ssa) -> None:
            so_far = out.at.load(count, typ=I64)
            out.leave_if(out.at.icmp_signed(">=", so_far, word(max(size, 1))))
            out.store_word(member, copy, so_far)
            out.at.store(out.at.add(so_far, word(1)), count)

        def one(member: Ssa, behind: Ssa) -> None:
            if among is None:
                put(member)
                return
            if not isinstance(among, SetForm):
                raise NotNative("some of what is no set")
            with out.only_if(is_member(out, member, among)):
                put(member)

        each(self.code, param.source, scope, one, ordered=True)
        return Several(copy, out.at.load(count, typ=I64), max(size, 1))

    def _taken(self, param: Param, value: Several, scope: Scope) -> Ssa:
        """Whether a multiset can be taken."""
        out = self.out
        least, most, found, in_blocks = self._ends(param, scope)
        answer = out.local(I1, ir.Constant(I1, 0))
        inside = out.at.and_(out.at.icmp_signed("<=", least, value.count), out.at.icmp_signed("<=", value.count, most))
        done, on = out.block(), out.block()
        out.at.cbranch(inside, on, done)
        out.begin(on)
        if in_blocks:
            assert isinstance(param.source, Within)
            self._from_blocks(param.source, found, value, scope, done)
        else:
            with out.counting(value.count) as (index, _):
                one = out.load_word(value.items, index)
                wanted = word(1) if param.repeated else out.call("how_often", value.items, value.count, one)
                there = out.call("how_often", found.items, found.count, one)
                passed = out.block()
                out.at.cbranch(out.at.icmp_signed("<=", wanted, there), passed, done)
                out.begin(passed)
        out.at.store(ir.Constant(I1, 1), answer)
        out.at.branch(done)
        out.begin(done)
        return out.at.load(answer, typ=I1)

    def _from_blocks(self, source: Within, found: Several, value: Several, scope: Scope, done: Ssa) -> None:
        """That a multiset has all of the blocks that are used up, and the rest from the next one: then it can be taken
        out of a copy of the pile."""
        out = self.out
        zone, words = self.code.zone(source.place, scope)
        size = self.code.memory.words(zone)
        copy = out.local(I16, number=size)
        out.call("copy_items", copy, words, word(size))
        mode = word(1 if source.place.end is End.BOTTOM else 0)
        most = word(self.code.memory.capacities[zone.name])
        taken = out.call("pile_take", copy, most, value.items, value.count, mode)
        passed = out.block()
        out.at.cbranch(taken, passed, done)
        out.begin(passed)

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
            code.store(name.form, kind, at, sure=fits_type(name.bounds, kind))
        if gather is not None:
            at = out.address(out.state, code.memory.vars[gather.pending].base)
            kind = code.layout.defs[gather.pending].type
            pending = code.load(gather.pending, at)
            assert isinstance(pending, SetForm)
            left = out.at.and_(pending.ssa, out.at.not_(out.bit_of(self._by, pending.lo, pending.width)))
            code.store(SetForm(left, pending.lo, pending.width), kind, at, sure=True)
            still = out.at.icmp_unsigned("!=", left, ir.Constant(left.type, 0))
            with out.only_if(still):
                out.at.ret(word(HERE))

    # --- rows: ways written down

    def in_rows(self, number: int) -> bool:
        """Whether the ways of an alternative can be written down as numbers."""
        one = self._alternatives[number]
        kept = set(stored(one))
        return all(param.count is None for param in one.params if param.name in kept) and all(
            isinstance(value.type, Int | Elem | Maybe) for name, value in one.fixed if name in kept)

    def row_of(self, number: int, scope: Scope) -> list[Ssa]:
        """A way as numbers: its alternative, then what it keeps, in the order of `stored`."""
        one = self._alternatives[number]
        forms = [scope[name].form for name in stored(one)]
        if any(not isinstance(form, NumberForm) for form in forms):
            raise NotNative("a way that takes several")
        return [word(number), *[form.ssa for form in forms if isinstance(form, NumberForm)]]

    def from_row(self, number: int, row: Ssa) -> Scope:
        """What is bound by a way that was written down."""
        one, out = self._alternatives[number], self.out
        scope: dict[str, NativeName] = {ME: NativeName(NumberForm(self._by), self._me)}
        bounds = known(self._bounds_of(one))
        for index, name in enumerate(stored(one)):
            ssa = out.at.load(out.at.gep(row, [word(1 + index)], source_etype=I64), typ=I64, align=8)
            scope[name] = NativeName(NumberForm(ssa), bounds[name])
        return scope

    def _bounds_of(self, one: Alternative) -> Scope:
        scope: dict[str, NativeName] = {ME: NativeName(NumberForm(self._by), self._me)}
        for name, value in one.fixed:
            scope[name] = NativeName(NumberForm(self._by), self.code.prover.value(value, known(scope)))
        for param in one.params:
            scope[param.name] = NativeName(NumberForm(self._by), self.code.prover.members(param.source, known(scope)))
        return scope


def argument_widths(alternatives: Sequence[Alternative], chosen: Sequence[int]) -> list[int]:
    """How many words each logged argument of some alternatives with the same arguments takes."""
    widths = [0] * len(logged(alternatives[chosen[0]]))
    for number in chosen:
        params = [param for param in alternatives[number].params if param.arg is not None]
        for index, param in enumerate(params):
            widths[index] = max(widths[index], _width(param))
    return widths


def _width(param: Param) -> int:
    if param.count is None:
        return 1
    match param.type:
        case Many(_, most):
            return 1 + most
        case Int() | Elem():
            return 2
        case _:
            assert_never(param.type)


def _distinct(source: Domainlike) -> bool:
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


def row_width(node: OfferNode) -> int:
    """How many words a way takes that is written down."""
    return 1 + max((len(stored(one)) for one in offered(node)), default=0)
