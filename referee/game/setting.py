"""The setting of a game: what a header fixes before the first event, as core values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from itertools import product

from referee.core.ruleset import Key
from referee.core.types import Scalar, Value
from referee.game.start_position import Position
from referee.system.lazy_dataclasses import dataclass

Stated = Mapping[str, Mapping[Key, Value]]
"""Values stated for variables: name -> key -> value; the key of a variable without keys is ()."""


class Everywhere(dict[Key, Value]):
    """One value for all keys of a variable, in the order of its entries. It is shared: nobody changes it."""


@lru_cache(maxsize=64, typed=True)
def everywhere(keys: tuple[Scalar, ...], value: Value) -> Everywhere:
    """The same value for each key."""
    return Everywhere(dict.fromkeys(product(*(range(key.lo, key.hi + 1) for key in keys)), value))


@dataclass(frozen=True, slots=True)
class Setting:
    """Players in seat order; givens and parameters that are stated; readings (name -> index of the choice);
    rulings (name of the unspecified point -> candidate). What is not stated is its default, or open.

    `position`: where the game starts instead of with set-up. `viewpoint`: who wrote the events down (`all`: nothing is
    left out, `public`: what everybody saw, or a player)."""

    players: tuple[str, ...]
    givens: Stated = field(default_factory=dict)
    readings: Mapping[str, int] = field(default_factory=dict)
    rulings: Mapping[str, Value] = field(default_factory=dict)
    parameters: Stated = field(default_factory=dict)
    position: Position | None = None
    viewpoint: str = "all"

    @property
    def starts_known(self) -> bool:
        """Whether it is known of every place what lies there at the start."""
        return self.position is None or self.position.rest_known
