"""`referee infer`: which readings, rulings and parameters explain recorded games."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee.api.log_inputs import logs_in, only_once
from referee.api.runs.log_engines import Rules
from referee.cli.options import Seconds, engine_option, force_option, nothing_lost, ruleset_argument
from referee.cli.random_games import progress
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit


@click.command()
@ruleset_argument
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--blind", is_flag=True, help="Do not look at what headers state of readings, rulings and parameters.")
@click.option("--apart", "games", type=click.IntRange(0, 100_000), default=0, metavar="N", show_default=True,
              help="Look through N random games for what tells apart each two settings that are left.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, metavar="S")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write the games that tell settings apart into this folder.")
@force_option
@click.option("--timeout", "seconds", type=Seconds(0.1), metavar="SECONDS",
              help="How long it may take in all, but for loading rules and for --apart. If not said 60 for each log, "
                   "and 60 for what is told beside.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@engine_option
def infer(ruleset: str, logs: tuple[str, ...], blind: bool, games: int, seed: int, folder: Path | None, force: bool,
          form: str, engine_name: str, seconds: float | None) -> int:
    """Say which readings, rulings and parameters of RULESET explain every LOG."""
    from referee.api.runs.inference_runs import Inferring
    from referee.report.data.inference_data import as_data
    from referee.report.text.inference_text import inference_text

    paths = logs_in(logs)
    if any(map(only_once, paths)):
        raise click.UsageError("logs are read more than once here: the standard input, pipes and devices cannot be")
    nothing_lost(folder, force)
    load = Rules(ruleset, engine_name)
    work = Inferring(paths, load, blind=blind, games=games, seed=seed, folder=folder, seconds=seconds)
    interrupted = False
    try:
        with progress(len(paths), "judging") as advance:
            work.judge(advance)
    except KeyboardInterrupt:
        interrupted = True
        ERR.say(f"interrupted: {len(paths) - work.judged} of {len(paths)} logs were not judged")
        if not work.judged:
            return Exit.INTERRUPTED
    told = work.told()
    try:
        told = told if interrupted else work.more(told)
    except KeyboardInterrupt:
        interrupted = True
        ERR.say("interrupted: what the logs say follows, and nothing beside it")
    OUT.tell(json.dumps(as_data(told), ensure_ascii=True, indent=1) if form == "json" else inference_text(told))
    return Exit.INTERRUPTED if interrupted else told.exit
