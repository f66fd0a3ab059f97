"""Lemmas that exclude a position: what is the simplest that all positions seen at a place agree with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from referee.core.changes import reads
from referee.core.expr import Op, Operator, Or
from referee.core.types import Bool
from referee.review.claims import Claim, Instance
from referee.review.facts import Fact, Holds, holds_of
from referee.review.features import COUNT, Feature, alike, difference, picked, together
from referee.symbolic import term
from referee.symbolic.slices import Sliced
from referee.symbolic.term import Cond

FEW = 6
OFTEN = 50
LEAST = 4
SEEN = 40


@dataclass(frozen=True)
class Literal:
    """A feature is within bounds, or one of some values."""

    feature: Feature
    lo: int | None = None
    hi: int | None = None
    among: frozenset[int] | None = None

    @property
    def name(self) -> str:
        if self.among is not None:
            return f"{self.feature.name} in {sorted(self.among)}"
        if self.lo == self.hi:
            return f"{self.feature.name} = {self.lo}"
        return f"{self.feature.name} >= {self.lo}" if self.hi is None else f"{self.feature.name} <= {self.hi}"

    def of(self, value: int | None) -> bool:
        """Whether it holds of a value; of one that is not known, it may."""
        if value is None:
            return True
        if self.among is not None:
            return value in self.among
        return (self.lo is None or self.lo <= value) and (self.hi is None or value <= self.hi)

    def holds(self, store: Sliced) -> Cond:
        found = self.feature.read(store)
        if self.among is not None:
            return term.disj(term.equal(found, v) for v in sorted(self.among))
        if self.lo == self.hi and self.lo is not None:
            return term.equal(found, self.lo)
        return term.both(True if self.lo is None else term.at_most(self.lo, found),
                         True if self.hi is None else term.at_most(found, self.hi))


@dataclass(frozen=True)
class Clause(Fact):
    """What holds (`then`) where some features are within bounds (`when`)."""

    reads: frozenset[str] = field(default=frozenset(), compare=False)
    when: tuple[Literal, ...] = field(default=(), compare=False)
    then: Literal | None = field(default=None, compare=False)


def clause(when: Sequence[Literal], then: Literal | None) -> Clause:
    """`then` holds where all of `when` do; without it, these never do together."""
    name = " and ".join(sorted(w.name for w in when))
    said = f"{then.name}" if then is not None else "never"

    def holds(store: Sliced) -> Cond:
        last = then.holds(store) if then is not None else False
        return term.disj([*(term.no(w.holds(store)) for w in when), last])

    reads: frozenset[str] = frozenset().union(*(w.feature.reads for w in when))
    if then is not None:
        reads |= then.feature.reads
    return Clause(f"{name}: {said}" if name else said, holds, None, reads, tuple(when), then)


@dataclass(frozen=True)
class Side:
    """One of the ways in which a lemma may be true."""

    name: str
    holds: Holds = field(compare=False)
    reads: frozenset[str] = field(compare=False)
    clause: Clause | None = field(compare=False, default=None)


@dataclass(frozen=True)
class Lemma(Fact):
    """A fact as what holds on some side."""

    sides: tuple[Side, ...] = field(default=(), compare=False)

    @property
    def reads(self) -> frozenset[str]:
        return frozenset().union(*(s.reads for s in self.sides))


def lemma(sides: Sequence[Side], claim: str | None = None) -> Lemma:
    """What holds on some side."""
    parts = tuple({s.name: s for s in sides}.values())
    name = " or ".join(sorted(s.name for s in parts))
    return Lemma(name, lambda store: term.disj([s.holds(store) for s in parts]), claim, parts)


def lemma_of(claim: Claim, instance: Instance) -> Lemma:
    """A part of a claim, one side for each part of its `or` and each premise."""
    sides = []
    whole = f"{claim.name} {dict(instance.env)}"
    bodies = instance.body.parts if isinstance(instance.body, Or) else (instance.body,)
    for number, body in enumerate(bodies):
        one = replace(instance, premises=(), body=body)
        sides.append(Side(f"{whole} {number}", holds_of(one), reads(body)))
    for number, premise in enumerate(instance.premises):
        one = replace(instance, premises=(), body=Op(Operator.NOT, (premise,), Bool()))
        sides.append(Side(f"{whole} unless {number}", holds_of(one), reads(premise)))
    return lemma(sides, claim.name)


class Samples:
    """The positions seen at a place, with their features; `near`: those of places near it, if few were seen."""

    def __init__(self, stores: Sequence[Sliced]) -> None:
        self.stores = list(stores)
        self._values: dict[str, list[int | None]] = {}
        self._true: dict[str, list[bool]] = {}

    def of(self, feature: Feature) -> list[int | None]:
        """The values of a feature at the positions."""
        known = self._values.setdefault(feature.name, [])
        if len(known) < len(self.stores):
            known.extend(self._worked_out(feature, len(known)))
        return known

    def _worked_out(self, feature: Feature, first: int) -> list[int | None]:
        if feature.of is None:
            return [feature.at(store) for store in self.stores[first:]]
        of = feature.of
        rows = zip(*(self.of(part)[first:] for part in feature.parts), strict=True)
        return [None if None in row else of(*row) for row in rows]

    def add(self, store: Sliced) -> None:
        """One more position."""
        self.stores.append(store)

    def outside(self, sides: Sequence[Side]) -> list[int]:
        """The positions at which none of some sides holds."""
        true = [self._truth(side) for side in sides]
        return [i for i in range(len(self.stores)) if not any(one[i] for one in true)]

    def _truth(self, side: Side) -> list[bool]:
        known = self._true.setdefault(side.name, [])
        first = len(known)
        if first < len(self.stores) and side.clause is None:
            known.extend(side.holds(store) is True for store in self.stores[first:])
        elif first < len(self.stores) and side.clause is not None:
            when = [(one, self.of(one.feature)) for one in side.clause.when]
            then = side.clause.then
            last = self.of(then.feature) if then is not None else []
            known.extend(
                not all(one.of(values[i]) for one, values in when) or (then is not None and then.of(last[i]))
                for i in range(first, len(self.stores))
            )
        return known

    def violates(self, lemma: Lemma) -> bool:
        """Whether some position breaks a lemma."""
        return bool(self.outside(lemma.sides))


@dataclass(frozen=True)
class _Seen:
    """A feature with its value in a model, and its values at the positions seen."""

    feature: Feature
    value: int
    values: list[int | None]

    def excluded(self, chosen: Sequence[int]) -> Iterator[tuple[bool, Literal]]:
        """What all of some positions have that the model has not: whether it is likely, and that."""
        values = [self.values[i] for i in chosen]
        if not values or None in values or self.value in values:
            return
        some = [v for v in values if v is not None]
        if not self.feature.ordered:
            known = frozenset(some)
            if len(known) <= FEW:
                yield len(some) > LEAST * len(known) or len(known) == 1, Literal(self.feature, among=known)
            return
        often = max(1, len(some) // OFTEN)
        lo, hi = min(some), max(some)
        if lo == hi:
            yield len(some) > LEAST, Literal(self.feature, lo, hi)
        if self.feature.weight > 1:  # of sums and differences only what is always the same, and what is never larger
            if self.feature.weight == 3 and 0 in (lo, hi):
                yield some.count(0) > often, Literal(self.feature, lo=0) if lo == 0 else Literal(self.feature, hi=0)
            return
        if self.value > hi:
            yield some.count(hi) > often, Literal(self.feature, hi=hi)
            if self.value > hi + 1:
                yield False, Literal(self.feature, hi=self.value - 1)
        elif self.value < lo:
            yield some.count(lo) > often, Literal(self.feature, lo=lo)
            if self.value < lo - 1:
                yield False, Literal(self.feature, lo=self.value + 1)

    def bounds(self) -> Iterator[Literal]:
        """Conditions that the model meets, by which positions are told apart."""
        if not self.feature.ordered or self.value == 0 or len(set(self.values)) <= 3:
            yield Literal(self.feature, self.value, self.value)
        elif self.value > 0:
            yield Literal(self.feature, lo=1)


def excluding(model: Sliced, relevant: Sequence[Feature], members: dict[str, dict[int, Feature]],
              samples: Samples, many: Sequence[int]) -> Iterator[tuple[bool, float, Clause] | None]:
    """Lemmas about some features that exclude a position, likely and simple ones first."""
    if not many:
        for one in _derived(model, relevant, members):
            if one.sort == "kind" and one.at(model) == 0:  # nothing was seen, so that two are alike is as likely as not
                yield True, 2, clause((), Literal(one, 1, 1))
        yield True, 50, clause((), None)
        return
    single = list(_seen(model, relevant, samples))
    pairs = list(_seen(model, _derived(model, relevant, members), samples))
    few = 4 if len(many) < SEEN else 0
    for one in [*single, *(p for p in pairs if p.feature.weight < 1)]:
        for likely, then in one.excluded(many):
            yield likely, one.feature.weight + few * one.feature.ordered, clause((), then)
    yield None
    seen = [*single, *pairs]
    for one in pairs:
        for likely, then in one.excluded(many):
            yield likely, one.feature.weight + few * one.feature.ordered, clause((), then)
    for made, likely in _conditional(seen, [s for s in single if s.feature.sort == "player"], 1, many):
        yield likely, 1 + (made.then.feature.weight if made.then is not None else 0), made
    yield None
    for conds in (1, 2):
        for made, likely in _conditional(seen if conds == 1 else single, [*single, *(p for p in pairs if p.feature.weight < 1)], conds, many):
            apart = 5 * any(w.feature.sort == "component" for w in made.when)
            yield likely, apart + 10 * conds + (made.then.feature.weight if made.then is not None else 0), made
        yield None
    if single:
        cube = [Literal(s.feature, s.value, s.value) for s in single]
        if not any(all(c.of(s.values[i]) for c, s in zip(cube, single, strict=True)) for i in many):
            yield False, 100, clause(cube, None)


def _conditional(thens: Sequence[_Seen], conds: Sequence[_Seen], number: int, many: Sequence[int]
                 ) -> Iterator[tuple[Clause, bool]]:
    conds = [c for c in conds if len(set(c.values)) > 1][:24 if number == 1 else 10]
    for chosen in combinations(conds, number):
        for bounds in _product([list(c.bounds()) for c in chosen]):
            there = [i for i in many if all(b.of(c.values[i]) for b, c in zip(bounds, chosen, strict=True))]
            if len(there) == len(many):
                continue
            if not there:
                if not any(b.of(v) for b, c in zip(bounds, chosen, strict=True) for v in c.values) or number == 2:
                    yield clause(bounds, None), False
                continue
            for then in thens:
                if any(then.feature.name == c.feature.name for c in chosen):
                    continue
                for likely, literal in then.excluded(there):
                    yield clause(bounds, literal), likely and len(there) >= LEAST


def _product(options: Sequence[Sequence[Literal]]) -> Iterator[tuple[Literal, ...]]:
    if not options:
        yield ()
        return
    for first in options[0]:
        for rest in _product(options[1:]):
            yield (first, *rest)


def _seen(model: Sliced, features: Sequence[Feature], samples: Samples) -> Iterator[_Seen]:
    for feature in features:
        value = feature.at(model) if feature.of is None else _combined(feature, model)
        if value is not None:
            yield _Seen(feature, value, samples.of(feature))


def _combined(feature: Feature, model: Sliced) -> int | None:
    values = [part.at(model) for part in feature.parts]
    assert feature.of is not None
    return None if None in values else feature.of(*values)


def _derived(model: Sliced, relevant: Sequence[Feature], members: dict[str, dict[int, Feature]]) -> list[Feature]:
    """Features of two: equal or not, how far apart, how many together, of the player whom another one says."""
    found: list[Feature] = []
    for one, other in combinations(relevant[:40], 2):
        if one.sort != other.sort:
            continue
        if one.sort == COUNT:
            if not (one.reads & other.reads and one.name.split(" group")[0] == other.name.split(" group")[0]):
                found.extend((difference(one, other), together(one, other)))
        elif not one.ordered and one.sort != "kind":
            found.append(alike(one, other))
    for at in relevant:
        if at.sort != "player":
            continue
        here = at.at(model)
        for one in relevant:
            if one.family is not None and one.player == here and len(members.get(one.family, ())) > 1:
                found.append(picked(at, members[one.family]))
    for three in combinations([f for f in relevant if f.sort == COUNT][:8], 3):
        found.append(together(*three))
    return found
