"""Makes one condition more hold by small changes of the classes that tokens have.

Two tokens change places, or one is of another class: where little has to change nothing else is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from referee.judge.partial.constraints.constraint_search import Domains, Witness, value
from referee.judge.partial.constraints.derived_tokens import DerivedToken
from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum, mask_of, members
from referee.judge.partial.constraints.named_conditions import NamedConditions

MOST_EXCHANGES = 300
"""So many changes are looked at."""
AT_ONCE = 5
"""So many of them before anything else is tried: most of what is found is found by then."""
MOST_MISSING = 6
"""A number that has to be greater by more is left to others."""
MOST_RENAMED = 8
"""So many classes are looked at that become others everywhere, and so many that they could become."""
MOST_STEPS, FEW_EXCHANGES = 40, 150
"""So many pairs change places one after the other, and so many pairs are looked at for each;"""
MOST_LOOKED_AT = 2_000
"""so many for all of them."""
Change = tuple[tuple[int, int, int], ...]
"""Tokens, each with the class it was of and the one it becomes."""


def exchanged(domains: Domains, conditions: NamedConditions, witness: Mapping[int, int], wrong: Sum,
              derived: Mapping[int, DerivedToken], most: int = MOST_EXCHANGES) -> Witness | None:
    """Classes with which all conditions hold if all but one hold for others; None if they were not found: that says
    nothing. `most`: so many changes are looked at where a number has to be greater."""
    row = wrong.row()
    free = {token: one for token, one in witness.items() if token not in derived}
    if row is not None:
        if -value(witness, wrong) > MOST_MISSING or not derived.keys().isdisjoint(row.plus | row.minus):
            return None
        now: Witness | None = dict(witness)
        while now is not None and value(now, wrong) < 0:
            free = {token: now[token] for token in free}
            now = _first(_changes(domains, free, row), domains, _Exchange(conditions, now, derived), most)
        return now
    may = {token: domains[token] & derived[token].mask if token in derived else domains[token]
           for token in wrong.weights if token not in derived or not derived[token].base}
    found = _first(_greater(may, witness, wrong), domains, _Exchange(conditions, witness, derived))
    if found is None and derived.keys().isdisjoint(wrong.weights):
        return _Climb(domains, conditions, free, derived).run(witness)
    return found


def _first(changes: Iterator[Change], domains: Domains, exchange: _Exchange,
           most: int = MOST_EXCHANGES) -> Witness | None:
    """The classes after the first change with which all conditions hold that held before."""
    for change in islice(changes, most):
        after = exchange.held(change)
        if after is not None and all(domains[token] >> after[token] & 1 for token in exchange.following):
            return after
    return None


def _greater(domains: Domains, witness: Mapping[int, int], total: Sum) -> Iterator[Change]:
    """What makes a sum great enough: one token that becomes another, or several, each as great as it can be."""
    wanted = -value(witness, total)
    gains = {token: [(gain, one) for one in members(mask)
                     if (gain := total.weights[token].get(one, 0) - total.weights[token].get(witness[token], 0)) > 0]
             for token, mask in domains.items()}
    for token, own in gains.items():
        if enough := [each for each in own if each[0] >= wanted]:
            yield ((token, witness[token], min(enough)[1]),)
    several: list[tuple[int, int, int]] = []
    for token, own in sorted(((token, own) for token, own in gains.items() if own), key=lambda one: -max(one[1])[0]):
        gain, one = min([each for each in own if each[0] >= wanted], default=max(own))
        several.append((token, witness[token], one))
        wanted -= gain
        if wanted <= 0:
            yield tuple(several)
            return


def _changes(domains: Domains, witness: Mapping[int, int], row: CountedTokens) -> Iterator[Change]:
    """What makes a number greater by one: a token becomes what another one was, or one of a class that none is of."""
    holders: dict[int, list[int]] = {}
    for token, one in witness.items():
        holders.setdefault(one, []).append(token)
    yield from _renamings(domains, witness, row, holders)
    alone: list[Change] = []
    for tokens, wanted in ((row.plus, row.mask), (row.minus, ~row.mask)):
        for token in sorted(tokens):
            was = witness[token]
            if wanted >> was & 1:
                continue
            for one in members(domains[token] & wanted):
                if one not in holders:
                    yield ((token, was, one),)
                    continue
                alone.append(((token, was, one),))
                for other in holders[one]:
                    if domains[other] >> was & 1 and other not in tokens:
                        yield (token, was, one), (other, one, was)
    yield from alone


def _renamings(domains: Domains, witness: Mapping[int, int], row: CountedTokens,
               holders: Mapping[int, Sequence[int]]) -> Iterator[Change]:
    """Two classes exchanged wherever they are: what passed through several hands is another then in each of them."""
    numbers: dict[int, int] = {}
    for sign, tokens in ((1, row.plus), (-1, row.minus)):
        for token in tokens:
            one = witness[token]
            numbers[one] = numbers.get(one, 0) + sign
    inside = sorted(one for one in {*holders, *numbers} if row.mask >> one & 1)
    outside = sorted(one for one in holders if not row.mask >> one & 1)
    for less in (0, -1):  # one more is counted if what counts so much becomes what counts one more
        ones = [one for one in outside if numbers.get(one, 0) == less + 1]
        for other in [one for one in inside if numbers.get(one, 0) == less][:MOST_RENAMED]:
            for one in ones[:MOST_RENAMED]:
                change = tuple((token, old, new) for old, new in ((one, other), (other, one))
                               for token in holders.get(old, ()))
                if all(domains[token] >> new & 1 for token, _, new in change):
                    yield change


class _Climb:
    """Exchanges two tokens after the other, each time so that sums that are too small miss as little as can be, and are
    not what they all were before: hands that have to cost as much come to it by a way on which they cost less.
    """

    def __init__(self, domains: Domains, conditions: NamedConditions, free: Mapping[int, int],
                 derived: Mapping[int, DerivedToken]) -> None:
        self._domains = domains
        self._rows = NamedConditions({name: total for name, total in conditions.items() if total.row() is not None})
        self._weighed = conditions.weighed
        self._free = sorted(free)
        self._derived = derived

    def run(self, witness: Mapping[int, int]) -> Witness | None:
        """Classes with which all conditions hold, from some with which those do that count tokens; None if they were
        not found."""
        now = dict(witness)
        slack = [value(now, total) for total in self._weighed]
        met, left = {tuple(slack)}, MOST_LOOKED_AT
        for _ in range(MOST_STEPS):
            if all(one >= 0 for one in slack):
                return now
            rows = _Exchange(self._rows, now, self._derived)
            for _, change in sorted(self._steps(now, slack))[:min(FEW_EXCHANGES, left)]:
                left -= 1
                after = rows.held(change)
                if after is None or rows.following:
                    continue
                reached = [value(after, total) for total in self._weighed]
                if tuple(reached) not in met:
                    now, slack = after, reached
                    met.add(tuple(slack))
                    break
            else:
                return None
        return None

    def _steps(self, now: Mapping[int, int], slack: Sequence[int]) -> Iterator[tuple[int, Change]]:
        """The exchanges that make the first sum that is too small greater, and how much is missing after each."""
        first = self._weighed[next(index for index, one in enumerate(slack) if one < 0)].weights
        others = [(one, total.weights) for one, total in zip(slack, self._weighed, strict=True)]
        for token, own in first.items():
            was = now[token]
            if token in self._derived:
                continue
            for other in self._free:
                one = now[other]
                if one == was or not (self._domains[token] >> one & 1 and self._domains[other] >> was & 1):
                    continue
                there = first.get(other)
                if own.get(one, 0) - own.get(was, 0) + (there.get(was, 0) - there.get(one, 0) if there else 0) <= 0:
                    continue
                missing = 0
                for before, weights in others:
                    for each, left, come in ((token, was, one), (other, one, was)):
                        counted = weights.get(each)
                        if counted:
                            before += counted.get(come, 0) - counted.get(left, 0)
                    missing -= min(before, 0)
                yield missing, ((token, was, one), (other, one, was))


class _Exchange:
    """Whether all conditions go on to hold if some tokens change. `following`: the tokens that follow from these."""

    def __init__(self, conditions: NamedConditions, witness: Mapping[int, int],
                 derived: Mapping[int, DerivedToken]) -> None:
        self.following: list[int] = []
        self._witness = witness
        self._derived = derived
        self._conditions = conditions
        self._holders: dict[int, list[int]] = {}
        for token, one in witness.items():
            self._holders.setdefault(one, []).append(token)

    def held(self, change: Change) -> Witness | None:
        """The classes after a change, if all conditions hold then."""
        classes = {one for _, was, now in change for one in (was, now)}
        for each in classes:
            for row in self._conditions.about(1 << each):
                if not self._row_holds(row, change):
                    return None
        touched = mask_of(classes)
        for row in self._conditions.wide:
            if row.mask & touched and not self._row_holds(row, change):
                return None
        for total in self._conditions.weighed:
            weights = total.weights
            delta = sum(own.get(one, 0) - own.get(was, 0) for token, was, one in change
                        if (own := weights.get(token)))
            if delta < 0 and delta + value(self._witness, total) < 0:
                return None
        after = {**self._witness, **{token: one for token, _, one in change}}
        moved = {token for token, _, _ in change}
        self.following = [token for token, one in self._derived.items() if not moved.isdisjoint(one.base)]
        if self.following:
            for token in self.following:
                after[token] = self._derived[token].of(after)
            if not all(value(after, total) >= 0 for total in self._conditions.values()
                       if not total.weights.keys().isdisjoint(self.following)):
                return None
        return after

    def _row_holds(self, row: CountedTokens, change: Change) -> bool:
        plus, minus, mask, const = row
        delta = 0
        for token, was, one in change:
            if token in plus:
                delta += (mask >> one & 1) - (mask >> was & 1)
            elif token in minus:
                delta -= (mask >> one & 1) - (mask >> was & 1)
        if delta >= 0:
            return True
        before = const
        for each in members(mask):
            for token in self._holders.get(each, ()):
                if token in plus:
                    before += 1
                elif token in minus:
                    before -= 1
        return delta + before >= 0
