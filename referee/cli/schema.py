"""`referee schema`: the JSON Schema of logs or of reports."""

from __future__ import annotations

import click

from referee.base.exitcodes import Exit
from referee.report.schemas import SCHEMAS, schema_text


@click.command()
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
def schema(name: str) -> int:
    """Print the JSON Schema of a log, or of the report that `judge --format json` writes."""
    click.echo(schema_text(name), nl=False)
    return Exit.GOOD
