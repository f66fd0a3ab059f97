"""What the command line fixes before a game begins: seats, readings, rulings, parameters, facts from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.api.errors import LogError
from referee.api.rule_sources import RulesSource
from referee.api.runs.seated_games import GameTable
from referee.cli.option_groups import gathered
from referee.cli.options import misuse, pair_option, shape_options
from referee.cli.typed_moves import value_of


@dataclass(frozen=True, slots=True)
class Seating:
    """The number of players, and names with the texts given for them on the command line; false if nothing is said."""

    players: int | None
    options: Mapping[str, str]
    givens: Mapping[str, str]
    readings: Mapping[str, str]
    rulings: Mapping[str, str]
    parameters: Mapping[str, str]

    def __bool__(self) -> bool:
        named = (self.options, self.givens, self.readings, self.rulings, self.parameters)
        return self.players is not None or any(named)


def seating_options(command: Callable[..., int]) -> Callable[..., int]:
    """`--players` and `--option`, `--given`, `--reading`, `--rule` and `--parameter`; the command gets a `Seating` as
    `seating`."""
    command = gathered("seating", Seating)(command)
    command = pair_option("--parameter", "The value of a parameter (also as JSON).", "parameters")(command)
    command = pair_option("--rule", "What the table rules at an unspecified point: POINT=CHOICE.", "rulings")(command)
    command = pair_option("--reading", "The choice of a reading.", "readings")(command)
    return shape_options(pair_option("--given", "A fact from outside, such as who begins.", "givens")(command))


def seated(ruleset: str, seating: Seating, engine_name: str) -> GameTable:
    """The table of a game on the command line; a usage error for what the ruleset does not have."""
    header = {
        "given": {name: value_of(text) for name, text in seating.givens.items()}, "readings": seating.readings,
        "rulings": {name: value_of(text) for name, text in seating.rulings.items()},
        "parameters": {name: value_of(text) for name, text in seating.parameters.items()},
    }
    try:
        return GameTable(RulesSource(ruleset), seating.players, seating.options, header, engine_name)
    except LogError as error:
        raise misuse(error) from error
