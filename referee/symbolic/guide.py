"""Unknowns that have values in one position: Z3 says what a condition is there, and proves in the end that it was."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import z3

from referee.symbolic import term
from referee.symbolic.solver import MOST_MEMORY
from referee.symbolic.term import Cond, Num
from referee.symbolic.undecided import Pieces, Undecided, Unstated

MOST_DECIDED = 200_000
"""Conditions that are decided for one question, at most."""
LONGEST = 1_000_000
"""Seconds for one question, at most."""
LISTED = 2_000
"""A range of so many values is looked at value by value."""


class Known:
    """An unknown with a value, and the equation that says so."""

    __slots__ = ("equation", "unknown", "value")

    def __init__(self, unknown: Any, value: bool | int) -> None:
        self.unknown = unknown
        self.value: Any = z3.BoolVal(value) if isinstance(value, bool) else z3.IntVal(value)
        self.equation: z3.BoolRef = unknown == self.value


class Guide:
    """What unknowns are in one position, and what has been concluded from that.

    `until`: when to give up, in seconds of `time.monotonic`. Methods raise `Undecided`, and `Unstated` where the answer
    hangs on an unknown without a value.
    """

    def __init__(self, until: float) -> None:
        self._until = until
        self._model: Any = z3.Model()
        self._equations: list[z3.BoolRef] = []
        self._decided: list[Cond] = []
        self._known: dict[int, bool] = {}
        self._kept: list[Cond] = []
        self._ranges: dict[int, tuple[int, int, int, Any]] = {}

    # ------------------------------------------------------------------ what is known
    def know(self, known: Known) -> None:
        """Gives an unknown its value."""
        self._model.update_value(known.unknown, known.value)
        self._equations.append(known.equation)

    def leave(self, unknown: Any, entry: int, lo: int, hi: int) -> None:
        """Notes an unknown without a value: one of lo..hi (a condition: of 0..1)."""
        self._ranges[unknown.get_id()] = (entry, lo, hi, unknown)

    # ------------------------------------------------------------------ what follows
    def cond(self, cond: Cond) -> bool:
        """Whether a condition holds here."""
        if cond is True or cond is False:
            return cond is True
        known = self._known.get(cond.get_id())
        if known is not None:
            return known
        found = self._seen(cond)
        if z3.is_true(found) or z3.is_false(found):
            holds: bool = bool(z3.is_true(found))
        else:
            holds = self._open(found)
        self._decided.append(cond if holds else z3.Not(cond))
        self._kept.append(cond)
        self._known[cond.get_id()] = holds
        return holds

    def number(self, number: Num) -> int:
        """What a number is here."""
        if isinstance(number, int):
            return number
        found = self._seen(number)
        if not z3.is_int_value(found):
            entry, lo, hi, _ = self._of(found)
            middle = (lo + hi) // 2
            if lo == hi:
                raise Undecided(f"{found} has no value")
            raise Unstated(entry, ((lo, middle), (middle + 1, hi)))
        value = int(found.as_long())
        self._decided.append(number == value)
        return value

    def leaf(self, leaf: Any) -> Any:
        """What a condition or a number is here."""
        return self.cond(leaf) if term.is_condition(leaf) else self.number(leaf)

    def _seen(self, asked: Any) -> Any:
        if len(self._decided) >= MOST_DECIDED:
            raise Undecided(f"more than {MOST_DECIDED} conditions for one step")
        if len(self._decided) % 256 == 0 and time.monotonic() > self._until:
            raise Undecided("out of time")
        try:
            return self._model.eval(asked)
        except z3.Z3Exception as error:
            raise Undecided(str(error)) from None

    # ------------------------------------------------------------------ what nobody stated
    def _of(self, found: Any) -> tuple[int, int, int, Any]:
        """The first unknown without a value in a term."""
        waiting, seen, best = [found], set(), None
        while waiting:
            one = waiting.pop()
            if one.get_id() in seen:
                continue
            seen.add(one.get_id())
            known = self._ranges.get(one.get_id())
            if known is not None and (best is None or known[0] < best[0]):
                best = known
            waiting.extend(one.children())
        if best is None:
            raise Undecided(f"nothing is known of {found}")
        return best

    def _open(self, found: Any) -> bool:
        """Whether a condition on what nobody stated holds for every value, or for none; else it is to be split."""
        possible = [self._ask([wanted]) for wanted in (found, z3.Not(found))]
        if possible[0] != possible[1]:
            return possible[0]
        entry, lo, hi, unknown = self._of(found)
        raise Unstated(entry, self._runs(found, lo, hi, unknown))

    def _runs(self, found: Any, lo: int, hi: int, unknown: Any) -> Pieces:
        """Where a condition changes along a range, if it hangs on nothing else; else two halves."""
        middle = (lo + hi) // 2
        halves = ((lo, middle), (middle + 1, hi))
        if hi - lo > LISTED or z3.is_bool(unknown):
            return halves
        made: list[tuple[int, int, bool]] = []
        for value in range(lo, hi + 1):
            here = z3.simplify(z3.substitute(found, (unknown, z3.IntVal(value))))
            if not (z3.is_true(here) or z3.is_false(here)):
                return halves
            holds = z3.is_true(here)
            if made and made[-1][2] == holds:
                made[-1] = (made[-1][0], value, holds)
            else:
                made.append((value, value, holds))
        return tuple((first, last) for first, last, _ in made) if len(made) > 1 else halves

    # ------------------------------------------------------------------ what the solver says
    def possible(self, *conds: Cond) -> bool:
        """Whether conditions can hold together with the values of the unknowns; what was decided must stand."""
        if self._ask([*self._equations, *self._decided, *conds]):
            return True
        if not self._ask([*self._equations, *self._decided]):
            raise Undecided("the solver contradicts its own evaluation")
        return False

    def _ask(self, conds: Sequence[Cond]) -> bool:
        z3.set_param("memory_max_size", MOST_MEMORY)
        left = self._until - time.monotonic()
        if left <= 0:
            raise Undecided("out of time")
        solver = z3.SimpleSolver()
        solver.set("timeout", max(1, int(min(left, LONGEST) * 1000)))
        try:
            solver.add(*(cond for cond in conds if cond is not True), *self._within())
            found = solver.check()
        except z3.Z3Exception as error:
            raise Undecided(str(error)) from None
        if found == z3.unknown:
            raise Undecided("out of time" if time.monotonic() > self._until else solver.reason_unknown())
        return bool(found == z3.sat)

    def _within(self) -> list[z3.BoolRef]:
        found = []
        for _, lo, hi, unknown in self._ranges.values():
            if not z3.is_bool(unknown):
                found.append(z3.And(lo <= unknown, unknown <= hi))
            elif lo == hi:
                found.append(unknown == bool(lo))
        return found

    @property
    def size(self) -> tuple[int, int]:
        """How many unknowns have values, and how many conditions were decided."""
        return len(self._equations), len(self._decided)
