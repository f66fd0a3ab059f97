"""Expressions as terms, each case as in the reference engine. What can fail notes under which condition it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import assert_never

from referee.base.source import Span
from referee.core.expr import (
    All,
    And,
    At,
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
    Or,
    Where,
    Within,
)
from referee.core.ruleset import Form
from referee.core.types import Elem, Int
from referee.symbolic import content, term, value
from referee.symbolic.content import Content, Line, Slots
from referee.symbolic.operators import alike, operate
from referee.symbolic.store import Store
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym, Unencodable, merge

RANGE, NOT_THERE, NO_ROOM, NOT_ONE, ROUNDS, BROKEN = "RT01", "RT02", "RT03", "RT05", "RT06", "RT07"


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that the rules make under a condition."""

    when: Cond
    code: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Member:
    """A possible member of a source: whether it is one, what it is, and how often."""

    there: Cond
    value: Num
    number: Num = 1


@dataclass
class Context:
    """Where a step is followed: the store, the locals, under which condition, and what has failed so far."""

    store: Store
    env: dict[str, Sym] = field(default_factory=dict)
    path: Cond = True
    failures: list[Failure] = field(default_factory=list)
    failed: Cond = False
    """True where some error was made."""
    lost: Cond = False
    """True where something was not followed faithfully."""

    def sure(self, cond: Cond) -> Cond:
        """A condition as far as it is decided here; nothing more is known than the condition itself says."""
        return cond

    @contextmanager
    def under(self, cond: Cond) -> Iterator[None]:
        """Follows something only where a condition holds."""
        before = self.path
        self.path = term.both(before, self.sure(cond))
        try:
            yield
        finally:
            self.path = before

    def lose(self, when: Cond) -> None:
        """Notes that what happens here is not followed faithfully where `when` holds."""
        self.lost = term.disj((self.lost, term.both(self.path, when)))

    @contextmanager
    def bound(self, names: Mapping[str, Sym]) -> Iterator[None]:
        """Gives names to values for a while."""
        before = self.env
        self.env = {**before, **names}
        try:
            yield
        finally:
            self.env = before

    def fail(self, when: Cond, code: str, span: Span | None) -> None:
        """Notes an error where `when` holds here; from then on nothing else happens there."""
        cond = self.sure(term.both(self.path, when))
        if cond is not False:
            self.failures.append(Failure(cond, code, span))
            self.failed = term.disj((self.failed, cond))


@dataclass
class _Settled:
    """Where a search through members goes on still."""

    not_yet: Cond = True


class Evaluator:
    """Turns expressions into terms in a context."""

    def __init__(self, context: Context) -> None:
        self.context = context

    # ------------------------------------------------------------------ values
    def number(self, expr: Expr) -> Num:
        """The value of a number or member; of one that may be nothing, the member."""
        found = self(expr)
        if isinstance(found, Opt):
            return found.value
        assert not isinstance(found, Bits | Counts)
        return found

    def condition(self, expr: Expr) -> Cond:
        """The value of a condition."""
        found = self(expr)
        assert not isinstance(found, Opt | Bits | Counts)
        return found

    def key(self, expr: Expr) -> Num:
        """The value of what tells entries apart: a key, a spot, an end of a range."""
        return self.number(expr)

    def __call__(self, expr: Expr) -> Sym:
        match expr:
            case Const():
                return value.of(expr.type, expr.value)
            case Local():
                return self.context.env[expr.name]
            case Get():
                var = self.context.store.layout.defs[expr.var]
                found, inside = self.context.store.read(var, [self.key(k) for k in expr.keys])
                self.context.fail(term.no(inside), RANGE, expr.span)
                return found
            case Look():
                return self._look(expr)
            case Op():
                return operate(expr, [self(a) for a in expr.args])
            case And():
                return self._joined(expr.parts, True)
            case Or():
                return self._joined(expr.parts, False)
            case If():
                return self._if(expr)
            case At():
                return self._at(expr)
            case Fold():
                return self._fold(expr)
            case Where():
                return self._where(expr)
            case Let():
                with self.context.bound({expr.var: self(expr.value)}):
                    return self(expr.body)
            case Only():
                return self._only(expr)
            case _:
                assert_never(expr)

    def _if(self, expr: If) -> Sym:
        cond = self.context.sure(self.condition(expr.cond))
        if isinstance(cond, bool):
            return self(expr.yes if cond else expr.no)
        with self.context.under(cond):
            yes = self(expr.yes)
        with self.context.under(term.no(cond)):
            other = self(expr.no)
        return merge(cond, *alike(yes, other))

    def _joined(self, parts: tuple[Expr, ...], all_: bool) -> Cond:
        """A part is evaluated only where those before it have not decided."""
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

    def _look(self, expr: Look) -> Sym:
        spread, table = self.context.store.layout.tables[expr.table]
        keys = [self.key(k) for k in expr.keys]
        inside = term.conj(
            term.both(term.at_most(low, k), term.less(k, low + size))
            for k, low, size in zip(keys, spread.lows, spread.sizes, strict=True)
        )
        self.context.fail(term.no(inside), RANGE, expr.span)
        index: Num = 0
        for key, low, size in zip(keys, spread.lows, spread.sizes, strict=True):
            index = term.total([term.times(index, size), key - low])
        if isinstance(index, int) and not 0 <= index < len(table.values):
            index = 0
        return value.look(len(table.values), index, 0, lambda i: value.of(table.type, table.values[i]))

    def _at(self, expr: At) -> Sym:
        core = self.context.store.layout.core
        zone = core.zones[expr.place.zone]
        there, inside = self.context.store.zone(zone, [self.key(k) for k in expr.place.keys])
        self.context.fail(term.no(inside), RANGE, expr.span)
        spot = self.key(expr.spot) - (zone.spots.lo if zone.spots is not None else 0)
        nothing = Opt(False, expr.type.of.lo)
        if isinstance(there, Slots) and isinstance(spot, int) and 0 <= spot < len(there.spots):
            return there.spots[spot]
        if isinstance(there, Slots):
            known = term.disj(term.equal(spot, i) for i in range(len(there.spots)))
            self.context.fail(term.no(known), RANGE, expr.span)
            cases = [(term.equal(spot, i), one) for i, one in enumerate(there.spots)]
        elif isinstance(there, Line):
            cases = [(term.equal(spot, i), Opt(term.less(i, there.length), one)) for i, one in enumerate(there.items)]
        else:
            raise Unencodable(f"{zone.name} has no positions")
        found: Sym = nothing
        for cond, one in reversed(cases):
            found = merge(cond, one, found)
        return found

    def _only(self, expr: Only) -> Sym:
        found = self(expr.of)
        if isinstance(found, Opt):
            self.context.fail(term.no(found.has), NOT_ONE, expr.span)
            return found.value
        assert isinstance(found, Bits)
        many = term.total([term.number(bit) for _, bit in found.members()])
        self.context.fail(term.no(term.equal(many, 1)), NOT_ONE, expr.span)
        return term.pick([(bit, i) for i, bit in found.members()], found.lo)

    # ------------------------------------------------------------------ sources
    def members(self, source: Domainlike, once: bool) -> list[Member]:
        """The possible members of a source in its order; `once`: alike components in a zone count as one."""
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
            case Within():
                return self._within(source, once)
            case _:
                assert_never(source)

    def counted(self, held: Counts, once: bool) -> list[Member]:
        """The possible members of a multiset; `once`: each counts as one."""
        return [Member(term.less(0, n), i, 1 if once else n) for i, n in held.members()]

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

    def _there(self, source: Within) -> tuple[Content, Cond]:
        """What lies in a place, and whether there is one."""
        zone = self.context.store.layout.core.zones[source.place.zone]
        return self.context.store.zone(zone, [self.key(k) for k in source.place.keys])

    def _within(self, source: Within, once: bool) -> list[Member]:
        place = source.place
        core = self.context.store.layout.core
        zone = core.zones[place.zone]
        there, inside = self._there(source)
        self.context.fail(term.no(inside), RANGE, place.span)
        lo, hi = content.classes(core, zone)
        if place.spot is not None:
            spot = self.key(place.spot) - (zone.spots.lo if zone.spots is not None else 0)
            if isinstance(there, Line):
                return [Member(term.both(term.equal(spot, i), term.less(i, there.length)), item)
                        for i, item in enumerate(there.items)]
            assert isinstance(there, Slots)
            return [Member(term.both(term.equal(spot, i), one.has), one.value) for i, one in enumerate(there.spots)]
        if isinstance(there, Line) and zone.form is Form.LINE and place.end is None:
            return [Member(term.less(i, there.length), item) for i, item in enumerate(there.items)]
        held = content.held(there, lo, hi, place.end)
        return self.counted(held, once)

    # ------------------------------------------------------------------ folds
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

    def _where(self, expr: Where) -> Sym:
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

    def _fold(self, expr: Fold) -> Sym:
        match expr.kind:
            case FoldKind.ANY:
                return self._until(expr, True)
            case FoldKind.ALL:
                if expr.body is None:
                    bare = Fold(FoldKind.ALL, expr.var, expr.source, None, expr.where, expr.type, None, expr.span)
                    return self._fold(bare)
                return self._until(expr, False)
            case FoldKind.COUNT:
                return term.total([term.choose(c, m.number, 0) for m, c in self._passing(expr, False)])
            case FoldKind.SUM:
                parts = [(c, term.times(m.number, self._amount(expr, m))) for m, c in self._passing(expr, False)]
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
            body = self._body(expr)
            found.append(term.both(cond, body if wanted else term.no(body)))
            settled.not_yet = term.both(settled.not_yet, term.no(self.context.sure(found[-1])))
        some = term.disj(found)
        return some if wanted else term.no(some)

    def _body(self, expr: Fold) -> Cond:
        return True if expr.body is None else self.condition(expr.body)

    def _amount(self, expr: Fold, member: Member) -> Num:
        return member.value if expr.body is None else self.number(expr.body)

    def _extreme(self, expr: Fold) -> Sym:
        some: Cond = False
        best: Num = 0
        for member, cond in self._passing(expr, True):
            amount = self._amount(expr, member)
            better = term.less(amount, best) if expr.kind is FoldKind.MIN else term.less(best, amount)
            best = term.choose(term.both(cond, term.disj((term.no(some), better))), amount, best)
            some = term.disj((some, cond))
        if expr.empty is None:
            self.context.fail(term.no(some), NOT_ONE, expr.span)
            return best
        with self.context.under(term.no(some)):
            return term.choose(some, best, self.number(expr.empty))
