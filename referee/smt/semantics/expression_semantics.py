"""What expressions mean, said once for every representation of positions: order of evaluation, short cuts, errors.

How zones are read is each representation's own. Whoever adds a kind of expression or source says in every `__call__`
and `members` whether it means there what it means here; nothing is inherited unseen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, assert_never, final

from referee.core.expr import (
    After,
    All,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Split,
    Where,
)
from referee.core.splits import MOST_LEFT, parts_of, what_is_left
from referee.core.types import Elem, Int
from referee.smt import term, value
from referee.smt.encoding.term_operators import alike, operate
from referee.smt.semantics.connected_terms import Web
from referee.smt.semantics.context import NOT_ONE, RANGE, ROUNDS, Context, P_co
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym, Unencodable, merge, number_of

MOST_MAYBE_LEFT = 500
"""Of a set of which not everything is known so many sets may be left."""


@dataclass(frozen=True, slots=True)
class Member:
    """A possible member of a source: whether it is one, what it is, and how often."""

    there: Cond
    value: Num
    number: Num = 1


@dataclass
class _Settled:
    """Where a search through members goes on still."""

    not_yet: Cond = True


class Interpreter(ABC, Generic[P_co]):
    """Turns expressions into terms in a context. What can fail notes under which condition it does."""

    def __init__(self, context: Context[P_co]) -> None:
        self.context = context

    # ------------------------------------------------------------------ each representation's own
    @abstractmethod
    def __call__(self, expr: Expr) -> Sym:
        """The value of an expression: each kind as it is meant here, or as a method of this class has it."""

    @abstractmethod
    def members(self, source: Domainlike, once: bool) -> list[Member]:
        """The possible members of a source in its order; `once`: alike components in a zone count as one."""

    @abstractmethod
    def reached(self, web: Web) -> dict[int, Cond]:
        """Under which condition each member of what is connected is come to."""

    @abstractmethod
    def unseen(self, node: object) -> Cond:
        """Where a node may be in error though `Context.failed` does not say so: it is asked where rules go on then."""

    # ------------------------------------------------------------------ values
    @final
    def number(self, expr: Expr) -> Num:
        """The value of a number or member; of one that may be nothing, the member."""
        return number_of(self(expr))

    @final
    def condition(self, expr: Expr) -> Cond:
        """The value of a condition."""
        found = self(expr)
        assert not isinstance(found, Opt | Bits | Counts)
        return found

    @final
    def key(self, expr: Expr) -> Num:
        """The value of what tells entries apart, as far as it is known: a key, a spot, an end of a range."""
        return self.context.known.number(self.number(expr))

    # ------------------------------------------------------------------ kinds of expressions
    @final
    def const(self, expr: Const) -> Sym:
        """A literal."""
        return value.of(expr.type, expr.value)

    @final
    def local(self, expr: Local) -> Sym:
        """What a name stands for."""
        return self.context.env[expr.name]

    @final
    def get(self, expr: Get) -> Sym:
        """The value of a variable."""
        var = self.context.store.layout.defs[expr.var]
        found, inside = self.context.store.read(var, [self.key(k) for k in expr.keys])
        self.context.fail(term.no(inside), RANGE, expr.span)
        return found

    @final
    def look(self, expr: Look) -> Sym:
        """An entry of a constant table."""
        spread, table = self.context.store.layout.tables[expr.table]
        keys = [self.key(k) for k in expr.keys]
        inside = term.conj(
            term.both(term.at_most(low, k), term.less(k, low + size))
            for k, low, size in zip(keys, spread.lows, spread.sizes, strict=True)
        )
        self.context.fail(term.no(inside), RANGE, expr.span)
        # keys that are known leave only some entries: those that the others choose among
        index: Num = 0
        entries = [0]
        for key, low, size in zip(keys, spread.lows, spread.sizes, strict=True):
            if isinstance(key, int):
                entries = [e * size + min(max(key - low, 0), size - 1) for e in entries]
                continue
            index = term.total([term.times(index, size), key - low])
            entries = [e * size + k for e in entries for k in range(size)]
        return value.entry(table.type, [table.values[e] for e in entries], index)

    @final
    def operated(self, expr: Op) -> Sym:
        """An operator applied to values."""
        return operate(expr, [self(a) for a in expr.args])

    @final
    def joined(self, parts: tuple[Expr, ...], all_: bool) -> Cond:
        """Whether all parts are true, or some are; each is evaluated only where those before it have not decided."""
        before = self.context.path
        found: list[Cond] = []
        try:
            for part in parts:
                cond = self.condition(part)
                found.append(cond)
                going = self.context.sure(cond if all_ else term.no(cond))
                self.context.path = term.both(self.context.path, going)
                if self.context.path is False:
                    break
        finally:
            self.context.path = before
        return term.conj(found) if all_ else term.disj(found)

    @final
    def chosen(self, expr: If) -> Sym:
        """One of two values; the other is evaluated only where it may be the one."""
        cond = self.context.sure(self.condition(expr.cond))
        if isinstance(cond, bool):
            return self(expr.yes if cond else expr.no)
        with self.context.under(cond):
            yes = self(expr.yes)
        with self.context.under(term.no(cond)):
            other = self(expr.no)
        return merge(cond, *alike(yes, other))

    @final
    def named(self, expr: Let) -> Sym:
        """A value with a name for another value."""
        with self.context.bound({expr.var: self(expr.value)}):
            return self(expr.body)

    @final
    def single(self, expr: Only) -> Sym:
        """The single member of a set, or what may be nothing."""
        found = self(expr.of)
        if isinstance(found, Bits):
            many = term.total([term.number(bit) for _, bit in found.members()])
            self.context.fail(term.no(term.equal(many, 1)), NOT_ONE, expr.span)
            return term.pick([(bit, i) for i, bit in found.members()], found.lo)
        if isinstance(found, Opt):
            self.context.fail(term.no(found.has), NOT_ONE, expr.span)
        return number_of(found)

    @final
    def after(self, expr: After) -> Sym:
        """A value once a block was carried out on a copy of the position."""
        context = self.context
        if context.carry is None:
            raise Unencodable("what comes after statements is not asked here")
        store, failures, failed = context.store, context.failures, context.failed
        context.failures, context.failed = [], False
        try:
            context.store = store.copy()
            if expr.body:
                context.carry(context, expr.body)
            found, inside, wrong = self(expr.value), context.failures, context.failed
        finally:
            context.store, context.failures, context.failed = store, failures, failed
        if expr.failing is None:
            context.failures.extend(inside)
            context.failed = term.disj((context.failed, wrong))
            return found
        wrong = term.disj((wrong, self.unseen((expr.body, expr.value))))
        with context.under(wrong):
            return merge(wrong, *alike(self(expr.failing), found))

    # ------------------------------------------------------------------ sources
    @final
    def listed(self, source: Numbers | All | Members) -> list[Member]:
        """The possible members of a source that is no place."""
        match source:
            case Numbers():
                lo, hi = self.key(source.lo), self.key(source.hi)
                low, high = source.lo.type, source.hi.type
                assert isinstance(low, Int | Elem)
                assert isinstance(high, Int | Elem)
                every = range(low.lo, high.hi + 1)
                found = [Member(term.both(term.at_most(lo, i), term.at_most(i, hi)), i) for i in every]
                return found[::-1] if source.down else found
            case All():
                return self._turned([Member(True, i) for i in range(source.of.lo, source.of.hi + 1)], source)
            case Members():
                inner = self(source.of)
                if isinstance(inner, Bits):
                    return self._turned([Member(bit, i) for i, bit in inner.members()], source)
                assert isinstance(inner, Counts)
                return self._turned(self.counted(inner, False), source)
            case _:
                assert_never(source)

    @final
    def counted(self, held: Counts, once: bool) -> list[Member]:
        """The possible members of a multiset; `once`: each counts as one."""
        return [Member(term.less(0, n), i, 1 if once else n) for i, n in self.context.known.held(held)]

    def _turned(self, found: list[Member], source: All | Members) -> list[Member]:
        """In the order asked for: downwards, or from `first` on and round again."""
        if source.down:
            found = found[::-1]
        if source.first is None:
            return found
        start = self.key(source.first)
        if isinstance(start, int):
            late = [
                m for m in found if isinstance(m.value, int) and (m.value <= start if source.down else m.value >= start)
            ]
            return [*late, *[m for m in found if m not in late]]
        turned: list[Member] = []
        for half in (True, False):
            for m in found:
                past = term.at_most(m.value, start) if source.down else term.at_most(start, m.value)
                turned.append(Member(term.both(m.there, past if half else term.no(past)), m.value, m.number))
        return turned

    # ------------------------------------------------------------------ filters and folds, member by member
    def _passing(self, expr: Fold | Where, once: bool, settled: _Settled | None = None
                 ) -> Iterator[tuple[Member, Cond]]:
        """Each possible member, bound, with the condition that it is there and passes the filter.

        `settled`: whether others are looked at still; what they would be in error about does not count then.
        """
        for member in self.members(expr.source, once):
            reached = member.there if settled is None else term.both(member.there, settled.not_yet)
            if reached is False:
                continue
            with self.context.bound({expr.var: member.value}), self.context.under(reached):
                passes = True if expr.where is None else self.condition(expr.where)
                cond = term.both(member.there, passes)
                if self.context.sure(passes) is not False:
                    with self.context.under(passes):
                        yield member, cond

    @final
    def filtered(self, expr: Where) -> Bits:
        """The set of the members that pass a filter."""
        inner = expr.type.of
        bits: dict[int, list[Cond]] = {i: [] for i in range(inner.lo, inner.hi + 1)}
        for member, cond in self._passing(expr, True):
            if isinstance(member.value, int):
                bits.setdefault(member.value, []).append(cond)
            else:
                for i in list(bits):
                    bits[i].append(term.both(cond, term.equal(member.value, i)))
        lo, hi = min(bits, default=inner.lo), max(bits, default=inner.lo - 1)
        return Bits(lo, tuple(term.disj(bits.get(i, [])) for i in range(lo, hi + 1)))

    @final
    def connected(self, expr: Connected) -> Bits:
        """What steps lead to from a member.

        What is next to what, and what passes, is looked at of all that may be come to; what is in error there, is so
        where it is come to.
        """
        inner, start = expr.type.of, self.key(expr.start)
        outside = self.context
        self.context = Context(outside.store, dict(outside.env), outside.path, known=outside.known)
        try:
            web = self._web(expr, start)
            fails = bool(self.context.failures)
            outside.lost = term.disj((outside.lost, self.context.lost))
        finally:
            self.context = outside
        found = self.reached(web)
        if fails:
            self._failing(expr, web, found)
        return Bits(inner.lo, tuple(found.get(i, False) for i in range(inner.lo, inner.hi + 1)))

    def _web(self, expr: Connected, start: Num) -> Web:
        inner = expr.type.of
        first = [start] if isinstance(start, int) else list(range(inner.lo, inner.hi + 1))
        web = Web({one: True if isinstance(start, int) else term.equal(start, one) for one in first})
        for here in first:
            self.context.known.check()
            web.steps[here] = []
            for one, bit in self._steps(expr, here).members():
                if (next_to := self.context.sure(bit)) is False:
                    continue
                if one not in web.passes:
                    web.passes[one] = self._passes(expr, one)
                    if web.passes[one] is not False and one not in web.first and one not in web.steps:
                        first.append(one)
                web.steps[here].append((one, next_to))
        return web

    def _steps(self, expr: Connected, here: int) -> Bits:
        with self.context.bound({expr.here: here}):
            found = self(expr.step)
        assert isinstance(found, Bits)
        return found

    def _passes(self, expr: Connected, one: int) -> Cond:
        if expr.where is None:
            return True
        with self.context.bound({expr.var: one}):
            return self.context.sure(self.condition(expr.where))

    def _failing(self, expr: Connected, web: Web, found: Mapping[int, Cond]) -> None:
        """Notes the errors of what is gone from and of what is met."""
        for here in web.steps:
            with self.context.under(found.get(here, False)):
                self._steps(expr, here)
        for one, met in web.met(found).items():
            with self.context.under(met):
                self._passes(expr, one)

    @final
    def split(self, expr: Split) -> Num:
        """The best of what may be left of a set: of every set that may be left of what may be in it."""
        found = self(expr.of)
        assert isinstance(found, Bits)
        sure = [(one, self.context.sure(bit)) for one, bit in found.members()]
        bits = {one: bit for one, bit in sure if bit is not False}
        whole = frozenset(bits)
        known = all(bit is True for bit in bits.values())
        left = what_is_left(whole, parts_of(self.context.store.layout.tables[expr.table][1]),
                            MOST_LEFT if known else MOST_MAYBE_LEFT)
        if left is None:
            if not known:
                raise Unencodable("what may be left of a set is too much")
            self.context.fail(True, ROUNDS, expr.span)
            left = [whole]
        best: Num | None = None
        for rest in left:
            self.context.known.check()
            there = term.conj(bits[one] for one in sorted(whole - rest))
            inside = Bits(found.lo, tuple(bit if one in rest else False for one, bit in found.members()))
            with self.context.bound({expr.rest: inside}), self.context.under(there):
                amount = self.number(expr.body)
            if best is None:
                best = amount
                continue
            better = term.less(amount, best) if expr.kind is FoldKind.MIN else term.less(best, amount)
            best = term.choose(term.both(there, better), amount, best)
        assert best is not None
        return best

    @final
    def folded(self, expr: Fold) -> Sym:
        """A value computed over the members of a source."""
        match expr.kind:
            case FoldKind.ANY:
                return self._until(expr, True)
            case FoldKind.ALL:
                if expr.body is None:
                    bare = Fold(FoldKind.ALL, expr.var, expr.source, None, expr.where, expr.type, None, expr.span)
                    return self.folded(bare)
                return self._until(expr, False)
            case FoldKind.COUNT:
                return term.total([term.choose(c, m.number, 0) for m, c in self._passing(expr, False)])
            case FoldKind.SUM:
                parts = [(c, term.times(m.number, self.amount(expr, m))) for m, c in self._passing(expr, False)]
                return term.total([term.choose(c, number, 0) for c, number in parts])
            case FoldKind.MIN | FoldKind.MAX:
                return self._extreme(expr)
            case _:
                assert_never(expr.kind)

    def _until(self, expr: Fold, wanted: bool) -> Cond:
        """Whether the body is once as wanted; a member is looked at only where none before it was."""
        found: list[Cond] = []
        settled = _Settled()
        for _, cond in self._passing(expr, True, settled):
            body = True if expr.body is None else self.condition(expr.body)
            found.append(term.both(cond, body if wanted else term.no(body)))
            settled.not_yet = term.both(settled.not_yet, term.no(self.context.sure(found[-1])))
        some = term.disj(found)
        return some if wanted else term.no(some)

    @final
    def amount(self, expr: Fold, member: Member) -> Num:
        """What a fold takes of a member that is bound."""
        return member.value if expr.body is None else self.number(expr.body)

    def _extreme(self, expr: Fold) -> Sym:
        some: Cond = False
        best: Num = 0
        for member, cond in self._passing(expr, True):
            amount = self.amount(expr, member)
            better = term.less(amount, best) if expr.kind is FoldKind.MIN else term.less(best, amount)
            best = term.choose(term.both(cond, term.disj((term.no(some), better))), amount, best)
            some = term.disj((some, cond))
        if expr.empty is None:
            self.context.fail(term.no(some), NOT_ONE, expr.span)
            return best
        with self.context.under(term.no(some)):
            return term.choose(some, best, self.number(expr.empty))
