"""Texts from outside as a notebook shows them: escaped, bounded, without characters that hide or turn round others."""

from __future__ import annotations

from html import escape

from referee.report.text.printable import printable

MOST_LINES = 200
"""So many lines of a text are shown as HTML; of more it is said how many."""
MOST_LETTERS = 4_000
"""Of one line."""


def html_line(text: str, most: int = MOST_LETTERS) -> str:
    """A text as one line, cut to `most` characters (`...` says so)."""
    return escape(printable(text, most))


def html_block(text: str) -> str:
    """A text as it stands, line by line; of one that is too long the last line says how much is left out."""
    lines = text.split("\n")
    shown = [html_line(line) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"... {len(lines) - MOST_LINES:,} more lines: str() has them all")
    text = "\n".join(shown)
    return f"<pre>{text}</pre>"
