"""Readings that no game with the default options tells apart: other options do, or the position of a scenario."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from referee.api.rule_sources import RulesSource
from referee.api.runs.scenario_examples import shapes_told, told_in
from referee.api.runs.witness_games import Games, load_for, shapes_of
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review.finding import Finding, FindingOutcome
from referee.review.subject import ReviewEffort
from tests.changed_text import changed
from tests.review.flawed import Reviewed, reviewed

RULES = """game "Tower" for 2 players ana and ben

option ground: rock or sand "what it is built on"

counters
  floors: 0..9000
  tired: 0..3

reading settles "the tower settles when it is built upon: by how much?"
  default one "a floor"
  alternative all "all of it"

reading top "he who comes to the top is tired: how much?"
  default once "once"
  alternative twice "twice"

play
  turns from ana, to the left, until floors = 9000
    turn player must build
  nobody wins

action build(storeys: 0..1)
  raise floors by storeys
  if ground is sand and floors > 2
    if settles is one: lower floors by 1
    else: set floors to 0
  if floors >= 8999
    if top is once: set tired to 1
    else: set tired to 2

scenario "at the top"
  players lea, kim
  given floors is 8998
  turn of lea
  lea build 1
  expect tired = 1
"""
CODE = "reading-divergence"
FEW = ReviewEffort(games=3, events=20, positions=5)


def review_of(folder: Path) -> tuple[Reviewed, dict[str, Finding]]:
    path = folder / "tower.rules"
    path.write_text(RULES, encoding="utf-8")
    done = reviewed(path, CODE, effort=replace(FEW, told=told_in(RulesSource(str(path)))))
    return done, {one.place: one for one in done.found.findings}


def test_several_options_at_once_are_looked_at_where_a_scenario_has_them(tmp_path: Path) -> None:
    path = tmp_path / "tower.rules"
    mode = 'option ground: rock or sand "what it is built on"\n'
    both = changed(RULES, {mode: mode + 'option wind: calm or strong "what blows"\n'})
    both += 'scenario "a storm"\n  with ground is sand\n  with wind is strong\n  ana build 1\n  expect floors = 1\n'
    path.write_text(both, encoding="utf-8")
    bounds = parsed(find(str(path))).range
    stormy = [Shape(2, (("ground", "sand"), ("wind", "strong")))]
    assert shapes_told(RulesSource(str(path)), bounds, None) == shapes_told(RulesSource(str(path)), bounds, 2) == stormy
    assert shapes_told(RulesSource(str(path)), bounds, 3) == []
    assert not any(len(shape.options) > 1 for shape in shapes_of(bounds, None))


def test_with_another_option(tmp_path: Path) -> None:
    done, found = review_of(tmp_path)
    one = found["settles"]
    assert one.outcome is FindingOutcome.FOUND
    assert "with ground sand" in one.notes
    assert one.witness is not None
    assert one.witness.options == (("ground", "sand"),)
    header = json.loads(Games(load_for(RulesSource(str(done.path))), None).log(one.witness)[0])
    assert header["options"] == {"ground": "sand"}


def test_from_the_position_of_a_scenario_it_is_a_candidate(tmp_path: Path) -> None:
    done, found = review_of(tmp_path)
    one = found["top"]
    assert one.outcome is FindingOutcome.CANDIDATE
    assert one.witness is not None
    assert one.witness.tale is not None
    assert done.path.read_text("utf-8").splitlines()[one.witness.tale.span.line - 1] == 'scenario "at the top"'
    assert [candidate.end for candidate in one.candidates] == ["tired: 1", "tired: 2"]


def test_the_log_of_it_begins_there_and_the_judge_accepts_it(tmp_path: Path) -> None:
    done, found = review_of(tmp_path)
    witness = found["top"].witness
    assert witness is not None
    head, *events = Games(load_for(RulesSource(str(done.path))), None).log(witness)
    assert json.loads(head)["state"] == {"turn": "lea", "set": {"floors": 8998}}
    assert len(events) == 1
    log = tmp_path / "top.jsonl"
    log.write_text("\n".join([head, *events]) + "\n", encoding="utf-8")
    assert run(["judge", str(log), "--ruleset", str(done.path)]) == Exit.GOOD


STUCK = """game "Walk" for 2 players ana and ben

option way: long or short "how far it is"

counters
  steps: 0..9

play
  turns from ana, to the left, until steps = 4
    turn player must walk
  nobody wins

action walk
  needs "it goes on": steps < 3 or way is long
  raise steps by 1
"""


def test_each_other_value_of_an_option_is_played(tmp_path: Path) -> None:
    path = tmp_path / "walk.rules"
    path.write_text(STUCK, encoding="utf-8")
    done = reviewed(path, "gap-move", effort=FEW)
    (found,) = done.of("gap-move")
    assert found.notes[-1] == "with way short"
    assert found.witness is not None
    assert (found.witness.options, len(found.witness.events)) == ((("way", "short"),), 3)
    assert done.found.options == ("way short",)
    path.write_text(changed(STUCK, {"steps < 3 or way is long": "steps < 4"}), encoding="utf-8")
    assert reviewed(path, "gap-move", effort=ReviewEffort()).of("gap-move") == []


OPEN = STUCK.replace("""
  needs "it goes on": steps < 3 or way is long
  raise steps by 1
""", """
  raise steps by 1
  if steps >= far
    unspecified "it is far enough: what now?", one of
      nothing_more: nothing
      back: set steps to 0

define far = if way is short then 3 else 8
""")


def test_what_comes_up_with_another_option_is_not_said_never_to_come_up(tmp_path: Path) -> None:
    path = tmp_path / "walk.rules"
    path.write_text(OPEN, encoding="utf-8")
    found = reviewed(path, "gap-case", effort=FEW).found.of("gap-case")
    assert [(one.outcome, one.notes[-1:]) for one in found if one.place == "walk.unspecified"] == [
        (FindingOutcome.FOUND, ("with way short",))]
