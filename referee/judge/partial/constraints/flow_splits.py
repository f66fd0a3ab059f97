"""The cases of a flow with conditions that are no bounds: where a component of some class lies, most telling first.

Where flows and weights leave open whether all conditions can hold, each case is looked at by itself. (Land and Doig,
"An automatic method of solving discrete programming problems", 1960.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from referee.judge.partial.constraints.alike_tokens import WeightedRow
from referee.judge.partial.constraints.bounded_flow import Circulation

Cell = tuple[int, int]
"""A group and a class."""
Limits = tuple[tuple[int, int, int], ...]
"""Arcs, each with the least and the most that may flow there."""


class Splits:
    """`cells`: the arcs that say how many of a group are of a class.

    `single`: the classes of which there is one component at most, each with what bounds say of it and where. Those of
    which the same is said may change places: they are placed in the order of the places.
    """

    def __init__(self, flow: Circulation, cells: Mapping[Cell, int], rows: Sequence[WeightedRow],
                 single: Mapping[int, Hashable]) -> None:
        self._flow = flow
        self._cells = cells
        self._weights = {(group, one): tuple(row.weights.get(group, {}).get(one, 0) for row in rows)
                         for group, one in cells}
        self._classes: dict[int, list[int]] = {}
        for group, one in cells:
            if one in single:
                self._classes.setdefault(one, []).append(group)
        self._before: dict[int, int] = {}
        last: dict[Hashable, int] = {}
        for one, groups in self._classes.items():
            said = single[one], frozenset((group, self._weights[group, one]) for group in groups)
            if said in last:
                self._before[one] = last[said]
            last[said] = one
        self._several = [cell for cell in cells if cell[1] not in single and any(self._weights[cell])]

    def cases(self) -> Iterator[Limits]:
        """What leaves fewer flows, case by case: each flow is within one of them. None if nothing tells flows apart."""
        found = max(self._classes, key=self._spread, default=None)
        if found is not None and self._spread(found) > 0:
            yield from self._placed(found)
            return
        wide = max(self._several, key=self._room, default=None)
        if wide is not None and self._room(wide) > 0:
            arc = self._cells[wide]
            now, (least, most) = self._flow.flow[arc], self._flow.limits(arc)
            yield ((arc, now, now),)
            if least < now:
                yield ((arc, least, now - 1),)
            if now < most:
                yield ((arc, now + 1, most),)

    def _live(self, one: int) -> list[int]:
        return [group for group in self._classes[one] if self._flow.limits(self._cells[group, one])[1] > 0]

    def _spread(self, one: int) -> int:
        """How far it is from place to place what a class counts."""
        weights = [self._weights[group, one] for group in self._live(one)]
        return sum(max(own) - min(own) for own in zip(*weights, strict=True))

    def _placed(self, one: int) -> Iterator[Limits]:
        """The only component of a class is where it counts the same; first where it is now."""
        places: dict[tuple[int, ...], list[int]] = {}
        for group in self._live(one):
            places.setdefault(self._weights[group, one], []).append(group)
        now = {place: sum(self._flow.flow[self._cells[group, one]] for group in groups)
               for place, groups in places.items()}
        before = self._before.get(one)
        first = min(places) if before is None else min(self._weights[group, before] for group in self._live(before))
        for place in sorted((place for place in places if place >= first), key=lambda each: -now[each]):
            yield tuple((self._cells[group, one], 0, 0) for other, groups in places.items() if other != place
                        for group in groups)

    def _room(self, cell: Cell) -> int:
        least, most = self._flow.limits(self._cells[cell])
        return (most > least) * max(map(abs, self._weights[cell]))
