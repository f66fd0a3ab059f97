"""The Adrenaline rulebook: rules, boards, scenarios, logs with the verdicts written beside them, random games."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.expr import Const
from referee.core.ruleset import Core
from referee.core.stmt import Call
from referee.core.traverse import statements
from referee.frontend.loading.loader import load, load_flow
from referee.frontend.scenarios.scenario_reader import NAMES, RefusedEvent, Scenario, load_scenarios
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.interpreter.playouts import END, play_out
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from referee.rule_tests.scenario_runs import run_scenario
from tests.laws.shapes import loaded
from tests.rulesets import kept
from tests.rulesets.kept import assert_each_line_is_explained, refused_as_written
from tests.rulesets.telling import told

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "adrenaline"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "logs" / "illegal" / "expected.json").read_text("utf-8"))
LEGAL = sorted(path.name for path in (ROOT / "logs" / "legal").glob("*.jsonl"))
BY_HAND = ["001.jsonl", "002.jsonl", "003.jsonl"]
BOARDS = ["ten", "eleven_left", "eleven_right", "twelve"]
PLAYERS = [3, 4, 5]
GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "2"))
SCENARIOS = load_scenarios(ROOT, loaded(ROOT)).found


@cache
def core(players: int, board: str = "ten") -> Core:
    return load(ROOT, players, {"board": board})


@cache
def walker(players: int, board: str = "ten") -> Walker:
    return engine(load_flow(ROOT, players, {"board": board}))


def by_shape(header: Header) -> Walker:
    return walker(len(header.players), str(header.options.get("board", "ten")))


def judged(path: Path) -> LogVerdict:
    return kept.judged(path, by_shape)


# --- boards, cards and statements

@pytest.mark.parametrize(
    ("board", "squares", "rooms", "one_way"),
    [("ten", 10, 4, 24), ("eleven_left", 11, 5, 34), ("eleven_right", 11, 5, 26), ("twelve", 12, 6, 36)],
)
def test_a_board_has_the_squares_rooms_and_one_way_sights_that_were_counted(
    board: str, squares: int, rooms: int, one_way: int
) -> None:
    made = core(3, board)
    cells = range(made.domains["arena"].whole.hi + 1)
    sees, far = made.tables["sees on arena"].values, made.tables["distance on arena"].values
    pairs = list(product(cells, cells))
    number = len(cells)
    assert (number, len(made.domains["room of arena"].labels)) == (squares, rooms)
    assert sum(sees[a * number + b] != sees[b * number + a] for a, b in pairs) == one_way
    assert max(value for value in far if isinstance(value, int)) == 5


def test_there_are_as_many_cards_and_tiles_as_in_the_box() -> None:
    made = core(3)
    numbers = {"Weapon": 0, "Powerup": 0, "Tile": 0}
    for one in made.components:
        if one.kind in numbers:
            numbers[one.kind] += one.number
    assert numbers == {"Weapon": 21, "Powerup": 24, "Tile": 36}


def test_every_statement_has_a_line_and_a_status() -> None:
    statements = tomllib.loads((ROOT / "statements.toml").read_text("utf-8"))["statement"]
    assert sorted(statements) == [f"AD-{number:03}" for number in range(1, 134) if number != 19]
    for one in statements.values():
        assert one["status"] in ("encoded", "open", "not a rule")
        assert ("reason" in one) == (one["status"] == "not a rule")
        assert 11 <= one["line"] <= 357


NEW_WEAPON = """
class SLING of Weapon: top RED, price 1 blue and 1 red
  basic effect, if able:
    target: another player
    needs "you see the target": sees(me, target)
    deal 2 damage to target

scenario "a weapon of one's own"
  players ana, ben, cleo
  given square of ana is a2
  given square of ben is b2
  given weapons of ana: SLING
  given loaded of SLING is yes
  given actions_left is 2
  given skulls_left is 8
  turn of ana
  at play.choice
  ana shoot a2; ana play SLING; ana sling ben
  expect number of track of ben = 2; not loaded of SLING
"""


def test_a_new_weapon_changes_nothing_outside_its_section(tmp_path: Path) -> None:
    folder = tmp_path / "adrenaline"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns("*_scenarios_*", "logs"))
    (folder / "statements.toml").unlink()
    (folder / "20_sling.rules").write_text(NEW_WEAPON, encoding="utf-8")
    (scenario,) = load_scenarios(folder).found
    assert run_scenario(scenario).passed


PRICES = {
    "second_lock": (0, 1, 0), "focus_shot": (0, 0, 1), "turret_tripod": (1, 0, 0), "chain_reaction": (1, 0, 0),
    "high_voltage": (1, 0, 0), "charged_shot": (1, 0, 0), "reaper": (1, 1, 0), "punisher": (0, 1, 1),
    "black_hole": (0, 1, 0), "nano_tracer": (0, 1, 0), "barbecue": (0, 0, 2), "extra_grenade": (0, 1, 0),
    "rocket_jump": (1, 0, 0), "fragmenting_warhead": (0, 0, 1), "rocket_fist": (1, 0, 0), "tsunami": (0, 0, 1),
    "slice_and_dice": (0, 0, 1), "pulverize": (0, 1, 0),
}
"""What the effects cost: blue, red and yellow cubes."""


def test_each_effect_has_its_price() -> None:
    """That it is refused for want of the same is so of every effect (tests/language/constructs)."""
    found = {action.name: tuple(arg.value for arg in call.args[1:] if isinstance(arg, Const))
             for action in core(3).actions.values()
             for call in statements(action.body, Call) if call.procedure == "pay_for"}
    assert {name: price for name, price in found.items() if price} == PRICES


# --- scenarios

@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.title)
def test_a_scenario_goes_as_it_is_told(scenario: Scenario) -> None:
    assert [(failure.message, failure.values) for failure in run_scenario(scenario).failures] == []


def test_there_are_scenarios_for_each_weapon_and_for_each_choice_of_a_reading() -> None:
    assert len({one.title for one in SCENARIOS}) == len(SCENARIOS) >= 100
    for one in core(3).components:
        if one.kind == "Weapon":
            title = str(one.name).replace("THOR", "T.H.O.R.").replace("ZX_2", "ZX-2").replace("_", " ")
            assert len([s for s in SCENARIOS if s.title.startswith(f"{title}:")]) >= 2, title
    chosen = {(name, told) for one in SCENARIOS for name, told in one.header.get("readings", {}).items()}
    for reading in core(3).readings.values():
        others = {choice.name for choice in reading.choices[1:]}
        assert others <= {told for name, told in chosen if name == reading.name}, reading.name


def test_every_guard_is_broken_in_a_scenario_or_a_log() -> None:
    guards = {(a.name, guard.text) for a in core(3).actions.values() for guard in a.guards}
    refused = {
        text for one in SCENARIOS for line in one.lines if isinstance(line, RefusedEvent) for text in line.guards
    }
    logged = {(e["rule"], text) for e in EXPECTED.values() for text in e.get("guards", ())}
    left = {(action, text) for action, text in guards if text not in refused and (action, text) not in logged}
    assert not {pair for pair in left if not pair[0].endswith(".pass")}


# --- logs

@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_log_is_legal(name: str) -> None:
    verdict = judged(ROOT / "logs" / "legal" / name)
    assert (verdict.outcome, verdict.wrong) == (LogOutcome.LEGAL, None)


def test_there_are_enough_legal_logs() -> None:
    assert len(LEGAL) >= 15
    assert sum(judged(ROOT / "logs" / "legal" / name).finished for name in LEGAL) >= 3
    assert_each_line_is_explained(ROOT / "logs" / "legal" / name for name in BY_HAND)


@pytest.mark.parametrize("name", sorted(EXPECTED), ids=lambda name: f"{name[:3]} {EXPECTED[name]['why']}")
def test_an_illegal_log_is_refused_where_and_why_it_is_written(name: str) -> None:
    expected, verdict = EXPECTED[name], judged(ROOT / "logs" / "illegal" / name)
    wrong = refused_as_written(verdict, expected)
    assert expected["rule"] in (wrong.rule or "")
    assert expected.get("says", "") in wrong.message
    named = [*expected.get("guards", ()), *([expected["claim"]] if "claim" in expected else [])]
    assert [fact.text for fact in wrong.failed] == named


def test_there_are_enough_illegal_logs() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in (ROOT / "logs" / "illegal").glob("*.jsonl"))
    assert len(EXPECTED) >= 60


# --- games

@pytest.mark.parametrize(("players", "board"), [*product(PLAYERS, BOARDS[:1]), *product(PLAYERS[:1], BOARDS[1:])])
def test_random_games_come_to_an_end_and_break_no_invariant(players: int, board: str) -> None:
    known = walker(players, board)
    for seed in range(GAMES):
        random = Random(seed)
        readings = {name: random.randrange(len(one.choices)) for name, one in known.core.readings.items()}
        game = play_out(known, Setting(NAMES[:players], readings=readings), seed)
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
