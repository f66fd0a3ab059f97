"""`referee infer`: which readings, rulings and parameters explain recorded games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.api.engines import Rules
from referee.base.exitcodes import Exit
from referee.cli.options import STDIN, Seconds, engine_option, logs_in, ruleset_argument
from referee.cli.runs import progress
from referee.cli.terminal import ERR, OUT

if TYPE_CHECKING:
    from referee.base.deadline import Deadline
    from referee.judge.explain import Explained
    from referee.judge.infer import Inference
    from referee.judge.settle import Pair
    from referee.judge.stretch import Place
    from referee.report.inference import Inferred

FOR_LOGS = 0.7
"""The share of a time for all in which logs are judged; the rest is for what is told beside."""
LONGER = 2
"""A log is judged once more if it may take so many times as long as before."""
MOST_AGAINST = 60
"""Values for which it is looked what stands against them, at most."""


@click.command()
@ruleset_argument
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--blind", is_flag=True, help="Do not look at what headers state of readings, rulings and parameters.")
@click.option("--apart", "games", type=click.IntRange(0, 100_000), default=0, metavar="N", show_default=True,
              help="Look through N random games for what tells apart each two settings that are left.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, metavar="S")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write the games that tell settings apart into this folder.")
@click.option("--timeout", "seconds", type=Seconds(0.1), metavar="SECONDS",
              help="How long it may take in all, but for loading rules and for --apart. If not said 60 for each log, "
                   "and 60 for what is told beside.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@engine_option
def infer(ruleset: str, logs: tuple[str, ...], blind: bool, games: int, seed: int, folder: Path | None, form: str,
          engine_name: str, seconds: float | None) -> int:
    """Say which readings, rulings and parameters of RULESET explain every LOG."""
    from referee.base.deadline import Deadline
    from referee.judge.holes import MOST_SECONDS
    from referee.judge.infer import infer as inferred_from
    from referee.report.inference import Inferred, as_data
    from referee.report.inference_text import inference_text

    paths = logs_in(logs)
    if STDIN in paths:
        raise click.UsageError("logs are read more than once here: the standard input cannot be")
    load = Rules(ruleset, engine_name)
    explained: list[Explained] = []
    interrupted = False
    whole = Deadline(seconds)
    try:
        _explain(explained, paths, load, whole, blind=blind)
    except KeyboardInterrupt:
        interrupted = True
        ERR.say(f"interrupted: {len(paths) - len(explained)} of {len(paths)} logs were not judged")
        if not explained:
            return Exit.INTERRUPTED
    told = Inferred(inferred_from(explained))
    try:
        if told.inference.region and not interrupted:
            told = _more(told, load, blind, games, seed, folder, Deadline(MOST_SECONDS) if seconds is None else whole)
    except KeyboardInterrupt:
        interrupted = True
        ERR.say("interrupted: what the logs say follows, and nothing beside it")
    OUT.tell(json.dumps(as_data(told), ensure_ascii=True, indent=1) if form == "json" else inference_text(told))
    return Exit.INTERRUPTED if interrupted else told.exit


def _explain(explained: list[Explained], paths: Sequence[str], load: Rules, whole: Deadline, *, blind: bool) -> None:
    """Judges log after log. Of a time for all, each has an equal share of what is left; those for which it was too
    short are judged once more if others have left enough."""
    from referee.judge.explain import explain

    logs = whole if whole.left is None else whole.within(whole.left * FOR_LOGS)
    shares: list[float] = []
    with progress(len(paths), "judging") as advance:
        for index, path in enumerate(paths):
            share = None if logs.left is None else logs.left / (len(paths) - index)
            shares.append(share or 0.0)
            explained.append(explain(path, load, blind=blind, seconds=share))
            advance()
    short = [at for at, log in enumerate(explained) if log.space is not None and (log.region is None or log.untold)]
    for number, index in enumerate(short):
        if logs.left is not None and (share := logs.left / (len(short) - number)) > LONGER * shares[index]:
            again = explain(paths[index], load, blind=blind, seconds=share)
            explained[index] = again if again.region is not None else explained[index]


def _more(told: Inferred, load: Rules, blind: bool, games: int, seed: int, folder: Path | None,
          deadline: Deadline) -> Inferred:
    """What stands against the values that are excluded, and what would decide between those that are left."""
    from referee.judge.choices import NOTHING
    from referee.judge.decide import decisive
    from referee.judge.infer import against, rulings
    from referee.judge.settle import pairs

    inference = told.inference
    excluded = [against(inference.logs, place, piece, load, blind=blind, deadline=deadline)
                for place, piece in _gone(inference)]
    ruled = list(rulings(inference, load, blind=blind, deadline=deadline))
    found = list(pairs(inference, games, seed)) if games else []
    return replace(
        told, excluded=excluded, rulings=ruled,
        decisive=[one for log in inference.logs for one in decisive(log, inference.region or NOTHING, deadline)],
        pairs=found, files=_written(found, folder))


def _gone(inference: Inference) -> Iterator[tuple[Place, tuple[int, int]]]:
    """The values that no setting left has: of readings each choice, of parameters the next below and above."""
    region, full = inference.region, inference.full

    def gone() -> Iterator[tuple[Place, tuple[int, int]]]:
        for place in (place for place in inference.told_of if region is not None and place in region.places):
            left = region.values(place) if region is not None else []
            lo, hi = full[place]
            held = {value for low, high in left for value in range(low, high + 1)}
            edges = range(lo, hi + 1) if hi - lo < 12 else sorted(
                {edge for low, high in left for edge in (low - 1, high + 1) if lo <= edge <= hi})
            yield from ((place, (value, value)) for value in edges if value not in held)

    return islice(gone(), MOST_AGAINST)


def _written(found: Sequence[Pair], folder: Path | None) -> list[tuple[str | None, str | None]]:
    """Writes the games that tell settings apart; the names of their files."""
    from referee.api.record import Recorder
    from referee.cli.files import write_whole

    files: list[tuple[str | None, str | None]] = []
    for index, pair in enumerate(found):
        walker = pair.log.walker
        names: list[str | None] = [None, None]
        for side, one in enumerate(pair.found):
            if folder is None or walker is None or not one.events:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            names[side] = str(path := folder / f"{index:03}-{side + 1}.jsonl")
            lines = Recorder(walker, pair.log.options).lines(one.setting, one.events, walker.begin(one.setting), ())
            write_whole(path, lines)
        files.append((names[0], names[1]))
    return files
