"""The Go-Goal rulebook: rules, scenarios, logs with the verdicts written beside them, random games."""

from __future__ import annotations

import json
import os
from functools import cache
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
from referee.interpreter.playouts import END, play_out
from referee.interpreter.walker import Walker
from referee.judge.verdict import FailedLine, LogOutcome, LogVerdict
from referee.rule_tests.scenario_runs import run_scenario
from tests.laws.shapes import loaded
from tests.rulesets import kept
from tests.rulesets.kept import refused_as_written
from tests.rulesets.telling import told

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "go_goal"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "logs" / "illegal" / "expected.json").read_text("utf-8"))
LEGAL = sorted(path.name for path in (ROOT / "logs" / "legal").glob("*.jsonl"))
PLAYERS = [2, 3, 4, 5, 6]
GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "4"))
SCENARIOS = load_scenarios(ROOT, loaded(ROOT)).found


@cache
def core(players: int) -> Core:
    return load(ROOT, players)


@cache
def walker(players: int) -> Walker:
    return Walker(lower(core(players)))


def by_seats(header: Header) -> Walker:
    return walker(len(header.players))


def judged(path: Path) -> LogVerdict:
    return kept.judged(path, by_seats)


# --- scenarios

@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.title)
def test_a_scenario_goes_as_it_is_told(scenario: Scenario) -> None:
    assert [(failure.message, failure.values) for failure in run_scenario(scenario).failures] == []


def test_there_are_scenarios_for_many_statements_and_for_each_reading() -> None:
    named = [one for one in SCENARIOS if one.title.startswith("RO-")]
    assert len(named) >= 15
    assert len({one.title for one in SCENARIOS}) == len(SCENARIOS)
    chosen = {(name, told) for one in SCENARIOS for name, told in one.header.get("readings", {}).items()}
    for reading in core(2).readings.values():
        others = {choice.name for choice in reading.choices[1:]}
        assert others <= {told for name, told in chosen if name == reading.name}, reading.name


# --- logs

@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_log_is_legal_and_nothing_is_assumed(name: str) -> None:
    verdict = judged(ROOT / "logs" / "legal" / name)
    assert (verdict.outcome, verdict.under, verdict.wrong) == (LogOutcome.LEGAL, (), None)


def test_there_are_enough_legal_logs_and_three_are_whole_games() -> None:
    assert len(LEGAL) >= 10
    assert sum(judged(ROOT / "logs" / "legal" / name).finished for name in LEGAL) >= 3


@pytest.mark.parametrize("name", sorted(EXPECTED), ids=lambda name: f"{name[:3]} {EXPECTED[name]['why']}")
def test_an_illegal_log_is_refused_where_and_why_it_is_written(name: str) -> None:
    expected, verdict = EXPECTED[name], judged(ROOT / "logs" / "illegal" / name)
    wrong = refused_as_written(verdict, expected)
    assert (wrong.rule is None) == (expected["rule"] is None)
    assert (expected["rule"] or "") in (wrong.rule or "")
    if "guard" in expected:
        assert failed(wrong) == [expected["guard"]]


def failed(wrong: FailedLine) -> list[str]:
    return [fact.text for fact in wrong.failed]


def test_every_guard_has_a_log_that_breaks_it_alone_or_a_reason_why_not() -> None:
    guards = {guard.text for action in core(2).actions.values() for guard in action.guards}
    broken = [one["guard"] for one in EXPECTED.values() if "guard" in one]
    assert guards == set(broken)
    assert max(broken.count(guard) for guard in guards) <= 5
    assert sorted(EXPECTED) == sorted(path.name for path in (ROOT / "logs" / "illegal").glob("*.jsonl"))


# --- games

@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_come_to_an_end_and_break_no_invariant(players: int) -> None:
    known = walker(players)
    for seed in range(GAMES):
        random = Random(seed)
        readings = {name: random.randrange(len(one.choices)) for name, one in known.core.readings.items()}
        game = play_out(known, Setting(NAMES[:players], readings=readings), seed, 5_000)
        assert game.outcome == END, (seed, game.last)
        step = known.begin(game.setting)
        for event in game.events:
            assert isinstance(step, State)
            assert known.broken(step) == (), (seed, event)
            step = known.advance(step, event)
        assert isinstance(step, Ended)
        assert known.broken(step.state) == (), seed


def test_the_game_that_is_told_is_the_one_in_the_log() -> None:
    lines = (ROOT / "logs" / "whole_game.txt").read_text("utf-8").splitlines()
    assert lines == list(told(ROOT / "logs" / "legal" / "004.jsonl"))
