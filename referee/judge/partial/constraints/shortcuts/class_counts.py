"""Whether a number of components cannot be, by what is known of single classes: how many of one are where.

What is known of a class alone says mostly where its components are: who laid one has had it, so nobody else has. What
is refuted so needs no flow; what is not may still be impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum, members
from referee.judge.partial.constraints.named_conditions import NamedConditions

MOST_CASES = 60
"""So many cases of where components of one class are are looked at."""
FEWER = 4
"""So many times more classes make a number be told by the others."""
_Row = tuple[int, list[int], list[int]]
"""A number, and the groups that count for it and against it: 0 or more together."""


def counted_out(domains: Mapping[int, int], conditions: NamedConditions, witness: Mapping[int, int],
                total: Sum) -> bool:
    """Whether a sum that counts tokens cannot be 0 or more. All conditions hold for the witness."""
    asked = total.row()
    if asked is None:
        return False
    return (too_few(domains, lambda one: conditions.about(1 << one), witness, asked)
            or _no_room(domains, conditions, asked) or _not_filled(domains, conditions, asked))


def _no_room(domains: Mapping[int, int], conditions: NamedConditions, asked: CountedTokens) -> bool:
    """Whether there is no room among tokens for so many, because of others that are known to be there."""
    if asked.minus:
        return False
    there = asked.plus
    least: dict[int, int] = {}
    wide: list[tuple[int, int]] = []
    for total in conditions.values():
        if total.const >= 0 or (row := total.row()) is None:
            continue
        if row.minus or row.mask & asked.mask == row.mask or there.isdisjoint(row.plus):
            continue
        number = -row.const - sum([1 for token in row.plus - there if domains[token] & row.mask])
        if row.mask.bit_count() == 1:
            least[row.mask] = max(least.get(row.mask, 0), number)
        else:
            wide.append((row.mask, number))
    least[asked.mask] = -asked.const
    room, taken = len(there) - sum(least.values()), asked.mask
    for mask, number in sorted(wide, key=lambda one: -one[1]):
        inside = sum([one for each, one in least.items() if not each & ~mask])
        if not mask & taken and number > inside and not any(each & mask and each & ~mask for each in least):
            room -= number - inside
            taken |= mask
    return room < 0


def _not_filled(domains: Mapping[int, int], conditions: NamedConditions, asked: CountedTokens) -> bool:
    """Whether there would be less among tokens than there are, because there may be only so many of the others."""
    there = asked.minus
    if asked.plus or asked.const >= len(there):
        return False
    every = 0
    for token in there:
        every |= domains[token]
    most = {1 << one: len(there) for one in members(every & ~asked.mask)}
    for mask in most:
        for row in conditions.about(mask):
            if not row.plus and row.const < most[mask] and row.minus >= there:
                most[mask] = row.const
    return asked.const + sum(most.values()) < len(there)


def too_few(domains: Mapping[int, int], about: Callable[[int], Sequence[CountedTokens]], witness: Mapping[int, int],
            asked: CountedTokens) -> bool:
    """Whether so many are refuted class by class. `about`: what is known of one class; it holds for the witness."""
    row = _fewest(asked, domains)
    now = dict.fromkeys(members(row.mask), 0)
    for sign, tokens in ((1, row.plus), (-1, row.minus)):
        for token in tokens:
            if (one := witness[token]) in now:
                now[one] += sign
    missing = -row.const - sum(now.values())  # so many more it would have to be
    for one, number in now.items():
        there = _OneClass(domains, about(one), row, 1 << one)
        while missing > 0 and there.may_be(number + 1):
            number += 1
            missing -= 1
        if missing <= 0:
            return False
    return missing > 0


def _fewest(row: CountedTokens, domains: Mapping[int, int]) -> CountedTokens:
    """The same number, told by the classes that it does not count if these are far fewer."""
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
