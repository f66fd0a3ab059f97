"""Groups of tokens of which weighted conditions count the same, as one: what cannot be with these cannot be at all."""

from __future__ import annotations

from collections.abc import Mapping

from referee.judge.partial.constraints.alike_tokens import AlikeTokens, GroupRow, Numbers, WeightedRow


class CoarseGroups:
    """What bounds say of groups that were made one: of the least what holds of more, of the most what holds of fewer.

    A group that stands for several has the number of one of them.
    """

    def __init__(self, alike: AlikeTokens) -> None:
        self._alike = alike
        self._one: dict[int, int] = {}
        same: dict[object, int] = {}
        self._parts: dict[int, set[int]] = {}
        for group in alike.sizes:
            counted = tuple(tuple(sorted(row.weights.get(group, {}).items())) for row in alike.weighted)
            first = self._one[group] = same.setdefault(counted, group)
            self._parts.setdefault(first, set()).add(group)
        self.sizes = {first: sum(alike.sizes[group] for group in parts) for first, parts in self._parts.items()}
        self.domains: dict[int, int] = {}
        for group, first in self._one.items():
            self.domains[first] = self.domains.get(first, 0) | alike.domains[group]
        self.rows = [found for row in alike.rows for found in self._row(row)]
        self.weighted = [WeightedRow({group: own for group, own in row.weights.items() if group in self._parts},
                                     row.const) for row in alike.weighted]

    def _row(self, row: GroupRow) -> list[GroupRow]:
        live = {group for group in row.times if self._alike.domains[group] & row.mask}
        if all(row.times[group] == 1 for group in live):
            return [GroupRow(dict.fromkeys((self._one[group] for group in live), 1), row.mask, row.const)]
        if all(row.times[group] == -1 for group in live):
            whole = [first for first, parts in self._parts.items()
                     if all(group in live or not self._alike.domains[group] & row.mask for group in parts)]
            return [GroupRow(dict.fromkeys(whole, -1), row.mask, row.const)]
        return []

    def numbers(self, witness: Mapping[int, int]) -> Numbers:
        """How many of each group are of each class, if the tokens are as said."""
        found: Numbers = {first: {} for first in self._parts}
        for group, own in self._alike.numbers(witness).items():
            mine = found[self._one[group]]
            for one, number in own.items():
                mine[one] = mine.get(one, 0) + number
        return found

    def classes(self, numbers: Numbers, near: Mapping[int, int]) -> dict[int, int]:
        """Classes of tokens with such numbers are not sought: those nearby."""
        assert set(numbers) == set(self._parts)
        return dict(near)
