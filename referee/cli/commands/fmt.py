"""`referee fmt`: rules laid out the one way."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import click

from referee.api.errors import RulesError
from referee.api.runs.formatting import laid_out, rules_files
from referee.api.whole_files import write_whole
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit, first
from referee.report.text.diagnostic_text import drawn, lines_of


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|RULESET...")
@click.option("--check", "only_check", is_flag=True,
              help="Change nothing; say which files are not formatted, and the first line that is not.")
def fmt(files: tuple[str, ...], only_check: bool) -> int:
    """Lay out rules files, or all those of a ruleset: same words, same comments, one way of indenting and spacing."""
    return first([_format(path, only_check) for file in files for path in rules_files(file)])


def _format(file: Path, only_check: bool) -> Exit:
    try:
        source, text = laid_out(file)
        if text == source.text:
            return Exit.GOOD
        if not only_check:
            write_whole(file, text.splitlines())
    except RulesError as error:
        ERR.show(drawn(error.diagnostics, lines_of(error.sources)))
        return Exit.RULES
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from error
    if only_check:
        OUT.say(f"{file}:{_first_difference(source.text, text)}: is not formatted")
        return Exit.NEGATIVE
    OUT.say(f"{file}: formatted")
    return Exit.GOOD


def _first_difference(text: str, formatted: str) -> int:
    """The line of a text, from 1, from which on it is laid out otherwise."""
    lines = zip_longest(text.split("\n"), formatted.split("\n"))
    return next((number for number, (here, there) in enumerate(lines, 1) if here != there), 1)
