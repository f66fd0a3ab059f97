"""In which order the nodes of a flow are followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Rule, Run


class Order:
    """In which order nodes are followed: each after all that lead to it within one stretch.

    A stretch ends where a point is passed, or where a loop begins its next round (`back`).
    """

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._rank: dict[int, int] = {}
        self.back: set[tuple[int, int]] = set()
        for index in range(len(flow.nodes)):
            self._visit(index)

    def _visit(self, start: int) -> None:
        stack: list[tuple[int, Iterator[int]]] = []
        if start in self._rank:
            return
        open_ = {start}
        stack.append((start, iter(self._next(start))))
        while stack:
            index, following = stack[-1]
            other = next(following, None)
            if other is None:
                stack.pop()
                open_.discard(index)
                self._rank[index] = len(self._rank)
            elif other in open_:
                self.back.add((index, other))
            elif other not in self._rank:
                open_.add(other)
                stack.append((other, iter(self._next(other))))

    def _next(self, index: int) -> tuple[int, ...]:
        node = self._flow.nodes[index]
        match node:
            case Run():
                return (node.next,)
            case Fork():
                return (node.yes, node.no)
            case Ask() | Gather() | Draw() | Rule():
                return ()
            case _:
                assert_never(node)

    def place(self, here: tuple[int, int]) -> tuple[int, int]:
        """Earlier stretches first; in one, what leads to others before them."""
        return here[0], -self._rank[here[1]]
