"""Some random edits of small rules; `random_edits` and `edits_over_pipes` make more, of large ones too."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.editors.background import whole_check
from referee.editors.background_tasks import CheckAnswer, CheckTask
from tests.changed_text import changed
from tests.editors.desk import Desk
from tests.editors.edits_over_pipes import run as run_over_pipes
from tests.editors.random_edits import run
from tests.editors.written_rules import CARDS, STATEMENTS, STICKS


@pytest.mark.parametrize("seed", [1, 2])
def test_no_edit_crashes_and_what_is_told_is_what_a_check_finds(tmp_path: Path, seed: int) -> None:
    name, text = (("cards", CARDS), ("sticks", STICKS))[seed - 1]
    (tmp_path / f"{name}.rules").write_text(text, "utf-8")
    (tmp_path / "statements.toml").write_text(STATEMENTS if name == "cards" else "", "utf-8")
    run(tmp_path, 50, seed, 25)


def test_over_pipes_what_is_told_is_what_a_check_finds(tmp_path: Path) -> None:
    (tmp_path / "sticks.rules").write_text(STICKS, "utf-8")
    assert run_over_pipes(tmp_path, 20, 3, 10)[0] == 2


def test_what_was_found_before_an_edit_is_not_told_after_it(tmp_path: Path) -> None:
    path = tmp_path / "sticks.rules"
    path.write_text(STICKS, "utf-8")
    desk = Desk(path)
    desk.open(STICKS)
    desk.change(changed(STICKS, {"  raise taken by": "  raise takn by"}))
    desk.session.flush()
    asked = desk.asked.pop()
    assert isinstance(asked, CheckTask)
    found, _ = whole_check(asked.where, asked.unsaved)
    desk.change(STICKS)
    desk.session.answered(CheckAnswer(asked.number, asked.where, found, 0))
    assert (len(found), desk.session.shown_at(path)) == (1, [])
