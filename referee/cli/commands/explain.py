"""`referee explain`: a line of a log, or what a code or a class of findings means."""

from __future__ import annotations

import json
import os
import re
import textwrap

import click

from referee.api.code_help import code_named
from referee.api.errors import ArgumentError
from referee.cli.options import engine_option, misuse, timeout_option
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit

_WIDTH = 100
"""Columns to which an explanation is filled."""
_LINE = re.compile(r"(.+):([0-9]{1,9})")


@click.command()
@click.argument("what", metavar="LOG:LINE|CODE|CLASS")
@click.option("--ruleset", help="Judge by this ruleset, whatever the log names.")
@click.option("--for", "viewer", metavar="PLAYER",
              help="Tell nothing that this player cannot see; `public`: what not everybody sees.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="How to write what is said of a line.")
@engine_option
@timeout_option("How long judging the log up to the line may take. If not said as long as it takes.")
def explain(what: str, ruleset: str | None, viewer: str | None, form: str, engine_name: str,
            timeout: float | None) -> int:
    """Explain a line of a log (who was asked, what was possible, by which rule it stands or falls, what it did), the
    CODE of a diagnostic, or a CLASS of what `referee review` finds."""
    line = _LINE.fullmatch(what)
    if line is None:
        return explain_code(what)
    return explain_line(line[1], int(line[2]), ruleset, engine_name, viewer, timeout, form)


def explain_line(path: str, number: int, ruleset: str | None, engine_name: str, viewer: str | None,
                 timeout: float | None, form: str) -> int:
    """Prints what there is to say about a line. Raises `Problems`, and a usage error if there is no such line."""
    from referee.api.runs.log_engines import Rules
    from referee.api.runs.log_lookup import moment_of, open_log
    from referee.report.data.explanation_data import as_data
    from referee.report.text.line_text import moment_text

    with open_log(path) as log:
        try:
            found = moment_of(log, number, Rules(ruleset, engine_name), viewer, timeout)
        except ArgumentError as error:
            raise misuse(error) from None
    OUT.tell(moment_text(found) if form == "text" else json.dumps(as_data(found)))
    return found.verdict.exit


def explain_code(code: str) -> int:
    """Prints the title and the explanation of a code or class; raises a usage error if there is none of that name."""
    try:
        name, known = code_named(code)
    except ArgumentError as error:
        line = f"name a line: {code}:2" if os.path.exists(code) else None
        hint = f": {error.hint or line}" if error.hint or line else ""
        raise click.UsageError(f"{code} is neither LOG:LINE nor a code nor a class of findings{hint}") from None
    OUT.tell(f"{name}  {known.title}\n")
    OUT.tell(textwrap.fill(known.explanation, _WIDTH))
    return Exit.GOOD
