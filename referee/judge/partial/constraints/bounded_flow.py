"""A circulation with bounds on each arc: found from a near one by pushing what is missing around, or proved not to be.

By Hoffman's theorem ("Some recent applications of the theory of linear inequalities", 1960) there is one unless the
bounds of some cut contradict each other: then nothing can be pushed over it any more. Whole bounds give whole flows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

MANY = 1 << 40
"""More than anything is bounded by."""


class _Arc(NamedTuple):
    tail: int
    head: int
    least: int
    most: int


_Priced = tuple[int, int, int, int, int, int]


class Circulation:
    """Arcs between nodes, with a flow on each that comes to nothing at every node. The flow may leave bounds."""

    def __init__(self) -> None:
        self.flow: list[int] = []
        self._arcs: list[_Arc] = []
        self._around: list[list[tuple[int, int, bool]]] = []

    def node(self) -> int:
        """A new node."""
        self._around.append([])
        return len(self._around) - 1

    def arc(self, tail: int, head: int, least: int, most: int) -> int:
        """A new arc without flow."""
        number = len(self._arcs)
        self._arcs.append(_Arc(tail, head, least, most))
        self._around[tail].append((number, head, True))
        self._around[head].append((number, tail, False))
        self.flow.append(0)
        return number

    def limits(self, number: int) -> tuple[int, int]:
        """The least and the most that may flow on an arc."""
        return self._arcs[number].least, self._arcs[number].most

    def limit(self, number: int, least: int, most: int) -> None:
        """Other bounds for an arc; the flow may be beyond them until `feasible` is asked."""
        self._arcs[number] = self._arcs[number]._replace(least=least, most=most)

    def feasible(self) -> bool:
        """Whether there is a flow within all bounds; then `flow` is one."""
        for number, arc in enumerate(self._arcs):
            while self.flow[number] < arc.least:
                if not self._push(arc.head, arc.tail, arc.least - self.flow[number], number, 1):
                    return False
            while self.flow[number] > arc.most:
                if not self._push(arc.tail, arc.head, self.flow[number] - arc.most, number, -1):
                    return False
        return True

    def _room(self, number: int, forward: bool) -> int:
        arc, flow = self._arcs[number], self.flow[number]
        return arc.most - flow if forward else flow - arc.least

    def _push(self, start: int, end: int, wanted: int, along: int, sign: int) -> bool:
        """Sends up to so much from one node to another and over an arc; false if nothing can be sent."""
        way: dict[int, tuple[int, bool, int] | None] = {start: None}
        waiting, arcs, flow = [start], self._arcs, self.flow
        for node in waiting:
            for number, other, forward in self._around[node]:
                if other in way or number == along:
                    continue
                if flow[number] < arcs[number].most if forward else flow[number] > arcs[number].least:
                    way[other] = number, forward, node
                    waiting.append(other)
            if end in way:
                break
        else:
            return False
        steps, here = [], way[end]
        while here is not None:
            steps.append(here)
            here = way[here[2]]
        amount = min(wanted, *(self._room(number, forward) for number, forward, _ in steps))
        for number, forward, _ in steps:
            flow[number] += amount if forward else -amount
        flow[along] += sign * amount
        return True

    def priced(self, worth: Mapping[int, int]) -> list[_Priced]:
        """The arcs with their bounds and what each is worth: as long as no bound changes."""
        return [(number, *arc, worth.get(number, 0)) for number, arc in enumerate(self._arcs)]

    def improve(self, arcs: Sequence[_Priced]) -> bool:
        """Changes a flow within its bounds so that it is worth more; false if it is the most. `arcs`: `priced`."""
        gain, flow = [0] * len(self._around), self.flow
        way: dict[int, tuple[int, bool, int]] = {}
        last = None
        while last is None:
            news = False
            for number, tail, head, least, most, own in arcs:  # written out: nothing is done more often
                if gain[tail] + own > gain[head]:
                    if flow[number] < most:
                        gain[head] = gain[tail] + own
                        way[head], news = (number, True, tail), True
                elif gain[head] - own > gain[tail] and flow[number] > least:
                    gain[tail] = gain[head] - own
                    way[tail], news = (number, False, head), True
            if not news:
                return False
            last = _on_circle(way)
        steps, here = [], last
        while True:
            steps.append(way[here])
            here = way[here][2]
            if here == last:
                break
        amount = min(self._room(number, forward) for number, forward, _ in steps)
        for number, forward, _ in steps:
            flow[number] += amount if forward else -amount
        return True


def _on_circle(way: Mapping[int, tuple[int, bool, int]]) -> int | None:
    """A node that one comes back to by going back; None if there is none. Then no gain is there for nothing."""
    known: dict[int, int] = {}
    for start in way:
        here = start
        while here in way and here not in known:
            known[here] = start
            here = way[here][2]
        if known.get(here) == start and here in way:
            return here
    return None
