"""Decision diagrams over the entries of settings: equal parts are one node, so that sets of settings stay small."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from referee.judge.open_settings.value_ranges import Box, Place, Stretch

MOST_NODES = 50_000
"""Nodes of one diagram, at most."""
MOST_DEEP = 400
"""Entries on one way through a diagram, at most."""


class TooManyNodes(Exception):
    """A set of settings is too much to keep."""


class DiagramNode:
    """The settings that have at `place` a value of one of the edges (lo, hi, node) and are in the set of its node.

    Edges are in order, do not touch where their nodes are the same, and none leads to `NONE`; there is one node for
    each set. `deep`: the entries on the longest way from here.
    """

    __slots__ = ("__weakref__", "deep", "edges", "place", "whole")

    def __init__(self, place: Place, whole: tuple[int, int], edges: tuple[Edge, ...]) -> None:
        self.place = place
        self.whole = whole
        self.edges = edges
        self.deep: int = 1 + max((child.deep for _, _, child in edges), default=-1)


Edge = tuple[int, int, DiagramNode]
ALL, NONE = DiagramNode(("", ()), (0, 0), ()), DiagramNode(("", ()), (0, 0), ())
"""Every setting, and no setting."""
_LEAVES = (ALL, NONE)
_KNOWN: WeakValueDictionary[object, DiagramNode] = WeakValueDictionary()


def made(place: Place, whole: tuple[int, int], edges: Sequence[Edge]) -> DiagramNode:
    """The node with some edges, in order. `whole`: the range of the entry. Raises `TooManyNodes`."""
    found: list[Edge] = []
    for lo, hi, node in edges:
        if node is NONE:
            continue
        if found and found[-1][2] is node and found[-1][1] == lo - 1:
            found[-1] = (found[-1][0], hi, node)
        else:
            found.append((lo, hi, node))
    if not found:
        return NONE
    if len(found) == 1 and found[0][:2] == whole:
        return found[0][2]
    key = place, whole, tuple((lo, hi, id(node)) for lo, hi, node in found)
    known = _KNOWN.get(key)
    if known is None:
        known = _KNOWN[key] = DiagramNode(place, whole, tuple(found))
        if known.deep > MOST_DEEP:
            raise TooManyNodes
    return known


def both(one: DiagramNode, other: DiagramNode) -> DiagramNode:
    """The settings in both sets. Raises `TooManyNodes`."""
    def leaf(a: DiagramNode, b: DiagramNode) -> DiagramNode | None:
        if a is NONE or b is NONE:
            return NONE
        return b if a is ALL or a is b else a if b is ALL else None

    return _joined(one, other, leaf, {})


def either(one: DiagramNode, other: DiagramNode) -> DiagramNode:
    """The settings in one of the sets. Raises `TooManyNodes`."""
    def leaf(a: DiagramNode, b: DiagramNode) -> DiagramNode | None:
        if a is ALL or b is ALL:
            return ALL
        return b if a is NONE or a is b else a if b is NONE else None

    return _joined(one, other, leaf, {})


def less(one: DiagramNode, other: DiagramNode) -> DiagramNode:
    """The settings in the first set that are not in the other. Raises `TooManyNodes`."""
    def leaf(a: DiagramNode, b: DiagramNode) -> DiagramNode | None:
        if a is NONE or b is ALL or a is b:
            return NONE
        return a if b is NONE else None

    return _joined(one, other, leaf, {})


def _joined(one: DiagramNode, other: DiagramNode, leaf: Callable[[DiagramNode, DiagramNode], DiagramNode | None],
            known: dict[tuple[int, int], Any]) -> DiagramNode:
    found = leaf(one, other)
    if found is not None:
        return found
    key = id(one), id(other)
    if key in known:
        node: DiagramNode = known[key][0]
        return node
    if len(known) >= MOST_NODES:
        raise TooManyNodes
    first = min((node for node in (one, other) if node not in _LEAVES), key=lambda node: node.place)
    place, whole = first.place, first.whole
    edges = [(lo, hi, _joined(a, b, leaf, known)) for lo, hi, a, b in _side_by_side(one, other, place, whole)]
    node = made(place, whole, edges)
    known[key] = node, one, other  # kept, so that no other node is known by the same number
    return node


def _side_by_side(one: DiagramNode, other: DiagramNode, place: Place,
                  whole: tuple[int, int]) -> Iterator[tuple[int, int, DiagramNode, DiagramNode]]:
    """The stretches of an entry with where both diagrams lead from there."""
    here, there = list(_edges(one, place, whole)), list(_edges(other, place, whole))
    cuts = sorted({lo for lo, _, _ in (*here, *there)})
    ends = [*(cut - 1 for cut in cuts[1:]), max(hi for _, hi, _ in (*here, *there))]
    a = b = 0
    for lo, hi in zip(cuts, ends, strict=True):
        while here[a][1] < lo and a + 1 < len(here):
            a += 1
        while there[b][1] < lo and b + 1 < len(there):
            b += 1
        yield lo, hi, here[a][2], there[b][2]


def _edges(node: DiagramNode, place: Place, whole: tuple[int, int]) -> Iterator[Edge]:
    """The edges of a node, with those to `NONE`."""
    if node in _LEAVES or node.place != place:
        yield (*whole, node)
        return
    at = whole[0]
    for lo, hi, child in node.edges:
        if at < lo:
            yield at, lo - 1, NONE
        yield lo, hi, child
        at = hi + 1
    if at <= whole[1]:
        yield at, whole[1], NONE


def reach(node: DiagramNode) -> Iterator[DiagramNode]:
    """Every node of a diagram but its ends, once."""
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here in _LEAVES or id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        waiting.extend(child for _, _, child in here.edges)


def passes_by(node: DiagramNode, place: Place) -> bool:
    """Whether some way through a diagram says nothing of an entry."""
    return any(here is ALL or here.place > place for here in _after(node, place))


def _after(node: DiagramNode, place: Place) -> Iterator[DiagramNode]:
    """Where the ways through a diagram come to that have not met an entry."""
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        if here not in _LEAVES and here.place < place:
            waiting.extend(child for _, _, child in here.edges)


def without(node: DiagramNode, gone: set[Place]) -> DiagramNode:
    """As if nothing were said of some entries: the settings that are in the set for some of their values."""
    known: dict[int, DiagramNode] = {}

    def of(here: DiagramNode) -> DiagramNode:
        if here in _LEAVES:
            return here
        if id(here) not in known:
            children = [(lo, hi, of(child)) for lo, hi, child in here.edges]
            if here.place in gone:
                found = NONE
                for _, _, child in children:
                    found = either(found, child)
            else:
                found = made(here.place, here.whole, children)
            known[id(here)] = found
        return known[id(here)]

    return of(node) if gone else node


def paths(node: DiagramNode) -> Iterator[Box]:
    """The ways through a diagram: boxes that have no setting in common. There may be very many."""
    waiting: list[tuple[DiagramNode, Box]] = [(node, ())]
    while waiting:
        here, box = waiting.pop()
        if here is ALL:
            yield box
        elif here is not NONE:
            waiting.extend((child, (*box, Stretch(here.place, lo, hi))) for lo, hi, child in reversed(here.edges))


def number_of_paths(node: DiagramNode) -> int:
    """How many ways there are through a diagram."""
    known: dict[int, int] = {id(ALL): 1, id(NONE): 0}

    def of(here: DiagramNode) -> int:
        if id(here) not in known:
            known[id(here)] = sum(of(child) for _, _, child in here.edges)
        return known[id(here)]

    return of(node)


def size(node: DiagramNode, ranges: Mapping[Place, tuple[int, int]]) -> int:
    """How many settings a set has, of entries with these ranges, in order; they have to be all that it speaks of."""
    places = list(ranges)
    index = {place: at for at, place in enumerate(places)}
    after = [1] * (len(places) + 1)
    for at in reversed(range(len(places))):
        lo, hi = ranges[places[at]]
        after[at] = after[at + 1] * (hi - lo + 1)
    known: dict[int, int] = {}

    def level(here: DiagramNode) -> int:
        return len(places) if here in _LEAVES else index[here.place]

    def of(here: DiagramNode) -> int:
        """The settings of the entries from that of a node on."""
        if here in _LEAVES:
            return int(here is ALL)
        if id(here) not in known:
            at = index[here.place] + 1
            known[id(here)] = sum((hi - lo + 1) * of(child) * (after[at] // after[level(child)])
                                  for lo, hi, child in here.edges)
        return known[id(here)]

    return of(node) * (after[0] // after[level(node)])
