"""Folds on a slice: numbers of components by groups or spot by spot; of what a slice does not know, some value."""

from __future__ import annotations

from referee.core.expr import (
    Const,
    Expr,
    Fold,
    FoldKind,
    Members,
    Op,
    Operator,
    Place,
    Within,
)
from referee.core.ruleset import Form, Zone
from referee.core.types import Bool
from referee.symbolic import term
from referee.symbolic.evaluate import Context, Evaluator, Member
from referee.symbolic.filters import Filtered, filters_of, one_asked_for, selected
from referee.symbolic.groups import Tally, admitted
from referee.symbolic.sliced import SlicedReader
from referee.symbolic.spots import Spots
from referee.symbolic.term import Num
from referee.symbolic.value import Sym


class SlicedEvaluator(SlicedReader):
    """Turns expressions into terms on a slice."""

    def _fold(self, expr: Fold) -> Sym:
        found = filters_of(expr.source)
        if found is None:
            added = expr.kind in (FoldKind.COUNT, FoldKind.SUM) and self.slice.placed
            return self._by_cases(expr) if added else super()._fold(expr)
        one = one_asked_for(expr, found)
        if one is not None:
            return self._copies(expr, found.place, one)
        mask = self._mask(expr, found)
        zone, there = self.zone(found.place)
        if there.spots is not None and isinstance(expr.source, Within) and not self._told_apart(expr, mask):
            return self._over_spots(expr, zone, there.spots)
        if found.place.spot is not None or found.place.end is not None or self._once_each(expr, mask):
            return self._something(expr, there)
        many = self._selected(zone, there, mask) if mask is not None else 0
        match expr.kind:
            case FoldKind.COUNT if mask is not None:
                return many
            case FoldKind.SUM if mask is not None and isinstance(expr.body, Const):
                return term.times(many, self.number(expr.body))
            case FoldKind.ANY if mask is not None:
                return term.less(0, many)
            case FoldKind.ALL if mask is not None:
                return term.equal(many, 0)
            case _:
                return self._something(expr, there)

    def _once_each(self, expr: Fold, mask: frozenset[int] | None) -> bool:
        """Whether a fold counts alike components once that are counted apart in a zone."""
        several = any(self.slice.layout.core.components[c].number > 1 for c in mask or ())
        return several and isinstance(expr.source, Members) and expr.kind in (FoldKind.COUNT, FoldKind.SUM)

    def _told_apart(self, expr: Fold, mask: frozenset[int] | None) -> bool:
        """Whether the counts of groups are enough for a fold over all that lies in a place."""
        assert isinstance(expr.source, Within)
        if mask is None or expr.source.place.spot is not None or expr.source.place.end is not None:
            return False
        simple = expr.kind in (FoldKind.COUNT, FoldKind.ANY, FoldKind.ALL)
        groups = self.slice.groups
        return simple and groups.focus is None and not any(all(groups.split(g, mask)) for g in range(len(groups)))

    def _over_spots(self, expr: Fold, zone: Zone, spots: Spots) -> Sym:
        """A fold over what lies on each spot. In slots it is not known what comes first, so that what fails on the way
        is left out: if it fails in a game, there is no such step."""
        if zone.form is Form.LINE:
            return super()._fold(expr)
        return Evaluator._fold(_BySpot(Context(self.store, dict(self.context.env))), expr)

    def _by_cases(self, expr: Fold) -> Num:
        """A number or sum over members, told as what it was before spots were changed, and by how much it differs.

        Z3 finds what that comes to far sooner: what was not changed is the same term, before and after.
        """
        return term.total([part for m in self.members(expr.source, False) for part in self._added_by_cases(expr, m)])

    def _added_by_cases(self, expr: Fold, member: Member) -> tuple[Num, Num]:
        """What a member added before the spot was changed that it looks at, and how much more it does now."""
        before, self.looked_at = self.looked_at, {}
        whole, looked_at = self._added(expr, member), self.looked_at
        self.looked_at = {**before, **looked_at}
        if len(looked_at) != 1:
            return whole, 0
        (name, spot), = looked_at.items()
        added = []
        for _, one in spot.cases:
            apart = self.apart()
            apart.settled = {name: one}
            added.append(apart._added(expr, member))
        old = added[-1]
        more = [(cond, _less(one, old)) for (cond, _), one in zip(spot.cases, added, strict=True)]
        return old, term.pick(more, 0)

    def _added(self, expr: Fold, member: Member) -> Num:
        with self.context.bound({expr.var: member.value}), self.context.under(member.there):
            passes = True if expr.where is None else self.condition(expr.where)
            if passes is False:
                return 0
            with self.context.under(passes):
                amount = self._amount(expr, member) if expr.kind is FoldKind.SUM else 1
        return term.choose(term.both(member.there, passes), term.times(member.number, amount), 0)

    def _copies(self, expr: Fold, place: Place, one: Expr) -> Sym:
        """How many of one class lie in a place, or whether any do; exact for the focus and for a group of one class."""
        zone, there = self.zone(place)
        member, groups = self.apart().number(one), self.slice.groups
        if there.spots is not None:
            here = [term.both(m.there, term.equal(m.value, member)) for m in self.members_on(place, zone, there.spots)]
            return term.total(list(map(term.number, here))) if expr.kind is FoldKind.COUNT else term.disj(here)
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

    def _selected(self, zone: Zone, there: Tally, mask: frozenset[int]) -> Num:
        """How much of a mask lies in a place."""
        if mask >= admitted(self.slice.layout.core, zone):
            return there.total
        return term.total([self.in_mask(g, n, mask) for g, n in enumerate(there.counts)])

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


class _BySpot(SlicedEvaluator):
    """Goes through slots spot by spot."""

    def _within(self, source: Within, once: bool) -> list[Member]:
        zone, there = self.zone(source.place)
        if there.spots is None:
            return super()._within(source, once)
        return self.members_on(source.place, zone, there.spots)


def _less(one: Num, other: Num) -> Num:
    same = one is other or (not isinstance(one, int) and not isinstance(other, int)
                            and term.name_of(one) == term.name_of(other))
    return 0 if same else term.minus(one, other)
