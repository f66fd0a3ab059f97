"""Rules as they are loaded for the engine and for the solver, for tests that compare what both say."""

from __future__ import annotations

import pytest

from referee.api.named_engines import SOLVER
from referee.api.runs.log_engines import Rules

SECONDS = 3600.0
"""For each log: more than any of them takes."""


@pytest.fixture(scope="module")
def engine() -> Rules:
    return Rules()


@pytest.fixture(scope="module")
def solver() -> Rules:
    return Rules(None, SOLVER, SECONDS)
