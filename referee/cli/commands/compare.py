"""`referee compare`: what one of two rulesets allows, asks or decides otherwise than the other."""

from __future__ import annotations

import json

import click

from referee.api.errors import ArgumentError
from referee.api.log_inputs import logs_in
from referee.api.rule_sources import MOST_PLAYERS, RulesSource
from referee.api.runs.comparison_runs import CompareEffort, Comparer
from referee.cli.option_groups import gathered
from referee.cli.options import Seconds, engine_option, misuse, pair_option
from referee.cli.progress import doing, ended_in_order
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.data.comparison_data import as_data
from referee.report.text.comparison_text import lines


@click.command()
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.argument("logs", nargs=-1, metavar="[LOG]...")
@click.option("--mapping", metavar="FILE", help="What the two call the same though its names differ (TOML).")
@click.option("--players", type=click.IntRange(1, MOST_PLAYERS), metavar="N",
              help="For how many players; without it for every number that both have.")
@pair_option("--option", "An option of one or of both.", "options")
@click.option("--games", type=click.IntRange(0, 100_000), default=200, show_default=True,
              help="How many games by lot, and as many toward differences, for each number of players.")
@click.option("--events", type=click.IntRange(1, 1_000_000), default=400, show_default=True,
              help="After how many events a game is broken off.")
@click.option("--positions", type=click.IntRange(0, 1_000_000), default=20_000, show_default=True,
              help="Up to so many positions all games are looked at: then it is a proof.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of all chance: the same seed, the same games.")
@click.option("--timeout", type=Seconds(1), default=600.0, show_default=True, metavar="SECONDS",
              help="How long games are looked at.")
@click.option("--only-logs", is_flag=True, help="Look at no games, only at the verdicts on the LOGs.")
@click.option("--strict", is_flag=True, help="No difference that is not proved ends with 5, not 0.")
@engine_option
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@gathered("effort", CompareEffort)
def compare(first: str, second: str, logs: tuple[str, ...], mapping: str | None, players: int | None,
            options: dict[str, str], effort: CompareEffort, timeout: float, only_logs: bool, strict: bool,
            engine_name: str, form: str) -> int:
    """Compare the rulesets FIRST and SECOND: the shortest game for each difference, and verdicts on LOGs that change.

    Ends with 1 if there is a difference, with 0 if none was found.
    """
    try:
        work = Comparer(RulesSource(first), RulesSource(second), mapping, players, options, engine_name)
    except ArgumentError as error:
        raise misuse(error) from None
    if "-" in logs:
        raise click.UsageError("logs are read twice: not from the standard input")
    if only_logs and not logs:
        raise click.UsageError("--only-logs needs LOGs")
    with ended_in_order(), doing("reading") as progress:
        found = work.compare(logs_in(logs), effort, timeout, only_logs=only_logs, progress=progress)
    if form == "json":
        OUT.tell(json.dumps(as_data(found, work.log), indent=1, ensure_ascii=True))
    else:
        for line in lines(found):
            OUT.say(line)
    return Exit.OPEN if strict and found.exit is Exit.GOOD and found.shapes and not found.proved else found.exit
