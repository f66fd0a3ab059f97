"""`referee schema`: the JSON Schema of a log, or of what `--format json` writes."""

from __future__ import annotations

import click

from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.data.schemas import SCHEMAS, schema_text


@click.command()
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
def schema(name: str) -> int:
    """Print the JSON Schema of a log, or of what `--format json` writes."""
    OUT.write(schema_text(name))
    return Exit.GOOD
