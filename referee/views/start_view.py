"""The position that a log starts from, as one player sees it: what lies hidden from him is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.core.ruleset import Core, Zone
from referee.core.types import COMPONENT
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import Header
from referee.game.log.strict_json import Json
from referee.game.player_views import HIDDEN, ZoneView, knows, table
from referee.game.setting import Setting
from referee.game.value_codec import called, encode_value, place_text
from referee.interpreter.walker import Walker


class Unshown(Exception):
    """Of the position there is no view, and why."""


def shown_state(walker: Walker, setting: Setting, header: Header, seat: int | None) -> dict[str, Json]:
    """The entry `state` of a header as a player (None: the public) knows it: every place with what lies there, or how
    many. Raises `Unshown` if a counter has a value that he does not see, or a place has no name of its own."""
    from referee.frontend.loading.outside_expressions import counter

    entry, position = header.state, setting.position
    assert entry is not None
    assert position is not None
    for text in entry.set:
        read = counter(walker.core, text, header.players)
        if not knows(walker.core.vars[read.var], next(key for name, key in position.values if name == read.var), seat):
            raise Unshown(f"{text} is not for everybody to know, and has a value: no header can say so")
    found = table(walker.core, walker.layout, walker.begin_at(setting, position), seat)
    place = dict(said for view in found.zones for said in _said(walker.core, header.players, view))
    made = {"at": entry.at, "turn": entry.turn, "place": place, "set": dict(entry.set)}
    return {name: value for name, value in made.items() if value}


def _said(core: Core, players: tuple[str, ...], view: ZoneView) -> Iterator[tuple[str, Json]]:
    """What is said of one place: nothing if it is empty."""
    zone = core.zones[view.zone]
    name = place_text(core, players, zone.name, zone.keys, view.key)
    if zone.form.on_spots:
        yield from _on_spots(core, players, zone, view, name)
    elif view.number:
        yield _named(core, players, name), _content(core, players, zone, view)


def _on_spots(core: Core, players: tuple[str, ...], zone: Zone, view: ZoneView,
              name: str) -> Iterator[tuple[str, Json]]:
    assert zone.spots is not None
    there = view.content if view.content is not None else [HIDDEN if taken else None for taken in view.taken]
    for spot, one in enumerate(there, zone.spots.lo):
        if one is not None:
            there_is: Json = {HIDDEN: 1} if one == HIDDEN else [_label(core, players, one)]
            yield _named(core, players, f"{name} at {encode_value(core, players, zone.spots, spot)}"), there_is


def _content(core: Core, players: tuple[str, ...], zone: Zone, view: ZoneView) -> Json:
    if view.content is None:
        return {HIDDEN: view.number}
    if zone.form.in_blocks:
        return [_block(core, players, block) for block in view.content if isinstance(block, tuple)]
    return [_label(core, players, one) for one in view.content]


def _block(core: Core, players: tuple[str, ...], block: tuple[int, ...]) -> Json:
    """A part of a pile: one component, or several that are shuffled."""
    if len(block) == 1:
        return _label(core, players, block[0])
    return {str(label): number for label, number in Counter(_label(core, players, one) for one in block).items()}


def _label(core: Core, players: tuple[str, ...], one: object) -> Json:
    assert isinstance(one, int)
    return called(core, players, COMPONENT, one)


def _named(core: Core, players: tuple[str, ...], text: str) -> str:
    """The text, if the rules understand it as a place."""
    from referee.frontend.loading.outside_expressions import place
    from referee.frontend.loading.ruleset_files import RulesChanged

    try:
        place(core, text, players)
    except RulesChanged:
        raise
    except Problems as problems:
        raise Unshown(f"the place {text} cannot be named: {problems.diagnostics[0].message}") from None
    return text
