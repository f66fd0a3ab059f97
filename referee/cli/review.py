"""`referee review`: what the rules leave open, forget or contradict, each with a game that shows it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.api.examples import examples_of, shapes_told, told_in
from referee.api.reviewed import Games, load_for, shapes_of
from referee.api.rules_source import RulesSource
from referee.base.exitcodes import Exit
from referee.cli.doing import doing
from referee.cli.options import NO_SOLVER, Seconds, ruleset_argument
from referee.cli.terminal import ERR, OUT
from referee.meaning.assemble import Loaded

if TYPE_CHECKING:
    from referee.review.review import Review

FORMATS = ("text", "json", "sarif")


@click.command()
@ruleset_argument
@click.option("--players", type=click.IntRange(1, 12), help="For how many players; for every number if not said.")
@click.option("--only", multiple=True, metavar="CLASS", help="Only what is of this class (several are possible).")
@click.option("--games", type=click.IntRange(0, 100_000), default=200, show_default=True,
              help="How many random games are looked at for each number of players.")
@click.option("--events", type=click.IntRange(1, 1_000_000), default=400, show_default=True,
              help="After how many events a random game is broken off.")
@click.option("--positions", type=click.IntRange(0, 1_000_000), default=20_000, show_default=True,
              help="How many positions are searched: a smaller game is known completely.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of all chance: the same seed, the same findings.")
@click.option("--prove", "proofs", is_flag=True,
              help="Try to prove what no game showed (needs the extra `solver`, takes minutes).")
@click.option("--timeout", type=Seconds(1), metavar="SECONDS",
              help="How long to try; what could not be done by then is unknown.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write each game that shows a finding into this folder, as a log.")
@click.option("--all", "accepted", is_flag=True, help="Tell what the rules accept as fully as the rest.")
@click.option("--strict", is_flag=True, help="A class that was looked for and not proved absent ends with 5, not 0.")
def review(ruleset: str, players: int | None, only: tuple[str, ...], games: int, events: int, positions: int,
           seed: int, proofs: bool, timeout: float | None, form: str, out: Path | None, accepted: bool,
           strict: bool) -> int:
    """Find what a RULESET leaves open, forgets or contradicts, for each number of players."""
    from referee.review.detectors import DETECTORS
    from referee.review.review import review as reviewed
    from referee.review.subject import Effort

    known = {check.code for check in DETECTORS}
    for code in only:
        if code not in known:
            raise click.UsageError(f"there is no class {code} (one of {', '.join(sorted(known))})")
    source = RulesSource(ruleset)
    loaded = source.loaded
    shapes, load = shapes_of(loaded.range, players), load_for(source)
    shapes += shapes_told(source, loaded.range, players)
    every = [*shapes_of(loaded.range, None), *shapes_told(source, loaded.range, None)]
    elsewhere = [shape for shape in every if shape not in shapes]
    load(shapes[0])  # that there are so many players is said before anything is looked at
    if proofs and find_spec("z3") is None:
        ERR.say(f"nothing is proved by induction: {NO_SOLVER}")
    effort = Effort(games, events, seed=seed, positions=positions, proofs=proofs, examples=examples_of(source),
                    told=told_in(source))
    with doing("reading") as progress:
        found = reviewed(loaded, load, shapes, effort, timeout, only, progress, elsewhere)
    told = Games(load, out)
    if form == "text":
        _text(found, loaded, told, accepted)
    else:
        data = _as_json(found, told) if form == "json" else _as_sarif(found)
        OUT.tell(json.dumps(data, indent=1, ensure_ascii=True))
    told.write_all(found)
    return Exit.OPEN if strict and found.exit is Exit.GOOD and found.is_bounded else found.exit


def _text(found: Review, loaded: Loaded, games: Games, accepted: bool) -> None:
    from referee.report.diagnostics import lines_of
    from referee.report.findings import lines

    wording = {name: one.text for name, one in loaded.statements.items()}
    OUT.show(lines(found, lines_of(loaded.sources), games.story, wording, accepted))


def _as_json(found: Review, games: Games) -> dict[str, Any]:
    from referee.report.findings_data import as_data

    return as_data(found, games.log)


def _as_sarif(found: Review) -> dict[str, Any]:
    from referee.report.findings_data import sarif_of

    return sarif_of(found)
