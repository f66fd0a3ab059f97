"""`referee new`: a folder with a small ruleset that is complete."""

from __future__ import annotations

from pathlib import Path

import click

from referee.api.errors import ArgumentError
from referee.api.folders.first_files import make_ruleset
from referee.cli.options import misuse
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit


@click.command()
@click.argument("name")
def new(name: str) -> int:
    """Make a folder NAME with a ruleset: rules, statements, scenarios, a log, and a workflow that tests them."""
    try:
        made = make_ruleset(name, Path())
    except ArgumentError as error:
        raise misuse(error) from None
    for path in made:
        OUT.say(str(path))
    OUT.say(f"next: referee test ./{name}; referee judge {name}/logs --ruleset ./{name}; referee play ./{name}")
    return Exit.GOOD
