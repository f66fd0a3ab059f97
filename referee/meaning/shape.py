"""What a core is made for, and what it can be made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Pool = tuple[tuple[str, str], ...]
"""Rows that stand in the place of a kind's data file: kind, and its rows as a JSON list of objects; by kind."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a core is made for: the number of players (None: the fewest), options that differ from the default, rows."""

    players: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    pool: Pool = ()


@dataclass(frozen=True, slots=True)
class Range:
    """For how many players a ruleset is, and the options it has: name -> values, the default first.

    `only`: the numbers of players that an option is for, where it is not for all.
    `columns`: the kinds that take their classes from a data file, with the columns declared.
    """

    fewest: int
    most: int
    options: Mapping[str, tuple[str, ...]]
    only: Mapping[str, range] = field(default_factory=dict)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def options_for(self, players: int) -> Mapping[str, tuple[str, ...]]:
        """The options that so many players have."""
        return {name: values for name, values in self.options.items() if players in self.only.get(name, (players,))}
