"""Small changes of a flow that mend conditions that are no bounds: another class, or two groups exchange theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from referee.judge.partial.constraints.alike_tokens import WeightedRow
from referee.judge.partial.constraints.bounded_flow import Circulation
from referee.system.deadline import Deadline

Cell = tuple[int, int]
"""A group and a class."""
Change = tuple[tuple[Cell, int], ...]
"""Of how many more (or fewer) there are in each cell."""
MOST_EXCHANGES = 60
"""Changes one after the other, at most."""
SHAKEN = 30
"""So many changes by lot are tried where none is for the better."""


class Exchanges:
    """`cells`: the arcs that say how many of a group are of a class; `paths`: all arcs that grow with it."""

    def __init__(self, flow: Circulation, cells: Mapping[Cell, int], paths: Mapping[Cell, Sequence[int]],
                 rows: Sequence[WeightedRow], deadline: Deadline) -> None:
        self._flow = flow
        self._cells = cells
        self._paths = paths
        self._rows = rows
        self._deadline = deadline
        self._lots = Random(0)
        self._classes: dict[int, list[int]] = {}
        for group, one in cells:
            self._classes.setdefault(group, []).append(one)
        self._weights = {(group, one): tuple(row.weights.get(group, {}).get(one, 0) for row in rows)
                         for group, one in cells}

    def mend(self, values: Sequence[int]) -> bool:
        """Whether all conditions hold after some changes; `values`: what they are before. Raises `OutOfTime`."""
        for _ in range(MOST_EXCHANGES):
            self._deadline.check()
            if all(value >= 0 for value in values):
                return True
            found = self._best(values)
            if found is not None:
                values = self._changed(found, values)
                continue
            changes = list(self._changes())
            if not changes:
                return False
            for _ in range(SHAKEN):
                change = self._lots.choice(changes)
                if self._within(change):
                    values = self._changed(change, values)
        return False

    def _changed(self, change: Change, values: Sequence[int]) -> Sequence[int]:
        """What the conditions are after a change."""
        for cell, number in change:
            for arc in self._paths[cell]:
                self._flow.flow[arc] += number
            values = [value + number * weight for value, weight in zip(values, self._weights[cell], strict=True)]
        return values

    def _best(self, values: Sequence[int]) -> Change | None:
        """The change within all bounds after which least is missing, if that is less than before."""
        best, least = None, _missing(values)
        for change in self._changes():
            after = list(values)
            for cell, number in change:
                for index, weight in enumerate(self._weights[cell]):
                    after[index] += number * weight
            missing = _missing(after)
            if missing < least and self._within(change):
                best, least = change, missing
        return best

    def _changes(self) -> Iterator[Change]:
        taken = [cell for cell, arc in self._cells.items() if self._flow.flow[arc] > 0]
        for at, (group, one) in enumerate(taken):
            for other in self._classes[group]:
                if other != one:
                    yield ((group, one), -1), ((group, other), 1)
            for there, other in taken[at + 1:]:
                if there != group and other != one and (group, other) in self._cells and (there, one) in self._cells:
                    yield ((group, one), -1), ((group, other), 1), ((there, other), -1), ((there, one), 1)

    def _within(self, change: Change) -> bool:
        arcs: dict[int, int] = {}
        for cell, number in change:
            for arc in self._paths[cell]:
                arcs[arc] = arcs.get(arc, 0) + number
        return all(self._flow.bears(arc, number) for arc, number in arcs.items() if number)


def _missing(values: Sequence[int]) -> int:
    return -sum(value for value in values if value < 0)
