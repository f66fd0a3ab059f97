"""Steps on a slice: components are moved by groups; what the slice cannot tell may happen either way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from referee.core.expr import Const, Expr, Fold, FoldKind, Local, Members, Op, Operator, Place, Where, Within
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.ruleset import Form, Zone
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
    Param,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.types import Elem, Int, Many
from referee.smt import term
from referee.smt.abstraction.class_groups import GroupTally, admitted
from referee.smt.abstraction.kept_spots import Spots, empty, laid, taken
from referee.smt.abstraction.place_filters import filters_of, selected
from referee.smt.abstraction.sliced_reading import SlicedEvaluator
from referee.smt.abstraction.slices import Slice, Sliced, any_spots
from referee.smt.semantics.context import NO_ROOM, NOT_THERE, Context
from referee.smt.semantics.spreading import Spreading, Ways
from referee.smt.semantics.statement_semantics import Executor
from referee.smt.semantics.step_semantics import Landing
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym, Unencodable

Inside: TypeAlias = Callable[[Sliced], Cond]
"""What is to hold after every statement."""
FEW_WAYS = 200
"""Up to so many ways of taking alternatives are listed to find out whether there is one; of more, there may be."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many of each group are moved; `one`: the class, if it is known that one component is."""

    counts: tuple[Num, ...]
    one: Num | None = None

    @property
    def total(self) -> Num:
        """How many components are moved."""
        return term.total(self.counts) if self.one is None else 1


class SlicedPerformer(Executor[Sliced]):
    """Carries statements out on a slice."""

    def __init__(self, context: Context[Sliced], inside: Inside | None = None) -> None:
        self.evaluate: SlicedEvaluator = SlicedEvaluator(context)
        super().__init__(context, self.evaluate)
        self._inside = inside

    def one(self, stmt: Stmt) -> None:
        match stmt:
            case Put():
                self.put(stmt)
            case Move():
                self._move(stmt)
            case Merge():
                self._merge(stmt)
            case Swap():
                self._swap(stmt)
            case Branch():
                self.branch(stmt)
            case Each():
                self._each(stmt)
            case Finish():
                self.finish(stmt)
            case Bind():
                self.bind(stmt)
            case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise Unencodable(f"{type(stmt).__name__} does not stand in a flow")
            case _:
                assert_never(stmt)

    def tested(self, reached: Cond) -> None:
        if self._inside is not None:  # after a statement that ends the game too
            broken = term.both(reached, term.no(self.context.failed), term.no(self._inside(self.store)))
            self.broken = term.disj((self.broken, broken))

    @property
    def store(self) -> Sliced:
        """The slice that is changed."""
        return self.context.store

    def _moved(self, stmt: Move) -> Moved:
        """What is moved."""
        filtered = self._all_that(stmt)
        if filtered is not None:
            return Moved(filtered)
        groups, what = self.store.slice.groups, self.evaluate(stmt.what)
        if isinstance(what, Counts):
            return Moved(groups.amounts(what.members()))
        if isinstance(what, Bits):
            return Moved(groups.amounts((c, term.number(bit)) for c, bit in what.members()))
        number = self.evaluate.number(stmt.number) if stmt.number is not None else 1
        one, there = (what.value, what.has) if isinstance(what, Opt) else (what, True)
        self.context.fail(term.no(there), NOT_THERE, stmt.origin.span)
        kind = stmt.what.type
        if isinstance(kind, Elem | Int):
            within = range(kind.lo, kind.hi + 1)
        else:
            within = range(len(self.store.layout.core.components))
        if stmt.number is not None and isinstance(stmt.number.type, Int) and stmt.number.type.lo < 0:
            number = term.higher(number, 0)
        return Moved(groups.of_class(one, number, within), one if _is_one(number) else None)

    def _all_that(self, stmt: Move) -> tuple[Num, ...] | None:
        """How many of each group are moved if everything of some classes is; None if it is not known to be so."""
        if not isinstance(stmt.what, Where):
            return None
        found = filters_of(Members(stmt.what))
        if found is None or found.place != stmt.source:
            return None
        zone, there = self.evaluate.zone(found.place)
        mask = selected(self.store.layout, zone, found.filters)
        if mask is None or any(self.store.layout.core.components[c].number > 1 for c in mask):
            return None  # of a set, one of each class is moved
        return tuple(self.evaluate.in_mask(g, n, mask) for g, n in enumerate(there.counts))

    def _move(self, stmt: Move) -> None:
        if {stmt.source.zone, stmt.to.zone} & self.store.slice.zones:
            self._transfer(stmt, self._moved(stmt))

    def _transfer(self, stmt: Move, moved: Moved) -> None:
        """Moves components; where there are none, it does not matter whether there is such a place."""
        sure = moved.one is not None or (self._exists(stmt.source) and self._exists(stmt.to))
        with self.context.under(True if sure else term.less(0, term.total(moved.counts))):
            if stmt.source.zone in self.store.slice.zones:
                self._take(stmt, moved)
            if stmt.to.zone in self.store.slice.zones:
                self._lay(stmt, moved)

    def _exists(self, place: Place) -> bool:
        """Whether there surely is such a place."""
        keys = zip(place.keys, self.store.layout.core.zones[place.zone].keys, strict=True)
        return place.spot is None and all(
            isinstance(key, Const | Local) and isinstance(key.type, Elem | Int)
            and kind.lo <= key.type.lo and key.type.hi <= kind.hi for key, kind in keys
        )

    def _take(self, stmt: Move, moved: Moved) -> None:
        zone, there = self.evaluate.zone(stmt.source)
        enough = term.conj(term.at_most(m, n) for m, n in zip(moved.counts, there.counts, strict=True))
        self.context.fail(term.no(enough), NOT_THERE, stmt.origin.span)
        counts = tuple(term.minus(n, m) for m, n in zip(moved.counts, there.counts, strict=True))
        spots = there.spots
        if spots is not None and moved.one is not None:
            spots, ok = taken(zone, spots, moved.one, stmt.source.end, self._spot(zone, stmt.source))
            self.context.fail(term.no(ok), NOT_THERE, stmt.origin.span)
        elif spots is not None:
            some = self.store.slice.some
            left = tuple(Opt(term.both(one.has, some()), one.value) for one in spots)
            spots = self._counted(zone, left if zone.form is Form.SLOTS else any_spots(self.store.slice, zone), counts)
        whole = None if there.whole is None else term.minus(there.whole, moved.total)
        self._put_down(stmt.source, zone, GroupTally(counts, spots, whole))

    def _spot(self, zone: Zone, place: Place) -> Num | None:
        """Which spot of a zone a place is, from 0 on."""
        if place.spot is None:
            return None
        return self.evaluate.number(place.spot) - (zone.spots.lo if zone.spots is not None else 0)

    def _lay(self, stmt: Move, moved: Moved) -> None:
        zone, there = self.evaluate.zone(stmt.to)
        counts, spots = tuple(term.total([n, m]) for m, n in zip(moved.counts, there.counts, strict=True)), there.spots
        whole = None if there.whole is None else term.total([there.whole, moved.total])
        made = GroupTally(counts, whole=whole)
        self.context.fail(term.less(zone.capacity, made.total), NO_ROOM, stmt.origin.span)
        if spots is not None and moved.one is not None:
            spots, ok = laid(zone, spots, moved.one, stmt.to.end, self._spot(zone, stmt.to))
            self.context.fail(term.no(ok), NO_ROOM, stmt.origin.span)
        elif spots is not None:
            spots = self._counted(zone, any_spots(self.store.slice, zone), counts)
        self._put_down(stmt.to, zone, replace(made, spots=spots))

    def _counted(self, zone: Zone, spots: Spots, counts: tuple[Num, ...]) -> Spots:
        """Spots on which, if the step goes on, so many of each group lie."""
        found = self.store.slice.groups.on_spots(spots, admitted(self.store.layout.core, zone))
        agree = term.conj(term.equal(n, m) for n, m in zip(found, counts, strict=True))
        self.store.slice.true.append(term.disj((term.no(self.going()), agree)))
        return spots

    def _put_down(self, place: Place, zone: Zone, there: GroupTally) -> None:
        self.store.put_tally(zone, [self.evaluate.number(k) for k in place.keys], there, self.going())

    def _merge(self, stmt: Merge) -> None:
        if not {stmt.to.zone, *(p.zone for p in stmt.sources)} & self.store.slice.zones:
            return
        nothing = (0,) * len(self.store.slice.groups)
        parts = []
        for place in (stmt.to, *stmt.sources):
            zone, there = self.evaluate.zone(place)
            parts.append(there)
            self._put_down(place, zone, GroupTally(nothing, None if there.spots is None else empty(there.spots)))
        whole = GroupTally(tuple(term.total(list(counts)) for counts in zip(*(p.counts for p in parts), strict=True)))
        target, _ = self.evaluate.zone(stmt.to)
        self.context.fail(term.less(target.capacity, whole.total), NO_ROOM, stmt.origin.span)
        self._put_down(stmt.to, target, whole)

    def _swap(self, stmt: Swap) -> None:
        """Both tallies are read before the first is put down. Of a zone that is not kept anything may come."""
        places = (stmt.one, stmt.other)
        if {place.zone for place in places}.isdisjoint(self.store.slice.zones):
            return
        (zone, there), (other_zone, other) = (self.evaluate.zone(place) for place in places)
        self._put_down(stmt.one, zone, self._as_in(zone, there, other))
        self._put_down(stmt.other, other_zone, self._as_in(other_zone, other, there))

    def _as_in(self, zone: Zone, before: GroupTally, there: GroupTally) -> GroupTally:
        """A tally that comes into a zone, with spots if those of this zone are kept: any that agree, if not known."""
        if before.spots is None:
            return replace(there, spots=None)
        if there.spots is not None:
            return there
        return replace(there, spots=self._counted(zone, any_spots(self.store.slice, zone), there.counts))

    def _each(self, stmt: Each) -> None:
        moved = self._all_moved(stmt)
        if moved is None:
            self.each(stmt)
        else:
            self._transfer(moved[0], moved[1])

    def _all_moved(self, stmt: Each) -> tuple[Move, Moved] | None:
        """A loop that moves everything of some classes from a place, as one move; None for any other loop."""
        found, body = filters_of(stmt.source), stmt.body
        if found is None or len(body) != 1 or not isinstance(body[0], Move) or found.place.spot is not None:
            return None
        move = body[0]
        whole = isinstance(move.what, Local) and move.what.name == stmt.var and move.source.zone == found.place.zone
        if not whole or move.source != found.place or not _all_of(move.number, stmt.var, move.source.zone):
            return None
        if move.to.spot is not None or found.place.end is not None or stmt.var in map(_name, move.to.keys):
            return None
        zone, there = self.evaluate.zone(found.place)
        mask = selected(self.store.layout, zone, found.filters)
        if mask is not None:
            return move, Moved(tuple(self.evaluate.in_mask(g, n, mask) for g, n in enumerate(there.counts)))
        some = []
        for n in there.counts:
            made = 0 if isinstance(n, int) and n == 0 else self.store.slice.number(0, zone.capacity)
            self.store.slice.true.append(term.at_most(made, n))
            some.append(made)
        return move, Moved(tuple(some))


def looking(store: Sliced, env: Mapping[str, Sym] | None = None) -> Context[Sliced]:
    """Where a slice is read."""
    return Context(store, dict(env or {}), carry=_carried)


def _carried(context: Context[Sliced], block: Block) -> None:
    SlicedPerformer(context).block(block)


def _is_one(number: Num) -> bool:
    return isinstance(number, int) and number == 1


def _name(expr: Expr) -> str:
    return expr.name if isinstance(expr, Local) else ""


def _all_of(number: Expr | None, var: str, zone: str) -> bool:
    """Whether a number is how many of the class `var` lie in the zone."""
    match number:
        case Fold(kind=FoldKind.COUNT, source=Within(place=place), where=Op(op=Operator.EQ, args=(one, other))):
            names = {_name(one), _name(other)}
            return place.zone == zone and names == {number.var, var}
        case _:
            return False


class SlicedStepper(Spreading[Sliced, SlicedEvaluator]):
    """Follows the steps of a flow on slices. `inside`: what is to hold after every statement."""

    def __init__(self, slice_: Slice, flow: Flow, inside: Inside | None = None) -> None:
        super().__init__(flow, slice_.layout)
        self.slice, self._inside = slice_, inside

    def performer(self, store: Sliced) -> Executor[Sliced]:
        return SlicedPerformer(looking(store), self._inside)

    def context(self, store: Sliced) -> Context[Sliced]:
        return looking(store)

    def evaluator(self, context: Context[Sliced]) -> SlicedEvaluator:
        return SlicedEvaluator(context)

    # ------------------------------------------------------------------ what is allowed
    def allowed(self, param: Param, given: Sym, evaluate: SlicedEvaluator) -> Cond:
        match param.type:
            case Many():
                return self._several(param, given, evaluate)
            case Int() | Elem():
                assert not isinstance(given, Opt | Bits | Counts)
                return evaluate.contains(param.source, given)
            case _:
                assert_never(param.type)

    def _several(self, param: Param, given: Sym, evaluate: SlicedEvaluator) -> Cond:
        assert isinstance(given, Counts)
        assert param.count is not None
        assert isinstance(param.type, Many)
        least, most = (evaluate.number(end) for end in param.count)
        size = [term.at_most(least, given.size), term.at_most(given.size, term.lower(most, param.type.most))]
        some = [term.at_most(0, n) for _, n in given.members()]
        return term.conj([*size, *some, *self._offered(param, given, evaluate)])

    def _offered(self, param: Param, given: Counts, evaluate: SlicedEvaluator) -> Iterator[Cond]:
        """What a source offers of each class, and of each group in all."""
        found = filters_of(param.source)
        for c, number in given.members():
            with evaluate.context.under(term.less(0, number)):
                yield term.disj((term.equal(number, 0), evaluate.contains(param.source, c)))
        if found is not None and not param.repeated:
            _, there = evaluate.zone(found.place)
            taken = self.slice.groups.amounts(given.members())
            yield term.conj(term.at_most(m, n) for m, n in zip(taken, there.counts, strict=True))

    # ------------------------------------------------------------------ the course
    def node(self, index: int, performer: Executor[Sliced], landing: Landing[Sliced]) -> Ways:
        node = self.flow.nodes[index]
        match node:
            case Run():
                yield from self.run(node, performer)
            case Fork():
                yield from self.fork(node, performer)
            case Ask():
                yield from self._ask(index, node, performer, landing)
            case Gather():
                yield from self._gather(index, node, performer, landing)
            case Draw():
                self.rest(index, performer, landing, True)
            case Rule():
                yield from self.ruled(index, node, performer, landing)
            case _:
                assert_never(node)

    def _ask(self, index: int, node: Ask, performer: Executor[Sliced], landing: Landing[Sliced]) -> Ways:
        simple = node.otherwise is None and not node.point.automatic
        if simple or _ways(node.alternatives) <= FEW_WAYS:
            yield from self.asked(index, node, performer, landing)
            return
        self.rest(index, performer, landing, True)
        if node.point.automatic:
            by = performer.evaluate.number(node.actor)
            for alternative in node.alternatives:
                alone, args = self.slice.some(), self.arguments(alternative)
                with performer.context.under(alone):
                    legal = self.legal(performer.context.store, alternative, by, args)
                    with performer.context.under(legal):
                        self.enter(performer, alternative, by, args, [])
                yield alternative.next, term.both(alone, legal), 1
        if node.otherwise is not None:
            yield node.otherwise, True, 1

    def _gather(self, index: int, node: Gather, performer: Executor[Sliced], landing: Landing[Sliced]) -> Ways:
        if node.point.automatic and _ways([a for _, a in node.parts]) > FEW_WAYS:
            raise Unencodable(f"{node.point.name}: the ways to choose are too many to be listed")
        yield from self.gathered(index, node, performer, landing)

    def arguments(self, alternative: Alternative) -> Mapping[str, Sym]:
        """Some values for the parameters of an alternative."""
        return {p.name: self.slice.anything(p.type) for p in alternative.params}


def _ways(alternatives: Iterator[Alternative] | list[Alternative] | tuple[Alternative, ...]) -> int:
    """How many combinations of parameters there are at most; a very large number where they cannot be listed."""
    whole = 0
    for one in alternatives:
        number = 1
        for param in one.params:
            match param.type:
                case Int(lo, hi) | Elem(_, lo, hi):
                    number *= hi - lo + 1
                case Many():
                    number *= 1_000_000
                case _:
                    assert_never(param.type)
        whole += number
    return whole
