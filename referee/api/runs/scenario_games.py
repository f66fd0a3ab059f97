"""A game that goes on where a scenario ends."""

from __future__ import annotations

from random import Random

from referee.api.error_translation import told
from referee.api.errors import ArgumentError
from referee.api.game import Game
from referee.api.game_setting import drawn
from referee.api.results.game_events import event_of
from referee.api.rule_sources import RulesSource
from referee.codegen.engine_names import engine
from referee.diagnostics.suggestions import did_you_mean
from referee.interpreter.playouts import complete
from referee.rule_tests.scenario_runs import game_of


def game_after(source: RulesSource, title: str, engine_name: str, random: Random) -> Game:
    """The game that the first scenario of this title tells, up to its end or its first line that cannot be. What is
    still drawn by lot is drawn from `random`.

    Raises `ArgumentError` (AP02) if there is none, `Problems`, and `RulesError` if the rules fail.
    """
    scenario = next((one for one in source.scenarios.found if one.title == title), None)
    if scenario is None:
        hint = did_you_mean(title, [one.title for one in source.scenarios.found])
        raise ArgumentError("AP02", f"there is no scenario {title[:80]!r}", hint=hint)
    before, events = game_of(scenario)
    options = dict(scenario.core.options)
    walker = engine(source.flow(scenario.core.seats.number, options), engine_name)
    with told():
        whole = complete(walker, before, random)
        game = Game(walker, whole, options, random, drawn(before, whole), {}, source)
        for event in events:
            game.play(event_of(walker.core, whole, event))
    return game
