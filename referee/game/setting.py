"""The setting of a game: what a header fixes before the first event, as core values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.core.ruleset import Key
from referee.core.types import Value
from referee.game.position import Position

Stated = Mapping[str, Mapping[Key, Value]]
"""Values stated for variables: name -> key -> value; the key of a variable without keys is ()."""


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
