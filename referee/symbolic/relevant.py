"""What of a position matters for a condition: the unknowns it is made of, and which of their values make it true."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import z3

from referee.symbolic.slices import ANEW
from referee.symbolic.term import Cond, Num

Model: TypeAlias = Callable[[Any], Any]
"""What terms are."""
MOST = 24
"""Of more unknowns it is not asked of each whether it could be left out."""
QUICK = 2_000
"""Milliseconds for a question of which all but some values are known."""


class Unknowns:
    """The unknowns that terms are made of, each term looked at once."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[Any, frozenset[int]]] = {}
        self.named: dict[int, Any] = {}

    def of(self, value: Cond | Num) -> frozenset[int]:
        """The names (`term.name_of`) of the unknowns in a term."""
        if isinstance(value, int):
            return frozenset()
        known = self._of.get(value.get_id())
        if known is None:
            known = value, frozenset(self._found(value))
            self._of[value.get_id()] = known
        return known[1]

    def read_anew(self, value: Cond | Num) -> frozenset[str]:
        """The variables and zones that are not kept and that a term is made of."""
        names = (str(self.named[name].decl().name()).partition(ANEW) for name in self.of(value))
        return frozenset(name for name, anew, _ in names if anew)

    def of_all(self, values: Iterable[Cond | Num]) -> frozenset[int]:
        """The names of the unknowns in several terms."""
        return frozenset().union(*map(self.of, values))

    def _found(self, value: Any) -> Iterator[int]:
        seen, waiting = set[int](), [value]
        while waiting:
            one = waiting.pop()
            name = one.get_id()
            if name in seen:
                continue
            seen.add(name)
            inner = one.num_args()
            if inner:
                waiting.extend(one.arg(i) for i in range(inner))
            elif one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                self.named[name] = one
                yield name

    def needed(self, cond: Cond, model: Model, free: Collection[int]) -> frozenset[int] | None:
        """Unknowns among `free` whose values in a model make a condition true, whatever the others among them are.

        All other unknowns have the values of the model. A small set, not always a smallest; None if none is found.
        """
        if isinstance(cond, bool):
            return frozenset()
        inside = self.of(cond)
        fixed = [self.named[name] for name in inside if name not in free]
        known = z3.substitute(cond, *((one, _value(one, model(one))) for one in fixed))
        solver = z3.Solver()
        solver.set("timeout", QUICK)
        solver.add(z3.Not(known))
        flags: dict[int, Any] = {}
        for name in sorted(inside):
            if name in free:
                one = self.named[name]
                flags[name] = z3.Bool(f"holds {name}")
                solver.add(z3.Implies(flags[name], one == _value(one, model(one))))
        kept = _core(solver, flags)
        if kept is None or len(kept) > MOST:
            return None if kept is None else frozenset(kept)
        for name in list(kept):
            fewer = _core(solver, {n: c for n, c in kept.items() if n != name}) if name in kept else None
            kept = kept if fewer is None else fewer
        return frozenset(kept)

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


def _core(solver: Any, flags: Mapping[int, Any]) -> dict[int, Any] | None:
    """Which flags cannot all be true; None if they can."""
    if solver.check(*flags.values()) != z3.unsat:
        return None
    core = {str(one) for one in solver.unsat_core()}
    return {n: c for n, c in flags.items() if f"holds {n}" in core}


def _value(one: Any, value: Any) -> Any:
    return z3.BoolVal(value) if z3.is_bool(one) else z3.IntVal(value)
