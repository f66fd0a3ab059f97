"""What follows for single classes from numbers of several: a hand has so many of a suit, a pile was dealt to its end.

How many of a class are among tokens, less those among others, is known at least for most classes. So it is at most what
the number of several classes leaves. That is worked out only where what is known of the class itself refutes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum, members
from referee.judge.partial.constraints.named_conditions import NamedConditions
from referee.judge.partial.constraints.shortcuts.class_counts import too_few

_Pair = tuple[frozenset[int], frozenset[int]]
"""Tokens that count for a number, and those that count against it."""


def refuted(domains: Mapping[int, int], conditions: NamedConditions, witness: Mapping[int, int], total: Sum) -> bool:
    """Whether a sum that counts tokens cannot be 0 or more, by what follows for single classes. All conditions hold for
    the witness."""
    asked = total.row()
    if asked is None:
        return False
    least = _Least(domains, conditions)
    return too_few(domains, lambda one: [*conditions.about(1 << one), *least.others(one)], witness, asked)


class _Least:
    """How many of each class there are at least, in each pair of which something is known."""

    def __init__(self, domains: Mapping[int, int], conditions: NamedConditions) -> None:
        self._domains = domains
        self._wide: dict[_Pair, list[CountedTokens]] = {}
        for row in conditions.wide:
            self._wide.setdefault((row.minus, row.plus), []).append(row)
        self._known: dict[_Pair, dict[int, int]] = {pair: {} for pair in self._wide}
        for row in conditions.single:
            own = self._known.setdefault((row.plus, row.minus), {})
            own[row.mask] = max(own.get(row.mask, -row.const), -row.const)
        self._least: dict[_Pair, dict[int, int]] = {}

    def _each(self, pair: _Pair) -> dict[int, int]:
        """The least number of each class that there may be; no other class is there."""
        known = self._least.get(pair)
        if known is None:
            known = self._least[pair] = self._found(*pair, self._known[pair])
        return known

    def _found(self, plus: frozenset[int], minus: frozenset[int], known: Mapping[int, int]) -> dict[int, int]:
        every = 0
        for token in plus:
            every |= self._domains[token]
        masks: dict[int, int] = {}
        for token in minus:
            mask = self._domains[token]
            masks[mask] = masks.get(mask, 0) + 1
            every |= mask
        least = dict.fromkeys(members(every), 0)
        for mask, number in masks.items():
            for one in members(mask):
                least[one] -= number
        for mask, number in known.items():
            one = mask.bit_length() - 1
            if one in least and least[one] < number:
                least[one] = number
        return least

    def others(self, one: int) -> list[CountedTokens]:
        """What there may be of a class at most, because of the others."""
        found: list[CountedTokens] = []
        for pair in self._known:
            least = self._each(pair)
            if one not in least:
                continue
            plus, minus = pair
            most = len(plus) - len(minus) - sum(least.values()) + least[one]
            for row in self._wide.get(pair, ()):
                if row.mask >> one & 1:
                    most = min(most, row.const - sum([least.get(other, 0) for other in members(row.mask)]) + least[one])
            if most < len(plus):
                found.append(CountedTokens(minus, plus, 1 << one, most))
        return found
