"""What of a position matters for a condition: the unknowns it is made of, and which of their values make it true."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any, TypeAlias

import z3

from referee.smt.abstraction.slices import ANEW
from referee.smt.term import Cond, Num
from referee.smt.term_parts import Parts

Model: TypeAlias = Callable[[Any], Any]
"""What terms are."""


class TermUnknowns:
    """The unknowns that terms are made of; each term is taken apart once."""

    def __init__(self) -> None:
        self.parts = Parts()
        self.named = self.parts.named
        self._of: dict[int, tuple[Any, frozenset[int]]] = {}

    def of(self, value: Cond | Num) -> frozenset[int]:
        """The names (`term.name_of`) of the unknowns in a term."""
        if isinstance(value, int):
            return frozenset()
        known = self._of.get(value.get_id())
        if known is None:
            known = value, self.parts.unknowns(self.parts.number(value))
            self._of[value.get_id()] = known
        return known[1]

    def read_anew(self, value: Cond | Num) -> frozenset[str]:
        """The variables and zones that are not kept and that a term is made of."""
        names = (str(self.named[name].decl().name()).partition(ANEW) for name in self.of(value))
        return frozenset(name for name, anew, _ in names if anew)

    def of_all(self, values: Iterable[Cond | Num]) -> frozenset[int]:
        """The names of the unknowns in several terms."""
        return frozenset().union(*map(self.of, values))

    def needed(self, cond: Cond, model: Model, free: Collection[int]) -> frozenset[int]:
        """Unknowns among `free` whose values in a model make a condition true, whatever the others among them are.

        All other unknowns have the values of the model. A small set, not always a smallest.
        """
        if isinstance(cond, bool):
            return frozenset()
        return self.parts.reasons(self.parts.number(cond), cache(lambda name: model(self.named[name])), free)

    def instead(self, model: Model, pairs: Iterable[tuple[Any, Any]]) -> Model:
        """A model with other values for some unknowns."""
        others = {one.get_id(): (one, value) for one, value in pairs
                  if not isinstance(one, bool | int) and isinstance(value, bool | int)}
        made = z3.Model()
        done = set[int]()
        for name, (one, known) in others.items():
            made.update_value(one, _value(one, known))
            done.add(name)

        def value(found: Any) -> Any:
            if isinstance(found, bool | int):
                return found
            if found.get_id() in others:
                return others[found.get_id()][1]
            for name in self.of(found) - done:
                made.update_value(self.named[name], _value(self.named[name], model(self.named[name])))
                done.add(name)
            known = made.eval(found, model_completion=True)
            return z3.is_true(known) if z3.is_bool(known) else known.as_long()

        return value


def _value(one: Any, value: Any) -> Any:
    return z3.BoolVal(value) if z3.is_bool(one) else z3.IntVal(value)
