"""`referee check`: whether a ruleset can be loaded, for every number of players and every option."""

from __future__ import annotations

import click

from referee.api.folders.found_rulesets import wholes
from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_checks import checked
from referee.cli.options import rulesets_argument, whole_option
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit, first
from referee.report.text.diagnostic_text import drawn, lines_of
from referee.report.text.printable import count


@click.command()
@rulesets_argument
@whole_option
def check(rulesets: tuple[str, ...], whole: bool) -> int:
    """Say everything that is wrong with each RULESET, for each number of players and each option."""
    return first([_checked(one) for one in (wholes(rulesets) if whole else rulesets)])


def _checked(ruleset: str) -> Exit:
    done = checked(RulesSource(ruleset))
    if done.found:
        ERR.show(drawn(done.found, lines_of(done.loaded.sources)))
        return Exit.RULES
    if done.warnings:
        ERR.show(drawn(done.warnings, lines_of(done.loaded.sources)))
    told = f"{done.players} players, {count(done.shapes, 'shape')}"
    OUT.say(f"{done.loaded.files.name}: nothing is wrong ({told})")
    if done.inferred:
        OUT.say(f"{count(done.inferred, 'line')} marked [inferred]: say what is assumed (`assume`), and cite it there")
    return Exit.GOOD
