"""One solver that is asked one thing after the other, whether conditions can hold together; within a time."""

from __future__ import annotations

from collections.abc import Iterable

import z3

from referee.smt import term
from referee.smt.solver import MOST_MEMORY
from referee.smt.term import Cond
from referee.smt.undecided import Undecided
from referee.system.deadline import Deadline

LONGEST = 1_000_000
"""Seconds for one question, at most."""
MOST_ASKED = 5_000
"""Questions to one solver, at most; then it is replaced by a new one."""


class Asker:
    """Asks. Nothing of a question remains but the names of its unknowns, which saves time with the next one."""

    def __init__(self) -> None:
        self._solver: z3.Solver | None = None
        self._asked = 0

    def possible(self, conds: Iterable[Cond], until: Deadline) -> bool:
        """Whether conditions can hold together. Raises `Undecided`."""
        left = until.seconds_left
        if left <= 0:
            raise Undecided("out of time")
        solver = self._taken()
        try:
            solver.push()
            solver.set("timeout", max(1, int(min(left, LONGEST) * 1000)))
            z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, term.raw(term.conj(conds)))
            found = solver.check()
            if found == z3.unknown:
                raise Undecided("out of time" if until.passed else solver.reason_unknown())
            solver.pop()
        except z3.Z3Exception as error:
            raise Undecided(str(error)) from None
        self._solver = solver
        return bool(found == z3.sat)

    def _taken(self) -> z3.Solver:
        """The solver, which is only given back when a question has been answered: else something of it would remain."""
        solver, self._solver = self._solver, None
        self._asked += 1
        if solver is None or self._asked > MOST_ASKED:
            z3.set_param("memory_max_size", MOST_MEMORY)
            solver, self._asked = z3.SimpleSolver(), 1
        return solver
