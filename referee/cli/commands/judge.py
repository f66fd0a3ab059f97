"""`referee judge`: the verdicts on recorded games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from referee.api.log_inputs import logs_in
from referee.api.named_engines import ENGINES, GENERATED, SOLVER, TIMEOUT
from referee.api.pages.log_files import VerdictsFile
from referee.api.runs.judging import FEW, MOST_SECONDS, How, Judged, judged_paths
from referee.cli.options import Seconds, html_option
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit, first
from referee.report.verdict_writer import FORMATS, write


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--ruleset", help="Judge by this ruleset, whatever the logs name.")
@click.option("--readings", type=click.Choice(["header", "all"]), default="header", show_default=True,
              help="all: a reading that a log does not choose is open, not at its default.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--for", "viewer", metavar="PLAYER", help="Tell nothing that this player cannot see.")
@click.option("--strict", is_flag=True,
              help="What is legal only under assumptions, or only possible, ends with 5, not 0.")
@click.option("--quiet", is_flag=True, help="Text only: legal logs are counted, not listed.")
@click.option("--engine", "engine_name", type=click.Choice((*ENGINES, SOLVER)), default=GENERATED, show_default=True,
              help="What carries the rules out; solver: a second opinion, by Z3 alone.")
@click.option("--timeout", type=Seconds(0.1), metavar="SECONDS",
              help=f"How long a log may take; if not said {TIMEOUT:.0f} with --engine {SOLVER}, "
                   f"{MOST_SECONDS:.0f} for one with holes, else as long as it takes.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N",
              help=f"Processes that judge; if not said one for each core, for more than {FEW} logs.")
@click.option("--together", is_flag=True, help="The LOGs are records of one game: can all of them be true?")
@click.option("--facts", is_flag=True,
              help="Of logs with holes: what must be in them; of illegal ones, which single lines would mend them.")
@click.option("--under", is_flag=True,
              help="Try other values in the place of defaults, one by one and in pairs, about as long as the log took: "
                   "which change the verdict?")
@html_option("Write a page with the verdicts too; `show --html` makes one of a log with its table.")
def judge(logs: tuple[str, ...], ruleset: str | None, readings: str, form: str, viewer: str | None, strict: bool,
          quiet: bool, engine_name: str, timeout: float | None, jobs: int | None, together: bool, facts: bool,
          under: bool, html: Path | None) -> int:
    """Judge each LOG: a file of JSON Lines, a folder of *.jsonl, or - for the standard input."""
    how = How(ruleset, engine_name, viewer, readings == "all", timeout, facts, jobs, together, under)
    assumed: set[Exit] = set()
    page = None if html is None else VerdictsFile(html)

    def noted() -> Iterator[Judged]:
        for verdict in judged_paths(logs_in(logs), how):
            assumed.add(Exit.OPEN if strict and (verdict.under or verdict.narrowing) else Exit.GOOD)
            if page is not None:
                page.note(verdict)
            yield verdict

    found = first([write(noted(), form, OUT, quiet=quiet), *assumed])
    if page is not None:
        page.write()
    return found
