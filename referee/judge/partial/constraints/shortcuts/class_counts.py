"""Whether a number of components cannot be, by what is known of single classes: how many of one are where.

What is known of a class alone says mostly where its components are: who laid one has had it, so nobody else has. What
is refuted so needs no flow; what is not may still be impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum, members

MOST_CASES = 60
"""So many cases of where components of one class are are looked at."""
FEWER = 4
"""So many times more classes make a number be told by the others."""
_Row = tuple[int, list[int], list[int]]
"""A number, and the groups that count for it and against it: 0 or more together."""


def counted_out(domains: Mapping[int, int], conditions: Iterable[Sum], witness: Mapping[int, int],
                total: Sum) -> bool:
    """Whether a sum that counts tokens cannot be 0 or more. All conditions hold for the witness."""
    row = _fewest(total.row(), domains)
    if row is None:
        return False
    known: dict[int, list[CountedTokens]] = {1 << one: [] for one in members(row.mask)}
    for condition in conditions:
        own = condition.row()
        if own is not None and own.mask in known:
            known[own.mask].append(own)
    now = dict.fromkeys(members(row.mask), 0)
    for sign, tokens in ((1, row.plus), (-1, row.minus)):
        for token in tokens:
            if (one := witness[token]) in now:
                now[one] += sign
    missing = -row.const - sum(now.values())  # so many more it would have to be
    for one, number in now.items():
        there = _OneClass(domains, known[1 << one], row, 1 << one)
        while missing > 0 and there.may_be(number + 1):
            number += 1
            missing -= 1
        if missing <= 0:
            return False
    return missing > 0


def _fewest(row: CountedTokens | None, domains: Mapping[int, int]) -> CountedTokens | None:
    """The same number, told by the classes that it does not count if these are far fewer."""
    if row is None:
        return None
    every = 0
    for tokens in (row.plus, row.minus):
        for token in tokens:
            every |= domains[token]
    others = every & ~row.mask
    if FEWER * others.bit_count() >= (every & row.mask).bit_count():
        return row
    return CountedTokens(row.minus, row.plus, others, row.const + len(row.plus) - len(row.minus))


class _OneClass:
    """What is known of one class: rows over numbers of it in groups of tokens that are alike in all rows."""

    def __init__(self, domains: Mapping[int, int], known: Sequence[CountedTokens], asked: CountedTokens,
                 mask: int) -> None:
        marks: dict[int, int] = {}
        for index, row in enumerate((asked, *known)):
            for sign, tokens in ((1, row.plus), (2, row.minus)):
                mark = sign << 2 * index
                for token in tokens:
                    marks[token] = marks.get(token, 0) | mark
        sizes: dict[int, list[int]] = {}
        for token, mark in marks.items():
            own = domains[token]
            if own & mask:
                group = sizes.setdefault(mark, [0, 0])
                group[0] += own == mask
                group[1] += 1
        self._ends = list(sizes.values())
        self._left = 0
        self._rows: list[_Row] = [
            (row.const, [at for at, mark in enumerate(sizes) if mark >> 2 * index & 1],
             [at for at, mark in enumerate(sizes) if mark >> 2 * index & 2])
            for index, row in enumerate((asked, *known))]

    def may_be(self, number: int) -> bool:
        """Whether it was not refuted that there are so many where it is asked."""
        self._left = MOST_CASES
        rows = [(-number, *self._rows[0][1:]), *self._rows[1:]]
        return self._holds(rows, [lo for lo, _ in self._ends], [hi for _, hi in self._ends])

    def _holds(self, rows: Sequence[_Row], least: list[int], most: list[int]) -> bool:
        """Whether there are numbers between some with which all rows hold, as far as that was looked at."""
        if not _narrowed(rows, least, most):
            return False
        open_ = [at for at, (lo, hi) in enumerate(zip(least, most, strict=True)) if lo < hi]
        self._left -= 1
        if not open_ or self._left < 0:
            return True
        at = min(open_, key=lambda at: most[at] - least[at])
        for lo, hi in ((least[at] + 1, most[at]), (least[at], least[at])):
            if self._holds(rows, [*least[:at], lo, *least[at + 1:]], [*most[:at], hi, *most[at + 1:]]):
                return True
        return False


def _narrowed(rows: Sequence[_Row], least: list[int], most: list[int]) -> bool:
    """Whether no single row is against some numbers; these are made as narrow as single rows make them."""
    news = True
    while news:
        news = False
        for const, plus, minus in rows:
            room = const + sum([most[at] for at in plus]) - sum([least[at] for at in minus])
            if room < 0:
                return False
            for at in plus:
                if least[at] < most[at] - room:
                    least[at] = most[at] - room
                    news = True
            for at in minus:
                if most[at] > least[at] + room:
                    most[at] = least[at] + room
                    news = True
    return True
