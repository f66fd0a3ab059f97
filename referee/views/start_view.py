"""The position that a log starts from, as one player sees it: what lies hidden from him is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.core.ruleset import TURN, Core, Role, Zone
from referee.core.types import COMPONENT
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import Header
from referee.game.log.strict_json import Json
from referee.game.player_views import HIDDEN, ZoneView, knows, table
from referee.game.setting import Setting
from referee.game.value_codec import called, encode_value, place_text
from referee.interpreter.walker import Walker
from referee.views.register_sight import known_to_all


class Unshown(Exception):
    """Of the position there is no view, and why."""


def shown_state(walker: Walker, setting: Setting, header: Header, seat: int | None) -> dict[str, Json]:
    """The entry `state` of a header as a player (None: the public) knows it: every place with what lies there, or how
    many. Raises `Unshown` if a counter has a value that he does not see, or a place has no name of its own."""
    from referee.frontend.loading.outside_expressions import counter

    entry, position = header.state, setting.position
    assert entry is not None
    assert position is not None
    way = {told.name for told in position.registers}
    point = walker.start_points.find(position.at)
    registers = {one.name: one.var for one in (*point.registers, *point.computed)}
    known = known_to_all(walker.flow) if way else frozenset()
    for text in way:
        if text in registers and registers[text].role is not Role.STATE and registers[text].name not in known:
            raise Unshown(f"{text} may hang on what he does not see, and has a value: no header can say so")
    for text in entry.set.keys() - way - {TURN}:
        read = counter(walker.core, text, header.players)
        if not knows(walker.core.vars[read.var], next(key for name, key in position.values if name == read.var), seat):
            raise Unshown(f"{text} is not for everybody to know, and has a value: no header can say so")
    found = table(walker.core, walker.layout, walker.begin_at(setting, position), seat)
    place = dict(said for view in found.zones for said in said_of(walker.core, header.players, view))
    made = {"at": entry.at, "turn": entry.turn, "place": place, "set": dict(entry.set)}
    return {name: value for name, value in made.items() if value}


def said_of(core: Core, players: tuple[str, ...], view: ZoneView) -> Iterator[tuple[str, Json]]:
    """What a header says of one place: nothing if it is empty. Raises `Unshown` if it has no name of its own."""
    zone = core.zones[view.zone]
    name = place_text(core, players, zone.name, zone.keys, view.key)
    if zone.form.on_spots:
        yield from _on_spots(core, players, zone, view, name)
    elif view.number:
        yield _named(core, players, name), _content(core, players, zone, view)


def _on_spots(core: Core, players: tuple[str, ...], zone: Zone, view: ZoneView,
              name: str) -> Iterator[tuple[str, Json]]:
    assert zone.spots is not None
    if view.content is None and view.taken is None:
        if not view.number:
            return
        raise Unshown(f"on which spots of {name} something lies is not for everybody to know: no header can say so")
    there = view.content if view.content is not None else [HIDDEN if taken else None for taken in view.taken or ()]
    said: list[tuple[str, Json]] = []
    try:
        for spot, one in enumerate(there, zone.spots.lo):
            if one is not None:
                there_is: Json = {HIDDEN: 1} if one == HIDDEN else [_label(core, players, one)]
                text = f"{name} at {encode_value(core, players, zone.spots, spot)}"
                said.append((_named(core, players, text), there_is))
    except Unshown:  # a spot has no name in the rules: the board is listed whole
        if view.content is None:
            raise
        said = [(_named(core, players, name), [None if one is None else _label(core, players, one) for one in there])]
    yield from said


def _content(core: Core, players: tuple[str, ...], zone: Zone, view: ZoneView) -> Json:
    if view.content is None:
        return {HIDDEN: view.number}
    if zone.form.in_blocks:
        return [_block(core, players, block) for block in view.content if isinstance(block, tuple)]
    return [_label(core, players, one) for one in view.content]


def _block(core: Core, players: tuple[str, ...], block: tuple[int, ...]) -> Json:
    """A part of a pile: one component, or several that are shuffled, as an object or (of numbers) a list."""
    if len(block) == 1:
        return _label(core, players, block[0])
    labels = [_label(core, players, one) for one in block]
    if not all(isinstance(label, str) for label in labels):
        return [*labels]
    return {str(label): number for label, number in Counter(labels).items()}


def _label(core: Core, players: tuple[str, ...], one: object) -> str | int:
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
