"""Expressions on a slice: zones are counted by groups, and what a slice does not know is some value of its type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

from referee.core.expr import (
    All,
    And,
    At,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    If,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Where,
    Within,
)
from referee.core.reads import locals_of
from referee.core.ruleset import Form, Zone
from referee.core.types import Bool, size
from referee.game.state import Layout
from referee.symbolic import term, value
from referee.symbolic.evaluate import NOT_ONE, RANGE, Context, Evaluator, Member
from referee.symbolic.groups import Tally, admitted
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.store import Store
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym


@dataclass(frozen=True, slots=True)
class Filtered:
    """A place and what is asked of its components, one after the other."""

    place: Place
    filters: tuple[tuple[str, Expr], ...]


class SlicedEvaluator(Evaluator):
    """Turns expressions into terms on a slice."""

    @property
    def store(self) -> Sliced:
        """The slice that is read."""
        found = self.context.store
        assert isinstance(found, Sliced)
        return found

    @property
    def slice(self) -> Slice:
        """What is kept."""
        return self.store.slice

    def __call__(self, expr: Expr) -> Sym:
        match expr:
            case At():
                return self._at(expr)
            case Op(op=Operator.IN, args=(member, Where() as among)):
                given = self(member)
                if isinstance(given, Opt):
                    return term.both(given.has, self.contains(Members(among), given.value))
                assert not isinstance(given, Bits | Counts)
                return self.contains(Members(among), given)
            case _:
                return super().__call__(expr)

    # ------------------------------------------------------------------ zones
    def zone(self, place: Place) -> tuple[Zone, Tally]:
        """What lies in a place."""
        zone = self.slice.layout.core.zones[place.zone]
        there, inside = self.store.tally(zone, [self.number(k) for k in place.keys])
        self.context.fail(term.no(inside), RANGE, place.span)
        return zone, there

    def lies(self, zone: Zone, there: Tally, member: Num) -> Cond:
        """Whether a component of a class may lie in a place: some of its group do, and the zone admits it."""
        groups = self.slice.groups
        may = admitted(self.slice.layout.core, zone)
        if isinstance(member, int) and member not in may:
            return False
        return term.disj(
            term.both(groups.has(g, member), term.less(0, there.counts[g]))
            for g in range(len(groups)) if groups.meets(g, may)
        )

    def _at(self, expr: At) -> Sym:
        zone, there = self.zone(expr.place)
        spot = self.number(expr.spot) - (zone.spots.lo if zone.spots is not None else 0)
        made = self.slice.anything(expr.type)
        assert isinstance(made, Opt)
        true = [term.disj((term.no(made.has), self.lies(zone, there, made.value)))]
        if zone.form is Form.LINE:
            true.append(term.same(made.has, term.both(term.at_most(0, spot), term.less(spot, there.total))))
        elif zone.spots is not None:
            true.append(term.disj((term.less(there.total, size(zone.spots)), made.has)))
        self.slice.true.extend(true)
        return made

    def _within(self, source: Within, once: bool) -> list[Member]:
        zone, there = self.zone(source.place)
        whole = source.place.spot is None and source.place.end is None
        found = []
        for c in sorted(admitted(self.slice.layout.core, zone)):
            exact = self._alone(there, c) if whole else None
            if exact is not None:
                found.append(Member(term.less(0, exact), c, 1 if once else exact))
                continue
            here = self.slice.some()
            self.slice.true.append(term.disj((term.no(here), self.lies(zone, there, c))))
            most = self.slice.layout.core.components[c].number
            found.append(Member(here, c, 1 if once or most <= 1 else self.slice.number(1, most)))
        return found

    def _alone(self, there: Tally, member: int) -> Num | None:
        """How many of a class lie in a place, where the class is a group of its own."""
        groups = self.slice.groups
        if groups.focus is not None:
            return None
        group = next(g for g, part in enumerate(groups.parts) if member in part)
        return there.counts[group] if len(groups.parts[group]) == 1 else None

    # ------------------------------------------------------------------ membership
    def contains(self, source: Domainlike, given: Num) -> Cond:
        """Whether a value is among the members of a source."""
        match source:
            case Numbers():
                return term.both(
                    term.at_most(self.number(source.lo), given), term.at_most(given, self.number(source.hi))
                )
            case All():
                return value.within(source.of, given)
            case Members(of=Where() as among):
                inside = self.contains(among.source, given)
                if among.where is None:
                    return inside
                with self.context.bound({among.var: given}), self.context.under(inside):
                    return term.both(inside, self.condition(among.where))
            case Within():
                zone, there = self.zone(source.place)
                return self.lies(zone, there, given)
            case Members():
                found = self(source.of)
                if isinstance(found, Bits):
                    return found.has(given)
                return term.disj(term.both(m.there, term.equal(m.value, given)) for m in self.members(source, True))

    def _only(self, expr: Only) -> Sym:
        found = filters_of(Members(expr.of)) if isinstance(expr.of, Where) else None
        if found is None:
            return super()._only(expr)
        alone = self._each_alone(found)
        if alone:
            there = [(c, term.less(0, count)) for c, count in alone]
            single = term.equal(term.total([term.number(here) for _, here in there]), 1)
            self.context.fail(term.no(single), NOT_ONE, expr.span)
            return term.pick([(here, c) for c, here in there], alone[0][0])
        made, fine = self.slice.anything(expr.type), self.slice.some()
        assert not isinstance(made, Opt | Bits | Counts)
        apart = Context(self.store, dict(self.context.env))  # what fails there, fails where `fine` does not hold
        inside = SlicedEvaluator(apart).contains(Members(expr.of), made)
        self.slice.true.append(term.disj((term.no(fine), inside)))
        self.context.fail(term.no(fine), NOT_ONE, expr.span)
        return made

    def _each_alone(self, found: Filtered) -> list[tuple[int, Num]] | None:
        """The classes that a place may hold with how many of each lie there, where that is known of each."""
        if found.place.spot is not None or found.place.end is not None:
            return None
        zone, there = self.zone(found.place)
        mask = selected(self.slice.layout, zone, found.filters)
        counts = [(c, self._alone(there, c)) for c in sorted(mask or ())]
        known = [(c, count) for c, count in counts if count is not None]
        return known if len(known) == len(counts) else None

    # ------------------------------------------------------------------ folds
    def _fold(self, expr: Fold) -> Sym:
        found = filters_of(expr.source)
        if found is None:
            return super()._fold(expr)
        one = _one_asked_for(expr, found)
        if one is not None:
            return self._copies(expr, found.place, one)
        mask = self._mask(expr, found)
        _, there = self.zone(found.place)
        if found.place.spot is not None or found.place.end is not None:
            return self._something(expr, there)
        many = [self.in_mask(g, n, mask) for g, n in enumerate(there.counts)] if mask is not None else []
        match expr.kind:
            case FoldKind.COUNT if mask is not None:
                return term.total(many)
            case FoldKind.SUM if mask is not None and isinstance(expr.body, Const):
                return term.times(term.total(many), self.number(expr.body))
            case FoldKind.ANY if mask is not None:
                return term.less(0, term.total(many))
            case FoldKind.ALL if mask is not None:
                return term.equal(term.total(many), 0)
            case _:
                return self._something(expr, there)

    def _copies(self, expr: Fold, place: Place, one: Expr) -> Sym:
        """How many of one class lie in a place, or whether any do; exact for the focus and for a group of one class."""
        zone, there = self.zone(place)
        member, groups = self.number(one), self.slice.groups
        may, many = admitted(self.slice.layout.core, zone), []
        for g, count in enumerate(there.counts):
            inside = groups.has(g, member)
            if inside is False or not groups.meets(g, may):
                continue
            exact = (groups.focus is not None and g == 0) or len(groups.parts[g - groups.first]) == 1
            many.append(term.choose(inside, count if exact else self._some_of(count), 0))
        whole = term.total(many)
        return whole if expr.kind is FoldKind.COUNT else term.less(0, whole)

    def _some_of(self, count: Num) -> Num:
        if isinstance(count, int) and count == 0:
            return 0
        made = self.slice.number(0, max(one.number for one in self.slice.layout.core.components))
        self.slice.true.append(term.at_most(made, count))
        return made

    def _mask(self, expr: Fold, found: Filtered) -> frozenset[int] | None:
        """The classes that a fold counts (`all`: those that must not be there), where they depend on nothing else."""
        zone = self.slice.layout.core.zones[found.place.zone]
        filters = list(found.filters)
        if expr.where is not None:
            filters.append((expr.var, expr.where))
        if expr.kind is FoldKind.ANY and expr.body is not None:
            filters.append((expr.var, expr.body))
        if expr.kind is FoldKind.ALL:
            if expr.body is None and expr.where is None:
                return frozenset()
            last = expr.body if expr.body is not None else expr.where
            assert last is not None
            if expr.body is None:
                filters.pop()
            filters.append((expr.var, Op(Operator.NOT, (last,), Bool())))
        return selected(self.slice.layout, zone, filters)

    def in_mask(self, group: int, number: Num, mask: frozenset[int]) -> Num:
        """How many of a group are in a mask, where `number` of the group are there."""
        if isinstance(number, int) and number == 0:
            return 0
        inside, outside = self.slice.groups.split(group, mask)
        if not inside:
            return 0
        if not outside:
            return number
        focus = self.slice.groups.focus
        if focus is not None and group == 0:
            return term.choose(term.disj(term.equal(focus, c) for c in mask), number, 0)
        made = self.slice.number(0, sum(self.slice.layout.core.components[c].number for c in mask))
        self.slice.true.append(term.at_most(made, number))
        return made

    def _something(self, expr: Fold, there: Tally) -> Sym:
        """A fold of which only the type is known, and what it is over nothing."""
        made, nothing = self.slice.anything(expr.type), term.equal(there.total, 0)
        match expr.kind:
            case FoldKind.ANY:
                assert isinstance(made, bool) or term.is_condition(made)
                self.slice.true.append(term.disj((term.no(nothing), term.no(made))))
            case FoldKind.ALL:
                self.slice.true.append(term.disj((term.no(nothing), made)))
            case FoldKind.COUNT:
                self.slice.true.append(term.at_most(made, there.total))
            case _:
                pass
        return made

    def _where(self, expr: Where) -> Sym:
        found = filters_of(Members(expr))
        if found is None:
            return super()._where(expr)
        zone, there = self.zone(found.place)
        mask = selected(self.slice.layout, zone, found.filters)
        inner, bits = expr.type.of, []
        for c in range(inner.lo, inner.hi + 1):
            exact = self._alone(there, c) if mask is not None and found.place.end is None else None
            if mask is not None and c not in mask:
                bits.append(False)
            elif exact is not None:
                bits.append(term.less(0, exact))
            else:
                bits.append(self._may(zone, there, c))
        return Bits(inner.lo, tuple(bits))

    def _may(self, zone: Zone, there: Tally, member: int) -> Cond:
        here = self.slice.some()
        self.slice.true.append(term.disj((term.no(here), self.lies(zone, there, member))))
        return here


def _one_asked_for(expr: Fold, found: Filtered) -> Expr | None:
    """What a fold that asks for one class alone asks for."""
    if found.filters or expr.kind not in (FoldKind.ANY, FoldKind.COUNT) or found.place.spot or found.place.end:
        return None
    conds = [c for c in (expr.where, expr.body) if c is not None]
    match conds:
        case [Op(op=Operator.EQ, args=(Local(name=name), other))] if name == expr.var:
            return None if expr.var in locals_of(other) or isinstance(other, Const) else other
        case [Op(op=Operator.EQ, args=(other, Local(name=name)))] if name == expr.var:
            return None if expr.var in locals_of(other) or isinstance(other, Const) else other
        case _:
            return None


def filters_of(source: Domainlike) -> Filtered | None:
    """A source that is a place with filters; None for any other."""
    match source:
        case Within():
            return Filtered(source.place, ())
        case Members(of=Where() as among):
            inner = filters_of(among.source)
            if inner is None:
                return None
            return Filtered(inner.place, (*inner.filters, *(((among.var, among.where),) if among.where else ())))
        case _:
            return None


def selected(layout: Layout, zone: Zone, filters: Iterable[tuple[str, Expr]]) -> frozenset[int] | None:
    """The classes that a zone admits and that pass filters; None if that depends on more than the class."""
    parts = tuple(filters)
    key = (zone.name, *((var, id(cond)) for var, cond in parts))
    known = _SELECTED.setdefault(layout, {}).get(key)
    if known is None:
        known = parts, _selected(layout, zone, parts)
        _SELECTED[layout][key] = known
    return known[1]


_Known: TypeAlias = tuple[tuple[tuple[str, Expr], ...], frozenset[int] | None]
_SELECTED: WeakKeyDictionary[Layout, dict[tuple[object, ...], _Known]] = WeakKeyDictionary()
"""What was selected before, by the names of filters and which expressions they are; these are kept, so that none other
takes their place."""


def _selected(layout: Layout, zone: Zone, filters: Iterable[tuple[str, Expr]]) -> frozenset[int] | None:
    found = admitted(layout.core, zone)
    for var, cond in filters:
        inside = _static_mask(layout, cond, var, found)
        if inside is None:
            return None
        found = inside
    return found


def _static_mask(layout: Layout, cond: Expr, var: str, among: frozenset[int]) -> frozenset[int] | None:
    """The classes for which a condition holds that depends on the class alone; None if it depends on more."""
    if not _static(cond, frozenset({var})):
        return None
    store, found = Store(layout, []), set()
    for c in among:
        context = Context(store, {var: c})
        holds = Evaluator(context)(cond)
        if not isinstance(holds, bool) or context.failures:
            return None
        if holds:
            found.add(c)
    return frozenset(found)


def _static(expr: Expr, names: frozenset[str]) -> bool:
    match expr:
        case Const():
            return True
        case Local():
            return expr.name in names
        case Look():
            return all(_static(k, names) for k in expr.keys)
        case Op():
            return all(_static(a, names) for a in expr.args)
        case And() | Or():
            return all(_static(p, names) for p in expr.parts)
        case If():
            return all(_static(p, names) for p in (expr.cond, expr.yes, expr.no))
        case _:
            return False
