"""Which of the settings that were left out are looked at next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from referee.game.state import Layout, starts
from referee.judge.open_settings.setting_sets import Choices
from referee.judge.open_settings.value_ranges import Box, Place

MOST_NEW = 200
"""Values among which one is chosen, at most."""


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


def next_box(rest: Choices, region: Choices, usual: Mapping[Place, int],
             tried: Counter[tuple[Place, int]]) -> Box | None:
    """Some of the settings left out: one with a value that none of the region has, of several such values one that was
    tried least (`tried` counts); else any. What is usual first."""
    if not rest:
        return None
    new = list(islice(_new(rest, region), MOST_NEW)) if region else []
    if not new:
        return _most_usual(rest, usual)
    place, value = min(new, key=lambda one: tried[one])
    tried[place, value] += 1
    return _most_usual(rest.within(place, value, value), usual)


def _new(rest: Choices, region: Choices) -> Iterator[tuple[Place, int]]:
    """The values that none of the region has."""
    for place in sorted(rest.places):
        known = region.values(place)
        for lo, hi in rest.values(place):
            yield from ((place, value) for value in range(lo, hi + 1) if not any(a <= value <= b for a, b in known))


def _most_usual(rest: Choices, usual: Mapping[Place, int]) -> Box:
    """A box in which entry after entry has its usual value, where that is possible."""
    for place in sorted(rest.places):
        nearer = rest.within(place, usual[place], usual[place]) if place in usual else None
        rest = nearer or rest
    return next(rest.boxes())
