"""A text with other words in it: a fault that is put in where its place has moved is none, and nobody would notice."""

from __future__ import annotations

from collections.abc import Mapping


def changed(text: str, words: Mapping[str, str], most: int = -1) -> str:
    """The text with other words in the place of some, everywhere or `most` times, one after the other. They have to
    stand there."""
    for old, new in words.items():
        assert old in text, f"{old!r} does not stand in the text"
        text = text.replace(old, new, most)
    return text
