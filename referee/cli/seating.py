"""What the command line fixes before a game begins: seats, readings, rulings, parameters, facts from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.api.errors import LogError
from referee.api.rule_sources import RulesSource
from referee.api.runs.seated_games import GameTable
from referee.cli.option_groups import gathered
from referee.cli.options import misuse, pair_option
from referee.cli.typed_moves import value_of


@dataclass(frozen=True, slots=True)
class FixedNames:
    """Names with the texts given for them on the command line."""

    givens: Mapping[str, str]
    readings: Mapping[str, str]
    rulings: Mapping[str, str]
    parameters: Mapping[str, str]

    def __bool__(self) -> bool:
        return any((self.givens, self.readings, self.rulings, self.parameters))


def fixing_options(command: Callable[..., int]) -> Callable[..., int]:
    """`--given`, `--reading`, `--rule` and `--parameter`; the command gets a `FixedNames` as `fixed`."""
    command = gathered("fixed", FixedNames)(command)
    command = pair_option("--parameter", "The value of a parameter (also as JSON).", "parameters")(command)
    command = pair_option("--rule", "What the table rules at an unspecified point: POINT=CHOICE.", "rulings")(command)
    command = pair_option("--reading", "The choice of a reading.", "readings")(command)
    return pair_option("--given", "A fact from outside, such as who begins.", "givens")(command)


def seated(ruleset: str, players: int | None, options: Mapping[str, str], fixed: FixedNames,
           engine_name: str) -> GameTable:
    """The table of a game on the command line; a usage error for what the ruleset does not have."""
    header = {
        "given": {name: value_of(text) for name, text in fixed.givens.items()}, "readings": fixed.readings,
        "rulings": {name: value_of(text) for name, text in fixed.rulings.items()},
        "parameters": {name: value_of(text) for name, text in fixed.parameters.items()},
    }
    try:
        return GameTable(RulesSource(ruleset), players, options, header, engine_name)
    except LogError as error:
        raise misuse(error) from error
