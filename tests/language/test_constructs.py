"""Small rulesets that together use every construct of the language: they load, and their scenarios pass."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.frontend.scenarios.scenario_reader import Scenario, load_scenarios
from referee.rule_tests.scenario_runs import Result, run_scenario
from referee.syntax.formatter import format_text
from tests.laws.shapes import loaded, readable

FILES = sorted((Path(__file__).parent / "constructs").glob("*.rules"))


def scenarios() -> list[tuple[Path, Scenario]]:
    """The scenarios of those that load; the others fail a test of their own."""
    found: list[tuple[Path, Scenario]] = []
    for path in readable(FILES):
        with suppress(Problems):
            found.extend((path, scenario) for scenario in load_scenarios(path, loaded(path)).found)
    return found


SCENARIOS = scenarios()


def told(result: Result) -> list[str]:
    return [f"{one.span}: {one.message} {dict(one.values)}" for one in result.failures]


@pytest.mark.parametrize(("path", "scenario"), SCENARIOS, ids=[f"{p.stem}: {s.title}" for p, s in SCENARIOS])
def test_the_scenarios_of_a_construct(path: Path, scenario: Scenario) -> None:
    assert told(run_scenario(scenario)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_ruleset_has_scenarios_and_is_laid_out_as_the_formatter_does_it(path: Path) -> None:
    assert path in {where for where, _ in SCENARIOS}
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text
