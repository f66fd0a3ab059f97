"""Numbers that are all that is left of what was hidden in a stretch of a game: each by itself with what it may be.

What a hand hid is gathered in again; only the points that it brought are still there, as parts of sums. Of such a part
it is found out once what it may be, with a way of the stretch for each value. From then on a token stands for it that
has nothing to do with the stretch any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from referee.judge.partial.constraints.constraint_search import Domains, GaveUp, Witness, bounds, value
from referee.judge.partial.constraints.constraint_search import witness_of as free_witness
from referee.judge.partial.constraints.derived_tokens import MOST_LISTED, Classes, DerivedToken
from referee.judge.partial.constraints.hidden_values import Sum, Weights, mask_of, members
from referee.system.deadline import Deadline

MOST_DRAWN = 200
"""So many ways of a stretch are drawn by lot, to find what a number may be."""
MOST_TRIED = 6
"""So many ways to come to one value are tried."""


@dataclass(frozen=True, slots=True)
class SettledStretch:
    """Tokens that have nothing to do with others but for a `part` of sums that they are in: what each counts there."""

    tokens: frozenset[int]
    part: Weights


@dataclass(frozen=True, slots=True)
class SettledNumber:
    """`token`: stands for what a part of sums is, less `bottom`: it may be `mask`; `ways`: for values that it surely
    may have, classes of the tokens of the stretch; `sure`: it has no others; `number`: how it follows from them."""

    token: int
    bottom: int
    mask: int
    stretch: SettledStretch
    ways: Mapping[int, Witness]
    sure: bool
    number: DerivedToken

    def in_place(self, total: Sum) -> Sum:
        """A sum, with the token in the place of the part that it stands for."""
        times = _times(total, self.stretch)
        if not times:
            return total
        left = {token: own for token, own in total.weights.items() if token not in self.stretch.tokens}
        left[self.token] = {one: times * (self.bottom + one) for one in members(self.mask)}
        return Sum(total.const, left, total.why)

    def way(self, one: int) -> Witness:
        """Classes of the tokens of the stretch for a value, or for the nearest of which that is known."""
        return self.ways[one if one in self.ways else min(self.ways, key=lambda known: abs(known - one))]

    def doubtful(self) -> DerivedToken:
        """What is known of the token, where it may have other values than those surely known."""
        return _Doubtful(self.token, self.ways)


class _Doubtful(DerivedToken):
    """A token of which it is not known whether it may have all the values that it may have as far as is known."""

    def __init__(self, token: int, known: Iterable[int]) -> None:
        super().__init__((), lambda _: -1, alike=False)
        self._token = token
        self.mask = mask_of(known)

    def of(self, witness: Mapping[int, int]) -> int:
        """What it is; the least value that it surely may have instead of one of which that is not known."""
        one = witness[self._token]
        return one if self.mask >> one & 1 else next(members(self.mask))

    def listed(self, domains: Mapping[int, int], most: int) -> bool:
        """There is nothing to look at."""
        return False

    def sampled(self, domains: Mapping[int, int], random: Random, number: int) -> None:
        """There is nothing to look at."""


def stretches(there: Iterable[int], sums: Sequence[Sum], conditions: Sequence[Sum],
              derived: Mapping[int, DerivedToken]) -> Iterator[SettledStretch]:
    """What is left of only as a part of sums. `there`: tokens that are there in any other way."""
    clusters = _Clusters()
    for total in conditions:
        if total.row() is not None:
            clusters.join(total.weights)
    for token, one in derived.items():
        clusters.join((token, *one.base))
    live = {clusters.of(token) for token in there}
    parts: dict[int, Weights] = {}
    crossing = [total for total in conditions if total.row() is None]
    for index, total in enumerate((*sums, *crossing)):
        own: dict[int, dict[int, Mapping[int, int]]] = {}
        for token, weights in total.weights.items():
            own.setdefault(clusters.of(token), {})[token] = weights
        if len(own) == 1 and index >= len(sums):
            continue
        part: Weights
        for cluster, part in own.items():
            known = parts.setdefault(cluster, part)
            if known is not part and not (_same(known, part, 1) or _same(known, part, -1)):
                live.add(cluster)
    for cluster, part in parts.items():
        tokens = clusters.members(cluster)
        if cluster not in live and any(token > 0 for token in tokens):
            yield SettledStretch(tokens, part)


class _Clusters:
    """Tokens that have to do with each other."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def of(self, token: int) -> int:
        """The cluster of a token: one of its tokens."""
        above = self._above.setdefault(token, token)
        while above != token:
            self._above[token] = self._above[above]
            token, above = above, self._above[above]
        return token

    def join(self, tokens: Iterable[int]) -> None:
        """Makes the clusters of some tokens one."""
        first: int | None = None
        for token in tokens:
            found = self.of(token)
            if first is None:
                first = found
            elif found != first:
                self._above[found] = first

    def members(self, cluster: int) -> frozenset[int]:
        """The tokens of a cluster."""
        return frozenset(token for token in list(self._above) if self.of(token) == cluster)


def _same(one: Weights, other: Weights, times: int) -> bool:
    return one.keys() == other.keys() and all(
        {each: times * weight for each, weight in own.items() if weight} ==
        {each: weight for each, weight in other[token].items() if weight} for token, own in one.items())


def _times(total: Sum, stretch: SettledStretch) -> int | None:
    """How often a sum has a part; 0 if it has nothing to do with the stretch, None if it has in another way."""
    own = {token: weights for token, weights in total.weights.items() if token in stretch.tokens}
    if not own:
        return 0
    return next((times for times in (1, -1) if _same(stretch.part, own, times)), None)


def settled(stretch: SettledStretch, domains: Domains, conditions: Sequence[Sum], witness: Witness,
            derived: Mapping[int, DerivedToken], deadline: Deadline) -> SettledNumber:
    """What is left of a stretch; the others: those of its tokens. Raises `OutOfTime`."""
    bottom, top = bounds(domains, Sum(0, stretch.part))
    number = _number(stretch, bottom, domains, derived)
    ways: dict[int, Witness] = {number.of(witness): witness}
    sure = number.whole
    for found in sorted(number.met):
        if found in ways:
            continue
        some = number.met[found]
        after = next((way for classes in some if (way := _exchanged(number.base, classes, domains, conditions, witness,
                                                                   derived)) is not None), None)
        for classes in () if after is not None else some if number.whole else some[:MOST_TRIED]:
            deadline.check()
            try:
                way = _way(number.base, classes, domains, conditions, witness, deadline)
            except GaveUp:
                sure = False
                continue
            after = None if way is None else _followed(way, derived)
            if after is not None and _holds(after, domains, conditions):
                break
            sure &= way is None
            after = None
        if after is not None:
            ways[found] = after
    token = -min(token for token in stretch.tokens if token > 0)
    mask = mask_of(ways) if sure else (1 << top - bottom + 1) - 1
    return SettledNumber(token, bottom, mask, stretch, ways, sure, number)


def _number(
    stretch: SettledStretch, bottom: int, domains: Domains, derived: Mapping[int, DerivedToken]
) -> DerivedToken:
    """The part as a number that follows from tokens that follow from nothing, with ways in which they come."""
    base = sorted({one for token in stretch.part for one in (derived[token].base if token in derived else (token,))})
    part = Sum(-bottom, stretch.part)

    def of(classes: Classes) -> int:
        there = dict(zip(base, classes, strict=True))
        return value({**there, **{token: derived[token].of(there) for token in stretch.part if token in derived}}, part)

    number = DerivedToken(base, of, alike=False)
    for token in stretch.part:
        one = derived.get(token)
        if one is not None and sorted(one.base) == base:
            for classes in [each for some in one.met.values() for each in some]:
                there = dict(zip(one.base, classes, strict=True))
                number.at(tuple(there[each] for each in base))
    if not number.listed(domains, MOST_LISTED):
        number.sampled(domains, Random(0), MOST_DRAWN)
    return number


def _followed(witness: Witness, derived: Mapping[int, DerivedToken]) -> Witness:
    """The classes with those that follow from others."""
    after = dict(witness)
    for token, one in derived.items():  # later ones follow from earlier ones
        if token in after:
            after[token] = one.of(after)
    return after


def _holds(witness: Witness, domains: Domains, conditions: Sequence[Sum]) -> bool:
    return all(domains[token] >> one & 1 for token, one in witness.items()) and all(
        value(witness, total) >= 0 for total in conditions)


def _exchanged(base: Sequence[int], classes: Classes, domains: Domains, conditions: Sequence[Sum], witness: Witness,
               derived: Mapping[int, DerivedToken]) -> Witness | None:
    """The same for all tokens, if it is enough that classes are exchanged for each other wherever they are."""
    start = renamed(witness, base, classes)
    if any(start[token] != one or not domains[token] >> one & 1 for token, one in zip(base, classes, strict=True)):
        return None
    after = _followed(start, derived)
    return after if _holds(after, domains, conditions) else None


def _way(base: Sequence[int], classes: Classes, domains: Domains, conditions: Sequence[Sum], witness: Witness,
         deadline: Deadline) -> Witness | None:
    """Classes of all tokens of a stretch, if some are given; those that follow may be anything. Raises `GaveUp` and
    `OutOfTime`."""
    if any(not domains[token] >> one & 1 for token, one in zip(base, classes, strict=True)):
        return None
    pinned = {**domains, **{token: 1 << one for token, one in zip(base, classes, strict=True)}}
    near = {token: one if mask >> (one := witness[token]) & 1 else next(members(mask))
            for token, mask in pinned.items()}
    return free_witness(pinned, conditions, near, deadline)


def renamed(witness: Mapping[int, int], base: Sequence[int], classes: Classes) -> Witness:
    """The same with classes exchanged for each other, wherever they are, so that some tokens are of given ones."""
    name: dict[int, int] = {}
    for token, one in zip(base, classes, strict=True):
        was = name.get(witness[token], witness[token])
        if was != one:
            holder = next((known for known, new in name.items() if new == one), one)
            name[holder], name[witness[token]] = was, one
    return {token: name.get(one, one) for token, one in witness.items()}
