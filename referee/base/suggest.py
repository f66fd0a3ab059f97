"""Suggestions: the known name that somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to `word`, or None if none is close enough."""
    if len(word) > 80:
        return None
    found = get_close_matches(word, sorted(set(known)), n=1, cutoff=0.7)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint naming the closest known word, or None."""
    best = nearest(word, known)
    return f"did you mean {best}?" if best is not None else None
