"""The examples of `spec/language.md` are rulesets: they load, and their scenarios pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.rule_tests.scenario_runs import run_scenario

GUIDE = Path(__file__).resolve().parents[2] / "spec" / "language.md"
EXAMPLES = re.findall(r"```rules\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_loads_and_its_scenarios_pass(number: int, tmp_path: Path) -> None:
    path = tmp_path / "example.rules"
    path.write_text(EXAMPLES[number], encoding="utf-8")
    scenarios = load_scenarios(path).found
    assert scenarios
    failures = [f"{s.title}: {f.message} {f.values}" for s in scenarios for f in run_scenario(s).failures]
    assert failures == []


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
