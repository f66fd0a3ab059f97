"""How many of all games show something, by how many of those that were drawn do."""

from __future__ import annotations

from math import sqrt

_CERTAIN = 1.96
"""Of 95 %."""


def interval(shown: int, games: int) -> tuple[float, float]:
    """The interval in which a share lies (Wilson, 95 %); everything, where nothing was tried."""
    if not games:
        return 0.0, 1.0
    middle = (shown + _CERTAIN**2 / 2) / (games + _CERTAIN**2)
    width = _CERTAIN / (games + _CERTAIN**2) * sqrt(shown * (games - shown) / games + _CERTAIN**2 / 4)
    return 0.0 if shown == 0 else max(0.0, middle - width), 1.0 if shown == games else min(1.0, middle + width)
