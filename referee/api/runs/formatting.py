"""Rules files laid out the one way."""

from __future__ import annotations

from pathlib import Path

from referee.api.error_translation import told
from referee.diagnostics.diagnostic import Problems, Reporter
from referee.diagnostics.source import Source
from referee.frontend.loading.ruleset_files import SUFFIX, find
from referee.syntax.formatter import format_text
from referee.syntax.text_reader import read_source
from referee.system.file_observations import FileObservations


def rules_files(name: str) -> tuple[Path, ...]:
    """A file as it is named; else the files of the ruleset of that name. Raises `Problems` if there is none."""
    return (Path(name),) if Path(name).is_file() or Path(name).suffix == SUFFIX else find(name).rules


def laid_out(file: Path) -> tuple[Source, str]:
    """A file as it is, and its text laid out. Raises `RulesError`."""
    with told():
        reporter = Reporter()
        source = read_source(file, reporter, FileObservations())
        if source is None:
            raise Problems(reporter.found())
        return source, format_text(source.text, source.path)
