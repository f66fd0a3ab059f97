"""What the whole pipeline says about a rules file, as text."""

from __future__ import annotations

from pathlib import Path

from referee.diagnostics.diagnostic import Diagnostic, Problems, Reporter
from referee.diagnostics.source import Source
from referee.frontend import load
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.report.text.diagnostic_text import lines_of, render
from referee.syntax import parse, read_source
from referee.system.file_observations import FileObservations


def complaints(path: Path) -> tuple[tuple[Diagnostic, ...], tuple[Source, ...]]:
    """Everything wrong with a rules file, and the sources to show it in; nothing if it loads."""
    try:
        load(path)
        load_scenarios(path)
    except Problems as problems:
        return problems.diagnostics, problems.sources
    return (), ()


def syntax_complaints(path: Path) -> tuple[Diagnostic, ...]:
    """What is wrong with the text of a rules file alone."""
    reporter = Reporter()
    source = read_source(path, reporter, FileObservations())
    if source is not None:
        parse(source, reporter)
    return reporter.found()


def drawn(path: Path) -> str:
    """All complaints as they are shown to people."""
    diagnostics, sources = complaints(path)
    line_of = lines_of(sources)
    return "\n\n".join(render(diagnostic, line_of) for diagnostic in diagnostics) + "\n"
