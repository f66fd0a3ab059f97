"""What a core is made for, and what it can be made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """What a core is made for: the number of players (None: the fewest), and options that differ from the default."""

    players: int | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Range:
    """For how many players a ruleset is, and the options it has: name -> values, the default first."""

    fewest: int
    most: int
    options: Mapping[str, tuple[str, ...]]
