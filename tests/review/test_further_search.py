"""What machine code finds beyond the positions that are looked at one by one, and what a review says of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.game.event import Event
from referee.native.engine_names import GENERATED, NATIVE
from referee.report.data.schemas import SCHEMAS
from referee.review.finding import FindingOutcome
from referee.review.subject import ReviewEffort
from referee.simulation.state_space import Reached, StateSpace
from tests.review.flawed import reviewed

DEEP = """game "Deep" for 2 players first and second

counters
  left: 0..12 starts 12
  odd: 0..12
  kept: 0..12

play
  turns from first, to the left
    turn player must take one of put, keep

action put
  lower left by 1
  raise odd by 1
  if left = 0: nobody wins
  {when}

action keep
  lower left by 1
  raise kept by 1
  if left = 0: nobody wins

always counted: odd + kept + left = 12
always seldom: odd < {most}
"""
FEW = ReviewEffort(games=1, events=3, positions=5, engine=NATIVE)


def written(tmp_path: Path, when: str = "", most: int = 13) -> Path:
    path = tmp_path / "deep.rules"
    path.write_text(DEEP.format(when=when, most=most).replace("  \n\naction keep", "\naction keep"), encoding="utf-8")
    return path


def test_what_no_game_showed_is_found_with_a_shortest_way(tmp_path: Path) -> None:
    path = written(tmp_path, "if odd = 11: lower kept by 3", most=12)
    stops = reviewed(path, "unbounded", effort=FEW).of("unbounded")
    assert [(one.outcome, len(one.witness.events)) for one in stops if one.witness is not None] == [
        (FindingOutcome.FOUND, 11)]
    broken, = reviewed(written(tmp_path, most=12), "contradiction", effort=FEW).of("contradiction")
    assert broken.place == "seldom"
    assert broken.witness is not None
    assert len(broken.witness.events) == 12


@pytest.mark.parametrize("code", ["contradiction", "unbounded"])
def test_what_is_in_no_position_is_proved_absent(tmp_path: Path, code: str) -> None:
    path = written(tmp_path)
    found, = reviewed(path, code, effort=FEW).found.of(code)
    assert found.outcome is FindingOutcome.ABSENT
    assert found.message.startswith("all ")
    assert found.message.endswith(" positions, by machine code")
    other, = reviewed(path, code, effort=replace(FEW, engine=GENERATED)).found.of(code)
    assert other.outcome is FindingOutcome.BOUNDED


def test_the_report_says_what_was_searched_by_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["review", str(written(tmp_path)), "--only", "contradiction", "--games", "1", "--positions", "5",
             "--engine", NATIVE]
    assert run([*words, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["review"]).validate(told)
    assert [(one["whole"], one["engine"]) for one in told["searches"]] == [
        (False, "by generated code"), (True, "by machine code")]
    run(words)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("2 players: every one of ")
    assert "reached was looked at (by machine code, " in last


def test_the_ways_to_positions_are_found_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To positions in a row each way is longer than the one before: nobody goes all of them for a check that looks at
    the positions."""
    gone = list[int]()
    found = StateSpace.events

    def counted(space: StateSpace, reached: Reached) -> tuple[Event, ...]:
        gone.append(1)
        return found(space, reached)

    monkeypatch.setattr(StateSpace, "events", counted)
    effort = ReviewEffort(games=1, events=3, positions=500)
    for code in ("gap-case", "shadowed", "vacuous", "gap-move"):
        reviewed(written(tmp_path), code, effort=effort)
    assert len(gone) < 10
