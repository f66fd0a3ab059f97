"""Places in a text as an editor counts them, and as everything else here does."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol import types

from referee.diagnostics.source import Span

_END = re.compile(r"\r\n|\n|\r")
_UNITS = {types.PositionEncodingKind.Utf8: "utf-8", types.PositionEncodingKind.Utf16: "utf-16-le"}
_SIZES = {"utf-8": 1, "utf-16-le": 2}
MOST_CHARACTER = 2**31 - 1
"""The largest number that the protocol has for a character in a line."""


class TextPlaces:
    """A text, and where its lines begin: by `\\n`, as spans count them, and by any line end, as editors do.

    Whatever an editor asks for that lies outside is the nearest place inside.
    """

    def __init__(self, text: str, encoding: str = types.PositionEncodingKind.Utf16) -> None:
        self.text = text
        self._units = _UNITS.get(types.PositionEncodingKind(encoding))
        self._starts = [0, *(found.end() for found in _END.finditer(text))]
        self._lines = self._starts if "\r" not in text.replace("\r\n", "") else [
            0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]

    def offset(self, position: types.Position) -> int:
        """The number of characters before a place of an editor."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(position.line, 0)]
        end = self._starts[position.line + 1] if position.line + 1 < len(self._starts) else len(self.text)
        line = self.text[start:end].rstrip("\r\n")
        wanted = min(max(position.character, 0), MOST_CHARACTER)
        if self._units is None or line.isascii():
            return start + min(wanted, len(line))
        for at, sign in enumerate(line):
            wanted -= len(sign.encode(self._units, "surrogatepass")) // _SIZES[self._units]
            if wanted < 0:
                return start + at
        return start + len(line)

    def position(self, offset: int) -> types.Position:
        """The place of an editor before which so many characters stand."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : offset]
        if self._units is None or before.isascii():
            return types.Position(line, len(before))
        return types.Position(line, len(before.encode(self._units, "surrogatepass")) // _SIZES[self._units])

    def place(self, position: types.Position) -> tuple[int, int]:
        """The line and the column, from 1, of a place of an editor."""
        offset = self.offset(position)
        line = bisect_right(self._lines, offset) - 1
        return line + 1, offset - self._lines[line] + 1

    def at(self, line: int, column: int) -> int:
        """The number of characters before a line and column, from 1."""
        if not 0 < line <= len(self._lines):
            return len(self.text) if line > 0 else 0
        end = self._lines[line] - 1 if line < len(self._lines) else len(self.text)
        return max(self._lines[line - 1], min(self._lines[line - 1] + column - 1, end))

    def range(self, span: Span) -> types.Range:
        """A span as an editor has it."""
        return types.Range(self.position(self.at(span.line, span.column)),
                           self.position(self.at(span.end_line, span.end_column)))

    def whole(self) -> types.Range:
        """All of the text."""
        return types.Range(types.Position(0, 0), self.position(len(self.text)))


def applied(places: TextPlaces, where: types.Range, text: str) -> str:
    """The text with another one in the place of a part of it."""
    start, end = sorted((places.offset(where.start), places.offset(where.end)))
    return places.text[:start] + text + places.text[end:]
