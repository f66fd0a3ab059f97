"""A choice or roll that all see, and that fixes what only some may see, is warned of; what is declared is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

RULES = """game "Told" for 2 players ana and ben

kind Ship is SHIP
board sea: columns a..b, rows 1..2

components
  2 SHIP in dock

zones
  dock: bag of Ship, {dock}
  fleet of player: slots of Ship on sea, seen by owner

counters
  luck of player: 0..9 seen by owner
  mark of player and sea: yes or no seen by owner

play
  for each p in players, in order from ana
    p must place
    p rolls 1..6 as d{roll}
    {put}
  nobody wins

action place(at: sea){place}
  move SHIP from dock to fleet of me at at
  {more}
"""
SAID = {"dock": "open", "roll": ", seen by p", "put": "set luck of p to d", "place": ", seen by me",
        "more": "set mark(me, at) to yes"}


def warned(tmp_path: Path, **other: str) -> list[str]:
    path = tmp_path / "told.rules"
    path.write_text(RULES.format(**{**SAID, **other}), encoding="utf-8")
    found = referee.load(path).check()
    assert found
    assert {one.code for one in found.warnings} <= {"VS05", "ID01"}  # no rule speaks of some counter
    return [one.message.split("`")[1] + " " + one.message.split("`")[3] for one in found.warnings if one.code == "VS05"]


@pytest.mark.parametrize(("other", "told"), [
    ({}, []),
    ({"place": ""}, ["at fleet", "at mark"]),
    ({"place": "", "more": "nothing"}, ["at fleet"]),
    ({"roll": ""}, ["d luck"]),
    ({"roll": "", "put": "raise luck of p by d, not above 9"}, ["d luck"]),
    ({"roll": "", "put": "nothing"}, []),
    ({"place": "", "dock": "face down"}, ["at mark"]),
    ({"place": "", "more": "if luck of me = 0: set mark(me, at) to yes"}, ["at fleet"]),
])
def test_what_everybody_can_tell_is_warned_of(other: dict[str, str], told: list[str], tmp_path: Path) -> None:
    assert sorted(warned(tmp_path, **other)) == told


def test_a_warning_is_printed_and_nothing_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "told.rules"
    path.write_text(RULES.format(**{**SAID, "roll": ""}), encoding="utf-8")
    assert run(["check", str(path)]) == Exit.GOOD
    out, err = capsys.readouterr()
    assert "nothing is wrong" in out
    assert "warning[VS05]: everybody sees `d`, and with it what `luck` holds" in err
