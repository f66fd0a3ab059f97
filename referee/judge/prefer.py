"""Which of the settings that were left out are looked at next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.game.state import Layout, starts
from referee.judge.choices import Choices
from referee.judge.stretch import Box, Place


def defaults(layout: Layout, places: Iterable[Place]) -> dict[Place, int]:
    """The usual values of readings and parameters, of those that have some."""
    found: dict[Place, int] = {}
    for name in dict.fromkeys(name for name, _ in places):
        if name in layout.core.readings:
            found[name, ()] = layout.core.readings[name].default
            continue
        entries = layout.vars[name]
        values = starts(layout.defs[name], entries.count)
        found |= {(name, key): int(value) for key, value in zip(entries.keys(), values, strict=True)
                  if isinstance(value, int)}
    return found


def next_box(rest: Choices, region: Choices, usual: Mapping[Place, int]) -> Box | None:
    """Some of the settings left out: one with a value that none of the region has, else any; what is usual first."""
    if not rest:
        return None
    for place in sorted(rest.places) if region else ():
        known = region.values(place)
        for lo, hi in rest.values(place):
            new = next((value for value in range(lo, hi + 1) if not any(a <= value <= b for a, b in known)), None)
            if new is not None:
                return _most_usual(rest.within(place, new, new), usual)
    return _most_usual(rest, usual)


def _most_usual(rest: Choices, usual: Mapping[Place, int]) -> Box:
    """A box in which entry after entry has its usual value, where that is possible."""
    for place in sorted(rest.places):
        nearer = rest.within(place, usual[place], usual[place]) if place in usual else None
        rest = nearer or rest
    return next(rest.boxes())
