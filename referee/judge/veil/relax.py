"""Proves that conditions cannot hold together: by a sum of some of them, each so many times, that is always too small.

If every token takes the class that suits a weighted sum of conditions best, and the sum is still less than nothing, no
classes satisfy all of them. The weights are sought as by Held and Karp, "The traveling-salesman problem and minimum
spanning trees: part II" (1971): what is violated for the best classes weighs more in the next round. The proof itself
is checked with whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.judge.deadline import Deadline
from referee.judge.veil.hidden import Sum, members

_SCALE = 64


class Relaxation:
    """Conditions with the classes that each token may have."""

    def __init__(self, domains: Mapping[int, int], conditions: Sequence[Sum]) -> None:
        self._conditions = conditions
        self._around: dict[int, list[tuple[int, Mapping[int, int]]]] = {}
        for index, total in enumerate(conditions):
            for token, own in total.weights.items():
                self._around.setdefault(token, []).append((index, own))
        self._classes = {token: tuple(members(domains[token])) for token in self._around}

    def refutes(self, first: Sequence[int], rounds: int, deadline: Deadline) -> tuple[int, ...] | None:
        """The conditions that cannot hold together, if that is found out in so many rounds; `first`: to begin with.

        Raises `OutOfTime`.
        """
        weights = [0.0] * len(self._conditions)
        for index in first:
            weights[index] = 1.0
        for turn in range(rounds):
            deadline.check()
            bound, slack = self._best(weights)
            if bound < -1e-6:
                proof = self._proved(weights)
                if proof is not None:
                    return proof
            step = 1 / (1 + turn / 50)
            after = [max(0.0, weight - step * one) for weight, one in zip(weights, slack, strict=True)]
            if after == weights:
                return None
            weights = after
        return None

    def _best(self, weights: Sequence[float]) -> tuple[float, list[int]]:
        """The weighted sum at its greatest, and each condition there."""
        slack = [total.const for total in self._conditions]
        for token, around in self._around.items():
            live = [(weights[index], own) for index, own in around if weights[index] > 0]
            classes = self._classes[token]
            one = max(classes, key=lambda each: sum(weight * own.get(each, 0) for weight, own in live))
            for index, own in around:
                slack[index] += own.get(one, 0)
        return sum(weight * one for weight, one in zip(weights, slack, strict=True)), slack

    def _proved(self, weights: Sequence[float]) -> tuple[int, ...] | None:
        top = max(weights)
        whole = [round(weight / top * _SCALE) for weight in weights]
        total = sum(weight * one.const for weight, one in zip(whole, self._conditions, strict=True))
        for token, around in self._around.items():
            total += max(sum(whole[index] * own.get(each, 0) for index, own in around)
                         for each in self._classes[token])
        return tuple(index for index, weight in enumerate(whole) if weight) if total < 0 else None
