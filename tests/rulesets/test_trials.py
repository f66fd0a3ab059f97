"""Pieces of games as small rulesets of their own: their scenarios, and random games that break no invariant."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.frontend.scenarios.scenario_reader import NAMES, Scenario, load_scenarios
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import END, play_out
from referee.interpreter.walker import Walker
from referee.rule_tests.scenario_runs import run_scenario

TRIALS = sorted((Path(__file__).parent / "trials").glob("*.rules"))
SCENARIOS = [one for path in TRIALS for one in load_scenarios(path).found]
GAMES = 40


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.title)
def test_a_scenario_goes_as_it_is_told(scenario: Scenario) -> None:
    assert [(failure.message, failure.values) for failure in run_scenario(scenario).failures] == []


@pytest.mark.parametrize("path", TRIALS, ids=lambda path: path.stem)
def test_random_games_come_to_an_end_and_break_no_invariant(path: Path) -> None:
    walker = Walker(lower(load(path)))
    for seed in range(GAMES):
        random = Random(seed)
        core = walker.core
        readings = {name: random.randrange(len(one.choices)) for name, one in core.readings.items()}
        game = play_out(walker, Setting(NAMES[: core.seats.number], readings=readings), seed, 5_000)
        assert game.outcome == END, (seed, game.last)
        step = walker.begin(game.setting)
        for event in game.events:
            assert isinstance(step, State)
            assert walker.broken(step) == (), (seed, event)
            step = walker.advance(step, event)
