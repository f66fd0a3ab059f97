"""Diagnostics as a compiler shows them: the line, carets under the place, what was expected, a hint, the code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypedDict

from referee.diagnostics.diagnostic import Diagnostic, Severity
from referee.diagnostics.source import Source, Span
from referee.report.text.printable import count, path_of, printable, width

LineOf = Callable[[str, int], str]
"""The text of a line of a file, empty if it is not known."""
Piece = tuple[str, str]
"""A style (a rich one, empty for none) and a text."""

MOST_COLUMNS = 110
"""Columns of a quoted line: of a longer one the part around the place is shown."""
_STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}
_FRAME = "blue"


def lines_of(sources: Iterable[Source]) -> LineOf:
    """Looks lines up in sources."""
    known = {source.path: source for source in sources}
    return lambda path, line: known[path].line(line) if path in known else ""


def excerpts_of(excerpts: Mapping[tuple[str, int], str]) -> LineOf:
    """Looks lines up among single ones that were kept."""
    return lambda path, line: excerpts.get((path, line), "")


def render(diagnostic: Diagnostic, line_of: LineOf) -> str:
    """One diagnostic as plain text, without a line end."""
    return "\n".join("".join(text for _, text in line) for line in _drawn(diagnostic, line_of))


def drawn(diagnostics: Iterable[Diagnostic], line_of: LineOf) -> Iterator[list[Piece]]:
    """Diagnostics, their number and where more is said, as lines in styles."""
    shown = tuple(diagnostics)
    for diagnostic in shown:
        yield from _drawn(diagnostic, line_of)
        yield []
    if shown:
        worst = next((one for one in shown if one.severity is Severity.ERROR), shown[0])
        yield [("", f"{summary(shown)} (`referee explain {worst.code}` says more)")]


def summary(diagnostics: tuple[Diagnostic, ...]) -> str:
    """`2 errors, 1 warning`."""
    numbers = [(sum(d.severity is severity for d in diagnostics), severity.value) for severity in Severity]
    return ", ".join(count(number, word) for number, word in numbers if number)


def _drawn(diagnostic: Diagnostic, line_of: LineOf) -> Iterator[list[Piece]]:
    span, style = diagnostic.span, _STYLE[diagnostic.severity]
    yield [(style, f"{diagnostic.severity.value}[{diagnostic.code}]"), ("bold", f": {printable(diagnostic.message)}")]
    gutter = " " * len(str(span.line))
    yield from place(span, style, line_of)
    if diagnostic.expected:
        yield [(_FRAME, f"{gutter} = "), ("", "expected: " + ", ".join(printable(e) for e in diagnostic.expected))]
    if diagnostic.hint:
        yield [(_FRAME, f"{gutter} = "), ("", "hint: " + printable(diagnostic.hint))]
    for message, where in diagnostic.notes:
        at = f" ({path_of(where.path)}:{where.line})" if where is not None else ""
        yield [(_FRAME, f"{gutter} = "), ("", f"note: {printable(message)}{at}")]


def place(span: Span, style: str, line_of: LineOf) -> Iterator[list[Piece]]:
    """A place in the rules, its line underlined."""
    gutter = " " * len(str(span.line))
    yield [(_FRAME, f"{gutter}--> "), ("", f"{path_of(span.path)}:{span.line}:{span.column}")]
    text = line_of(span.path, span.line)
    if not text.strip():
        return
    shown, before, marked = _cut(text, span)
    yield [(_FRAME, f"{gutter} |")]
    yield [(_FRAME, f"{span.line} | "), ("", shown)]
    yield [(_FRAME, f"{gutter} | "), (style, " " * before + "^" * marked)]


def _cut(text: str, span: Span) -> tuple[str, int, int]:
    """What of a line is shown, the columns before the carets, and how many carets."""
    start = min(span.column - 1, len(text))
    stop = len(text) if span.end_line > span.line else min(span.end_column - 1, len(text))
    first = max(0, start - MOST_COLUMNS // 2) if len(text) > MOST_COLUMNS else 0
    last = first + MOST_COLUMNS
    head = "..." if first else ""
    shown = head + printable(text[first:last]) + ("..." if last < len(text) else "")
    before = len(head) + width(printable(text[first:start]))
    return shown, before, max(1, width(printable(text[start:min(stop, last)])))


class Data(TypedDict):
    """A diagnostic as JSON."""

    code: str
    severity: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    expected: list[str]
    hint: str | None


def as_data(diagnostic: Diagnostic) -> Data:
    """A diagnostic as plain data for JSON."""
    span = diagnostic.span
    return {
        "code": diagnostic.code, "severity": diagnostic.severity.value, "message": diagnostic.message,
        "path": span.path, "line": span.line, "column": span.column,
        "end_line": span.end_line, "end_column": span.end_column,
        "expected": list(diagnostic.expected), "hint": diagnostic.hint,
    }
