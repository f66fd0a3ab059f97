"""What is said of a stable code."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """A code's title (one line) and explanation (what it means and how to mend it)."""

    title: str
    explanation: str
