"""`referee fmt`: rules laid out the one way."""

from __future__ import annotations

from pathlib import Path

import click

from referee.api.files import write_whole
from referee.base.diagnostic import Problems, Reporter
from referee.base.exitcodes import Exit, first
from referee.base.looks import Looks
from referee.cli.terminal import ERR, OUT
from referee.meaning.find import SUFFIX, find
from referee.report.diagnostics import drawn, lines_of
from referee.syntax.format import format_text
from referee.syntax.read import read_source


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|RULESET...")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; say which files are not formatted.")
def fmt(files: tuple[str, ...], only_check: bool) -> int:
    """Lay out rules files, or all those of a ruleset: same words, same comments, one way of indenting and spacing."""
    return first([_format(path, only_check) for file in files for path in _paths(file)])


def _paths(file: str) -> tuple[Path, ...]:
    """A file as it is named; else the files of the ruleset of that name."""
    return (Path(file),) if Path(file).is_file() or Path(file).suffix == SUFFIX else find(file).rules


def _format(file: Path, only_check: bool) -> Exit:
    try:
        reporter = Reporter()
        source = read_source(file, reporter, Looks())
        if source is None:
            raise Problems(reporter.found())
        text = format_text(source.text, source.path)
        if text == source.text:
            return Exit.GOOD
        if not only_check:
            write_whole(file, text.splitlines())
    except Problems as problems:
        ERR.show(drawn(problems.diagnostics, lines_of(problems.sources)))
        return Exit.RULES
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from error
    OUT.say(f"{file}: {'is not formatted' if only_check else 'formatted'}")
    return Exit.NEGATIVE if only_check else Exit.GOOD
