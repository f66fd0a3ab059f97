"""`referee show`: a ruleset as the machine sees it, or a log as a page to look at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from referee.api.log_inputs import only_once
from referee.api.named_engines import ENGINES, GENERATED
from referee.api.rule_sources import RulesSource
from referee.cli.options import html_option, shape_options, timeout_option
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit


@click.command()
@click.argument("what", metavar="RULESET|LOG")
@click.option("--core", is_flag=True, help="The core: declarations, statements (default).")
@click.option("--flow", is_flag=True, help="The flow: points, registers, and the steps between.")
@click.option("--points", is_flag=True, help="The points, by the names that logs and options use.")
@shape_options
@html_option("Write a LOG as a page: the table step by step, and the verdict.")
@click.option("--for", "viewer", metavar="PLAYER",
              help="The page of a log holds nothing that this player cannot know; `public`: what everybody saw.")
@click.option("--ruleset", help="Judge the log by this ruleset, whatever it names.")
@click.option("--engine", "engine_name", type=click.Choice(ENGINES),
              help="What judges the log; the answers are the same.  [default: generated]")
@timeout_option("How long judging the log may take, and making its page. If not said as long as it takes.")
def show(what: str, core: bool, flow: bool, points: bool, players: int | None, options: dict[str, str],
         html: Path | None, viewer: str | None, ruleset: str | None, engine_name: str | None,
         timeout: float | None) -> int:
    """Show what a RULESET becomes: one node a line, with its place in the rules and the statements it cites. With
    `--html` show a LOG, as a file that any browser opens."""
    if html is not None:
        if core or flow or points or players is not None or options:
            raise click.UsageError("--core, --flow, --points, --players and --option are of rulesets, --html of logs")
        return _page(what, html, viewer, ruleset, engine_name or GENERATED, timeout)
    if any(one is not None for one in (viewer, ruleset, engine_name, timeout)):
        raise click.UsageError("--for, --ruleset, --engine and --timeout are of logs: say --html OUT.html too")
    if core + flow + points > 1:
        raise click.UsageError("one of --core, --flow and --points at a time")
    shown = RulesSource(what).flow(players, options)
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


def _page(log: str, html: Path, viewer: str | None, ruleset: str | None, engine_name: str,
          timeout: float | None) -> int:
    """Writes the page of a log; its verdict is the exit code."""
    from referee.api.pages.log_files import log_page, no_log, write_page
    from referee.api.runs.log_engines import Rules
    if only_once(log):
        raise click.UsageError("a page is made of a log in a file: the standard input, pipes and devices cannot be one")
    if (why := no_log(log)) is not None:
        raise click.UsageError(why)
    document, verdict = log_page(log, Rules(ruleset, engine_name), viewer, timeout)
    write_page(document, html)
    OUT.say(f"{html}: {verdict.outcome.value}, {len(document['steps'])} steps")
    if verdict.exit is not Exit.GOOD:
        from referee.report.text.verdict_text import text_of

        OUT.tell(text_of(verdict))
    return verdict.exit
