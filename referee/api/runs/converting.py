"""Converts files of other formats to logs, one game after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from referee.api.errors import NoLibrary
from referee.api.results.frozen_results import made
from referee.api.results.rule_results import ConvertedLog
from referee.api.results.verdicts import Remark
from referee.api.rule_sources import RulesSource
from referee.api.runs.log_engines import Rules
from referee.convert.conversion import Converted, convert
from referee.convert.foreign_game import BoundedLines, ForeignGame, trouble
from referee.convert.format_readers import games_of, missing
from referee.convert.mapping import SUFFIX, FormatMapping, read_mapping
from referee.convert.mapping_schema import FORMATS as FORMATS
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.report.text.diagnostic_text import as_data
from referee.system.file_observations import PathKind
from referee.system.given_files import unusable


@dataclass(frozen=True, slots=True)
class ConvertedGame:
    """A game of a file: its log as far as it could be followed (none without a header), and what could not be."""

    path: str
    number: int
    lines: tuple[str, ...]
    troubles: tuple[Diagnostic, ...]


class Converter:
    """Converts files of one format for one ruleset. Raises `Problems` for a mapping or rules that cannot be used, and
    `NoLibrary` if the format is read by one that is not installed."""

    def __init__(self, form: str, source: RulesSource, mapping: str | None) -> None:
        """`mapping`: a path; None for the one beside the rules."""
        files = source.loaded.files
        self._name = files.name
        self._form = form
        path = Path(mapping) if mapping is not None else files.rules[0].parent / f"{files.name}{SUFFIX}"
        if mapping is None and files.looks.found(path) is not PathKind.FILE:
            raise unusable("CV01", f"there is no mapping beside the rules of {files.name}", path,
                           hint="write one (spec/converting.md says how), or name one: --mapping FILE")
        self._mapping: FormatMapping = read_mapping(path, form)
        self._load = Rules(source)
        lacking = missing(form)
        if lacking is not None:
            raise NoLibrary("CV12", lacking)

    def games(self, path: str) -> Iterator[ConvertedGame]:
        """Each game of a file; where it cannot be read on, the last of them has no lines and says why."""
        number = 0
        try:
            with _opened(path) as stream:
                for number, game in enumerate(games_of(self._form, BoundedLines(stream, path)), 1):
                    done = self._converted(game, path)
                    yield ConvertedGame(path, number, tuple(done.lines), tuple(done.troubles))
        except Problems as problems:
            yield ConvertedGame(path, number + 1, (), problems.diagnostics)

    def logs(self, path: str) -> Iterator[ConvertedLog]:
        """The same for programs."""
        for game in self.games(path):
            troubles = tuple(made(Remark, as_data(one)) for one in game.troubles)
            yield ConvertedLog(path, game.number, game.lines, troubles)

    def _converted(self, game: ForeignGame, path: str) -> Converted:
        return convert(game, self._name, self._mapping, self._load, path)


def _opened(path: str) -> IO[bytes]:
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise trouble("CV03", f"it cannot be read: {why}", path) from None
