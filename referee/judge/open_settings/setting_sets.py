"""Sets of settings: what is common to all as one box, the rest as a decision diagram that shares its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from referee.judge.open_settings.decision_diagrams import (
    ALL,
    NONE,
    DiagramNode,
    TooManyNodes,
    both,
    either,
    less,
    made,
    number_of_paths,
    passes_by,
    paths,
    reach,
    size,
    without,
)
from referee.judge.open_settings.value_ranges import Box, Place, Ranges, Stretch, met
from referee.system.lazy_dataclasses import dataclass

__all__ = ["Choices", "TooManyNodes"]


@dataclass(frozen=True, slots=True)
class Choices:
    """The settings that are both in `box` and in the diagram `node`. `ranges`: of every entry that may be settled.

    Every operation that makes a new set raises `TooManyNodes` if it is too much to keep.
    """

    ranges: Ranges = field(compare=False)
    node: DiagramNode = ALL
    box: Box = ()

    @classmethod
    def of(cls, boxes: Iterable[Box], ranges: Ranges) -> Choices:
        """The settings in any of several boxes."""
        return united([cls(ranges, ALL, box) for box in boxes])

    def __bool__(self) -> bool:
        return self.node is not NONE

    @property
    def everything(self) -> bool:
        """Whether every setting is one of these."""
        return self.node is ALL and not self.box

    @property
    def places(self) -> set[Place]:
        """The entries of which something is settled."""
        return {one.place for one in self.box} | {node.place for node in reach(self.node)}

    def spread(self) -> Choices:
        """Every combination of the values that single entries have in any of the settings."""
        found = Choices(self.ranges, box=self.box)
        for place in sorted({node.place for node in reach(self.node)}):
            found = found.both(Choices.of([(Stretch(place, lo, hi),) for lo, hi in self.values(place)], self.ranges))
        return found

    def within(self, place: Place, lo: int, hi: int) -> Choices:
        """Those with the value of one entry between two."""
        return self.both(Choices(self.ranges, ALL, (Stretch(place, lo, hi),)))

    def both(self, other: Choices) -> Choices:
        """The settings in both sets."""
        box = met(self.box, other.box)
        return self._with(other, NONE if box is None else both(self.node, other.node), box or ())

    def either(self, other: Choices) -> Choices:
        """The settings in one of the sets."""
        if not self or not other:
            return self or other
        box, one, two = self._aligned(other)
        return self._with(other, either(one, two), box)

    def less(self, other: Choices) -> Choices:
        """Without the settings of another set."""
        if not self or not other:
            return self
        box, one, two = self._aligned(other)
        return self._with(other, less(one, two), box)

    def among(self, places: Iterable[Place]) -> Choices:
        """As far as some entries are concerned: of the others nothing is settled."""
        kept = set(places)
        box = tuple(one for one in self.box if one.place in kept)
        return Choices(self.ranges, without(self.node, self.places - kept), box if self else ())

    def values(self, place: Place) -> list[tuple[int, int]]:
        """The values of one entry in any of the settings, as stretches."""
        if not self:
            return []
        own = {one.place: (one.lo, one.hi) for one in self.box}
        whole = own.get(place, self.ranges[place])
        found = [(lo, hi) for node in reach(self.node) if node.place == place for lo, hi, _ in node.edges]
        return [whole] if not found or passes_by(self.node, place) else touching(found)

    def settled(self) -> dict[Place, list[tuple[int, int]]]:
        """The values of each entry of which something is settled, as stretches."""
        found = {one.place: [(one.lo, one.hi)] for one in self.box} if self else {}
        return found | {place: self.values(place) for place in {node.place for node in reach(self.node)}}

    def boxes(self) -> Iterator[Box]:
        """The settings as boxes that have none in common; there may be very many."""
        for path in paths(self.node):
            found = met(self.box, path)
            if found is not None:
                yield found

    @property
    def number_of_boxes(self) -> int:
        """How many boxes there are, at the most."""
        return number_of_paths(self.node)

    def number(self, places: Iterable[Place]) -> int:
        """How many settings these are, as far as some entries are concerned, which have to be all that are settled."""
        own = {one.place: (one.lo, one.hi) for one in self.box}
        ranges = {place: own.get(place) or self.ranges[place] for place in sorted({*places, *own})}
        return size(self.node, ranges)

    def _node(self, box: Box) -> DiagramNode:
        node = ALL
        for one in reversed(box):
            node = made(one.place, self.ranges.get(one.place, (one.lo, one.hi)), [(one.lo, one.hi, node)])
        return node

    def _aligned(self, other: Choices) -> tuple[Box, DiagramNode, DiagramNode]:
        """What both boxes say, and each of the two with the rest of its box in its diagram."""
        common = set(self.box) & set(other.box)
        one, two = (both(each.node, each._node(tuple(part for part in each.box if part not in common)))
                    for each in (self, other))
        return tuple(sorted(common)), one, two

    def _with(self, other: Choices, node: DiagramNode, box: Box) -> Choices:
        ranges = self.ranges if other.ranges is self.ranges else {**other.ranges, **self.ranges}
        if box and node is not NONE and node is not ALL:
            spoken = {here.place for here in reach(node)}
            node = both(node, self._node(tuple(one for one in box if one.place in spoken)))
        return Choices(ranges, node, box if node is not NONE else ())


def united(sets: Sequence[Choices]) -> Choices:
    """The settings in any of several sets. Raises `TooManyNodes`."""
    found = [one for one in dict.fromkeys(sets) if one] or [NOTHING]
    while len(found) > 1:  # two and two: what is small is joined first
        found = [found[at].either(found[at + 1]) if at + 1 < len(found) else found[at]
                 for at in range(0, len(found), 2)]
    return found[0]


def touching(pieces: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same numbers in as few stretches as can be, in order."""
    found: list[tuple[int, int]] = []
    for lo, hi in sorted(pieces):
        if found and lo <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], hi))
        else:
            found.append((lo, hi))
    return found


def beyond(pieces: Iterable[tuple[int, int]], known: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The numbers of some stretches that are in none of the others, as stretches."""
    left = list(pieces)
    for lo, hi in known:
        left = [part for a, b in left for part in ((a, min(b, lo - 1)), (max(a, hi + 1), b)) if part[0] <= part[1]]
    return left


NOTHING = Choices({}, NONE)
"""No setting."""
