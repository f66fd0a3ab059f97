"""Constant tables that a claim or a scenario brings to a core which is laid out already."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.ruleset import Table
from referee.core.types import Int
from referee.frontend.loading.loader import load_flow
from referee.game.state import Layout


def test_a_table_that_comes_later_is_found(project: Path) -> None:
    flow = load_flow(project / "rulesets" / "classics" / "tic_tac_toe.rules")
    layout = Layout(flow)
    late = Table("late", (Int(3, 5),), Int(0, 9), (7, 8, 9))
    assert isinstance(flow.core.tables, dict)
    flow.core.tables["late"] = late
    try:
        entries, found = layout.tables["late"]
        assert found is late
        assert [entries.find((key,)) for key in (3, 4, 5, 6)] == [0, 1, 2, -1]
    finally:
        del flow.core.tables["late"]
    with pytest.raises(KeyError):
        layout.tables["never"]
