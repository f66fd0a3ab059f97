"""Rulesets that others have written a second time play the same games.

There are two, written from the rulebook and the signature of logs alone; what set them apart is listed, with what
became of it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.api.game_setting import players_of
from referee.api.rule_sources import RulesSource
from referee.comparison.comparing import compared
from referee.comparison.correspondence import read_correspondence
from referee.comparison.search import CompareEffort
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.native.engine_names import engine
from referee.rule_tests.scenario_runs import run_scenario
from referee.system.deadline import Clock

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DIFFERENCES: list[dict[str, Any]] = tomllib.loads((HERE / "differences.toml").read_text("utf-8"))["difference"]
GAMES = sorted(path.stem for path in HERE.glob("*.toml") if (HERE / path.stem).is_dir())
VERDICTS = ("mended", "question", "form", "invented")


def test_both_second_encodings_are_there() -> None:
    assert GAMES == ["adrenalyn_xl", "go_goal"]


@pytest.mark.parametrize("name", GAMES)
def test_the_scenarios_of_the_second_encoding_pass(name: str) -> None:
    source = RulesSource(str(HERE / name))
    found = load_scenarios(HERE / name, source.loaded).found
    assert len(found) >= 4
    assert [one.title for one in found if not run_scenario(one).passed] == []


@pytest.mark.parametrize("name", GAMES)
def test_they_differ_as_it_is_listed_alone(name: str) -> None:
    """A small share of what is told of in the documentation: some games, from one seed."""
    one, other = (engine(RulesSource(str(where)).flow(2, {})) for where in (ROOT / "rulesets" / name, HERE / name))
    mapping = HERE / f"{name}.toml"
    shape = compared(one, other, players_of(one.core), read_correspondence(mapping), str(mapping),
                     CompareEffort(games=2, events=80, positions=0), Clock(None))
    stays = {about for one in DIFFERENCES if one["ruleset"] == name for about in one["stays"]}
    assert [one.message for one in shape.differences if one.shown.parting.about not in stays] == []
    assert shape.searched.games == 2


@pytest.mark.parametrize("one", DIFFERENCES, ids=lambda one: one["what"][:40])
def test_each_difference_has_a_verdict_and_stands_in_the_documentation(one: dict[str, Any]) -> None:
    assert one["verdict"] in VERDICTS
    assert one["ruleset"] in GAMES
    known = (HERE / one["ruleset"] / "statements.toml").read_text("utf-8")
    first = (ROOT / "rulesets" / one["ruleset"] / "statements.toml").read_text("utf-8")
    assert [cite for cite in one["statements"] if f"[statement.{cite}]" not in first] == []
    assert any(f"[statement.{cite}]" in known for cite in one["statements"])
    row = f"| `{one['ruleset']}` | {one['what']} | {' '.join(one['statements'])} | {one['verdict']} | {one['became']} |"
    assert row in (ROOT / "spec" / "comparing.md").read_text("utf-8")
