"""The entries of a setting, and stretches of their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.core.ruleset import Key

Place = tuple[str, Key]
"""An entry of a setting: the variable, and its key."""
Ranges = Mapping[Place, tuple[int, int]]


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """The values lo..hi of one entry (of a Bool 0..1, of a reading the indices of its choices)."""

    place: Place
    lo: int
    hi: int


Box = tuple[Stretch, ...]
"""Stretches in order of their places; an entry that has none may have any value. Its settings are all combinations."""


def met(one: Box, other: Box) -> Box | None:
    """The settings in both boxes, None if there are none."""
    if not one or not other:
        return one or other
    found = {stretch.place: stretch for stretch in one}
    for stretch in other:
        known = found.get(stretch.place, stretch)
        lo, hi = max(known.lo, stretch.lo), min(known.hi, stretch.hi)
        if lo > hi:
            return None
        found[stretch.place] = Stretch(stretch.place, lo, hi)
    return tuple(sorted(found.values()))
