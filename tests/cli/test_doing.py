"""What is being done is told to somebody who waits, also where there is no terminal; results are not mixed with it."""

from __future__ import annotations

import pytest

from referee.cli import progress
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.system.deadline import Stopwatch

REVIEW = ["review", "tic_tac_toe", "--games", "2", "--positions", "50", "--only", "dead"]


def test_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "SELDOM", 0.0)
    assert run(REVIEW) in (Exit.GOOD, Exit.NEGATIVE, Exit.OPEN)
    found = capsys.readouterr()
    assert found.err.startswith("after 0 s: ")
    assert "after 0 s" not in found.out


def test_nothing_at_first(capsys: pytest.CaptureFixture[str]) -> None:
    run(REVIEW)
    assert capsys.readouterr().err == ""


def test_seldom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The first comes sooner; two lines are so long apart, however often something else is done."""
    clock = iter(range(10, 1000, 10))
    monkeypatch.setattr(Stopwatch, "seconds", property(lambda _: float(next(clock))))
    with progress.doing() as tell:
        for number in range(9):
            tell(f"claim {number}")
    assert capsys.readouterr().err.splitlines() == [
        "after 20 s: claim 1", "after 50 s: claim 4", "after 80 s: claim 7"]
