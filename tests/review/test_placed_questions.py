"""What no game from the beginning shows, and one from the position of a scenario does, is a question counted apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

RULES = """game "Far" for 2 players ana and ben

counters
  heap: 0..90
  mark: 0..90 starts 80

play
  turns from ana, to the left
    turn player must add

action add
  raise heap by 1
  if heap > mark: me wins                                                  [S-1]
"""
SCENARIO = """
scenario "near the end"
  given heap is 79
  turn of ana
  at play.add
  ana add
  expect heap = 80
"""


def found(path: Path, scenario: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    rules = path / "far.rules"
    rules.write_text(RULES + scenario, encoding="utf-8")
    run(["review", str(rules), "--questions", "--games", "4", "--events", "20", "--positions", "0", "--format", "json"])
    every = json.loads(capsys.readouterr().out)["findings"]
    return [one for one in every if one["weight"] is not None and "/value." in one["id"]]


def test_a_scenario_that_begins_in_the_middle_shows_what_no_game_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(tmp_path, "", capsys) == []
    (one,) = found(tmp_path, SCENARIO, capsys)
    assert one["outcome"] == "candidate"
    assert one["weight"] == {"told": 0, "games": 4, "low": 0.0, "high": pytest.approx(0.49, abs=0.01)}
    assert "1 of 1 do" in " ".join(one["notes"])  # type: ignore[arg-type]
    assert isinstance(one["game"], dict)
    first, *events = one["game"]["log"]
    assert first["state"]["set"] == {"heap": 79}
    assert len(events) == 1


def test_its_position_is_told_with_the_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path, SCENARIO, capsys)
    assert run(["review", str(tmp_path / "far.rules"), "--questions", "--games", "4", "--events", "20"]) == Exit.GOOD
    told = capsys.readouterr().out
    assert "from the position of the scenario below" in told
    assert 'scenario "near the end"' in told


def test_a_game_far_from_the_start_is_told_from_a_nearer_position_and_counts_as_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "far.rules"
    rules.write_text(RULES.replace("80", "20") + SCENARIO.replace("79", "19"), encoding="utf-8")
    asked = ["review", str(rules), "--questions", "--games", "4", "--events", "60", "--positions", "0"]
    run([*asked, "--format", "json", "--out", str(tmp_path / "logs")])
    (one,) = [one for one in json.loads(capsys.readouterr().out)["findings"] if "/value." in one["id"]]
    assert (one["outcome"], one["weight"]["told"]) == ("found", 4)
    assert one["game"]["log"][0]["state"]["set"] == {"heap": 19}
    assert len(one["game"]["log"]) == 2
    assert "state" not in one["from_start"][0]
    assert len(one["from_start"]) == 21
    assert len(list((tmp_path / "logs").glob("*value*"))) == 2
    run(asked)
    told = capsys.readouterr().out
    assert "from the position of the scenario below\n" in told
    assert "has 20 events" in told
