"""`referee prove`: the outcome of each invariant, and what it ends with."""

from __future__ import annotations

import pytest

from referee.base.exitcodes import Exit
from referee.cli.main import run


def test_outcomes_are_listed_and_all_proved_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "kuhn_poker"]) == Exit.GOOD
    assert "proved   one card each" in capsys.readouterr().out
