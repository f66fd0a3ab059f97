"""`referee prove`: the outcome of each invariant, and what it ends with."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.base.exitcodes import Exit
from referee.cli.main import run


def test_outcomes_are_listed_and_all_proved_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "kuhn_poker"]) == Exit.GOOD
    assert "proved   one card each" in capsys.readouterr().out


def test_rules_without_invariants_and_limits_are_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "short.rules"
    rules.write_text('game "Short" for 2 players\n\nplay\n  nobody wins\n', encoding="utf-8")
    assert run(["prove", str(rules)]) == Exit.GOOD
    assert capsys.readouterr().out == "nothing to prove: no invariants, no limits of zones\n"
