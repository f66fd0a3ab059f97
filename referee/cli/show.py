"""`referee show`: a ruleset as the machine sees it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from referee.base.exitcodes import Exit
from referee.cli.options import ruleset_argument, shape_options
from referee.meaning import load
from referee.meaning.flow import lower


@click.command()
@ruleset_argument
@click.option("--core", "what", flag_value="core", default="core", help="The core: declarations, statements (default).")
@click.option("--flow", "what", flag_value="flow", help="The flow: points, registers, and the steps between.")
@click.option("--points", "what", flag_value="points", help="The points, by the names that logs and options use.")
@shape_options
def show(ruleset: str, what: str, players: int | None, options: dict[str, str]) -> int:
    """Show what a RULESET becomes: one node a line, with its place in the rules and the statements it cites."""
    core = load(ruleset, players, options)
    lines: Iterable[str]
    if what == "core":
        from referee.report.outline import core_outline

        lines = core_outline(core)
    else:
        from referee.report.flow_outline import flow_outline, points_outline

        lines = (flow_outline if what == "flow" else points_outline)(lower(core))
    for line in lines:
        click.echo(line)
    return Exit.GOOD
