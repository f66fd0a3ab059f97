"""What a line and a sentence are about, by how their words begin."""

from __future__ import annotations

import re
from collections.abc import Sequence

STEM = 4
"""Words that begin with so many letters alike are taken for the same: names in rules are short, and a sentence has them
with any ending."""
LITTLE = ("that", "this", "they", "them", "there", "here", "with", "have", "what", "which", "where", "when", "each",
          "some", "more", "than", "only", "your", "their")  # fmt: skip
"""Words that say nothing of what a sentence is about."""


def stems(text: str) -> list[str]:
    """How the words of a line begin that can say what it is about; what is not so is about the same."""
    found = [one.lower() for one in re.findall(rf"[^\W\d_]{{{STEM},}}", text)]
    found = [one[2:] if one.startswith("un") and len(one) >= STEM + 2 else one for one in found]
    return [one[:STEM] for one in found if one not in LITTLE]


def speaks_of(sentences: Sequence[str], stem: str) -> bool:
    """Whether one of some sentences has a word that begins so."""
    return any(_where(one, stem) for one in sentences)


def in_turn(sentence: str, one: str, later: str) -> bool:
    """Whether a sentence speaks of two lines in their order: of what only the first is about, and then of the second.
    """
    first, second = (dict.fromkeys(stems(text)) for text in (one, later))
    begun = [at for stem in first if stem not in second for at in _where(sentence, stem)]
    ended = [at for stem in second if stem not in ("carr", "move") for at in _where(sentence, stem)]
    return bool(begun and ended) and min(begun) < max(ended) and not any(
        at < min(begun) for stem in second if stem not in first for at in _where(sentence, stem))  # fmt: skip


def _where(sentence: str, stem: str) -> list[int]:
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(stem)}", sentence, re.IGNORECASE)]
