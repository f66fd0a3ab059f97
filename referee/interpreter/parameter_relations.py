"""Relations between parameters: whether values can still be found that keep to all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.core.stmt import Guard
from referee.game.state import Layout, narrowed
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.interruptions import Fault, Unsettled

MOST_TRIED = 2_000
"""Combinations of ranges looked at, at most; past it, values are taken to exist."""

Pieces = Sequence[tuple[int, int]]


class Relations:
    """The relations of one ruleset. Entries are those of a position; open ones hold ranges."""

    def __init__(self, guards: tuple[Guard, ...], layout: Layout, code: ExpressionClosures) -> None:
        self._layout = layout
        self._tests = [(guard, code.expr(guard.cond)) for guard in guards]

    def broken(self, slots: Slots) -> Guard | None:
        """A relation that cannot hold, whatever the open values are; None if all can."""
        return self._search(slots, list)[1] if self._tests else None

    def fitting(self, slots: Slots, order: Callable[[Pieces], Pieces]) -> Slots | None:
        """The entries narrowed until every relation holds, None if that was not found.

        `order`: in which order the pieces of an open value are tried.
        """
        return self._search(slots, order)[0] if self._tests else slots

    def _search(self, slots: Slots, order: Callable[[Pieces], Pieces]) -> tuple[Slots | None, Guard | None]:
        waiting, failed = [slots], None
        for _ in range(MOST_TRIED):
            if not waiting:
                return None, failed
            here = waiting.pop()
            found = self._test(here)
            if found is None:
                return here, None
            if isinstance(found, Guard):
                failed = found
            else:
                waiting.extend(self._pieces(here, found, order))
        return None, None

    def _test(self, slots: Slots) -> Guard | Unsettled | None:
        """The first relation that does not hold, or the open value on which the first hangs."""
        for guard, test in self._tests:
            try:
                if not test(slots, {}):
                    return guard
            except Unsettled as open_:
                return open_
            except Fault:
                return guard
        return None

    def _pieces(self, slots: Slots, open_: Unsettled, order: Callable[[Pieces], Pieces]) -> list[Any]:
        """The entries with the open value in each of its pieces, the one to try first last."""
        index = self._layout.vars[open_.var].find(open_.key)
        kind = self._layout.defs[open_.var].type
        return [[*slots[:index], narrowed(kind, piece), *slots[index + 1:]] for piece in reversed(order(open_.pieces))]
