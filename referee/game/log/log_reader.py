"""Reads a log line by line, in constant memory; whatever is wrong with it becomes a diagnostic with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO

from referee.diagnostics.diagnostic import Diagnostic, Problems, Severity
from referee.diagnostics.source import Span
from referee.diagnostics.suggestions import nearest
from referee.game.event import Spoken
from referee.game.event_table import LineMemo
from referee.game.log.line_blocks import MAX_LINE, LineBlocks, TooLongLine
from referee.game.log.line_remarks import bare
from referee.game.log.log_header import Header, header_of
from referee.game.log.log_lines import EventLine, Line, LineFault, line_of
from referee.game.log.strict_json import Json, JsonFault, column_in, parse
from referee.system.deadline import NEVER
from referee.system.file_observations import barred

MAX_WARNINGS = 20
"""Warnings about one log that are kept: no more are given."""
SOMETIMES = 4_096
"""After so many blank lines it is looked whether there is time for more."""
MOST_FILES = 2_000
"""Files of a folder among which one of nearly the same name is looked for, at most."""
MOST_REMEMBERED, MOST_CHARACTERS = 4_096, 300
"""So many lines are remembered, none of more characters."""
STDIN = "-"
OVERRULING = ("table", "overrule")
"""Who lets a wrong line stand, and how that is called."""
_BEGINS = 'a log begins with {"schema": "referee/log/1", "ruleset": ..., "players": [...]}'
_IS_TEXT = "a log is text, UTF-8: a JSON object on each line"
_SEEN: dict[str, tuple[str, str, dict[str, Json], tuple[str, ...]]] = {}
"""What lines say, by their text without a remark: that hangs on nothing else. Nobody changes what is in here."""


class StreamFault(OSError):
    """Why a log cannot be read on, told by whoever unpacks it: a code, a sentence, what helps."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(None, message)
        self.code, self.message, self.hint = code, message, hint


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

    def __init__(self, stream: IO[bytes] | IO[str], path: str, before: int = 0) -> None:
        """Reads the header; raises `LogProblem` if there is none that can be used. `before`: lines of other logs that
        stand before it where it was found."""
        self.path = path
        self.line = self.before = before
        self.until = NEVER
        self.warnings: list[Diagnostic] = []
        self.test: Callable[[Line], None] | None = None
        self._lines = LineBlocks(stream)
        self._block: list[bytes] = self._lines.first()
        self._at = 0
        self._known: tuple[LineMemo | None, list[int | None]] = (None, [])
        self._text = ""
        self._parsed: tuple[int, Line] | None = None
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
            if self.before and isinstance(line, EventLine) and (line.by, line.do) == OVERRULING:
                line = self._counted_here(line)
            if self.test is not None:
                try:
                    self.test(line)
                except LineFault as fault:
                    raise self.refuse_line(fault) from None
            yield line

    def _counted_here(self, line: EventLine) -> EventLine:
        """A log counts its lines from its header, whatever stands before it where it was found."""
        told = line.args.get("line")
        if not isinstance(told, int) or isinstance(told, bool):
            return line
        return replace(line, args={**line.args, "line": told + self.before})

    def ahead(self, memo: LineMemo, known: Callable[[str], Spoken | None], of: Callable[[Line], Spoken | None],
              most: int) -> list[int]:
        """The numbers of the lines that come next, at most so many, up to the first that says no event by itself.

        A line is known by its bytes, or by its text, else the event is what is made `of` it. None of them is taken from
        what is read by iteration, until `passed` says so.
        """
        if self._at == len(self._block) and not self._filled():
            return []
        if self._known[0] is not memo:
            self._known = (memo, list(map(memo.numbers.get, self._block)))
        numbers, at = self._known[1], self._at
        end = min(at + most, len(self._block))
        while True:
            try:
                at = numbers.index(None, at, end)
            except ValueError:
                at = end
                break
            made = self._number(at, memo, known, of)
            if made is None:
                break
            numbers[at] = made
        return numbers[self._at:at]  # type: ignore[return-value]  # none of these is unknown any more

    def passed(self, number: int) -> None:
        """So many lines of those that `ahead` told are taken."""
        self._at += number
        self.line += number

    def _number(self, at: int, memo: LineMemo, known: Callable[[str], Spoken | None],
                of: Callable[[Line], Spoken | None]) -> int | None:
        """The number of what a line of the block says; None if it has to be read by iteration."""
        raw = self._block[at]
        made = memo.numbers.get(raw)
        if made is not None:
            return made
        kept, warned = self.line, len(self.warnings)
        self.line += at - self._at + 1
        try:
            text = self._told(at)
            said = known(text)
            if said is None and not text.isspace():
                line = self._line(text)
                if len(self.warnings) == warned:
                    self._parsed = self.line, line
                    said = of(line)
        except LogProblem:
            said = None
        finally:
            self.line = kept
            del self.warnings[warned:]
        if said is None:
            return None
        made = memo.table.number(said)
        memo.learn(raw, made)
        return made

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
            self.line = self.before + 1
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
        if self._parsed is not None and self._parsed[0] == self.line:
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
        if self._at == len(self._block) and not self._filled():
            if self._lines.fault is None:
                return None
            self.line += 1
            raise self._unread(self._lines.fault)
        self.line += 1
        self._at += 1
        return self._told(self._at - 1)

    def _filled(self) -> bool:
        """Whether there are more lines."""
        self._block, self._at, self._known = self._lines.more(), 0, (None, [])
        return bool(self._block)

    def _unread(self, fault: Exception) -> LogProblem:
        """The problem that the next line cannot be read."""
        match fault:
            case TooLongLine():
                return self._problem("LG04", f"a line of more than {MAX_LINE} bytes", 1, text="")
            case StreamFault():
                return self._problem(fault.code, fault.message, 1, hint=fault.hint, text="")
            case UnicodeDecodeError():
                return self._problem("LG02", f"not UTF-8: {fault.reason}", 1, text="")
            case _:
                return self._problem("LG01", f"cannot be read: {getattr(fault, 'strerror', None) or fault}", 1, text="")

    def _told(self, at: int) -> str:
        """The text of a line of the block, whose number is `line`."""
        raw = self._block[at]
        if at + 1 < len(self._block) or not self._lines.cut:
            raw += b"\n"
        self._text = ""
        self._text = raw.decode("utf-8", "surrogatepass") if self._lines.lenient else self._decoded(raw)
        if "\0" in self._text:
            raise self._problem("LG02", "a NUL byte: this is no text", self._text.index("\0") + 1, hint=_IS_TEXT)
        if self.line == self.before + 1 and self._text.startswith("\ufeff"):
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


def opened_file(path: str) -> IO[bytes]:
    """A file with logs. Raises `StreamFault` if it cannot be opened."""
    try:
        if Path(path).is_dir():
            raise IsADirectoryError(None, barred(Path(path)) or "it is a directory without *.jsonl")
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StreamFault("LG01", f"cannot be opened: {reason[:1].lower()}{reason[1:]}", _meant(path)) from None


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
