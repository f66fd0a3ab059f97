"""`referee check`: whether a ruleset can be loaded, for every number of players and every option."""

from __future__ import annotations

import click

from referee.api.checking import checked
from referee.api.rules_source import RulesSource
from referee.base.exitcodes import Exit
from referee.cli.options import ruleset_argument
from referee.cli.terminal import ERR, OUT
from referee.report.diagnostics import drawn, lines_of
from referee.report.printable import count


@click.command()
@ruleset_argument
def check(ruleset: str) -> int:
    """Say everything that is wrong with a RULESET, for each number of players and each option."""
    done = checked(RulesSource(ruleset))
    if done.found:
        ERR.show(drawn(done.found, lines_of(done.loaded.sources)))
        return Exit.RULES
    told = f"{done.players} players, {count(done.shapes, 'shape')}"
    OUT.say(f"{done.loaded.files.name}: nothing is wrong ({told})")
    return Exit.GOOD
