"""A folder with a few logs, and the command in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli.main import run
from tests.ledger.killing import write_logs

Told = tuple[int, str, str]
"""The exit code, the standard output and the standard error."""


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """`referee judge` with further words, where 40 logs lie in `logs`."""
    monkeypatch.chdir(tmp_path)
    write_logs(tmp_path / "logs", 40)

    def judged(*words: str) -> Told:
        code = run(["judge", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return judged
