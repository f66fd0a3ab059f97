"""Hidden numbers that are compared, what hands cost: looked at by themselves, with what two or all cost together.

Tokens that every comparison counts in the same way are one number. There may be so many of each class among them, so it
is one of some; and so is what two of them, or all, are together: what was dealt to the end is one number, and not each
can be shared out evenly. Whole numbers are sought with which all comparisons hold: where there are none, nothing else
has to be tried. What each may be is found out as in Bellman, "Notes on the theory of dynamic programming IV" (1956).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import gcd
from typing import NamedTuple

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum, members
from referee.judge.partial.constraints.named_conditions import NamedConditions
from referee.judge.partial.constraints.transport import concerned

MOST_STEPS = 4_000
"""So often a comparison is looked at."""
MOST_COST = 20_000
"""Numbers that lie further apart are left to others,"""
MOST_NUMBERS = 10
"""and so are more of them,"""
MOST_WORK = 4_000
"""and those that take more steps to find out what they may be."""


class _TooMuch(Exception):
    """There are too many numbers, or they lie too far apart."""


class _Comparison(NamedTuple):
    """`const`, and how often each of some numbers, by its place, are 0 or more together."""

    const: int
    times: tuple[tuple[int, int], ...]


class _Reached(NamedTuple):
    """The numbers that are `least` and a set bit's place more."""

    least: int
    bits: int

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the greatest."""
        return self.least + (self.bits & -self.bits).bit_length() - 1, self.least + self.bits.bit_length() - 1

    def has(self, number: int) -> bool:
        """Whether a number is one of them."""
        return number >= self.least and self.bits >> number - self.least & 1 > 0


_Ends = tuple[int, int]
"""The least and the greatest that a number may be."""


def cannot_be(domains: Mapping[int, int], conditions: NamedConditions, total: Sum) -> bool:
    """Whether a sum that counts classes differently cannot be 0 or more, by what it is compared with."""
    totals = [one for one in concerned(tuple(conditions.values()), [total]) if one.row() is None]
    try:
        numbers = _Numbers(domains, conditions, totals)
    except _TooMuch:
        return False
    return not all(some.bits for some in numbers.reached.values()) or _WholeNumbers(numbers).empty(
        [numbers.reached[place,].ends for place in range(numbers.number)])


class _Numbers:
    """The numbers that sums have together, so many; the sums, and what some numbers are together, as `rows` of them.
    `reached`: what some of them may be together, by their places."""

    def __init__(self, domains: Mapping[int, int], conditions: NamedConditions, totals: Sequence[Sum]) -> None:
        self._prices: list[dict[int, int]] = []
        self._met: dict[tuple[int, int], tuple[int, int]] = {}
        parts: dict[tuple[int, int], dict[int, int]] = {}
        for at, total in enumerate(totals):
            for token, own in total.weights.items():
                listed, often = self._listed(own, domains[token])
                if often:
                    parts.setdefault((token, listed), {})[at] = often
        tokens: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for (token, listed), counted in parts.items():
            tokens.setdefault((listed, tuple([counted.get(at, 0) for at in range(len(totals))])), []).append(token)
        self.number = len(tokens)
        if self.number > MOST_NUMBERS:
            raise _TooMuch
        times = [often for _, often in tokens]
        self.rows = [
            _Comparison(total.const, tuple([(place, often[at]) for place, often in enumerate(times) if often[at]]))
            for at, total in enumerate(totals)]
        self.reached: dict[tuple[int, ...], _Reached] = {}
        some = list(tokens.values())
        for listed, prices in enumerate(self._prices):
            places = tuple([place for place, (own, _) in enumerate(tokens) if own == listed])
            for together in dict.fromkeys([*combinations(places, 1), *combinations(places, 2), places]):
                among = [token for place in together for token in some[place]]
                found = self.reached[together] = _reached(domains, conditions, among, prices)
                if len(together) > 1 and found.bits:
                    low, high = found.ends
                    self.rows.append(_Comparison(-low, tuple([(place, 1) for place in together])))
                    self.rows.append(_Comparison(high, tuple([(place, -1) for place in together])))

    def _listed(self, own: Mapping[int, int], mask: int) -> tuple[int, int]:
        """The list of prices by which a token is counted, and how often."""
        key = id(own), mask
        if key not in self._met:
            self._met[key] = self._found(own, mask)
        return self._met[key]

    def _found(self, own: Mapping[int, int], mask: int) -> tuple[int, int]:
        if not any(own.get(one) for one in members(mask)):
            return 0, 0
        often = gcd(*own.values())
        counted = {one: own.get(one, 0) // often for one in members(mask)}
        for sign in (1, -1):
            for listed, prices in enumerate(self._prices):
                if all(prices.get(one, sign * weight) == sign * weight for one, weight in counted.items()):
                    prices.update((one, sign * weight) for one, weight in counted.items())
                    return listed, sign * often
        self._prices.append(counted)
        return len(self._prices) - 1, often


def _reached(domains: Mapping[int, int], conditions: NamedConditions, tokens: Collection[int],
             prices: Mapping[int, int]) -> _Reached:
    """What some tokens may cost together, by how many of each class there may be among them."""
    among, every, cheap = frozenset(tokens), 0, min(prices.values())
    for token in among:
        every |= domains[token]
    if len(among) * (max(prices.values()) - cheap) > MOST_COST:
        raise _TooMuch
    cost, left, free = len(among) * cheap, len(among), list[tuple[int, int]]()
    for one in members(every):
        least, most = _limits(conditions.about(1 << one), among)
        cost, left = cost + least * (prices[one] - cheap), left - least
        if most > least:
            free.append((prices[one] - cheap, most - least))
    if left * sum([min(left, most) for _, most in free]) > MOST_WORK:
        raise _TooMuch
    found = [0] * (max(left, 0) + 1)
    found[0] = 1 << 0
    for price, most in free:  # bits: what so many may cost more than as many of the cheapest
        for number in range(left, 0, -1):
            for more in range(1, min(most, number) + 1):
                found[number] |= found[number - more] << more * price
    return _Reached(cost, found[-1] if left >= 0 else 0)


def _limits(rows: Sequence[CountedTokens], among: frozenset[int]) -> tuple[int, int]:
    """The least and the greatest number of a class among some tokens: where it is known to be elsewhere it is not."""
    there = [(row.plus, -row.const) for row in rows if not row.minus and row.const < 0]
    most = len(among)
    for row in rows:
        if not row.plus and row.minus >= among:
            others = row.minus - among
            most = min(most, row.const - max([number for tokens, number in there if tokens <= others], default=0))
    return max([number for tokens, number in there if tokens <= among], default=0), most


class _WholeNumbers:
    """Tries what numbers may be, as long as there are steps left."""

    def __init__(self, numbers: _Numbers) -> None:
        self._rows = rows = numbers.rows
        self._reached = numbers.reached
        self._around: dict[int, list[int]] = {}
        for index, row in enumerate(rows):
            for place, _ in row.times:
                self._around.setdefault(place, []).append(index)
        self._sets: dict[int, list[tuple[int, ...]]] = {}
        for places in numbers.reached:
            for place in places:
                self._sets.setdefault(place, []).append(places)
        self._left = MOST_STEPS

    def empty(self, ends: Sequence[_Ends], news: int | None = None) -> bool:
        """Whether there are no numbers within bounds with which all rows hold; false if that was not found out."""
        found = self._narrowed(list(ends), range(len(self._rows)) if news is None else self._around[news])
        if found is None or not self._can_be(found, [
                place for place, ((low, high), before) in enumerate(zip(found, ends, strict=True))
                if low == high and (before != (low, high) or news in (None, place))]):
            return True
        open_ = [place for place, (low, high) in enumerate(found) if low < high and place in self._around]
        if not open_ or self._left <= 0:
            return False
        place = min(open_, key=lambda one: found[one][1] - found[one][0])
        low, high = found[place]
        for each in range(low, high + 1):
            found[place] = each, each
            if not self.empty(found, place):
                return False
        return True

    def _can_be(self, ends: Sequence[_Ends], news: Iterable[int]) -> bool:
        """Whether numbers that are known can be what they are, alone and together. `news`: those known only now."""
        for places in {places: None for place in news for places in self._sets[place]}:
            known = [ends[place] for place in places]
            if all(low == high for low, high in known) and not self._reached[places].has(
                    sum([low for low, _ in known])):
                return False
        return True

    def _narrowed(self, ends: list[_Ends], news: Sequence[int]) -> list[_Ends] | None:
        """The bounds that single rows leave; None if one of them leaves nothing."""
        waiting = dict.fromkeys(news)
        while waiting and self._left > 0:
            self._left -= 1
            index = next(iter(waiting))
            del waiting[index]
            const, times = self._rows[index]
            most = const + sum([often * ends[place][often > 0] for place, often in times])
            if most < 0:
                return None
            for place, often in times:
                low, high = ends[place]
                room = most // abs(often)
                if high - low <= room:
                    continue
                ends[place] = (high - room, high) if often > 0 else (low, low + room)
                waiting.update(dict.fromkeys(self._around[place]))
        return ends
