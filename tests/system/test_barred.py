"""A folder that may not be read is not told as one that is missing or empty."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.api.log_inputs import logs_in
from referee.system.file_observations import barred
from tests.changed_text import changed

CARDS = """game "Cards" for 2 players first and second

kind Card from "data/cards.csv"

components
  1 of each Card in deck

zones
  deck: pile of Card, face down

play
  first wins
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that nobody may look into, whoever runs this."""
    locked = tmp_path / "locked"
    locked.mkdir()

    def refusing(real: Callable[..., Any], names: bool) -> Callable[..., Any]:
        def asked(path: Any = ".", *args: Any, **how: Any) -> Any:
            inside = isinstance(path, (str, Path)) and Path(path).parent == locked
            if inside or (names and isinstance(path, (str, Path)) and Path(path) == locked):
                raise PermissionError(13, "Permission denied", str(path))
            return real(path, *args, **how)
        return asked

    monkeypatch.setattr(os, "stat", refusing(os.stat, False))
    monkeypatch.setattr(os, "listdir", refusing(os.listdir, True))
    monkeypatch.setattr(os, "scandir", refusing(os.scandir, True))
    return locked


def test_what_may_not_be_looked_at_is_told_apart_from_what_is_not_there(folder: Path) -> None:
    assert barred(folder) == barred(folder / "a.rules") == "permission denied"
    assert barred(folder.parent) is None
    assert barred(folder.parent / "nothing") is None


@pytest.mark.parametrize(("inside", "code", "message"), [
    ("", "RS02", "the folder {} cannot be read: permission denied"),
    ("a.rules", "RS01", "{} cannot be read: permission denied"),
])
def test_rules_that_may_not_be_read(folder: Path, inside: str, code: str, message: str) -> None:
    path = folder / inside
    with pytest.raises(referee.RulesError) as error:
        referee.load(path)
    assert (error.value.code, error.value.message) == (code, message.format(path))


def test_data_that_may_not_be_read(folder: Path) -> None:
    rules = folder.parent / "cards.rules"
    rules.write_text(changed(CARDS, {"data/": f"{folder.name}/"}))
    with pytest.raises(referee.RulesError) as error:
        referee.load(rules)
    assert error.value.code == "DT01"
    assert error.value.message == f"{folder.name}/cards.csv cannot be read: permission denied"


def test_logs_that_may_not_be_read(folder: Path) -> None:
    rules = referee.load("tic_tac_toe")
    for path in (folder, folder / "a.jsonl"):
        log, = logs_in([str(path)])
        with pytest.raises(referee.LogError) as error:
            rules.judge(log)
        assert (error.value.code, error.value.message) == ("LG01", "cannot be opened: permission denied")
        assert error.value.hint is None
