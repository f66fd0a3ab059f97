"""Tokens that are alike, counted together: of each group how many are of a class, under bounds on such numbers.

Two tokens are alike if they may have the same classes and every condition counts both in the same way. Then it is no
matter which of them is of a class. What is left of a group once some of it was taken out is a group as well: it stands
for the group it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum, mask_of, members

Numbers = dict[int, dict[int, int]]
"""Of each group how many are of each class."""


class Impossible(Exception):
    """The conditions cannot hold together."""


class GroupRow:
    """`const`, and how often each group counts for each of its members of some classes, are 0 or more together."""

    __slots__ = ("const", "mask", "times")

    def __init__(self, times: dict[int, int], mask: int, const: int) -> None:
        self.times = times
        self.mask = mask
        self.const = const


class WeightedRow:
    """The same with a weight for each class."""

    __slots__ = ("const", "weights")

    def __init__(self, weights: Numbers, const: int) -> None:
        self.weights = weights
        self.const = const


class _Replaced:
    """A group that is what is left of it, and what was taken out, less `known` of each class."""

    def __init__(self, group: int, left: int, taken: Sequence[int], known: Mapping[int, int]) -> None:
        self.group = group
        self.left = left
        self.taken = taken
        self.known = known


class AlikeTokens:
    """Groups with their `sizes` and the classes that their members may be of, and what must hold of them.

    `rows` and `weighted`: the conditions; `live`: the groups to count. Raises `Impossible`.
    """

    def __init__(self, domains: Mapping[int, int], conditions: Sequence[Sum]) -> None:
        self.rows: list[GroupRow] = []
        self.weighted: list[WeightedRow] = []
        plain = [(total, total.row()) for total in conditions]
        self._domains = _narrowed(domains, [row for _, row in plain if row is not None],
                                  {token for total in conditions for token in total.weights})
        plain = [(total, row) for total, row in plain if row is None or row.const or row.plus]
        self._sets: dict[frozenset[int], int] = {}
        for total, row in plain:
            for tokens in (row.plus, row.minus) if row is not None else _counted(total).values():
                self._sets.setdefault(tokens, len(self._sets))
        self._group()
        for total, row in plain:
            if row is None:
                self.weighted.append(WeightedRow({group: dict(own) for own, tokens in _counted(total).items()
                                                  for group in self._parts[self._sets[tokens]]}, total.const))
            else:
                times = dict.fromkeys(self._parts[self._sets[row.plus]], 1)
                times.update(dict.fromkeys(self._parts[self._sets[row.minus]], -1))
                self.rows.append(GroupRow(times, row.mask, row.const))
        self._replaced: list[_Replaced] = []
        while self._replace():
            pass

    def _group(self) -> None:
        """Makes groups of tokens that are alike."""
        marks = dict.fromkeys(self._domains, 0)
        for tokens, index in self._sets.items():
            for token in tokens:
                marks[token] |= 1 << index
        groups: dict[tuple[int, int], list[int]] = {}
        for token, mark in marks.items():
            groups.setdefault((self._domains[token], mark), []).append(token)
        self.tokens = list(groups.values())
        self.sizes = {group: len(tokens) for group, tokens in enumerate(self.tokens)}
        self.domains = {group: mask for group, (mask, _) in enumerate(groups)}
        self._parts: list[list[int]] = [[] for _ in self._sets]
        for group, (_, mark) in enumerate(groups):
            for index in members(mark):
                self._parts[index].append(group)

    # --- what was taken out of a group

    def _replace(self) -> bool:
        """Replaces a group, of which it is known of most classes that no more was taken out than there was; false if
        there is none."""
        families: dict[tuple[tuple[int, int], ...], list[GroupRow]] = {}
        for row in self.rows:
            if row.mask.bit_count() == 1 and len(row.times) > 1 and sorted(row.times.values())[-2:] == [-1, 1]:
                families.setdefault(tuple(sorted(row.times.items())), []).append(row)
        for times, rows in sorted(families.items(), key=lambda family: -len(family[1])):
            group = next(group for group, number in times if number > 0)
            taken = [other for other, _ in times if other != group]
            if min(number for _, number in times) == -1 and 2 * len(rows) >= self._union(taken).bit_count():
                self._put_left(group, taken, rows)
                return True
        return False

    def _put_left(self, group: int, taken: Sequence[int], rows: Sequence[GroupRow]) -> None:
        said: dict[int, int] = {}
        for row in rows:
            one = row.mask.bit_length() - 1
            said[one] = min(row.const, said.get(one, row.const))
        gone = set(map(id, rows))
        self.rows = [row for row in self.rows if id(row) not in gone]
        domain = self.domains.pop(group)
        known = {}
        for one in members(mask_of(said) | domain | self._union(taken)):  # where nothing is said it is surely so
            number = said.get(one, sum(self.sizes[other] for other in taken if self.domains[other] >> one & 1))
            if number:
                known[one] = number
        left = max(self.sizes) + 1
        self._replaced.append(_Replaced(group, left, taken, known))
        self.sizes[left] = self.sizes.pop(group) - sum(self.sizes[other] for other in taken) + sum(known.values())
        if self.sizes[left] < 0 or any(number < 0 and not domain >> one & 1 for one, number in known.items()):
            raise Impossible
        self.domains[left] = domain | mask_of(one for one, number in known.items() if number > 0)
        for other in taken:
            self.domains[other] &= self.domains[left]
            if not self.domains[other]:
                raise Impossible
        for row in self.rows:
            factor = row.times.pop(group, 0)
            if factor:
                row.const -= factor * sum(known.get(one, 0) for one in members(row.mask))
                for other in (left, *taken):
                    row.times[other] = row.times.get(other, 0) + factor
                    if not row.times[other]:
                        del row.times[other]
        for weighted in self.weighted:
            _replaced_in(weighted, group, (left, *taken), known)
        for one, number in known.items():
            if number > 0:
                self.rows.append(GroupRow(dict.fromkeys((left, *taken), 1), 1 << one, -number))
                if not domain >> one & 1:
                    self.rows.append(GroupRow(dict.fromkeys((left, *taken), -1), 1 << one, number))

    def _union(self, groups: Iterable[int]) -> int:
        found = 0
        for group in groups:
            found |= self.domains[group]
        return found

    # --- numbers and classes

    def numbers(self, witness: Mapping[int, int]) -> Numbers:
        """How many of each group are of each class, if the tokens are as said; they need not be as they must."""
        found: Numbers = {}
        for group, tokens in enumerate(self.tokens):
            own = found[group] = {}
            for token in tokens:
                one = witness[token]
                own[one] = own.get(one, 0) + 1
        for replaced in self._replaced:
            left = dict(replaced.known)
            for one, number in found[replaced.group].items():
                left[one] = left.get(one, 0) + number
            for group in replaced.taken:
                for one, number in found[group].items():
                    left[one] = left.get(one, 0) - number
            found[replaced.left] = left
        return {group: found[group] for group in self.sizes}

    def classes(self, numbers: Numbers, near: Mapping[int, int]) -> dict[int, int]:
        """A class for each token, so that the groups have such numbers, if they can; as before where that can be."""
        numbers = dict(numbers)
        for replaced in reversed(self._replaced):
            own: dict[int, int] = {one: -number for one, number in replaced.known.items()}
            for group in (replaced.left, *replaced.taken):
                for one, number in numbers[group].items():
                    own[one] = own.get(one, 0) + number
            numbers[replaced.group] = own
        found: dict[int, int] = {}
        for group, tokens in enumerate(self.tokens):
            rest = {one: number for one, number in numbers[group].items() if number}
            moved = []
            for token in tokens:
                one = near[token]
                if rest.get(one):
                    rest[one] -= 1
                    found[token] = one
                else:
                    moved.append(token)
            others = iter([one for one, number in rest.items() for _ in range(number)])
            found.update((token, next(others, near[token])) for token in moved)
        return found


def _narrowed(domains: Mapping[int, int], rows: Iterable[CountedTokens], tokens: Iterable[int]) -> dict[int, int]:
    """The classes of tokens without those of which none can be: so fewer of them differ."""
    found = {token: domains[token] for token in tokens}
    for row in rows:
        if row.const <= 0 and not row.plus:
            if row.const < 0:
                raise Impossible
            for token in row.minus:
                found[token] &= ~row.mask
    if not all(found.values()):
        raise Impossible
    return found


def _counted(total: Sum) -> dict[tuple[tuple[int, int], ...], frozenset[int]]:
    """The tokens that a sum counts in the same way."""
    found: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for token, own in total.weights.items():
        found.setdefault(tuple(sorted((one, weight) for one, weight in own.items() if weight)), []).append(token)
    return {own: frozenset(tokens) for own, tokens in found.items() if own}


def _replaced_in(row: WeightedRow, group: int, by: Sequence[int], known: Mapping[int, int]) -> None:
    own = row.weights.pop(group, None)
    if own is None:
        return
    row.const -= sum(weight * known.get(one, 0) for one, weight in own.items())
    for other in by:
        mine = row.weights.setdefault(other, {})
        for one, weight in own.items():
            mine[one] = mine.get(one, 0) + weight
