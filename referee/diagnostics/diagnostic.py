"""Diagnostics: one complaint about one place, with a stable code, what was expected and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.diagnostics.source import Source, Span


class Severity(Enum):
    """How bad it is; only errors stop a ruleset from loading."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint. `code` is stable and listed in `referee.diagnostics.codes`."""

    code: str
    message: str
    span: Span
    severity: Severity = Severity.ERROR
    expected: tuple[str, ...] = ()
    hint: str | None = None
    notes: tuple[tuple[str, Span | None], ...] = ()

    def __str__(self) -> str:
        at = self.span
        return f"{at.path}:{at.line}:{at.column}: {self.severity.value}[{self.code}] {self.message}"


class Problems(Exception):
    """A text that cannot be used, with everything that is wrong with it.

    `diagnostics` is never empty; `sources` are those needed to draw them.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...], sources: tuple[Source, ...] = ()) -> None:
        super().__init__("\n".join(str(d) for d in diagnostics))
        self.diagnostics = diagnostics
        self.sources = sources


class Reporter:
    """Collects diagnostics while a text is read, each place and code once, at most `limit` of them."""

    def __init__(self, limit: int = 100) -> None:
        self._found: dict[tuple[str, Span], Diagnostic] = {}
        self._limit = limit

    def add(self, diagnostic: Diagnostic) -> None:
        """Keeps a diagnostic unless its code was already reported at this span or the limit is reached."""
        if len(self._found) < self._limit:
            self._found.setdefault((diagnostic.code, diagnostic.span), diagnostic)

    def wants(self, code: str, span: Span) -> bool:
        """Whether a diagnostic with this code and span would be kept: what is costly to say need not be said twice."""
        return len(self._found) < self._limit and (code, span) not in self._found

    def error(self, code: str, message: str, span: Span, *, expected: tuple[str, ...] = (), hint: str | None = None,
              notes: tuple[tuple[str, Span | None], ...] = ()) -> None:
        """Adds an error."""
        self.add(Diagnostic(code, message, span, Severity.ERROR, expected, hint, notes))

    def found(self) -> tuple[Diagnostic, ...]:
        """Everything so far, in order of place."""
        return tuple(sorted(self._found.values(), key=lambda d: (d.span, d.code)))

    @property
    def failed(self) -> bool:
        """True if at least one error was added."""
        return any(d.severity is Severity.ERROR for d in self._found.values())
