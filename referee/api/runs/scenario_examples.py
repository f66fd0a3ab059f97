"""What a review has of scenarios: the games that they tell, and the worked examples of a rulebook, read in each way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from referee.api.rule_sources import RulesSource
from referee.frontend.names.shapes import Range, Shape
from referee.frontend.scenarios.scenario_reader import Scenario
from referee.game.value_codec import encode_value
from referee.native.engine_names import REFERENCE
from referee.rule_tests.scenario_runs import game_of, json_of, run_scenario
from referee.simulation.witness import Tale

if TYPE_CHECKING:
    from referee.core.ruleset import Core
    from referee.game.log.strict_json import Json
    from referee.review.subject import Contradicted, Example, Examples, ToldGames


def told_in(source: RulesSource) -> ToldGames:
    """The games that scenarios tell, for the players and options of some rules in core form."""

    @cache
    def scenarios() -> tuple[Scenario, ...]:
        return source.scenarios.found

    def told(core: Core) -> list[Tale]:
        shape = core.seats.number, core.options
        found = [one for one in scenarios() if (one.core.seats.number, one.core.options) == shape]
        return [Tale(*game_of(one), one.span, _state(one)) for one in found]

    return told


def shapes_told(source: RulesSource, bounds: Range, players: int | None) -> list[Shape]:
    """Shapes of scenarios, of so many players if they are said, with several options that are not the default."""
    found = dict.fromkeys(
        Shape(one.core.seats.number, tuple((n, v) for n, v in one.core.options if v != bounds.options[n][0]))
        for one in source.scenarios.found if players in (None, one.core.seats.number)
    )  # fmt: skip
    return [shape for shape in found if len(shape.options) > 1]


def _state(one: Scenario) -> Mapping[str, Json] | None:
    """The position that a scenario begins in, as a log's header says it."""
    start = one.start
    if start is None:
        return None
    values: dict[str, Json] = {
        said: encode_value(one.core, one.players, one.core.vars[name].type, value)
        for said, ((name, _), value) in zip(start.counters, start.values, strict=True)
    }
    values.update((name, json_of(raw)) for name, raw in start.registers)
    places = {said: json_of(what) for said, _, what in start.places}
    told: dict[str, Json] = {"at": start.at, "turn": start.turn, "place": places, "set": values}
    return {name: entry for name, entry in told.items() if entry}


def examples_of(source: RulesSource) -> Examples:
    """What fails under a choice of a reading, of the examples that do not choose it themselves.

    A scenario that shows no example of the rulebook says what its author has read: it speaks against nothing.
    """

    @cache
    def cited() -> tuple[Scenario, ...]:
        return _worked(source)

    def failing(reading: str, choice: str) -> Mapping[str, Example]:
        told = [one for one in cited() if reading not in one.header.get("readings", {})]
        tried = [(one, run_scenario(_read(one, reading, choice))) for one in told]
        wrong = [(one, result.failures[0].message) for one, result in tried if result.failures]
        return {one.title: (one.span, one.cites, message) for one, message in wrong}

    return failing


def contradicted_in(source: RulesSource) -> Contradicted:
    """What fails of the examples of a shape under other rules for it, which have all names that the rules have."""

    @cache
    def cited() -> tuple[Scenario, ...]:
        return _worked(source)

    def failing(core: Core) -> tuple[str, ...]:
        shape = core.seats.number, core.options
        told = [one for one in cited() if (one.core.seats.number, one.core.options) == shape]
        return tuple(one.title for one in told if not run_scenario(replace(one, core=core), REFERENCE).passed)

    return failing


def _worked(source: RulesSource) -> tuple[Scenario, ...]:
    """The scenarios that show worked examples of the rulebook."""
    shown = {name for name, one in source.loaded.statements.items() if one.shown}
    return tuple(one for one in source.scenarios.found if shown.intersection(one.cites)) if shown else ()


def _read(one: Scenario, reading: str, choice: str) -> Scenario:
    readings = {**one.header.get("readings", {}), reading: choice}
    return replace(one, header={**one.header, "readings": readings})
