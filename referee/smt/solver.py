"""Z3 behind a narrow door: conditions in, `yes`, `no` or an honest `unknown` out, and a model to decode."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import z3

from referee.smt import term
from referee.smt.term import Cond
from referee.smt.value import Unencodable

VERSION: str = z3.get_version_string()
MOST_MEMORY = 3_000
"""Megabytes that the solver may use, if it is not told otherwise."""
TOO_LARGE = "too large for the memory that proofs may use"
FAILURES = (Unencodable, RecursionError, MemoryError, z3.Z3Exception)
"""What encoding or asking may end with on rules that are too large for it."""


def failure(error: BaseException) -> str:
    """One of `FAILURES` in words."""
    match error:
        case Unencodable():
            return str(error)
        case RecursionError():
            return "too deeply nested for the solver"
        case MemoryError():
            return TOO_LARGE
        case _:
            said = error.args[0] if error.args else ""
            told = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
            return TOO_LARGE if "out of memory" in told else f"the solver gave up: {told}"


def limit_memory(megabytes: int) -> None:
    """Bounds what the solver may use in this process from now on."""
    z3.set_param("memory_max_size", megabytes)


def memory_is_short() -> bool:
    """True if the solver uses more than half of what it may."""
    return memory_used() > _memory_limit() / 2


def _memory_limit() -> int:
    """Megabytes; 0 if there is no limit yet."""
    return int(z3.get_param("memory_max_size"))


def memory_used() -> float:
    """Megabytes that the solver uses now."""
    return float(z3.Z3_get_estimated_alloc_size()) / 1e6


class Answer(Enum):
    """Whether conditions can hold together."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Solver:
    """Conditions that are to hold together. `seconds` bounds each question."""

    def __init__(self, seconds: float) -> None:
        if not _memory_limit():
            limit_memory(MOST_MEMORY)
        self._solver = z3.Solver()
        self._flags = 0
        self.bound(seconds)
        self._impossible = False
        self._known_core = False
        self._stack: list[bool] = []

    def bound(self, seconds: float) -> None:
        """Bounds each question from now on."""
        self._solver.set("timeout", max(1, int(seconds * 1000)))

    def add(self, *conds: Cond) -> None:
        """Asks for more conditions."""
        for cond in conds:
            if cond is False:
                self._impossible = True
            elif cond is not True:
                self._solver.add(cond)

    def flag(self, cond: Cond) -> Cond:
        """A condition of its own that makes `cond` true where it is true; gone with the next `pop`."""
        if isinstance(cond, bool):
            return cond
        self._flags += 1
        made = term.unknown_cond(f"flag {self._flags}")
        self.add(term.disj((term.no(made), cond)))
        return made

    def push(self) -> None:
        """Begins conditions that `pop` takes back."""
        self._solver.push()
        self._stack.append(self._impossible)

    def pop(self) -> None:
        """Takes back what was added since the last `push`."""
        self._solver.pop()
        self._impossible = self._stack.pop()

    def ask(self, *assumed: Cond) -> Answer:
        """Whether all conditions can hold together, with those that are assumed for this question alone."""
        asked = [cond for cond in assumed if not isinstance(cond, bool)]
        self._known_core = self._impossible or any(cond is False for cond in assumed)
        if self._known_core:
            return Answer.NO
        try:
            found = self._solver.check(*asked)
        except z3.Z3Exception:
            return Answer.UNKNOWN
        return Answer.YES if found == z3.sat else Answer.NO if found == z3.unsat else Answer.UNKNOWN

    def core(self) -> frozenset[int]:
        """The names (`term.name_of`) of what was assumed and is needed for the last `no`."""
        if self._known_core:
            return frozenset()
        return frozenset(int(cond.get_id()) for cond in self._solver.unsat_core())

    def model(self) -> Callable[[Any], Any]:
        """What terms are in the model of the last `yes`; of known terms, themselves."""
        model = self._solver.model()
        return lambda found: term.told(model, found)
