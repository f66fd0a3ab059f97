"""The text of a ruleset at a place in it, for people to read, and the statements cited there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.core.naming import is_plain
from referee.core.stmt import Origin
from referee.diagnostics.source import Source, Span

CITED = re.compile(r"  \[([^\]]*)\]$")


class Text:
    """The sources of one ruleset."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = {source.path: source for source in sources}

    def at(self, span: Span) -> str:
        """What stands there as it fits into a cell of a table: one line, without citations."""
        line = self._sources[span.path].line(span.line)
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        return CITED.sub("", line[span.column - 1:end]).strip().replace("|", "or")

    def cites(self, span: Span, origin: Origin) -> tuple[str, ...]:
        """The statements cited: those of the statement of the rules whose lines these are, else (in a definition) those
        of the line itself. What begins with a small letter is the name of an assumption."""
        within = span.path == origin.span.path and origin.span.line <= span.line <= origin.span.end_line
        own = _statements(origin.cites) if within else ()
        cited = CITED.search(self._sources[span.path].line(span.line))
        return own or _statements(cited[1].split() if cited else ())


def _statements(cites: Iterable[str]) -> tuple[str, ...]:
    return tuple(cite for cite in cites if not is_plain(cite))
