"""Lemmas that exclude a position that no game seems to come to: what all that were seen share, and it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from referee.core.types import COMPONENT, PLAYER
from referee.proofs.lemmas.lemma import NEVER, Clause, Lemma, Literal
from referee.proofs.lemmas.lemma_templates import COUNT, DIFFERENCE, KIND, Feature, alike, difference, picked, together
from referee.proofs.lemmas.position_samples import Samples
from referee.smt.abstraction.slices import Sliced

FEW_VALUES = 6
"""Of a kind with more values that were seen it is not said which these are."""
OFTEN = 50
"""A bound is likely if at least one in so many positions is at it."""
LEAST_SEEN = 4
"""A guess is likely only from more positions: as many for each value that was seen, or in all."""
SEEN = 40
"""From fewer positions bounds of numbers are guessed only if nothing else does."""
PAIRED, CONDITIONS, PAIRS_OF_CONDITIONS, SUMMED = 40, 24, 10, 8
"""How many features are compared with each other; taken as conditions, alone and by two; summed by three."""
TWO_SUMMED = 4
"""The weight of sums of two."""
UNSEEN = 50.0
"""The rank of "nothing ever leads here": behind all that says less."""


@dataclass(frozen=True)
class Guess:
    """A lemma's new side. `rank`: what is less is tried first; `likely`: enough was seen to believe it."""

    clause: Clause
    rank: float
    likely: bool


@dataclass(frozen=True)
class LemmaOffer:
    """A lemma that may be wanted. `rank`, `likely`: as of guesses."""

    lemma: Lemma
    rank: float
    likely: bool = True


Guesses = Iterator[Guess | None]
"""Guesses, simple ones first; None where it may be enough."""


class Guesser:
    """Makes guesses of the features of one slice."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self._members: dict[str, dict[int, Feature]] = {}
        for feature in features:
            if feature.family is not None:
                self._members.setdefault(feature.family, {})[feature.player] = feature

    def excluding(self, model: Sliced, relevant: Sequence[Feature], samples: Samples, many: Sequence[int]) -> Guesses:
        """Clauses about some features that a position breaks and those positions of the samples keep."""
        pairs = self._derived(model, relevant)
        if not many:
            yield from _unseen(model, pairs)
            return
        ones, twos = list(_seen(model, relevant, samples)), list(_seen(model, pairs, samples))
        few = 4 if len(many) < SEEN else 0
        telling = [*ones, *(two for two in twos if two.feature.weight < 1)]
        yield from _unconditional(telling, many, few)
        yield None
        yield from _unconditional(twos, many, few)
        players = [one for one in ones if one.feature.sort == PLAYER]
        yield from _conditional([*ones, *twos], players[:CONDITIONS], 1, 1, many)
        yield None
        yield from _conditional([*ones, *twos], telling[:CONDITIONS], 1, 10, many)
        yield None
        yield from _conditional(ones, telling[:PAIRS_OF_CONDITIONS], 2, 20, many)
        yield None
        cube = [Literal(one.feature, one.value, one.value) for one in ones]
        if cube and not any(all(c.of(one.values[i]) for c, one in zip(cube, ones, strict=True)) for i in many):
            yield Guess(Clause(tuple(cube), None), 100, False)

    def _derived(self, model: Sliced, relevant: Sequence[Feature]) -> list[Feature]:
        """Features of several: equal or not, how far apart, how many together, of the player whom another one says."""
        found: list[Feature] = []
        for one, other in combinations(relevant[:PAIRED], 2):
            if one.sort == COUNT == other.sort and not _parts_of_one(one, other):
                found.extend((difference(one, other), together(one, other)))
            elif one.sort == other.sort and not one.ordered and one.sort != KIND:
                found.append(alike(one, other))
        for at in (one for one in relevant if one.sort == PLAYER):
            here = at.at(model)
            for one in relevant:
                family = self._members.get(one.family or "", {})
                if one.player == here and len(family) > 1:
                    found.append(picked(at, family))
        found.extend(together(*three) for three in combinations([f for f in relevant if f.sort == COUNT][:SUMMED], 3))
        return found


def _parts_of_one(one: Feature, other: Feature) -> bool:
    """Whether two numbers are counts of one zone, or of one register."""
    return bool(one.reads & other.reads) and one.name.partition(" counts ")[0] == other.name.partition(" counts ")[0]


def _unseen(model: Sliced, pairs: Sequence[Feature]) -> Guesses:
    """Of a place of which nothing was seen: that two are alike is as likely as not."""
    for one in pairs:
        if one.sort == KIND and one.at(model) == 0:
            yield Guess(Clause((), Literal(one, 1, 1)), 2, True)
    yield Guess(NEVER, UNSEEN, True)


@dataclass(frozen=True)
class _Seen:
    """A feature with its value in a model, and its values at the positions seen."""

    feature: Feature
    value: int
    values: Sequence[int | None]

    def excluded(self, chosen: Sequence[int]) -> Iterator[tuple[bool, Literal]]:
        """What all of some positions have that the model has not: whether it is likely, and that."""
        values = [self.values[i] for i in chosen]
        some = [v for v in values if v is not None]
        if not some or len(some) < len(values) or self.value in some or not self.feature.telling:
            return
        if not self.feature.ordered:
            known = frozenset(some)
            if len(known) <= FEW_VALUES:
                yield len(known) == 1 or len(some) > LEAST_SEEN * len(known), Literal(self.feature, among=known)
            return
        lo, hi = min(some), max(some)
        if lo == hi:
            yield len(some) > LEAST_SEEN, Literal(self.feature, lo, hi)
        often = max(1, len(some) // OFTEN)
        if self.feature.weight > 1:  # of sums and differences only what is always the same, and what is never larger
            if self.feature.weight in (TWO_SUMMED, DIFFERENCE) and self.value > hi:
                yield some.count(hi) > often, Literal(self.feature, hi=hi)
            elif self.feature.weight in (TWO_SUMMED, DIFFERENCE) and self.value < lo:
                yield some.count(lo) > often, Literal(self.feature, lo=lo)
        elif self.value > hi:
            yield some.count(hi) > often, Literal(self.feature, hi=hi)
            if self.value > hi + 1:
                yield False, Literal(self.feature, hi=self.value - 1)
        elif self.value < lo:
            yield some.count(lo) > often, Literal(self.feature, lo=lo)
            if self.value < lo - 1:
                yield False, Literal(self.feature, lo=self.value + 1)

    def conditions(self) -> Iterator[Literal]:
        """What the model meets, by which positions are told apart."""
        if not self.feature.telling:
            return
        if not self.feature.ordered or self.value == 0 or len(set(self.values)) <= 3:
            yield Literal(self.feature, self.value, self.value)
        elif self.value > 0:
            yield Literal(self.feature, lo=1)


def _seen(model: Sliced, features: Sequence[Feature], samples: Samples) -> Iterator[_Seen]:
    for feature in features:
        value = feature.at(model)
        if value is not None:
            yield _Seen(feature, value, samples.of(feature))


def _unconditional(seen: Sequence[_Seen], many: Sequence[int], few: int) -> Iterator[Guess]:
    for one in seen:
        for likely, then in one.excluded(many):
            yield Guess(Clause((), then), one.feature.weight + few * one.feature.ordered, likely)


def _conditional(
    thens: Sequence[_Seen], conds: Sequence[_Seen], number: int, rank: float, many: Sequence[int]
) -> Iterator[Guess]:
    """What holds where some conditions of the model are met."""
    conds = [one for one in conds if len(set(one.values)) > 1]
    for chosen in combinations(conds, number):
        telling = rank + 5 * any(one.feature.sort == COMPONENT for one in chosen)
        for when in product(*(one.conditions() for one in chosen)):
            there = [i for i in many if all(c.of(one.values[i]) for c, one in zip(when, chosen, strict=True))]
            if len(there) == len(many):
                continue
            if not there:
                yield Guess(Clause(when, None), telling, False)
            for then in thens if there else ():
                if all(then.feature is not one.feature for one in chosen):
                    for likely, literal in then.excluded(there):
                        weight = then.feature.weight
                        yield Guess(Clause(when, literal), telling + weight, likely and len(there) >= LEAST_SEEN)


