"""The settings of rules are listed up to a bound: past it none is, however many there would be."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend.loading.loader import load_flow
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.simulation.state_space import settings, stated_in_every_way

RULES = """
game "Marks" for 2 players ana and ben

{parameters}
counters
  n: 0..2 starts 0

play
  turns from ana, to the left, until n = 2
    turn player must step
  nobody wins

action step
  raise n by 1
"""


@pytest.mark.parametrize(("number", "most", "there"),
                         [(5, 32, 32), (5, 64, 32), (6, 32, None), (6, 64, 64), (60, 64, None)])
def test_settings_are_listed_up_to_a_bound(number: int, most: int, there: int | None, tmp_path: Path) -> None:
    said = "".join(f"parameter p{at}: yes or no default yes\n" for at in range(number))
    (tmp_path / "marks.rules").write_text(RULES.format(parameters=said).lstrip(), encoding="utf-8")
    walker = Walker(load_flow(str(tmp_path / "marks.rules")))
    found = stated_in_every_way(walker, Setting(("ana", "ben")), most)
    assert (None if found is None else len(found)) == there


def test_a_range_of_a_million_is_not_listed(tmp_path: Path) -> None:
    said = "parameter p: 0..1000000 default 1\n"
    (tmp_path / "marks.rules").write_text(RULES.format(parameters=said).lstrip(), encoding="utf-8")
    assert settings(Walker(load_flow(str(tmp_path / "marks.rules"))), Setting(("ana", "ben"))) is None
