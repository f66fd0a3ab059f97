"""`referee prove`: which invariants and zone limits of a ruleset hold in every game; games that break others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import click

from referee.api.rule_sources import MOST_PLAYERS, RulesSource
from referee.api.runs.proof_runs import Prover, in_order, telling_somewhere, write_game
from referee.cli.options import (
    Seconds,
    executor_option,
    force_option,
    html_option,
    nothing_lost,
    ruleset_argument,
    searching_engine_option,
)
from referee.cli.progress import doing
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import first
from referee.report.proof_report import ShapeProofs, as_data, lines_of, sarif_of, summary_of

FORMATS = ("text", "json", "sarif")


@dataclass(frozen=True)
class _How:
    """How it is told. `folder`: where games are written; `told`: as text; `lemmas`: with what was shown besides."""

    folder: Path | None
    told: bool
    lemmas: bool


@click.command()
@ruleset_argument
@click.option("--players", type=click.IntRange(1, MOST_PLAYERS), metavar="N",
              help="For how many players; without it for every number that the rules allow.")
@click.option("--timeout", type=Seconds(1), default=600.0, show_default=True, metavar="S",
              help="Seconds of computing for each number of players; half as much again may be needed to end.")
@click.option("--jobs", type=click.IntRange(1, 16), metavar="N",
              help="Processes that share the claims, each with the whole time; two if not said, where there are cores.")
@executor_option("proves, each claim by itself with the whole time")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Write a log of each game that breaks something into this folder.")
@force_option
@searching_engine_option
@click.option("--lemmas", is_flag=True, help="Tell what was shown besides, at which places, for each proof.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@html_option("Write a page of what is known of each claim too.")
def prove(ruleset: str, players: int | None, timeout: float, jobs: int | None, executor: str, folder: Path | None,
          force: bool, engine_name: str, lemmas: bool, form: str, html: Path | None) -> int:
    """Prove the invariants and zone limits of a RULESET for all games, or show a game that breaks them."""
    prover = Prover(RulesSource(ruleset), players, timeout, jobs, executor, engine_name)
    nothing_lost(folder, force, prover.game_files())
    how = _How(folder, form == "text", lemmas)
    shapes: list[ShapeProofs] = []
    try:
        for number in prover.numbers:
            _shape(prover, number, how, shapes)
    except KeyboardInterrupt:
        _write(shapes, form, html)
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write to {folder}: {error.strerror}") from error
    _write(shapes, form, html)
    return first([proof.exit for proof in telling_somewhere([proof for shape in shapes for proof in shape.proofs])])


def _shape(prover: Prover, number: int, how: _How, shapes: list[ShapeProofs]) -> None:
    """Proves for one number of players; what is known is in `shapes` even if it is interrupted."""
    flow = prover.flow(number)
    found = []
    logs: dict[str, str] = {}
    whole = False
    try:
        with doing() as progress:
            for proof in prover.proofs(flow, progress):
                if proof.game is not None and how.folder is not None:
                    logs[proof.name] = write_game(flow, proof.name, proof.game, how.folder)
                found.append(proof)
                for line in lines_of(flow.core, proof, logs.get(proof.name), how.lemmas) if how.told else ():
                    OUT.say(line)
        whole = True
    finally:
        shapes.append(ShapeProofs(flow.core, in_order(flow, found), logs, whole))
        if how.told:
            OUT.tell(summary_of(shapes[-1]))


def _write(shapes: list[ShapeProofs], form: str, html: Path | None) -> None:
    if html is not None:
        from referee.api.pages.log_files import write_page
        from referee.api.pages.report_files import proofs_page

        write_page(proofs_page(as_data(shapes)), html)
    if form != "text":
        OUT.tell(json.dumps(as_data(shapes) if form == "json" else sarif_of(shapes), indent=1))
