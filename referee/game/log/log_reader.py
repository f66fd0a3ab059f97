"""Reads a log line by line, in constant memory; whatever is wrong with it becomes a diagnostic with its place."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TypeVar

from referee.diagnostics.diagnostic import Diagnostic, Problems, Severity
from referee.diagnostics.source import Span
from referee.diagnostics.suggestions import nearest
from referee.game.log.line_remarks import bare
from referee.game.log.log_header import Header, header_of
from referee.game.log.log_lines import EventLine, Line, LineFault, line_of
from referee.game.log.strict_json import Json, JsonFault, column_in, parse
from referee.system.deadline import NEVER
from referee.system.file_observations import barred

MAX_LINE = 1 << 20
"""Bytes (or characters) in a line, at most."""
MAX_WARNINGS = 20
SOMETIMES = 4_096
"""After so many blank lines it is looked whether there is time for more."""
MOST_FILES = 2_000
"""Files of a folder among which one of nearly the same name is looked for, at most."""
MOST_REMEMBERED, MOST_CHARACTERS = 4_096, 300
"""So many lines are remembered, none of more characters."""
STDIN = "-"
_BEGINS = 'a log begins with {"schema": "referee/log/1", "ruleset": ..., "players": [...]}'
_IS_TEXT = "a log is text, UTF-8: a JSON object on each line"
_T = TypeVar("_T")
_SEEN: dict[str, tuple[str, str, dict[str, Json], tuple[str, ...]]] = {}
"""What lines say, by their text without a remark: that hangs on nothing else. Nobody changes what is in here."""


class LogProblem(Problems):
    """A log that cannot be read, from this line on. `excerpt`: the text of the line, cut some way behind the place."""

    def __init__(self, diagnostic: Diagnostic, excerpt: str = "") -> None:
        super().__init__((diagnostic,))
        self.excerpt = excerpt

    @property
    def diagnostic(self) -> Diagnostic:
        """The one complaint."""
        return self.diagnostics[0]


class Log:
    """A log that is being read: its header, then its lines, once.

    `warnings` grows while reading, up to `MAX_WARNINGS`; `line` is the number of the line read last; `until`: for how
    long blank lines are read; `test` is asked of each line, by who knows the ruleset: it raises `LineFault` for
    one that cannot be read. Iterating raises `LogProblem` at the first line that cannot be read, and `OutOfTime`.
    """

    def __init__(self, stream: IO[bytes] | IO[str], path: str) -> None:
        """Reads the header; raises `LogProblem` if there is none that can be used."""
        self.path = path
        self.line = 0
        self.until = NEVER
        self.warnings: list[Diagnostic] = []
        self.test: Callable[[Line], None] | None = None
        self._stream = stream
        self._text = ""
        self._read_again = False
        self._parsed: tuple[str, Line] | None = None
        self._problem_ahead: LogProblem | None = None
        self.header: Header = self._header()

    def __iter__(self) -> Iterator[Line]:
        blank = 0
        while (text := self._next()) is not None:
            if not text.strip():
                blank = blank or self.line
                if self.line % SOMETIMES == 0:
                    self.until.check()
                continue
            if blank:
                self._warn("LG42", "a blank line was ignored", "", line=blank)
                blank = 0
            line = self._line(text)
            if self.test is not None:
                try:
                    self.test(line)
                except LineFault as fault:
                    raise self.refuse_line(fault) from None
            yield line

    def plain(self, known: Callable[[str], _T | None], of: Callable[[Line], _T | None]) -> Iterator[_T]:
        """What is made of the lines that come next, as long as something is: known by their text, else made `of` them.

        The first of which nothing is made, or that cannot be read, stands to be read by iteration.
        """
        while not self._read_again:
            try:
                text = self._next()
                if text is None:
                    return
                made = known(text)
                if made is None and not text.isspace():
                    line = self._line(text)
                    self._parsed = text, line
                    made = of(line)
            except LogProblem as problem:
                self._problem_ahead = problem
                return
            if made is None:
                self._read_again = True
                return
            yield made

    def again(self) -> None:
        """The line read last stands to be read by iteration."""
        self._read_again = True

    def refuse(self, fault: LineFault) -> LogProblem:
        """The problem that an entry of the header has, told by somebody who knows the ruleset."""
        return self._problem(fault.code, fault.message, self._column(fault.key, self._head, fault.offset),
                             fault.expected, fault.hint, line=self._head_line, text=self._head)

    def refuse_line(self, fault: LineFault) -> LogProblem:
        """The problem that the line read last has, told by somebody who knows the ruleset."""
        column = self._column(fault.key, self._text, fault.offset)
        return self._problem(fault.code, fault.message, column, fault.expected, fault.hint)

    def warn_line(self, code: str, message: str, key: str) -> None:
        """Adds a warning about an entry of the line read last."""
        self._warn(code, message, key)

    def warn_header(self, code: str, message: str, key: str, hint: str | None = None) -> None:
        """Adds a warning about an entry of the header."""
        self._warn(code, message, key, hint, line=self._head_line, text=self._head)

    def _header(self) -> Header:
        text = self._next()
        while text is not None and not text.strip():
            text = self._next()
        if text is None:
            self.line = 1
            raise self._problem("LG03", "the log is empty", 1, hint=_BEGINS)
        self._head, self._head_line = text, self.line
        try:
            return header_of(self._parse(text), self._warn)
        except LineFault as fault:
            raise self.refuse(fault) from None

    def _line(self, text: str) -> Line:
        """What a line says. Games repeat themselves: an event with nothing odd about it is remembered by its text."""
        said = bare(text)
        known = _SEEN.get(said)
        if known is not None:
            return EventLine(self.line, *known, said)
        if self._parsed is not None and self._parsed[0] is text:
            return self._parsed[1]
        warned = len(self.warnings)
        line = self._read(text)
        if isinstance(line, EventLine) and len(text) <= MOST_CHARACTERS and warned == len(self.warnings) < MAX_WARNINGS:
            if len(_SEEN) >= MOST_REMEMBERED:
                _SEEN.clear()
            _SEEN[said] = line.by, line.do, line.args, line.holes
            return EventLine(self.line, *_SEEN[said], said)
        return line

    def _read(self, text: str) -> Line:
        try:
            return line_of(self._parse(text), self.line, self._warn)
        except LineFault as fault:
            raise self.refuse_line(fault) from None
        except JsonFault as fault:
            raise self._problem(fault.code, fault.message, fault.column) from None

    def _parse(self, text: str) -> Json:
        try:
            return parse(text)
        except JsonFault as fault:
            if fault.code == "LG05" and not text.endswith("\n"):
                raise self._problem("LG11", "the last line is cut off", len(text) + 1,
                                    hint="remove it to judge what came before") from None
            raise self._problem(fault.code, fault.message, fault.column) from None

    def _next(self) -> str | None:
        if self._problem_ahead is not None:
            raise self._problem_ahead
        if self._read_again:
            self._read_again = False
            return self._text
        try:
            raw = self._stream.readline(MAX_LINE + 1)
        except UnicodeDecodeError as error:
            self.line += 1
            raise self._problem("LG02", f"not UTF-8: {error.reason}", 1) from None
        except OSError as error:
            self.line += 1
            raise self._problem("LG01", f"cannot be read: {error.strerror or error}", 1) from None
        if not raw:
            return None
        self.line += 1
        self._text = ""
        if len(raw) > MAX_LINE:
            raise self._problem("LG04", f"a line of more than {MAX_LINE} bytes", 1)
        self._text = self._decoded(raw) if isinstance(raw, bytes) else raw
        if "\0" in self._text:
            raise self._problem("LG02", "a NUL byte: this is no text", self._text.index("\0") + 1, hint=_IS_TEXT)
        if self.line == 1 and self._text.startswith("\ufeff"):
            self._text = self._text[1:]
            self._warn("LG41", "a byte order mark was ignored", "")
        return self._text

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            before = raw[: error.start].decode("utf-8")
            hint = "this looks like UTF-16; save it as UTF-8" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else _IS_TEXT
            raise self._problem("LG02", f"not UTF-8: {error.reason}", len(before) + 1, hint=hint) from None

    def _column(self, key: str | None, text: str, offset: int = 0) -> int:
        """Where a key stands in the text of a line (the first place that looks like it), or a character of it."""
        if key is None:
            return 1
        if offset:
            return column_in(text, key, offset)
        return max(text.find(json.dumps(key, ensure_ascii=False)), text.find(json.dumps(key)), 0) + 1

    def _span(self, column: int, line: int | None) -> Span:
        number = self.line if line is None else line
        return Span(self.path, number, column, number, column + 1)

    def _problem(self, code: str, message: str, column: int, expected: tuple[str, ...] = (), hint: str | None = None, *,
                 line: int | None = None, text: str | None = None) -> LogProblem:
        where = self._span(column, line)
        shown = (self._text if text is None else text)[:column + MOST_BEHIND].rstrip("\r\n")
        return LogProblem(Diagnostic(code, message, where, Severity.ERROR, expected, hint), shown)

    def _warn(self, code: str, message: str, key: str, hint: str | None = None, *, line: int | None = None,
              text: str | None = None) -> None:
        if len(self.warnings) < MAX_WARNINGS:
            column = self._column(key, self._text if text is None else text) if key else 1
            self.warnings.append(Diagnostic(code, message, self._span(column, line), Severity.WARNING, (), hint))


MOST_BEHIND = 400
"""So many characters behind the place are kept of a line that cannot be read."""


@contextmanager
def open_log(path: str | os.PathLike[str]) -> Iterator[Log]:
    """A log opened for reading, `-` for the standard input; raises `LogProblem` if it cannot be."""
    shown = os.fspath(path)
    if shown == STDIN:
        yield Log(sys.stdin.buffer, "<stdin>")
        return
    with _opened(shown) as stream:
        yield Log(stream, shown)


def _opened(path: str) -> IO[bytes]:
    try:
        if Path(path).is_dir():
            raise IsADirectoryError(None, barred(Path(path)) or "it is a directory without *.jsonl")
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        message = f"cannot be opened: {reason[:1].lower()}{reason[1:]}"
        raise LogProblem(Diagnostic("LG01", message, Span(path, 1, 1, 1, 1), hint=_meant(path))) from None


def _meant(path: str) -> str | None:
    """What somebody probably meant who named a log that there is not: another file there of nearly this name."""
    here = Path(path)
    try:
        if here.is_dir():
            return None if barred(here) else "name a log, or a folder with logs in it: files *.jsonl"
        there = {one.name for one in islice(here.parent.iterdir(), MOST_FILES)}
        near = nearest(here.name, there - {here.name})
    except (OSError, ValueError):
        return None
    return None if near is None else f"did you mean {here.parent / near}?"
