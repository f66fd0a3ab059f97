"""The Adrenalyn XL rulebook: rules, cards, scenarios, logs with the verdicts written beside them, random games."""

from __future__ import annotations

import json
import os
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.frontend.scenarios.scenario_reader import Scenario, load_scenarios
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

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "adrenalyn_xl"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "logs" / "illegal" / "expected.json").read_text("utf-8"))
LEGAL = sorted(path.name for path in (ROOT / "logs" / "legal").glob("*.jsonl"))
BY_HAND = ["001.jsonl", "002.jsonl", "003.jsonl"]
MATCHES = ["friendly", "tournament"]
GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "6"))
SCENARIOS = load_scenarios(ROOT, loaded(ROOT)).found


@cache
def core(match: str) -> Core:
    return load(ROOT, 2, {"match": match})


@cache
def walker(match: str) -> Walker:
    return Walker(lower(core(match)))


def by_match(header: Header) -> Walker:
    return walker(str(header.options.get("match", "friendly")))


def judged(path: Path) -> LogVerdict:
    return kept.judged(path, by_match)


# --- cards and statements

def cards() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "data" / "cards.toml").read_text("utf-8"))["card"]
    return found


def test_there_are_cards_for_two_decks_of_25_and_more() -> None:
    sorts = Counter(card["sort"] for card in cards())
    assert sorts["footballer"] >= 60
    assert sorts["action"] >= 15
    assert (sorts["special"], sorts["goalkeeper"]) == (1, 2)
    decks = Counter(card["side"] for card in cards() if card["sort"] in ("footballer", "action"))
    assert (decks["red"], decks["blue"]) == (25, 25)
    assert len({card["effect"] for card in cards()} - {"plain"}) >= 12
    assert all(card["printed_def"] > 0 for card in cards() if card["sort"] == "goalkeeper")


def test_every_statement_has_a_line_and_a_status() -> None:
    statements = tomllib.loads((ROOT / "statements.toml").read_text("utf-8"))["statement"]
    assert sorted(statements) == [f"AX-{number:02}" for number in range(1, 52)]
    for one in statements.values():
        assert one["status"] in ("encoded", "open", "not a rule")
        assert ("reason" in one) == (one["status"] == "not a rule")
        assert 6 <= one["line"] <= 65


# --- scenarios

@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.title)
def test_a_scenario_goes_as_it_is_told(scenario: Scenario) -> None:
    assert [(failure.message, failure.values) for failure in run_scenario(scenario).failures] == []


def test_there_are_scenarios_for_many_statements_and_for_each_choice_of_a_reading() -> None:
    assert len([one for one in SCENARIOS if one.title.startswith("AX-")]) >= 15
    assert len({one.title for one in SCENARIOS}) == len(SCENARIOS)
    chosen = {(name, told) for one in SCENARIOS for name, told in one.header.get("readings", {}).items()}
    for reading in core("friendly").readings.values():
        others = {choice.name for choice in reading.choices[1:]}
        assert others <= {told for name, told in chosen if name == reading.name}, reading.name


# --- logs

@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_log_is_legal_and_at_most_the_order_of_exchanges_is_assumed(name: str) -> None:
    verdict = judged(ROOT / "logs" / "legal" / name)
    assert (verdict.outcome, verdict.wrong) == (LogOutcome.LEGAL, None)
    assert {one.name for world in verdict.under for one in world} <= {"setup.order"}


def test_there_are_enough_legal_logs() -> None:
    assert len(LEGAL) >= 10
    assert sum(judged(ROOT / "logs" / "legal" / name).finished for name in LEGAL) >= 4
    assert_each_line_is_explained(ROOT / "logs" / "legal" / name for name in BY_HAND)


@pytest.mark.parametrize("name", sorted(EXPECTED), ids=lambda name: f"{name[:3]} {EXPECTED[name]['why']}")
def test_an_illegal_log_is_refused_where_and_why_it_is_written(name: str) -> None:
    expected, verdict = EXPECTED[name], judged(ROOT / "logs" / "illegal" / name)
    wrong = refused_as_written(verdict, expected)
    assert expected["rule"] in (wrong.rule or "")
    assert expected.get("says", "") in wrong.message
    named = [expected[key] for key in ("guard", "claim") if key in expected]
    assert [fact.text for fact in wrong.failed] == named


def test_every_guard_has_a_log_that_breaks_it_alone() -> None:
    guards = {(a.name, guard.text) for a in core("friendly").actions.values() for guard in a.guards}
    broken = [(one["rule"], one["guard"]) for one in EXPECTED.values() if "guard" in one]
    assert guards == set(broken)
    assert max(Counter(text for _, text in broken).values()) <= 5
    assert sorted(EXPECTED) == sorted(path.name for path in (ROOT / "logs" / "illegal").glob("*.jsonl"))
    assert len(EXPECTED) >= 40


# --- games

def played(known: Walker, seed: int) -> PlayedGame:
    random = Random(seed)
    readings = {name: random.randrange(len(one.choices)) for name, one in known.core.readings.items()}
    return play_out(known, Setting(("home", "away"), readings=readings), seed, 5_000)


@pytest.mark.parametrize("match", MATCHES)
def test_random_games_come_to_an_end_and_break_no_invariant(match: str) -> None:
    known = walker(match)
    for seed in range(GAMES):
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
        assert match == "friendly" or step.winners


def test_the_game_that_is_told_is_the_one_in_the_log() -> None:
    lines = (ROOT / "logs" / "whole_game.txt").read_text("utf-8").splitlines()
    assert lines == list(told(ROOT / "logs" / "legal" / "005.jsonl"))


def test_a_pool_in_the_header_brings_other_cards() -> None:
    rows = tomllib.loads((ROOT / "data" / "cards.toml").read_text("utf-8"))
    (cards,) = (value for value in rows.values() if isinstance(value, list))
    named = [{**card, "name": f"{card['name']}X"} for card in cards]
    core = load(ROOT, pool={"Card": named})
    assert {str(one.name) for one in core.components} == {card["name"] for card in named}


def test_with_ten_cards_in_a_deck_fewer_than_four_are_left_at_halftime() -> None:
    rows = [card for card in cards() if card["sort"] in ("goalkeeper", "special")]
    for side in ("red", "blue"):
        rows += [card for card in cards() if card["side"] == side and card["sort"] != "goalkeeper"][:10]
    small = Walker(lower(load(ROOT, pool={"Card": rows})))
    game = play_out(small, Setting(("home", "away")), 0, 5_000)
    assert game.outcome == END, game.last
    assert "halftime.unspecified" in {event.label for event in game.events}
    step = small.begin(game.setting)
    for event in game.events:
        assert isinstance(step, State)
        assert small.broken(step) == (), event
        step = small.advance(step, event)
