"""Expressions on a slice: zones are counted by groups or by spots; what it does not know is some value of a type."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
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
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Form, Zone
from referee.core.types import Bool, size
from referee.smt import term, value
from referee.smt.abstraction.class_groups import GroupTally, admitted
from referee.smt.abstraction.kept_spots import KeptSpot, Spots, in_place
from referee.smt.abstraction.place_filters import Filtered, filters_of, one_asked_for, selected
from referee.smt.abstraction.slices import SPOTS, Slice, Sliced
from referee.smt.abstraction.unseen_errors import may_be_unseen
from referee.smt.semantics.connected_terms import Web, exactly, facts
from referee.smt.semantics.context import NOT_ONE, RANGE, Context
from referee.smt.semantics.expression_semantics import Interpreter, Member
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym, Unencodable

MOST_BITS = 400
"""Sets of the classes on some spots are told apart up to so many classes times spots."""


class SlicedEvaluator(Interpreter[Sliced]):
    """Turns expressions into terms on a slice. `by_spot`: goes through slots spot by spot, in no order of the rules."""

    def __init__(self, context: Context[Sliced], by_spot: bool = False) -> None:
        super().__init__(context)
        self._by_spot = by_spot
        self.settled: dict[int, Opt] = {}
        """What lies on spots that were changed, by their identity, while one case after the other is looked at."""
        self.looked_at: dict[int, KeptSpot] = {}
        """The spots that were changed and that were read, by their identity."""

    @property
    def store(self) -> Sliced:
        """The slice that is read."""
        return self.context.store

    @property
    def slice(self) -> Slice:
        """What is kept."""
        return self.store.slice

    def __call__(self, expr: Expr) -> Sym:
        match expr:
            case Const():
                return self.const(expr)
            case Local():
                return self.local(expr)
            case Get():
                return self.get(expr)
            case Look():
                return self.look(expr)
            case Op(op=Operator.IN, args=(member, Where() as among)):
                return self._is_among(member, among)
            case Op():
                return self.operated(expr)
            case And():
                return self.joined(expr.parts, True)
            case Or():
                return self.joined(expr.parts, False)
            case If():
                return self.chosen(expr)
            case At():
                return self._at(expr)
            case Fold():
                return self._fold(expr)
            case Where():
                return self._where(expr)
            case Connected():
                return self.connected(expr)
            case Split():
                return self._split(expr)
            case Let():
                return self.named(expr)
            case Only():
                return self._only(expr)
            case After():
                return self.slice.anything(expr.type) if self.context.carry is None else self.after(expr)
            case _:
                assert_never(expr)

    def members(self, source: Domainlike, once: bool) -> list[Member]:
        match source:
            case Numbers() | All() | Members():
                return self.listed(source)
            case Within():
                return self._within(source, once)
            case _:
                assert_never(source)

    # ------------------------------------------------------------------ zones
    def zone(self, place: Place) -> tuple[Zone, GroupTally]:
        """What lies in a place."""
        zone = self.slice.layout.core.zones[place.zone]
        there, inside = self.store.tally(zone, [self.number(k) for k in place.keys])
        self.context.fail(term.no(inside), RANGE, place.span)
        return zone, there

    def lies(self, zone: Zone, there: GroupTally, member: Num) -> Cond:
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
        if isinstance(one, KeptSpot):
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
            return members if self._by_spot or zone.form is Form.LINE else self._by_class(zone, members, once)
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

    def alone(self, there: GroupTally, member: int) -> Num | None:
        """How many of a class lie in a place, where the class is a group of its own."""
        groups = self.slice.groups
        if groups.focus is not None:
            return None
        group = next(g for g, part in enumerate(groups.parts) if member in part)
        return there.counts[group] if len(groups.parts[group]) == 1 else None

    def _split(self, expr: Split) -> Sym:
        """The best of what may be left of a set; any value of its type where that may be too many sets."""
        try:
            return self.split(expr)
        except Unencodable:
            return self.slice.anything(expr.type)

    # ------------------------------------------------------------------ membership
    def _is_among(self, member: Expr, among: Where) -> Cond:
        """Whether a value is one that passes a filter: the set itself is not needed."""
        given = self(member)
        if isinstance(given, Opt):
            return term.both(given.has, self._is_in(among, given.value))
        assert not isinstance(given, Bits | Counts)
        return self._is_in(among, given)

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
            case _:
                assert_never(source)

    def _is_in(self, among: Where, given: Num) -> Cond:
        """Whether a value is a member of a set.

        Of what lies in a place, that may be where one of its group lies, and is where it is told apart from others.
        """
        inside, found = self.contains(Members(among), given), filters_of(Members(among))
        if found is None:
            return inside
        _, there = self.zone(found.place)
        if there.spots is not None:
            return inside
        told = self._is_told(there, given) if found.place.spot is None and found.place.end is None else False
        if told is True:
            return inside
        here = self.slice.some()
        self.slice.true.append(term.disj((term.no(here), inside)))
        self.slice.true.append(term.disj((term.no(told), term.no(inside), here)))
        return here

    def _is_told(self, there: GroupTally, given: Num) -> Cond:
        """Whether a class is the focus or a group of its own, so that it is known of it whether it lies in a place."""
        groups = self.slice.groups
        return term.disj(groups.has(g, given) for g in range(len(there.counts)) if groups.alone(g))

    def _only(self, expr: Only) -> Sym:
        found = filters_of(Members(expr.of)) if isinstance(expr.of, Where) else None
        if found is None:
            return self.single(expr)
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

    def apart(self, by_spot: bool | None = None) -> SlicedEvaluator:
        """Evaluates where an error is none of the step's: what is looked at may not be looked at in a game."""
        context = Context(self.store, dict(self.context.env), carry=self.context.carry)
        return SlicedEvaluator(context, self._by_spot if by_spot is None else by_spot)

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
            return self.filtered(expr)
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

    def _may(self, zone: Zone, there: GroupTally, member: int) -> Cond:
        here = self.slice.some()
        self.slice.true.append(term.disj((term.no(here), self.lies(zone, there, member))))
        return here

    def reached(self, web: Web) -> dict[int, Cond]:
        """As it is where nothing hangs on what is not known; else any set with the start and all that it leads to.

        Such a set may hold a ring of members that is not connected with the start: more than there are in a game.
        """
        if web.is_known():
            return exactly(web)
        found = {one: first if first is True else self.slice.some() for one, first in web.first.items()}
        more = [one for one, passes in web.passes.items() if one not in found and passes is not False]
        found |= {one: self.slice.some() for one in more}
        self.slice.true.extend(facts(web, found))
        return found

    def unseen(self, node: object) -> Cond:
        return self.slice.some() if may_be_unseen(self.slice, node) else False

    # ------------------------------------------------------------------ folds
    def _fold(self, expr: Fold) -> Sym:
        found = filters_of(expr.source)
        if found is None:
            added = expr.kind in (FoldKind.COUNT, FoldKind.SUM) and self.slice.placed
            return self._by_cases(expr) if added else self.folded(expr)
        one = one_asked_for(expr, found)
        if one is not None:
            return self._copies(expr, found.place, one)
        mask = self._mask(expr, found)
        zone, there = self.zone(found.place)
        if there.spots is not None and isinstance(expr.source, Within) and not self._told_apart(expr, mask):
            return self._over_spots(expr, zone)
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
            case _:  # whatever the kind, some value of the type
                return self._something(expr, there)

    def _once_each(self, expr: Fold, mask: frozenset[int] | None) -> bool:
        """Whether a fold counts alike components once that are counted apart in a zone."""
        several = any(self.slice.layout.core.components[c].number > 1 for c in mask or ())
        return several and not isinstance(expr.source, Within) and expr.kind in (FoldKind.COUNT, FoldKind.SUM)

    def _told_apart(self, expr: Fold, mask: frozenset[int] | None) -> bool:
        """Whether the counts of groups are enough for a fold over all that lies in a place."""
        assert isinstance(expr.source, Within)
        if mask is None or expr.source.place.spot is not None or expr.source.place.end is not None:
            return False
        simple = expr.kind in (FoldKind.COUNT, FoldKind.ANY, FoldKind.ALL)
        groups = self.slice.groups
        return simple and groups.focus is None and not any(all(groups.split(g, mask)) for g in range(len(groups)))

    def _over_spots(self, expr: Fold, zone: Zone) -> Sym:
        """A fold over what lies on each spot. In slots it is not known what comes first, so that what fails on the way
        is left out: if it fails in a game, there is no such step."""
        if zone.form is Form.LINE:
            return self.folded(expr)
        return self.apart(by_spot=True).folded(expr)

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
                amount = self.amount(expr, member) if expr.kind is FoldKind.SUM else 1
        return term.choose(term.both(member.there, passes), term.times(member.number, amount), 0)

    def _copies(self, expr: Fold, place: Place, one: Expr) -> Sym:
        """How many of one class lie in a place, or whether any do; exact for the focus and for a group of one class."""
        zone, there = self.zone(place)
        groups = self.slice.groups
        with self.context.under(term.less(0, there.total)):  # it is asked of each that lies there
            member = self.number(one)
        if there.spots is not None:
            here = [term.both(m.there, term.equal(m.value, member)) for m in self.members_on(place, zone, there.spots)]
            return term.total(list(map(term.number, here))) if expr.kind is FoldKind.COUNT else term.disj(here)
        may, many = admitted(self.slice.layout.core, zone), []
        for g, count in enumerate(there.counts):
            inside = groups.has(g, member)
            if inside is False or not groups.meets(g, may):
                continue
            many.append(term.choose(inside, count if groups.alone(g) else self._some_of(count), 0))
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

    def _selected(self, zone: Zone, there: GroupTally, mask: frozenset[int]) -> Num:
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

    def _something(self, expr: Fold, there: GroupTally) -> Sym:
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
            case FoldKind.SUM | FoldKind.MIN | FoldKind.MAX:
                pass
            case _:
                assert_never(expr.kind)
        return made


def _less(one: Num, other: Num) -> Num:
    same = one is other or (not isinstance(one, int) and not isinstance(other, int)
                            and term.name_of(one) == term.name_of(other))
    return 0 if same else term.minus(one, other)
