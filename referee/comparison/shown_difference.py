"""A difference of two rulesets, with the game that shows it; and the games that scenarios tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.comparison.correspondence import SharedEvent
from referee.comparison.lockstep import SidesParting
from referee.comparison.paired_settings import Pair
from referee.game.event import Event
from referee.game.log.strict_json import Json


@dataclass(frozen=True, slots=True)
class ScenarioGame:
    """A game that a scenario of one side (0: the first) tells. `place`: where it stands; `state`: the position that it
    begins in, as a header says it with the names of these `players`; None: with set-up."""

    settings: Pair
    events: tuple[Event, ...]
    side: int
    players: tuple[str, ...]
    state: Mapping[str, Json] | None
    place: str


@dataclass
class ShownDifference:
    """A difference, and the shortest game that is known to show it. `games`: which of those by lot show it;
    `shortest`: every shorter one was looked at; `minimised`: no event of it can be left out; `told`: the scenario in
    whose position it begins, where no game is known that begins with set-up."""

    parting: SidesParting
    settings: Pair
    events: tuple[SharedEvent, ...]
    shortest: bool = False
    minimised: bool = False
    games: set[int] = field(default_factory=set)
    then: tuple[tuple[SharedEvent, ...], SidesParting] | None = None
    told: ScenarioGame | None = None
