"""`referee explain`: what a code means."""

from __future__ import annotations

import textwrap

import click

from referee.base.codes import CODES
from referee.base.exitcodes import Exit
from referee.base.suggest import did_you_mean

_WIDTH = 100


@click.command()
@click.argument("what", metavar="CODE")
def explain(what: str) -> int:
    """Say what a diagnostic CODE means."""
    return explain_code(what)


def explain_code(code: str) -> int:
    """Prints the title and the explanation of a code; raises a usage error if there is no such code."""
    known = CODES.get(code.upper())
    if known is None:
        hint = did_you_mean(code.upper(), CODES)
        raise click.UsageError(f"there is no code {code}" + (f": {hint}" if hint else ""))
    click.echo(f"{code.upper()}  {known.title}\n")
    click.echo(textwrap.fill(known.explanation, _WIDTH))
    return Exit.GOOD
