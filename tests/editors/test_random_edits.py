"""A hundred random edits of small rules; `random_edits` makes as many as somebody wants, of large ones too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.random_edits import run
from tests.editors.written_rules import CARDS, STATEMENTS, STICKS


@pytest.mark.parametrize("seed", [1, 2])
def test_no_edit_crashes_and_what_is_told_is_what_a_check_finds(tmp_path: Path, seed: int) -> None:
    name, text = (("cards", CARDS), ("sticks", STICKS))[seed - 1]
    (tmp_path / f"{name}.rules").write_text(text, "utf-8")
    (tmp_path / "statements.toml").write_text(STATEMENTS if name == "cards" else "", "utf-8")
    run(tmp_path, 50, seed, 25)
