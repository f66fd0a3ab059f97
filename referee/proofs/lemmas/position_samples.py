"""Positions seen at a place, as slices: the values of features there, and which lemmas they agree with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.proofs.lemmas.lemma import Clause, Lemma, Side
from referee.proofs.lemmas.lemma_templates import Feature
from referee.smt.abstraction.slices import Sliced


class Samples:
    """Slices of positions, each once. What was worked out of them is kept."""

    def __init__(self, stores: Iterable[Sliced]) -> None:
        self.stores = list(dict.fromkeys(stores))
        self._values: dict[str, list[int | None]] = {}
        self._true: dict[str, list[bool]] = {}

    def add(self, store: Sliced) -> None:
        """One more position."""
        self.stores.append(store)

    def of(self, feature: Feature) -> list[int | None]:
        """The values of a feature at the positions."""
        known = self._values.setdefault(feature.name, [])
        if len(known) < len(self.stores):
            known.extend(self._worked_out(feature, len(known)))
        return known

    def _worked_out(self, feature: Feature, first: int) -> list[int | None]:
        if feature.of is None:
            return [feature.at(store) for store in self.stores[first:]]
        rows = zip(*(self.of(part)[first:] for part in feature.parts), strict=True)
        return [feature.combined(row) for row in rows]

    def outside(self, sides: Sequence[Side]) -> list[int]:
        """The positions of which no side is known to hold."""
        true = [self._truth(side) for side in sides]
        return [i for i in range(len(self.stores)) if not any(one[i] for one in true)]

    def violates(self, one: Lemma) -> bool:
        """Whether a lemma is not known to hold of some position."""
        return bool(self.outside(one.sides))

    def _truth(self, side: Side) -> list[bool]:
        known = self._true.setdefault(side.name, [])
        first = len(known)
        if first == len(self.stores):
            return known
        if side.clause is None:
            known.extend(side.holds(store) is True for store in self.stores[first:])
        else:
            known.extend(self._truth_of(side.clause, first))
        return known

    def _truth_of(self, clause: Clause, first: int) -> list[bool]:
        when = [(one, self.of(one.feature)) for one in clause.when]
        then = clause.then
        last = [] if then is None else self.of(then.feature)
        return [
            not all(one.of(values[i]) for one, values in when) or (then is not None and then.of(last[i]))
            for i in range(first, len(self.stores))
        ]
