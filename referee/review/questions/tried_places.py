"""At which of the places that a game comes to an answer is tried: as many of the last ones as of the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

PART = 8
"""So many of the first places, of the last, and of those between."""


def tried_places(visits: Sequence[int], draw: str) -> Iterator[Sequence[int]]:
    """The first places, some drawn from equal stretches of what lies between, and the last ones; of few places all. The
    first come first: what shows soon is shown by a short game. `draw`: the same words draw the same places."""
    if len(visits) <= 3 * PART:
        third = max(1, -(-len(visits) // 3))
        yield from (visits[start : start + third] for start in range(0, len(visits), third))
        return
    yield visits[:PART]
    between, random = visits[PART:-PART], Random(draw)
    yield [between[int((number + random.random()) * len(between) / PART)] for number in range(PART)]
    yield visits[-PART:]
