"""Getting at a rules text: bytes of a file into a source, with everything that is no rules text refused."""

from __future__ import annotations

import re
from pathlib import Path
from weakref import WeakValueDictionary

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source, Span
from referee.syntax import size_limits
from referee.syntax.layout import split_lines
from referee.system.file_observations import FileObservations

_FOREIGN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]|\r(?!\n)")
_PIECE = re.compile(r"\w+|[^\w\s]|\n[ \t]*(?=\S)")
_LONG_NUMBER = re.compile(rf"\d{{{size_limits.NUMBER_DIGITS + 1},}}")


class GivenText:
    """A text that is read in the place of a file, as long as somebody keeps this. `path` is that of no file."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @staticmethod
    def at(path: str, text: str) -> GivenText:
        """The text under a path, the same for everybody who gives it there."""
        return _GIVEN.setdefault(path, GivenText(path, text))


_GIVEN: WeakValueDictionary[str, GivenText] = WeakValueDictionary()


def read_source(path: Path, reporter: Reporter, looks: FileObservations) -> Source | None:
    """The text of a rules file, shown by its path; None, and the reason reported (SY01, SY02, SY04), if it cannot be
    had. `looks`: by whom it is read."""
    name = str(path)
    given = _GIVEN.get(name)
    if given is not None:
        return decode(given.text.encode(errors="surrogatepass"), name, reporter)
    try:
        data = looks.read(path, size_limits.SOURCE_BYTES + 4)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no usable path"
        reporter.error("SY01", f"the file cannot be read: {why.lower()}", Span(name, 1, 1, 1, 1))
        return None
    return decode(data, name, reporter)


def decode(data: bytes, path: str, reporter: Reporter) -> Source | None:
    """A source from the bytes of a file, without a byte order mark; None, and the reason reported, if it is no text."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if len(data) > size_limits.SOURCE_BYTES:
        _too_large(path, reporter)
        return None
    try:
        source = Source(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8")
        reporter.error("SY02", f"byte {data[error.start]:#04x} is no UTF-8 text", _place(path, good, len(good)),
                       hint="save the file as UTF-8")
        return None
    return source if is_text(source, reporter) else None


def is_text(source: Source, reporter: Reporter) -> bool:
    """Whether a source can be looked at at all: its size, its characters, the length of its lines and numbers."""
    text = source.text
    if len(text) > size_limits.SOURCE_BYTES:
        _too_large(source.path, reporter)
        return False
    foreign = _FOREIGN.search(text)
    if foreign:
        reporter.error("SY02", f"the character U+{ord(foreign.group()):04X} does not belong in a text",
                       _place(source.path, text, foreign.start()), hint="is this a rules file?")
        return False
    fine = True
    for number, line in enumerate(split_lines(text), 1):
        if len(line) > size_limits.LINE_LENGTH:
            fine = False
            reporter.error("SY04", f"this line has {len(line)} characters: at most {size_limits.LINE_LENGTH} are read",
                           Span(source.path, number, size_limits.LINE_LENGTH + 1, number, size_limits.LINE_LENGTH + 2),
                           hint="a line goes on in the next, indented deeper, after a comma or inside brackets")
    for found in _LONG_NUMBER.finditer(text):
        fine = False
        reporter.error(
            "SY04",
            f"this number has {len(found.group())} digits: at most {size_limits.NUMBER_DIGITS} are read",
            _place(source.path, text, found.start()),
        )
    if fine and sum(1 for _ in _PIECE.finditer(text)) > size_limits.TOKENS:
        fine = False
        reporter.error("SY04", f"the text has more than {size_limits.TOKENS:,} words and signs", source.whole(),
                       hint="is this a rules file?")
    return fine


def _too_large(path: str, reporter: Reporter) -> None:
    reporter.error("SY04", f"the text is larger than {size_limits.SOURCE_BYTES:,} bytes", Span(path, 1, 1, 1, 1),
                   hint="is this a rules file?")


def _place(path: str, text: str, position: int) -> Span:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return Span(path, line, column, line, column + 1)
