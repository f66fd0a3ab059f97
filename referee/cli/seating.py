"""What the command line fixes before a game begins: seats, readings, rulings, parameters, facts from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from referee.api.game_setting import players_of
from referee.cli.options import pair_option
from referee.cli.typed_moves import value_of
from referee.game.log.log_header import Header, HeaderFault
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.judge.open_settings.header_admission import admitted

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class FixedNames:
    """Names with the texts given for them on the command line."""

    givens: Mapping[str, str]
    readings: Mapping[str, str]
    rulings: Mapping[str, str]
    parameters: Mapping[str, str]


def fixing_options(command: _Command) -> _Command:
    """`--given`, `--reading`, `--rule` and `--parameter`."""
    command = pair_option("--parameter", "The value of a parameter (also as JSON).", "parameters")(command)
    command = pair_option("--rule", "What the table rules at an unspecified point: POINT=CHOICE.", "rulings")(command)
    command = pair_option("--reading", "The choice of a reading.", "readings")(command)
    return pair_option("--given", "A fact from outside, such as who begins.", "givens")(command)


def seated(walker: Walker, fixed: FixedNames) -> Setting:
    """The setting of a game on the command line; a usage error for what the ruleset does not have."""
    core = walker.core
    header = Header(
        core.name, players_of(core), given={name: value_of(text) for name, text in fixed.givens.items()},
        readings=fixed.readings, rulings={name: value_of(text) for name, text in fixed.rulings.items()},
        parameters={name: value_of(text) for name, text in fixed.parameters.items()},
    )
    try:
        return admitted(walker, header)
    except HeaderFault as fault:
        expected = f" (one of {', '.join(fault.expected)})" if fault.expected else ""
        raise click.UsageError(f"{fault.message}{expected}{f': {fault.hint}' if fault.hint else ''}") from fault
