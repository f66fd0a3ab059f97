"""Expressions on a slice: zones are counted by groups, and what a slice does not know is some value of its type."""

from __future__ import annotations

from typing import Self

from referee.core.expr import (
    All,
    At,
    Domainlike,
    Expr,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Place,
    Where,
    Within,
)
from referee.core.ruleset import Form, Zone
from referee.core.types import size
from referee.symbolic import term, value
from referee.symbolic.evaluate import NOT_ONE, RANGE, Context, Evaluator, Member
from referee.symbolic.filters import Filtered, filters_of, selected
from referee.symbolic.groups import Tally, admitted
from referee.symbolic.slices import SPOTS, Slice, Sliced
from referee.symbolic.spots import Spot, Spots, in_place
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym

MOST_BITS = 400
"""Sets of the classes on some spots are told apart up to so many classes times spots."""


class SlicedReader(Evaluator):
    """Turns expressions into terms on a slice, all but folds over zones."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.settled: dict[int, Opt] = {}
        """What lies on spots that were changed, by their identity, while one case after the other is looked at."""
        self.looked_at: dict[int, Spot] = {}
        """The spots that were changed and that were read, by their identity."""

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
                    return term.both(given.has, self._is_in(among, given.value))
                assert not isinstance(given, Bits | Counts)
                return self._is_in(among, given)
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
        if there.spots is not None:
            return self._on(expr, zone, there.spots, spot)
        made = self.slice.anything(expr.type, f"{zone.name}{SPOTS}")
        assert isinstance(made, Opt)
        true = [term.disj((term.no(made.has), self.lies(zone, there, made.value)))]
        if zone.form is Form.LINE:
            true.append(term.same(made.has, term.both(term.at_most(0, spot), term.less(spot, there.total))))
        elif zone.spots is not None:
            true.append(term.disj((term.less(there.total, size(zone.spots)), made.has)))
        self.slice.true.extend(true)
        return made

    def _on(self, expr: At, zone: Zone, there: Spots, spot: Num) -> Sym:
        """What lies on a spot, where that is kept."""
        if zone.form is Form.SLOTS:
            self.context.fail(term.no(term.disj(term.equal(spot, i) for i in range(len(there)))), RANGE, expr.span)
        if isinstance(spot, int) and 0 <= spot < len(there):
            return self._settled(there[spot])
        found: Sym = Opt(False, expr.type.of.lo)
        for i, one in reversed(list(enumerate(there))):
            found = value.merge(term.equal(spot, i), one, found)
        return found

    def _settled(self, one: Opt) -> Opt:
        if isinstance(one, Spot):
            self.looked_at[id(one)] = one
        return self.settled.get(id(one), one)

    def members_on(self, place: Place, zone: Zone, there: Spots) -> list[Member]:
        """What lies in a place of which every spot is kept: a member for each spot."""
        low = zone.spots.lo if zone.spots is not None else 0
        spot = None if place.spot is None else self.number(place.spot) - low
        inside = in_place(zone, there, place.end, spot)
        return [Member(here, one.value) for here, one in zip(inside, there, strict=True)]

    def _within(self, source: Within, once: bool) -> list[Member]:
        zone, there = self.zone(source.place)
        if there.spots is not None:
            members = self.members_on(source.place, zone, there.spots)
            return members if zone.form is Form.LINE else self._by_class(zone, members, once)
        whole = source.place.spot is None and source.place.end is None
        found = []
        for c in sorted(admitted(self.slice.layout.core, zone)):
            exact = self.alone(there, c) if whole else None
            if exact is not None:
                found.append(Member(term.less(0, exact), c, 1 if once else exact))
                continue
            here = self.slice.some()
            self.slice.true.append(term.disj((term.no(here), self.lies(zone, there, c))))
            most = self.slice.layout.core.components[c].number
            found.append(Member(here, c, 1 if once or most <= 1 else self.slice.number(1, most)))
        return found

    def _by_class(self, zone: Zone, members: list[Member], once: bool) -> list[Member]:
        """Members of slots in the order in which rules go through them."""
        found = []
        for c in sorted(admitted(self.slice.layout.core, zone)):
            here = [term.both(m.there, term.equal(m.value, c)) for m in members]
            found.append(Member(term.disj(here), c, 1 if once else term.total([term.number(h) for h in here])))
        return found

    def alone(self, there: Tally, member: int) -> Num | None:
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
                if there.spots is None:
                    return self.lies(zone, there, given)
                members = self.members_on(source.place, zone, there.spots)
                return term.disj(term.both(m.there, term.equal(m.value, given)) for m in members)
            case Members():
                found = self(source.of)
                if isinstance(found, Bits):
                    return found.has(given)
                return term.disj(term.both(m.there, term.equal(m.value, given)) for m in self.members(source, True))

    def _is_in(self, among: Where, given: Num) -> Cond:
        """Whether a value is a member of a set: of what lies in a place, that may be where one of its group lies."""
        inside, found = self.contains(Members(among), given), filters_of(Members(among))
        if found is None or self.zone(found.place)[1].spots is not None:
            return inside
        here = self.slice.some()
        self.slice.true.append(term.disj((term.no(here), inside)))
        return here

    def _only(self, expr: Only) -> Sym:
        found = filters_of(Members(expr.of)) if isinstance(expr.of, Where) else None
        if found is None:
            return super()._only(expr)
        passing = self._passing_spots(found)
        if passing is not None:
            one = term.pick([(m.there, m.value) for m in passing], expr.type.lo)
            alike = term.conj(term.disj((term.no(m.there), term.equal(m.value, one))) for m in passing)
            self.context.fail(term.no(term.both(term.disj(m.there for m in passing), alike)), NOT_ONE, expr.span)
            return one
        alone = self._each_alone(found)
        if alone:
            there = [(c, term.less(0, count)) for c, count in alone]
            single = term.equal(term.total([term.number(here) for _, here in there]), 1)
            self.context.fail(term.no(single), NOT_ONE, expr.span)
            return term.pick([(here, c) for c, here in there], alone[0][0])
        made, fine = self.slice.anything(expr.type), self.slice.some()
        assert not isinstance(made, Opt | Bits | Counts)
        inside = self.apart().contains(Members(expr.of), made)  # what fails there, fails where `fine` does not hold
        self.slice.true.append(term.disj((term.no(fine), inside)))
        self.context.fail(term.no(fine), NOT_ONE, expr.span)
        return made

    def _passing_spots(self, found: Filtered) -> list[Member] | None:
        """What lies in a place and passes filters, spot by spot; None if the spots are not kept.

        What fails on the way is left out: if it fails in a game, there is no such step.
        """
        zone, there = self.zone(found.place)
        if there.spots is None:
            return None
        passing = []
        for member in self.members_on(found.place, zone, there.spots):
            here, apart = member.there, self.apart()
            for var, cond in found.filters:
                with apart.context.bound({var: member.value}):
                    here = term.both(here, apart.condition(cond))
            passing.append(Member(here, member.value))
        return passing

    def apart(self) -> Self:
        """Evaluates where an error is none of the step's: what is looked at may not be looked at in a game."""
        return type(self)(Context(self.store, dict(self.context.env)))

    def _each_alone(self, found: Filtered) -> list[tuple[int, Num]] | None:
        """The classes that a place may hold with how many of each lie there, where that is known of each."""
        if found.place.spot is not None or found.place.end is not None:
            return None
        zone, there = self.zone(found.place)
        mask = selected(self.slice.layout, zone, found.filters)
        counts = [(c, self.alone(there, c)) for c in sorted(mask or ())]
        known = [(c, count) for c, count in counts if count is not None]
        return known if len(known) == len(counts) else None

    # ------------------------------------------------------------------ sets
    def _where(self, expr: Where) -> Sym:
        found = filters_of(Members(expr))
        if found is None:
            return super()._where(expr)
        zone, there = self.zone(found.place)
        mask = selected(self.slice.layout, zone, found.filters)
        inner, bits = expr.type.of, []
        passing = self._passing_spots(found)
        if passing is not None and (inner.hi - inner.lo + 1) * len(passing) <= MOST_BITS:
            return Bits(inner.lo, tuple(term.disj(term.both(m.there, term.equal(m.value, c)) for m in passing)
                                        for c in range(inner.lo, inner.hi + 1)))
        for c in range(inner.lo, inner.hi + 1):
            exact = self.alone(there, c) if mask is not None and found.place.end is None else None
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
