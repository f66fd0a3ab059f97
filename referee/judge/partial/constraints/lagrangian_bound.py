"""Proves that conditions on tokens cannot hold together, by a weighted sum of them.

The proof is a sum of some of the conditions, each so many times, that is always too small.

If every token takes the class that suits a weighted sum of conditions best, and the sum is still less than nothing, no
classes satisfy all of them. The weights are sought as by Held and Karp, "The traveling-salesman problem and minimum
spanning trees: part II" (1971): what is violated for the best classes weighs more in the next round; where to go is
averaged over the rounds, as by Camerini, Fratta and Maffioli, "On improving relaxation methods by modified gradient
techniques" (1975). The proof itself is checked with whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter, mul
from typing import Any, NamedTuple

from referee.judge.partial.constraints.hidden_values import Sum, members
from referee.system.deadline import Deadline

_SCALES = (64, 4_096)
"""Weights are made whole numbers of so many at most, first coarsely: the proof is checked exactly."""
_FRESH = 0.3
"""How much of the way to go comes from the last round."""
_SLOWER = 20
"""After so many rounds the steps are half as long."""
_TINY = 1e-6
"""A bound by floating numbers has to be below zero by more to be worth a check by whole ones."""


class _Choice(NamedTuple):
    """One class of a token: what it adds to each condition (beyond what the token adds in any case), and what that is
    worth for weights of the conditions."""

    adds: Sequence[tuple[int, int]]
    worth: Callable[[Sequence[Any]], Any]


class Relaxation:
    """Conditions with the classes that each token may have. Those that hold in any case are left out."""

    def __init__(self, domains: Mapping[int, int], conditions: Sequence[Sum]) -> None:
        self._classes: dict[int, tuple[int, ...]] = {}
        self._domains = domains
        self._names: list[int] = []
        self._base: list[int] = []
        adds: dict[int, dict[int, list[tuple[int, int]]]] = {}
        for index, total in enumerate(conditions):
            low, varying = self._spread(total)
            if low >= 0:
                continue
            for token, more in varying:
                own = adds.setdefault(token, {one: [] for one in self._of(token)})
                for one, number in more:
                    own[one].append((len(self._base), number))
            self._names.append(index)
            self._base.append(low)
        self._choices = [[_Choice(each, _worth(each)) for each in own.values()] for own in adds.values()]
        self._weights: list[float] = []
        self._way: list[float] = []
        self._turn = 0

    def _of(self, token: int) -> tuple[int, ...]:
        known = self._classes.get(token)
        if known is None:
            known = self._classes[token] = tuple(members(self._domains[token]))
        return known

    def _spread(self, total: Sum) -> tuple[int, list[tuple[int, list[tuple[int, int]]]]]:
        """The least that a sum may be, and what the classes of each token that matters add to it."""
        low, varying = total.const, []
        for token, own in total.weights.items():
            counts = [own.get(one, 0) for one in self._of(token)]
            least = min(counts)
            low += least
            more = [(one, count - least) for one, count in zip(self._of(token), counts, strict=True) if count > least]
            if more:
                varying.append((token, more))
        return low, varying

    def refutes(self, first: Sequence[int], rounds: int, deadline: Deadline) -> tuple[int, ...] | None:
        """The conditions that cannot hold together, if that is found out in so many rounds more; `first`: to begin
        with. Raises `OutOfTime`.
        """
        if self._turn == 0:
            self._weights = [1.0 if index in first else 0.0 for index in self._names]
        for _ in range(rounds):
            deadline.check()
            bound, slack = self._best(self._weights)
            if bound < -_TINY:
                proof = self._proved(self._weights)
                if proof is not None:
                    return proof
            if not self._turned(slack):
                return None
        return None

    def _turned(self, slack: list[float]) -> bool:
        """Weighs what is violated more for the next round; false if nothing is."""
        self._way = slack if self._turn == 0 else [
            _FRESH * one + (1 - _FRESH) * before for one, before in zip(slack, self._way, strict=True)]
        step = 1 / (1 + self._turn / _SLOWER)
        self._turn += 1
        self._weights = [weight - step * one if weight > step * one else 0.0
                         for weight, one in zip(self._weights, self._way, strict=True)]
        return any(one < 0 for one in slack)

    def _best(self, weights: Sequence[float]) -> tuple[float, list[float]]:
        """The weighted sum at its greatest, and each condition there."""
        slack: list[float] = list(self._base)
        bound = sum(map(mul, weights, self._base))
        for choices in self._choices:
            top, picked = -1.0, choices[0].adds
            for adds, worth in choices:  # written out: nothing is done more often
                own = worth(weights)
                if own > top:
                    top, picked = own, adds
            bound += top
            for row, number in picked:
                slack[row] += number
        return bound, slack

    def _proved(self, weights: Sequence[float]) -> tuple[int, ...] | None:
        top = max(weights)
        for scale in _SCALES:
            whole = [round(weight / top * scale) for weight in weights]
            total = sum(map(mul, whole, self._base))
            total += sum(max(choice.worth(whole) for choice in choices) for choices in self._choices)
            if total < 0:
                return tuple(self._names[row] for row, weight in enumerate(whole) if weight)
        return None


def _worth(adds: Sequence[tuple[int, int]]) -> Callable[[Sequence[Any]], Any]:
    """The sum of weights, each so many times."""
    if len(adds) < 2:
        return _worth_of_one(*adds[0]) if adds else lambda weights: 0
    times = [number for _, number in adds]
    picked = itemgetter(*(row for row, _ in adds))
    if set(times) == {1}:
        return lambda weights: sum(picked(weights))
    return lambda weights: sum(map(mul, picked(weights), times))


def _worth_of_one(row: int, times: int) -> Callable[[Sequence[Any]], Any]:
    return lambda weights: weights[row] * times
