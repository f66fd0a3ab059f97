"""Conditions of a position that is behind unknowns: what the rules say must hold, limits, that nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.core.expr import Expr
from referee.core.ruleset import Core
from referee.game.state import Layout
from referee.smt import term
from referee.smt.concolic.guided_execution import guided
from referee.smt.concolic.unknown_positions import UnknownStore
from referee.smt.encoding import content
from referee.smt.encoding.content import Pile
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.term import Cond, Num
from referee.smt.value import Counts

Test = Callable[[UnknownStore], Cond]
"""A condition of a position."""


def holds(cond: Expr) -> Test:
    """A condition of the rules; in error it does not hold."""

    def asked(store: UnknownStore) -> Cond:
        context = guided(store)
        found = Evaluator(context).condition(cond)
        return term.both(found, not context.failures)

    return asked


def within(zone: str, key: tuple[int, ...]) -> Test:
    """That no more lies in a zone instance than its limit allows."""

    def asked(store: UnknownStore) -> Cond:
        found = store.layout.core.zones[zone]
        there, _ = store.zone(found, key)
        assert found.limit is not None
        return term.at_most(content.amount(there), Evaluator(guided(store)).number(found.limit))

    return asked


class KindPlaces:
    """Where components of a kind may lie. For positions of one layout, behind the same `Unknowns`."""

    def __init__(self, core: Core, layout: Layout, kind: str) -> None:
        self.numbers = {c: one.number for c, one in enumerate(core.components) if one.kind == kind}
        spreads = [layout.zones[zone.name] for zone in core.zones.values() if kind in zone.kinds]
        self.entries = [index for one in spreads for index in one.entries]
        self._terms: dict[tuple[int, int], Counts] = {}

    def held(self, store: UnknownStore, index: int) -> list[tuple[int, Num]]:
        """How many of each class lie in an entry. It is always behind the same unknowns, so this is put into terms once
        for each number of blocks."""
        there: Any = store.entries[index]
        key = index, len(there.blocks) if isinstance(there, Pile) else 0
        if key not in self._terms:
            self._terms[key] = content.held(there, min(self.numbers), max(self.numbers))
        return [(c, number) for c, number in self._terms[key].members() if c in self.numbers]
