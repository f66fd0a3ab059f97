"""What has no chooser, no order and no priority, and readings that differ: each class with a flaw and its twin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.scenario_examples import examples_of
from referee.review.finding import FindingOutcome
from tests.review.flawed import EFFORT, FLAWS, reviewed

PLACES = {
    "no-chooser": "play.tie",
    "no-order": "when.order",
    "conflict": "when.order",
    "reading-divergence": "last_stone",
    "no-target": "play.the-p-in-players-where-crowned-of-p",
    "obligation-conflict": "play.dance",
    "simultaneity": "strike.strength",
}
CLASSES = pytest.mark.parametrize("code", PLACES)
STATEMENTS = """
[statement.S1]
text = "Who lays a king lays again."

[statement.S2]
text = "Nobody lays twice in one turn."

[statement.S3]
text = "A king and another card: three are laid."
example = true
"""


@CLASSES
def test_the_flaw_is_found_with_a_game_that_shows_it(code: str) -> None:
    done = reviewed(FLAWS / code / "flaw.rules", code)
    (found,) = done.of(code)
    assert (found.outcome, found.place) == (FindingOutcome.FOUND, PLACES[code])
    assert found.witness is not None
    assert found.witness.shortest
    assert done.accepted_by_judge(found.witness)
    assert found.settle
    assert len({one.end for one in found.candidates}) == len(found.candidates)


@CLASSES
def test_the_twin_has_it_not_and_that_is_proved(code: str) -> None:
    done = reviewed(FLAWS / code / "twin.rules", code)
    assert done.of(code) == []
    assert {outcome for outcome, _ in done.known(code)} == {"proved absent"}


@pytest.mark.parametrize(("source", "settle"), [
    ("players", "`, in order from PLAYER` after `for each ...`"), ("square", "`, as listed` after `for each ...`"),
])
def test_an_order_is_settled_as_it_can_be_written_there(tmp_path: Path, source: str, settle: str) -> None:
    path = tmp_path / "fill.rules"
    path.write_text(f"""game "Fill" for 2 players first and second

board square: columns a..b, rows 1..1

counters
  marked_player: player or none
  marked_square: square or none
  steps: 0..4

play
  first must begin
  nobody wins

action begin
  for each c in {source}
    raise steps by 1
    if steps = 1: set marked_{"player" if source == "players" else "square"} to c
""", encoding="utf-8")
    (found,) = reviewed(path, "no-order").of("no-order")
    assert found.settle == settle


def test_a_definite_description_names_the_smallest_number_of_players() -> None:
    (found,) = reviewed(FLAWS / "no-target" / "flaw.rules", "no-target").of("no-target")
    assert found.shapes == (3,)


def test_a_reading_that_leaves_nothing_of_another_sentence() -> None:
    code = "reading-kills-sentence"
    (found,) = reviewed(FLAWS / code / "flaw.rules", code).of(code)
    assert (found.place, found.cites) == ("again.at_once", ("S2",))
    twin = reviewed(FLAWS / code / "twin.rules", code)
    assert twin.known(code) == [("proved absent", "again")]


def test_a_reading_that_contradicts_a_worked_example(tmp_path: Path) -> None:
    code = "reading-kills-sentence"
    text = (FLAWS / code / "twin.rules").read_text(encoding="utf-8")
    told = """
scenario "with a king and another card three are laid at once" [S3]
  ana lay 1; ben lay 1; ana lay 2
  expect laid of ana = 1

scenario "this one says how it is read" [S3]
  with again is at_once
  ana lay 2
  expect laid of ana = 2

scenario "no example of the rulebook" [S1]
  ana lay 2
  expect laid of ana = 1
"""
    path = tmp_path / "kings"
    path.mkdir()
    (path / "kings.rules").write_text(text + told, encoding="utf-8")
    (path / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    effort = replace(EFFORT, examples=examples_of(RulesSource(str(path))))
    (found,) = reviewed(path, code, effort=effort).of(code)
    assert found.place.startswith("again.at_once.with-a-king")
    assert found.spans[1].line == text.count("\n") + 2
    assert reviewed(path, code).of(code) == []


def test_a_reading_that_breaks_an_invariant(tmp_path: Path) -> None:
    code = "reading-kills-sentence"
    path = tmp_path / "kings.rules"
    text = (FLAWS / code / "flaw.rules").read_text(encoding="utf-8")
    path.write_text(f"{text}\nalways three_at_most: every player p: laid of p <= 3\n", encoding="utf-8")
    done = reviewed(path, code)
    killed, broken = done.of(code)
    assert (killed.place, broken.place) == ("again.at_once", "again.at_once.three_at_most")
    assert broken.witness is not None
    assert not done.accepted_by_judge(broken.witness)  # it breaks what is said to hold always


@CLASSES
def test_nothing_else_is_found_in_the_flaw(code: str) -> None:
    done = reviewed(FLAWS / code / "flaw.rules")
    assert {one.code for one in done.found.flaws} == {code}


@CLASSES
def test_the_twin_has_no_flaw_at_all(code: str) -> None:
    assert [one.id for one in reviewed(FLAWS / code / "twin.rules").found.flaws] == []
