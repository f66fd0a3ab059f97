"""Suggestions: the known name that somebody probably meant."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from difflib import get_close_matches

MOST_LETTERS = 80
"""For a word with more letters no other one is suggested."""
MOST_NAMES = 1_000
"""Of more names only those are compared that stand around the word in the order of letters, capitals aside,"""
AROUND = 100
"""so many before it and behind it: those that begin as it does."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to `word`, capitals and the order of letters aside, or None if none is close enough."""
    if not 0 < len(word) <= MOST_LETTERS:
        return None
    names = sorted(set(known))
    if len(names) > MOST_NAMES:
        names.sort(key=str.lower)
        at = bisect(names, word.lower(), key=str.lower)
        names = names[max(0, at - AROUND) : at + AROUND]
    close = get_close_matches(word, names, n=1, cutoff=0.7)
    if close:
        return close[0]
    lowered = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=0.7)
    shuffled = [lower for lower in lowered if sorted(lower) == sorted(word.lower())]
    return lowered[(close or shuffled)[0]] if close or shuffled else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint naming the closest known word, or None."""
    best = nearest(word, known)
    return f"did you mean {best}?" if best is not None else None
