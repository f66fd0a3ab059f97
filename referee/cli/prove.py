"""`referee prove`: which invariants of a ruleset hold in every game."""

from __future__ import annotations

import click

from referee.base.exitcodes import Exit
from referee.cli.options import ruleset_argument
from referee.cli.seating import players_of
from referee.meaning import load_flow

_EXITS = {"refuted": Exit.NEGATIVE, "unknown": Exit.OPEN}


@click.command()
@ruleset_argument
@click.option("--players", type=click.IntRange(1, 12), help="For how many players; the fewest if not said.")
@click.option("--seconds", type=click.FloatRange(1, 3600), default=60.0, show_default=True, help="How long to try.")
def prove(ruleset: str, players: int | None, seconds: float) -> int:
    """Prove the invariants and zone limits of a RULESET, for all games, or show a game that breaks them."""
    try:
        from referee.review.prove import prove as proved
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is not installed: pip install 'referee[solver]'") from None
    flow = load_flow(ruleset, players)
    worst = Exit.GOOD
    proof = None
    for proof in proved(flow, players_of(flow.core), seconds):
        said = f"by a game of {len(proof.game)} events" if proof.game or proof.setting else proof.reason
        click.echo(f"{proof.outcome.value:<8} {proof.name.replace('_', ' ')}{f': {said}' if said else ''}")
        found = _EXITS.get(proof.outcome.value, Exit.GOOD)
        worst = found if found is Exit.NEGATIVE or worst is Exit.GOOD else worst
    if proof is None:
        click.echo("nothing to prove: no invariants, no limits of zones")
        return worst
    click.echo(f"for {flow.core.seats.number} players, whatever the readings, parameters and givens")
    return worst
