"""A limit that holds at every moment: what a zone has no room for is an error of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend import load, load_flow
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker

RULES = """game "Shelf" for 2 players ana and ben

kind Book

components
  3 Book in boxes

zones
  boxes: bag of Book, open
  shelf: {form} of Book, open, at most 2{inside}

play
  ana must put
  ben wins

action put
  for each n in 1..3: move Book from boxes to shelf
  for each n in 1..2: move Book from shelf to boxes
"""


def rules(folder: Path, form: str, inside: str) -> Path:
    path = folder / "shelf.rules"
    path.write_text(RULES.format(form=form, inside=inside))
    return path


@pytest.mark.parametrize("form", ["bag", "line"])
def test_what_is_too_much_for_a_moment_is_an_error_only_then(tmp_path: Path, form: str) -> None:
    for inside, last in ((", at every moment", "RT03"), ("", None)):
        path = rules(tmp_path, form, inside)
        assert load(path).zones["shelf"].capacity == (2 if inside else 3)
        game = play_out(Walker(load_flow(path)), Setting(("ana", "ben")), 0, 9)
        assert getattr(game.last, "code", None) == last
