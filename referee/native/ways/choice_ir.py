"""Machine code for a parameter that takes several members at once from a source.

It tells whether some can be taken, goes through every choice of them, and makes one by lot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, assert_never

from referee.core.expr import All, Domainlike, End, Members, Numbers, Place, Within
from referee.core.stmt import Param
from referee.interpreter.multisets import cap
from referee.native.ir_writer import I1, I16, I64, NO, YES, IrWriter, word
from referee.native.member_ir import each, taken_up
from referee.native.native_scope import NativeCoding, Scope, known
from referee.native.operator_ir import is_member
from referee.native.value_forms import NotNative, SetForm, Several, Ssa

MOST_MEMBERS = 4_096
"""Of so many members several are chosen at most."""
MOST_CHOICES = 100_000
"""So many choices are looked at, at most, before others have to: they know how long somebody waits."""


class Pool(NamedTuple):
    """What the members of a choice of some size are taken from: so many words that are all taken, and sorted ones of
    which the rest is."""

    whole: Ssa
    taken: Ssa
    block: Ssa
    size: Ssa


class ChoiceCode:
    """One parameter in a scope; what is known of its source is found out here. An error of the rules goes where errors
    go at that place."""

    def __init__(self, code: NativeCoding, param: Param, scope: Scope) -> None:
        self._code = code
        self._out: IrWriter = code.out
        self._param = param
        self._scope = scope
        self._pile = _in_blocks(code, param)
        if self._pile is not None:
            if param.among is not None:
                raise NotNative("some of those on top of a pile")
            whole = Within(Place(self._pile.zone, self._pile.keys))
            self._found = taken_up(code, whole, scope, ordered=False)
        else:
            self._found = self._listed()
        out = self._out
        number = self._found.count
        if param.repeated:
            number = out.at.mul(number, word(cap(param)))
        assert param.count is not None
        least, most = (code.number(end, scope) for end in param.count)
        self.least = out.at.select(out.at.icmp_signed("<", least, word(0)), word(0), least)
        for bound in (word(cap(param)), number):
            most = out.at.select(out.at.icmp_signed("<", bound, most), bound, most)
        self.most = most

    def _listed(self) -> Several:
        """What can be taken from, on one list, sorted."""
        out, param, code = self._out, self._param, self._code
        size = code.prover.most_of(param.source, known(self._scope))
        if not 0 <= size <= MOST_MEMBERS:
            raise NotNative(f"several of {size}")
        copy, count = out.local(I16, number=max(size, 1)), out.local(I64, word(0))
        among = None if param.among is None else code.value(param.among, self._scope)

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

        each(code, param.source, self._scope, one, ordered=True)
        total = out.at.load(count, typ=I64)
        if not _ascending(code, param.source):
            out.call("sort_items", copy, total)
        return Several(copy, total, max(size, 1))

    # --- whether a choice is one

    def taken(self, value: Several) -> Ssa:
        """Whether a multiset can be taken."""
        out, param, found = self._out, self._param, self._found
        answer = out.local(I1, NO)
        inside = out.at.and_(out.at.icmp_signed("<=", self.least, value.count),
                             out.at.icmp_signed("<=", value.count, self.most))
        done, on = out.block(), out.block()
        out.at.cbranch(inside, on, done)
        out.begin(on)
        if self._pile is not None:
            self._from_blocks(self._pile, value, done)
        else:
            with out.counting(value.count) as (index, _):
                one = out.load_word(value.items, index)
                wanted = word(1) if param.repeated else out.call("how_often", value.items, value.count, one)
                there = out.call("how_often", found.items, found.count, one)
                passed = out.block()
                out.at.cbranch(out.at.icmp_signed("<=", wanted, there), passed, done)
                out.begin(passed)
        out.at.store(YES, answer)
        out.at.branch(done)
        out.begin(done)
        return out.at.load(answer, typ=I1)

    def _from_blocks(self, place: Place, value: Several, done: Ssa) -> None:
        """That a multiset has all of the blocks that are used up, and the rest from the next one: then it can be taken
        out of a copy of the pile."""
        out = self._out
        words = self._code.lying(place, self._scope).words
        size = self._code.memory.zones[place.zone].stride // 2
        copy = out.local(I16, number=size)
        out.call("copy_items", copy, words, word(size))
        mode = word(1 if place.end is End.BOTTOM else 0)
        most = word(self._code.memory.capacities[place.zone])
        passed = out.block()
        out.at.cbranch(out.call("pile_take", copy, most, value.items, value.count, mode), passed, done)
        out.begin(passed)

    # --- how many there are

    def surely_several(self) -> Ssa:
        """Whether there surely is more than one choice; if not, there may be all the same."""
        out, param = self._out, self._param
        items, count = self._found.items, self._found.count
        if self._pile is not None:  # looked at as far as the block at the end goes
            block = taken_up(self._code, Within(self._pile), self._scope, ordered=False)
            items, count = block.items, block.count
        free = out.at.icmp_signed("<", self.least, self.most)
        partly = out.at.and_(out.at.icmp_signed(">", self.least, word(0)),
                             out.at.icmp_signed("==", self.least, self.most))
        if not param.repeated:
            partly = out.at.and_(partly, out.at.icmp_signed("<", self.least, count))
        alike = out.call("how_often", items, count, out.load_word(items, word(0)))
        return out.at.or_(free, out.at.and_(partly, out.at.icmp_signed("<", alike, count)))

    # --- every choice

    def every(self, body: Callable[[Several], None]) -> None:
        """A loop over all choices: fewer members first, then by members. What the body is given holds until it ends;
        the block that it ends in goes on with the next choice."""
        out, most = self._out, cap(self._param)
        made, places = out.local(I16, number=max(most, 1)), out.local(I16, number=max(most, 1))
        size, tried = out.local(I64, self.least), out.local(I64, word(0))
        sizes, inside, choice, behind = (out.block() for _ in range(4))
        out.go(sizes)
        out.begin(sizes)
        number = out.at.load(size, typ=I64)
        out.at.cbranch(out.at.icmp_signed("<=", number, self.most), inside, behind)
        out.begin(inside)
        pool = self._pool(number)
        rest = out.at.sub(number, pool.taken)
        with out.counting(rest) as (index, _):
            out.store_word(index, places, index)
        out.at.branch(choice)
        out.begin(choice)
        looked = out.at.add(out.at.load(tried, typ=I64), word(1))
        out.at.store(looked, tried)
        with out.failing_to(out.leaving):
            out.leave_if(out.at.icmp_signed(">", looked, word(MOST_CHOICES)))
        with out.counting(rest) as (index, _):
            out.store_word(out.load_word(pool.block, out.load_word(places, index)), made, index)
        self._whole_too(pool, made, rest, number)
        body(Several(made, number, most))
        further, larger = out.block(), out.block()
        out.go(further)
        out.begin(further)
        out.at.cbranch(out.call("next_choice", pool.block, pool.size, places, rest), choice, larger)
        out.begin(larger)
        out.at.store(out.at.add(number, word(1)), size)
        out.at.branch(sizes)
        out.begin(behind)

    def _whole_too(self, pool: Pool, made: Ssa, rest: Ssa, number: Ssa) -> None:
        """Behind those that were chosen what is taken anyway, and all of it sorted."""
        if self._pile is None:
            return
        out = self._out
        out.call("copy_items", out.item(made, rest), pool.whole, pool.taken)
        out.call("sort_items", made, number)

    def _pool(self, number: Ssa) -> Pool:
        """What choices of a size are taken from."""
        out, found = self._out, self._found
        if self._pile is not None:
            return self._blocks(number)
        if not self._param.repeated:
            return Pool(found.items, word(0), found.items, found.count)
        times = cap(self._param)
        often = out.local(I16, number=max(times * found.most, 1))
        with out.counting(found.count) as (index, _), out.counting(word(times)) as (time, _):
            at = out.at.add(out.at.mul(index, word(times)), time)
            out.store_word(out.load_word(found.items, index), often, at)
        return Pool(found.items, word(0), often, out.at.mul(found.count, word(times)))

    def _blocks(self, number: Ssa) -> Pool:
        """The blocks of a pile that are taken whole, and the next one, which is sorted."""
        out, found = self._out, self._found
        assert self._pile is not None
        bottom = self._pile.end is End.BOTTOM
        words = self._code.lying(self._pile, self._scope).words
        blocks, first = out.load_word(words, word(1)), 2 + self._code.memory.capacities[self._pile.zone]
        taken, size = out.local(I64, word(0)), out.local(I64, word(0))
        with out.counting(blocks) as (index, behind):
            at = out.at.sub(out.at.sub(blocks, word(1)), index) if bottom else index
            large = out.load_word(words, out.at.add(at, word(2)))
            so_far = out.at.load(taken, typ=I64)
            out.at.store(large, size)
            fits, on = out.at.icmp_signed("<=", out.at.add(so_far, large), number), out.block()
            out.at.cbranch(fits, on, behind)
            out.begin(on)
            out.at.store(out.at.add(so_far, large), taken)
            out.at.store(word(0), size)
        whole, rest = out.at.load(taken, typ=I64), out.at.load(size, typ=I64)
        there = out.item(words, word(first))
        if not bottom:
            return Pool(there, whole, out.item(there, whole), rest)
        left = out.at.sub(found.count, whole)
        return Pool(out.item(there, left), whole, out.item(there, out.at.sub(left, rest)), rest)

    # --- one by lot

    def by_lot(self, lot: Callable[[Ssa], Ssa], again: Ssa) -> Several:
        """A choice: its size by lot, then its members as from a shuffled pile; on at a block if there is none."""
        out, found, most = self._out, self._found, cap(self._param)
        on = out.block()
        out.at.cbranch(out.at.icmp_signed("<=", self.least, self.most), on, again)
        out.begin(on)
        number = out.at.add(self.least, lot(out.at.add(out.at.sub(self.most, self.least), word(1))))
        made = out.local(I16, number=max(most, 1))
        if self._param.repeated:
            self._each_again(made, number, lot)
        else:
            pool = self._pool(number)
            rest = out.at.sub(number, pool.taken)
            left = out.local(I16, number=max(found.most, 1))
            out.call("copy_items", left, pool.block, pool.size)
            with out.counting(rest) as (index, _):
                there = out.at.sub(pool.size, index)
                at = lot(there)
                out.store_word(out.load_word(left, at), made, index)
                out.store_word(out.load_word(left, out.at.sub(there, word(1))), left, at)
            out.call("copy_items", out.item(made, rest), pool.whole, pool.taken)
        out.call("sort_items", made, number)
        return Several(made, number, most)

    def _each_again(self, made: Ssa, number: Ssa, lot: Callable[[Ssa], Ssa]) -> None:
        """Each member out of all that differ, as dice are."""
        out, found = self._out, self._found
        different, count = out.local(I16, number=max(found.most, 1)), out.local(I64, word(0))
        with out.counting(found.count) as (index, _):
            one, so_far = out.load_word(found.items, index), out.at.load(count, typ=I64)
            there = out.call("how_often", different, so_far, one)
            with out.only_if(out.at.icmp_signed("==", there, word(0))):
                out.store_word(one, different, so_far)
                out.at.store(out.at.add(so_far, word(1)), count)
        many = out.at.load(count, typ=I64)
        with out.counting(number) as (index, _):
            out.store_word(out.load_word(different, lot(many)), made, index)


def _in_blocks(code: NativeCoding, param: Param) -> Place | None:
    """The end of a pile from which is taken, block after block; None of another source."""
    source = param.source
    if isinstance(source, Within) and source.place.end is not None and (
            code.layout.core.zones[source.place.zone].form.in_blocks):
        return source.place
    return None


def _ascending(code: NativeCoding, source: Domainlike) -> bool:
    """Whether a source is surely gone through from the least member to the greatest."""
    match source:
        case Within(place):
            return not code.layout.core.zones[place.zone].form.by_position
        case Numbers(_, _, down):
            return not down
        case All(_, first, down) | Members(_, first, down):
            return first is None and not down
        case _:
            assert_never(source)
