"""`referee prove`: which invariants and zone limits of a ruleset hold in every game; games that break others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from referee.api.record import Recorder
from referee.base.exitcodes import first
from referee.base.source import Span
from referee.cli.doing import doing
from referee.cli.files import write_whole
from referee.cli.options import NO_SOLVER, Seconds, ruleset_argument
from referee.cli.seating import players_of
from referee.cli.terminal import OUT
from referee.core.flow import Flow
from referee.engine.walker import Walker
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.judge.many import available
from referee.meaning import load_flow
from referee.meaning.assemble import parsed
from referee.meaning.find import find
from referee.report.proofs import Shape, as_data, lines_of, sarif_of, summary_of
from referee.review.claims import claims_of
from referee.review.outcomes import Game, Outcome, Proof
from referee.review.places import Places

FORMATS = ("text", "json", "sarif")


@dataclass(frozen=True)
class _How:
    """How it is proved and told. `folder`: where games are written; `text`: the rules at a place; `told`: as text."""

    timeout: float
    jobs: int
    folder: Path | None
    text: Callable[[Span], str]
    told: bool
    lemmas: bool


@click.command()
@ruleset_argument
@click.option("--players", type=click.IntRange(1, 100), metavar="N",
              help="For how many players; without it for every number that the rules allow.")
@click.option("--timeout", type=Seconds(1), default=600.0, show_default=True, metavar="S",
              help="Seconds of computing for each number of players; half as much again may be needed to end.")
@click.option("--jobs", type=click.IntRange(1, 16), metavar="N",
              help="Processes that share the claims, each with the whole time; two if not said, where there are cores.")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Write a log of each game that breaks something into this folder.")
@click.option("--lemmas", is_flag=True, help="Tell what was shown besides, at which places, for each proof.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
def prove(ruleset: str, players: int | None, timeout: float, jobs: int | None, folder: Path | None, lemmas: bool,
          form: str) -> int:
    """Prove the invariants and zone limits of a RULESET for all games, or show a game that breaks them."""
    loaded = parsed(find(ruleset))
    numbers = loaded.range.players if players is None else (players,)
    how = _How(timeout, jobs or min(2, available()), folder, Places(loaded).text, form == "text", lemmas)
    shapes: list[Shape] = []
    try:
        for number in numbers:
            _shape(load_flow(ruleset, number), how, shapes)
    except KeyboardInterrupt:
        _write(shapes, form)
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write to {folder}: {error.strerror}") from error
    _write(shapes, form)
    telling = {proof.name for shape in shapes for proof in shape.proofs if proof.outcome is Outcome.PROVED}
    return first([proof.exit for shape in shapes for proof in shape.proofs if not _elsewhere(proof, telling)])


def _elsewhere(proof: Proof, telling: set[str]) -> bool:
    """True if something that says nothing for some number of players does for another one, as it should."""
    return proof.outcome is Outcome.VACUOUS and proof.name in telling


def _shape(flow: Flow, how: _How, shapes: list[Shape]) -> None:
    """Proves for one number of players; what is known is in `shapes` even if it is interrupted."""
    try:
        from referee.review.prove import Budget
        from referee.review.telling import prove_telling
    except ModuleNotFoundError:
        raise click.ClickException(NO_SOLVER) from None
    setting = Setting(players_of(flow.core))
    found: list[Proof] = []
    logs: dict[str, str] = {}
    whole = False
    try:
        with doing() as progress:
            for proof in prove_telling(flow, setting, Budget(how.timeout), how.text, progress, how.jobs):
                if proof.game is not None and how.folder is not None:
                    logs[proof.name] = _written(flow, proof.name, proof.game, how.folder)
                found.append(proof)
                for line in lines_of(flow.core, proof, logs.get(proof.name), how.lemmas) if how.told else ():
                    OUT.say(line)
        whole = True
    finally:
        order = [claim.name for claim in claims_of(flow.core)]
        found.sort(key=lambda proof: order.index(proof.name))
        shapes.append(Shape(flow.core, tuple(found), logs, whole))
        if how.told:
            OUT.tell(summary_of(shapes[-1]))


def _write(shapes: list[Shape], form: str) -> None:
    if form != "text":
        OUT.tell(json.dumps(as_data(shapes) if form == "json" else sarif_of(shapes), indent=1))


def _written(flow: Flow, name: str, game: Game, folder: Path) -> str:
    """Writes a game as a log that ends where the claim is broken; the path."""
    folder.mkdir(parents=True, exist_ok=True)
    walker = Walker(flow)
    last: Step = walker.begin(game.setting)
    for event in game.events:
        assert isinstance(last, State)  # a game that breaks something inside an action ends there
        last = walker.advance(last, event)
    path = folder / f"{flow.core.seats.number}_players_{name.replace(' ', '_')}.jsonl"
    chosen = (*game.setting.givens, *game.setting.parameters)
    write_whole(path, Recorder(walker, dict(flow.core.options)).lines(game.setting, game.events, last, chosen))
    return str(path)
