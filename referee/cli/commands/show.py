"""`referee show`: a ruleset as the machine sees it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from referee.api.rule_sources import RulesSource
from referee.cli.options import ruleset_argument, shape_options
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit


@click.command()
@ruleset_argument
@click.option("--core", is_flag=True, help="The core: declarations, statements (default).")
@click.option("--flow", is_flag=True, help="The flow: points, registers, and the steps between.")
@click.option("--points", is_flag=True, help="The points, by the names that logs and options use.")
@shape_options
def show(ruleset: str, core: bool, flow: bool, points: bool, players: int | None, options: dict[str, str]) -> int:
    """Show what a RULESET becomes: one node a line, with its place in the rules and the statements it cites."""
    if core + flow + points > 1:
        raise click.UsageError("one of --core, --flow and --points at a time")
    shown = RulesSource(ruleset).flow(players, options)
    lines: Iterable[str]
    if flow or points:
        from referee.report.text.flow_outline import flow_outline, points_outline

        lines = (flow_outline if flow else points_outline)(shown)
    else:
        from referee.report.text.outline import core_outline

        lines = core_outline(shown.core)
    for line in lines:
        OUT.say(line)
    return Exit.GOOD
