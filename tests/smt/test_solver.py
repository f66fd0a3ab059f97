"""The bound on the memory of the solver."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import z3

from referee.smt.solver import MOST_MEMORY, Answer, Solver, limit_memory, memory_is_short, memory_used


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    limit_memory(MOST_MEMORY)


def test_memory_is_short_from_half_of_the_bound_on() -> None:
    solver = Solver(1.0)
    assert solver.ask() is Answer.YES
    limit_memory(int(memory_used() * 4) + 100)
    assert not memory_is_short()
    limit_memory(max(1, int(memory_used())))
    assert memory_is_short()


def test_a_solver_keeps_to_the_bound_that_was_set() -> None:
    limit_memory(777)
    Solver(1.0)
    assert z3.get_param("memory_max_size") == "777"
