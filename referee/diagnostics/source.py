"""Where text comes from: sources and the spans that point into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

MOST_QUOTED = 1000
"""So many phrases are kept: a condition may be in error again and again."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one source: lines and columns count from 1, the end column is exclusive.

    `use`: of what a definition stands for, where the definition is used.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    use: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def first_line(self) -> tuple[str, int]:
        """The source and the line at which it begins."""
        return self.path, self.line

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of the other (both in one source)."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the path it is shown under."""

    path: str
    text: str
    _lines: list[str] = field(default_factory=list, init=False, repr=False, compare=False)

    def line(self, number: int) -> str:
        """The text of a line (from 1) without its end; empty beyond the last."""
        if not self._lines:
            self._lines.extend(self.text.splitlines() or [""])
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def whole(self) -> Span:
        """The first column of the first line: where a complaint about the file as a whole points."""
        return Span(self.path, 1, 1, 1, 1)


def phrase(texts: Mapping[str, str], span: Span | None) -> str:
    """The words of a span in quotes, before what is said of them; nothing where the texts are not at hand."""
    return "" if span is None or span.path not in texts else _quoted(texts[span.path], span)


@lru_cache(maxsize=MOST_QUOTED)
def _quoted(text: str, span: Span) -> str:
    line = Source(span.path, text).line(span.line)
    words = " ".join(line[span.column - 1:span.end_column - 1 if span.end_line == span.line else None].split())
    return f"`{words}`: " if words else ""
