"""What a player knows: what lies visible to him now, and the events as he saw them happen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from referee.core.ruleset import Core, Form, Key, Role, Sight, Var, Zone
from referee.core.types import Value
from referee.game.event import Event
from referee.game.state import Content, Layout, Slot, State
from referee.system.lazy_dataclasses import dataclass

HIDDEN = "?"
"""Stands for the value of an argument that somebody did not see."""
_OPEN_ROLES = frozenset({Role.STATE, Role.READING, Role.PARAMETER, Role.GIVEN, Role.RESULT})


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone instance as somebody sees it. `content` is None if he does not see what lies there; then he knows how many
    components there are (`number`), and for `slots` on which spots (`taken`), None if that is as secret."""

    zone: str
    key: Key
    content: Content | None
    number: int
    taken: tuple[bool, ...] | None = ()


@dataclass(frozen=True, slots=True)
class VisibleTable:
    """What lies visible to somebody: zones, and the variables (name, key, value) that he may know."""

    zones: tuple[ZoneView, ...]
    variables: tuple[tuple[str, Key, Slot], ...]


def table(core: Core, layout: Layout, state: State, player: int | None) -> VisibleTable:
    """What lies visible to a player (None: to somebody who sits at no seat)."""
    zones = tuple(_zone(zone, key, layout.read_zone(state, zone.name, key), player)
                  for zone in core.zones.values() for key in layout.zones[zone.name].keys())
    variables = tuple((var.name, key, layout.read_var(state, var.name, key))
                      for var in core.vars.values() if var.role in _OPEN_ROLES
                      for key in layout.vars[var.name].keys() if knows(var, key, player))
    return VisibleTable(zones, variables)


def sees(sight: Sight, key: Key, player: int | None) -> bool:
    """True if somebody sees what lies in a zone instance; somebody at no seat sees what everybody sees."""
    if sight.everybody or player is None:
        return sight.everybody
    return any(key[position] == player for position in sight.owners) != sight.others


def knows(var: Var, key: Key, player: int | None) -> bool:
    """True if somebody may know the value of a variable."""
    return var.seen_by is None or key[var.seen_by] == player


def _zone(zone: Zone, key: Key, content: Slot, player: int | None) -> ZoneView:
    assert isinstance(content, tuple)
    number = sum(len(part) if isinstance(part, tuple) else part is not None for part in content)
    if sees(zone.sight, key, player):
        return ZoneView(zone.name, key, content, number)
    taken = tuple(part is not None for part in content) if zone.form is Form.SLOTS else ()
    if not zone.sight.spots:
        return ZoneView(zone.name, key, None, number, None)
    return ZoneView(zone.name, key, None, number, taken)


@dataclass(frozen=True, slots=True)
class Sighting:
    """An event with who saw the value of each argument when it happened (None: everybody).

    `group`: the commit group in which it is kept secret until all have chosen, None otherwise; `closes` is true for the
    event with which all that is secret in this group becomes known.
    """

    event: Event
    seen: tuple[frozenset[int] | None, ...]
    group: str | None = None
    closes: bool = False


def seen_anyway(sightings: Sequence[Sighting]) -> Sighting:
    """One event that may have happened in several positions: who saw a value in all of them."""
    seen = tuple(map(_seen_by_all, zip(*(one.seen for one in sightings), strict=True)))
    return replace(sightings[0], seen=seen, closes=all(one.closes for one in sightings))


def _seen_by_all(seen: tuple[frozenset[int] | None, ...]) -> frozenset[int] | None:
    some = [one for one in seen if one is not None]
    return frozenset.intersection(*some) if some else None


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as somebody knows it: `HIDDEN` instead of values that he did not see."""

    by: int
    label: str
    args: tuple[tuple[str, Value | str], ...]


def record(sightings: Iterable[Sighting], player: int | None) -> tuple[Recorded, ...]:
    """The events as a player (None: somebody at no seat) knows them after the last of them, all remembered.

    A secret choice is filled in where it was made once its group is complete.
    """
    return tuple(_recorded(sighting, player) for sighting in _revealed(list(sightings)))


def _revealed(sightings: list[Sighting]) -> Iterator[Sighting]:
    """The sightings, with everybody as observer of choices that were kept secret and then revealed."""
    waiting: dict[str, list[int]] = {}
    for index, sighting in enumerate(sightings):
        if sighting.group is not None:
            waiting.setdefault(sighting.group, []).append(index)
        if sighting.closes and sighting.group is not None:
            for known in waiting.pop(sighting.group):
                sightings[known] = replace(sightings[known], seen=(None,) * len(sightings[known].seen))
    yield from sightings


def _recorded(sighting: Sighting, player: int | None) -> Recorded:
    event = sighting.event
    args = tuple((name, value if seen is None or player in seen else HIDDEN)
                 for (name, value), seen in zip(event.args, sighting.seen, strict=True))
    return Recorded(event.by, event.label, args)
