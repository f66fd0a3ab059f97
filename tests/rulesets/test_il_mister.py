"""The Il Mister rulebook: rules, cards, scenarios, logs with the verdicts written beside them, random games."""

from __future__ import annotations

import csv
import json
import os
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.core.types import Value
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.frontend.scenarios.scenario_reader import Scenario, load_scenarios
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.interpreter.playouts import END, PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from referee.rule_tests.scenario_runs import run_scenario
from referee.views.redaction import redacted
from tests.laws.shapes import loaded
from tests.rulesets import kept
from tests.rulesets.kept import refused_as_written
from tests.rulesets.telling import told
from tests.sample_sizes import drawn, in_turn

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "il_mister"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "logs" / "illegal" / "expected.json").read_text("utf-8"))
LEGAL = sorted(path.name for path in (ROOT / "logs" / "legal").glob("*.jsonl"))
BY_HAND = ["001.jsonl", "002.jsonl", "003.jsonl"]
NAMES = ("ana", "ben", "cleo", "dan")
Mode = tuple[int, tuple[tuple[str, str], ...]]
SINGLE: Mode = (2, ())
MODES: list[Mode] = [
    SINGLE, (4, ()), (4, (("tournament", "league"),)), (4, (("season", "with_transfers"),)),
    (4, (("season", "with_transfers"), ("tournament", "league"))),
]
GAMES = int(os.environ.get("REFEREE_LAW_GAMES", drawn(6, of=20)))
SCENARIOS = load_scenarios(ROOT, loaded(ROOT)).found


@cache
def core(mode: Mode) -> Core:
    return load(ROOT, mode[0], dict(mode[1]))


@cache
def walker(mode: Mode) -> Walker:
    return engine(lower(core(mode)))


def by_mode(header: Header) -> Walker:
    options = {name: str(said) for name, said in header.options.items()}
    if header.pool:
        return engine(lower(load(ROOT, len(header.players), options, header.pool)))
    return walker((len(header.players), tuple(sorted(options.items()))))


def judged(path: Path) -> LogVerdict:
    return kept.judged(path, by_mode)


# --- cards and statements

def table(name: str) -> list[dict[str, str]]:
    with (ROOT / "data" / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_there_are_81_footballers_nine_of_them_goalkeepers() -> None:
    men = table("footballers.csv")
    assert (len(men), sum(man["role"] == "keeper" for man in men)) == (81, 9)
    for man in men:
        assert all(0 <= int(man[letter]) <= 10 for letter in "abcdefgh")
    for gift in ("back_heel", "bicycle_kick", "crowd_puller", "leader"):
        assert any(man[gift] == "yes" for man in men)


def test_the_32_action_cards_are_those_of_the_rulebook() -> None:
    text = (ROOT / "5_cards.rules").read_text("utf-8")
    cards = re.findall(r"^class \w+ of Action: sort (\w+)\n((?:  .*\n)+)", text, re.MULTILINE)
    assert [int(re.findall(r"IT-C(\d\d)", said)[0]) for _, said in cards] == list(range(1, 33))
    assert Counter(sort for sort, _ in cards) == {"attack": 28, "misfortune": 2, "boost": 2}
    phases = [said for _, text in cards for said in re.findall(r"^  phase [12]: (.*)", text, re.MULTILINE)]
    assert sum(" against " in phase for phase in phases) == 38
    shots = re.findall(r"(\w) of \w+ against (\w) of keeper, by at least 1", text)
    assert Counter(shots) == {("b", "h"): 8, ("a", "g"): 12, ("a", "c"): 4}


def test_every_statement_has_a_line_and_a_status() -> None:
    statements = tomllib.loads((ROOT / "statements.toml").read_text("utf-8"))["statement"]
    numbered = {f"IT-{number:02}" for number in range(1, 79)}
    assert numbered | {f"IT-C{number:02}" for number in range(1, 33)} <= set(statements)
    for one in statements.values():
        assert one["status"] == "encoded"
        assert 5 <= one["line"] <= 2204


# --- scenarios

@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.title)
def test_a_scenario_goes_as_it_is_told(scenario: Scenario) -> None:
    assert [(failure.message, failure.values) for failure in run_scenario(scenario).failures] == []


def test_there_are_scenarios_for_many_statements_and_for_each_choice_of_a_reading_one_or_a_log() -> None:
    assert len(SCENARIOS) >= 25
    logged = [json.loads((ROOT / "logs" / "legal" / name).read_text("utf-8").splitlines()[0]) for name in LEGAL]
    headers = [*(one.header for one in SCENARIOS), *logged]
    chosen = {(name, told) for header in headers for name, told in header.get("readings", {}).items()}
    for reading in core(SINGLE).readings.values():
        assert {(reading.name, choice.name) for choice in reading.choices[1:]} <= chosen


# --- logs

@pytest.mark.parametrize("name", in_turn(LEGAL, "legal", 6, frozenset(Path(name).stem for name in LEGAL)))
def test_a_legal_log_is_legal_and_assumes_nothing(name: str) -> None:
    verdict = judged(ROOT / "logs" / "legal" / name)
    assert (verdict.outcome, verdict.wrong) == (LogOutcome.LEGAL, None)
    assert not any(verdict.under)


def test_there_are_enough_legal_logs() -> None:
    assert len(LEGAL) >= 15
    for name in BY_HAND:
        lines = (ROOT / "logs" / "legal" / name).read_text("utf-8").splitlines()
        assert all("note" in json.loads(line) for line in lines if '"by"' in line)
        assert judged(ROOT / "logs" / "legal" / name).finished


@pytest.mark.parametrize("name", in_turn(sorted(EXPECTED), "illegal", 6, frozenset(one[:3] for one in EXPECTED)),
                         ids=lambda name: f"{name[:3]} {EXPECTED[name]['why']}")
def test_an_illegal_log_is_refused_where_and_why_it_is_written(name: str) -> None:
    expected, verdict = EXPECTED[name], judged(ROOT / "logs" / "illegal" / name)
    wrong = refused_as_written(verdict, expected)
    assert expected["rule"] in (wrong.rule or "")
    named = [expected[key] for key in ("guard", "claim") if key in expected]
    assert [fact.text for fact in wrong.failed] == named


def test_every_guard_has_a_log_that_breaks_it_alone() -> None:
    guards = {(a.name, guard.text) for a in core(SINGLE).actions.values() for guard in a.guards}
    broken = [(one["rule"], one["guard"]) for one in EXPECTED.values() if "guard" in one]
    assert guards == set(broken)
    assert max(Counter(text for _, text in broken).values()) <= 5
    assert sorted(EXPECTED) == sorted(path.name for path in (ROOT / "logs" / "illegal").glob("*.jsonl"))
    assert len(EXPECTED) >= 60


@pytest.mark.parametrize("viewer", ["ana", "ben", "public"])
def test_a_view_of_a_whole_match_hides_nothing_that_was_turned_up(viewer: str) -> None:
    path = ROOT / "logs" / "legal" / "001.jsonl"
    with path.open("rb") as stream:
        lines = list(redacted(Log(stream, str(path)), viewer, by_mode))
    assert not any('"?"' in line for line in lines)


def test_a_view_of_a_line_up_hides_what_lies_face_down(tmp_path: Path) -> None:
    whole = (ROOT / "logs" / "legal" / "001.jsonl").read_text("utf-8").splitlines()
    last = max(at for at, line in enumerate(whole) if '"lay"' in line)
    path = tmp_path / "half.jsonl"
    path.write_text("\n".join(whole[:last]) + "\n", "utf-8")
    with path.open("rb") as stream:
        seen = [json.loads(line) for line in redacted(Log(stream, str(path)), "ana", by_mode)]
    laid = [one for one in seen if one.get("do") == "lay"]
    assert len(laid) == 21
    assert all((one["with"]["man"] == "?") == (one["by"] == "ben") for one in laid)


# --- games

def played(known: Walker, seed: int) -> PlayedGame:
    random = Random(seed)
    readings = {name: random.randrange(len(one.choices)) for name, one in known.core.readings.items()}
    names = NAMES[:known.core.seats.number]
    givens: dict[str, dict[tuple[int, ...], Value]] = {"youngest": {(): random.randrange(len(names))}}
    return play_out(known, Setting(names, readings=readings, givens=givens), seed, 10_000)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: "-".join((str(mode[0]), *(said for _, said in mode[1]))))
def test_random_games_come_to_an_end_and_break_no_invariant(mode: Mode) -> None:
    known = walker(mode)
    for seed in range(GAMES if mode == SINGLE else max(GAMES // 10, 1)):
        game = played(known, seed)
        assert game.outcome == END, (seed, game.last)
        step = known.begin(game.setting)
        for event in game.events:
            assert isinstance(step, State)
            assert known.broken(step) == (), (seed, event)
            assert known.check(step, event) is None
            step = known.advance(step, event)
        assert isinstance(step, Ended)
        assert known.broken(step.state) == (), seed
        assert len(step.winners) == 1 or (("tournament", "league") in mode[1] and shares(known, game))


def shares(known: Walker, game: PlayedGame) -> bool:
    """Whether several who lead the league have won it by the reading of this game."""
    return known.core.readings["level_league"].choices[game.setting.readings["level_league"]].name == "all_of_them"


def test_the_game_that_is_told_is_the_one_in_the_log() -> None:
    lines = (ROOT / "logs" / "whole_game.txt").read_text("utf-8").splitlines()
    assert lines == list(told(ROOT / "logs" / "legal" / "001.jsonl"))
