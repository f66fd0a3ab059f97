"""King of the Pitch: rules, scenarios, logs with the verdicts written beside them, random games."""

from __future__ import annotations

import csv
import json
import os
import tomllib
from collections import Counter
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.frontend.scenarios.scenario_reader import NAMES, Scenario, load_scenarios
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.interpreter.playouts import END, PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.rule_tests.scenario_runs import run_scenario
from tests.laws.shapes import loaded
from tests.rulesets import kept
from tests.rulesets.kept import assert_each_line_is_explained, refused_as_written
from tests.rulesets.telling import told

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "king_of_the_pitch"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "logs" / "illegal" / "expected.json").read_text("utf-8"))
LEGAL = sorted(path.name for path in (ROOT / "logs" / "legal").glob("*.jsonl"))
BY_HAND = ("001.jsonl", "002.jsonl", "003.jsonl")
SHAPES = [(2, "left_out"), (3, "left_out"), (4, "left_out"), (5, "left_out"), (4, "dealt"), (5, "dealt")]
GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "4"))
SCENARIOS = load_scenarios(ROOT, loaded(ROOT)).found


@cache
def core(players: int, captains: str) -> Core:
    return load(ROOT, players, {"captains": captains} if players >= 4 else {})


@cache
def walker(players: int, captains: str) -> Walker:
    return Walker(lower(core(players, captains)))


def by_header(header: Header) -> Walker:
    return walker(len(header.players), str(header.options.get("captains", "left_out")))


def judged(path: Path) -> LogVerdict:
    return kept.judged(path, by_header)


# --- what is open

def test_the_defaults_are_those_that_the_readme_names() -> None:
    row, = [line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("| `bronze_from`")]
    cells = [cell.strip() for cell in row.strip("| ").split("|")]
    names, values = [name.strip(" `") for name in cells[0].split(",")], [int(value) for value in cells[-1].split(",")]
    assert {name: core(2, "left_out").vars[name].start for name in names} == dict(zip(names, values, strict=True))


# --- what is in the box

def test_there_are_one_two_and_three_players_of_each_number() -> None:
    rows = list(csv.DictReader((ROOT / "data" / "cards.csv").read_text("utf-8").splitlines()))
    copies = Counter({(row["chip"], row["shirt"]): int(row["copies"]) for row in rows if row["chip"] != "none"})
    assert sum(copies.values()) == 66
    for chip, number in (("GOLD_CHIP", 1), ("SILVER_CHIP", 2), ("BRONZE_CHIP", 3)):
        assert [copies[chip, str(shirt)] for shirt in range(1, 12)] == [number] * 11


def test_the_numbers_of_the_captains_are_all_numbers_once() -> None:
    lines = (ROOT / "1_things.rules").read_text("utf-8").partition("table may_play_as of ")[2].splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in takewhile(str.strip, lines[1:])]
    assert rows.pop() == ["otherwise", "no"]
    assert len({captain for captain, _, _ in rows}) == 5
    assert sorted(int(number) for _, number, _ in rows) == [*range(1, 12)]
    assert all(number in captain.split("_") and plays == "yes" for captain, number, plays in rows)


def test_every_statement_has_a_line_and_a_status() -> None:
    statements = tomllib.loads((ROOT / "statements.toml").read_text("utf-8"))["statement"]
    assert sorted(statements) == [f"KP-{number:02}" for number in range(1, 70)]
    for one in statements.values():
        assert one["status"] in ("encoded", "open", "not a rule")
        assert ("reason" in one) == (one["status"] == "not a rule")
        assert 39 <= one["line"] <= 170


# --- scenarios

@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.title)
def test_a_scenario_goes_as_it_is_told(scenario: Scenario) -> None:
    assert [(failure.message, failure.values) for failure in run_scenario(scenario).failures] == []


def test_there_are_scenarios_for_many_statements_and_for_each_choice_of_a_reading() -> None:
    assert len([one for one in SCENARIOS if one.title.startswith("KP-")]) >= 25
    assert len({one.title for one in SCENARIOS}) == len(SCENARIOS)
    chosen = {(name, told) for one in SCENARIOS for name, told in one.header.get("readings", {}).items()}
    for reading in core(4, "dealt").readings.values():
        others = {choice.name for choice in reading.choices[1:]}
        assert others <= {told for name, told in chosen if name == reading.name}, reading.name


# --- logs

@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_log_is_legal_and_nothing_is_assumed(name: str) -> None:
    verdict = judged(ROOT / "logs" / "legal" / name)
    assert (verdict.outcome, verdict.under, verdict.wrong) == (LogOutcome.LEGAL, (), None)


def test_there_are_enough_legal_logs() -> None:
    assert len(LEGAL) >= 15
    assert sum(judged(ROOT / "logs" / "legal" / name).finished for name in LEGAL) >= 3
    assert_each_line_is_explained(ROOT / "logs" / "legal" / name for name in BY_HAND)


@pytest.mark.parametrize("name", sorted(EXPECTED), ids=lambda name: f"{name[:3]} {EXPECTED[name]['why']}")
def test_an_illegal_log_is_refused_where_and_why_it_is_written(name: str) -> None:
    expected, verdict = EXPECTED[name], judged(ROOT / "logs" / "illegal" / name)
    wrong = refused_as_written(verdict, expected)
    assert expected["rule"] in (wrong.rule or "")
    named = [expected[key] for key in ("guard", "claim") if key in expected]
    assert [fact.text for fact in wrong.failed] == named


def test_every_guard_has_a_log_that_breaks_it_alone() -> None:
    guards = {(a.label, guard.text) for a in core(4, "dealt").actions.values() for guard in a.guards}
    broken = [(one["rule"], one["guard"]) for one in EXPECTED.values() if "guard" in one]
    assert guards == set(broken)
    assert max(Counter(broken).values()) <= 5
    assert sorted(EXPECTED) == sorted(path.name for path in (ROOT / "logs" / "illegal").glob("*.jsonl"))
    assert len(EXPECTED) >= 60


# --- games

def played(known: Walker, players: int, seed: int) -> PlayedGame:
    random = Random(seed)
    readings = {name: random.randrange(len(one.choices)) for name, one in known.core.readings.items()}
    return play_out(known, Setting(NAMES[:players], readings=readings), seed, 10_000)


@pytest.mark.parametrize(("players", "captains"), SHAPES)
def test_random_games_come_to_an_end_and_break_no_invariant(players: int, captains: str) -> None:
    known = walker(players, captains)
    for seed in range(GAMES):
        game = played(known, players, seed)
        assert game.outcome == END, (seed, game.last)
        step = known.begin(game.setting)
        for event in game.events:
            assert isinstance(step, State)
            assert known.broken(step) == (), (seed, event)
            assert known.check(step, event) is None
            step = known.advance(step, event)
        assert isinstance(step, Ended)
        assert known.broken(step.state) == (), seed


def test_the_game_that_is_told_is_the_one_in_the_log() -> None:
    lines = (ROOT / "logs" / "whole_game.txt").read_text("utf-8").splitlines()
    assert lines == list(told(ROOT / "logs" / "legal" / "004.jsonl"))
