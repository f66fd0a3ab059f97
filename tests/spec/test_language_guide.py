"""The examples of the pages on the language are rulesets: they load, and their scenarios pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.rule_tests.scenario_runs import run_scenario

SPEC = Path(__file__).resolve().parents[2] / "spec"
PAGES = ("language", "boards")
EXAMPLES = [(page, text) for page in PAGES
            for text in re.findall(r"```rules\n(.*?)```", (SPEC / f"{page}.md").read_text("utf-8"), re.DOTALL)]


@pytest.mark.parametrize(("page", "text"), EXAMPLES, ids=[f"{page}-{n}" for n, (page, _) in enumerate(EXAMPLES)])
def test_an_example_loads_and_its_scenarios_pass(page: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.rules"
    path.write_text(text, encoding="utf-8")
    scenarios = load_scenarios(path).found
    assert scenarios
    failures = [f"{s.title}: {f.message} {f.values}" for s in scenarios for f in run_scenario(s).failures]
    assert failures == []


def test_there_are_examples() -> None:
    assert {page for page, _ in EXAMPLES} == {*PAGES}
