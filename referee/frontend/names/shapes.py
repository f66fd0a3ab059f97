"""What a core is made for, and what it can be made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from referee.system.lazy_dataclasses import dataclass

MOST_PLAYERS = 12
"""A game is for no more."""
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
    """For how many players a ruleset is (rising), and the options it has: name -> values, the default first.

    `only`: the numbers of players that an option is for, where it is not for all.
    `columns`: the kinds that take their classes from a data file, with the columns declared.
    """

    players: tuple[int, ...]
    options: Mapping[str, tuple[str, ...]]
    only: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def fewest(self) -> int:
        """The least number of players."""
        return self.players[0]

    def options_for(self, players: int) -> Mapping[str, tuple[str, ...]]:
        """The options that so many players have."""
        return {name: values for name, values in self.options.items() if players in self.only.get(name, (players,))}


def said(numbers: Sequence[int]) -> str:
    """Rising numbers of players in words: `2`, `2 or 4`, `2 to 4`."""
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(str(number) for number in numbers)
