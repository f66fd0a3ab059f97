"""Worked examples of a rulebook: the scenarios that cite statements, carried out under each reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from referee.judge.scenarios import run_scenario
from referee.meaning.scenario import Scenario, load_scenarios

if TYPE_CHECKING:
    from referee.review.subject import Example, Examples


def examples_of(ruleset: str) -> Examples:
    """What fails under a choice of a reading, of the examples that do not choose it themselves."""

    @cache
    def cited() -> tuple[Scenario, ...]:
        return tuple(one for one in load_scenarios(ruleset).found if one.cites)

    def failing(reading: str, choice: str) -> Mapping[str, Example]:
        told = [one for one in cited() if reading not in one.header.get("readings", {})]
        tried = [(one, run_scenario(_read(one, reading, choice))) for one in told]
        wrong = [(one, result.failures[0].message) for one, result in tried if result.failures]
        return {one.title: (one.span, one.cites, message) for one, message in wrong}

    return failing


def _read(one: Scenario, reading: str, choice: str) -> Scenario:
    readings = {**one.header.get("readings", {}), reading: choice}
    return replace(one, header={**one.header, "readings": readings})
