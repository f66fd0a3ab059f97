"""What one player knows of a game: what lies visible to him, and the events as he saw them happen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.api.results.frozen_results import FrozenDict, frozen, thawed
from referee.api.results.game_events import GameEvent
from referee.api.results.html_texts import html_line
from referee.core.ruleset import Core, Form, Role, Zone
from referee.core.types import COMPONENT
from referee.game.player_views import Sighting, ZoneView, record, table
from referee.game.setting import Setting
from referee.game.state import Open, State
from referee.game.value_codec import called, encode_recorded, encode_value, place_text
from referee.interpreter.walker import Walker

MOST_ROWS = 50
"""Zones, and values, that a notebook shows."""
MOST_LETTERS = 400
"""Of a name or content in it."""
_UNTOLD = (Role.READING, Role.RESULT)


@dataclass(frozen=True, slots=True)
class SeenZone:
    """A zone as somebody sees it. `number`: of the components in it; `content`: what they are, from the top of a pile
    on, None if he does not see it; `spots`: of a zone with places, what lies on each (None: nothing; `"?"`: he does not
    see what), else None."""

    name: str
    number: int
    content: tuple[str, ...] | None
    spots: Mapping[str, str | None] | None


@dataclass(frozen=True, slots=True)
class View:
    """What a player knows. `zones` by their names in the rules (`hand of Ana`), `values` of variables by theirs, and
    the `events` as he knows them by now: "?" for what he did not see.

    >>> import referee
    >>> game = referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3)
    >>> events = game.advance_fate()
    >>> game.view("Ben").zones["hand of Ana"].content is None
    True
    >>> game.view("Ben").zones["hand of Ben"].number
    1
    """

    player: str
    zones: Mapping[str, SeenZone]
    values: Mapping[str, Any]
    events: tuple[GameEvent, ...]

    def data(self) -> dict[str, Any]:
        """The view as plain data for JSON."""
        found: dict[str, Any] = thawed(self)
        return found

    def _repr_html_(self) -> str:
        zones, values = list(self.zones.values())[:MOST_ROWS], list(self.values.items())[:MOST_ROWS]
        rows = [(one.name, _said(one)) for one in zones] + [(name, str(thawed(value))) for name, value in values]
        cells = "".join(f"<tr><th>{html_line(name, MOST_LETTERS)}</th><td>{html_line(said, MOST_LETTERS)}</td></tr>"
                        for name, said in rows)
        left_out = [f"{len(all_of) - MOST_ROWS:,} more of <code>.{name}</code>"
                    for name, all_of in (("zones", self.zones), ("values", self.values)) if len(all_of) > MOST_ROWS]
        more = f"<tr><td colspan=2>... {', '.join(left_out)}</td></tr>" if left_out else ""
        return f"<table><caption>{html_line(self.player)}</caption>{cells}{more}</table>"


def _said(zone: SeenZone) -> str:
    if zone.spots is not None:
        return ", ".join(f"{spot}: {one}" for spot, one in zone.spots.items() if one is not None) or "empty"
    return f"{zone.number} hidden" if zone.content is None else ", ".join(zone.content) or "empty"


def view_of(walker: Walker, setting: Setting, state: State, player: str, seat: int | None,
            sightings: Iterable[Sighting]) -> View:
    """What somebody knows at a position. `seat`: None for whoever sits at none."""
    core, players = walker.core, setting.players
    seen = table(core, walker.layout, state, seat)
    zones = (_zone(core, players, core.zones[one.zone], one) for one in seen.zones)
    values = {}
    for name, key, value in seen.variables:
        var = core.vars[name]
        if var.role not in _UNTOLD:
            values[place_text(core, players, name, var.keys, key)] = (
                None if isinstance(value, Open) else frozen(encode_value(core, players, var.type, value)))  # type: ignore[arg-type]  # no content
    known = (encode_recorded(core, setting, one) for one in record(sightings, seat))
    events = tuple(GameEvent(str(line["by"]), str(line["do"]), _arguments(line.get("with"))) for line in known)
    return View(player, FrozenDict({one.name: one for one in zones}), FrozenDict(values), events)


def _arguments(with_: object) -> Mapping[str, Any]:
    return with_ if isinstance(with_, Mapping) else {}


def _zone(core: Core, players: Sequence[str], zone: Zone, view: ZoneView) -> SeenZone:
    name = place_text(core, players, zone.name, zone.keys, view.key)
    content = None if view.content is None else tuple(
        _called(core, players, one) for part in view.content for one in (part if isinstance(part, tuple) else (part,))
        if one is not None)
    if zone.form is not Form.SLOTS or zone.spots is None or (view.content is None and view.taken is None):
        return SeenZone(name, view.number, content, None)
    labels = [str(encode_value(core, players, zone.spots, index))
              for index in range(zone.spots.lo, zone.spots.hi + 1)]
    spots = ["?" if taken else None for taken in view.taken or ()] if view.content is None else [
        None if one is None else _called(core, players, one) for one in view.content]
    return SeenZone(name, view.number, content, FrozenDict(dict(zip(labels, spots, strict=True))))


def _called(core: Core, players: Sequence[str], one: object) -> str:
    assert isinstance(one, int)
    return str(called(core, players, COMPONENT, one))
