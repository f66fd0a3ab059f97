"""The scene of a position: what somebody may know of it, laid out from what the rules declare.

Nothing but `referee.game.player_views.table` says what is seen, so a scene holds no more than a view does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import assert_never

from referee.core.flow import offered, offers
from referee.core.ruleset import TURN, WINNERS, Core, Form, Key, LookOfItsOwn, Role, Var, Zone
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.game.event import FATE, TABLE
from referee.game.player_views import ZoneView, table
from referee.game.state import Ended, Open, Slot, State, Step, starts
from referee.game.value_codec import called, encode_value, place_text
from referee.interpreter.walker import Walker
from referee.scene.board_plans import board_plans
from referee.scene.scene import (
    Plain,
    Scene,
    SceneAsking,
    ScenePiece,
    SceneValue,
    SceneZone,
    ValueForm,
    ZoneForm,
)

MANY = 20
"""A setting of more entries is told as one: how often it has each value."""
MOST_KEPT = 4_096
"""Places with what lies there, and values, that are remembered at most."""
_UNTOLD = (Role.READING, Role.RESULT)
_Entry = tuple[Key, Slot]


class Arrangement:
    """Makes the scenes of the games of some players by some rules."""

    def __init__(self, walker: Walker, players: Sequence[str]) -> None:
        self._walker, self._players = walker, tuple(players)
        self._core: Core = walker.core
        self._boards = board_plans(self._core)
        self._known = {plan.name for plan in self._boards}
        look = self._core.look
        self._order = {name: number for number, name in enumerate(look.order)}
        self._groups = {name: title for title, names in look.groups for name in names}
        self._zones: dict[ZoneView, SceneZone] = {}
        self._held: dict[tuple[str, Key, Slot, Slot], SceneValue] = {}

    def scene(self, step: Step, viewers: Sequence[int] = (), *, settled: bool = True) -> Scene:
        """What a step has come to, as the players on some seats see it together (none: somebody at no seat).
        `settled`: it is known who has to act.

        Raises `ValueError` for a game that failed before there was any position.
        """
        state = step if isinstance(step, State) else step.state
        if state is None:
            raise ValueError("there is no position")
        zones, values = self._seen(state, viewers)
        turn = next((slot for name, _, slot in values if name == TURN), None)
        won = sorted(step.winners) if isinstance(step, Ended) else None
        return Scene(
            self._core.name, self._players, tuple(self._players[seat] for seat in sorted(set(viewers))),
            self._players[turn] if isinstance(turn, int) else None, self._asked(step) if settled else None,
            None if won is None else tuple(self._players[seat] for seat in won), self._boards,
            tuple(self._laid(view) for view in zones), tuple(self._values(values)),
        )  # fmt: skip

    def _seen(self, state: State, viewers: Sequence[int]) -> tuple[list[ZoneView], list[tuple[str, Key, Slot]]]:
        """What at least one of them sees."""
        tables = [table(self._core, self._walker.layout, state, seat) for seat in viewers or (None,)]
        zones = [max(views, key=_clear) for views in zip(*(one.zones for one in tables), strict=True)]
        known = dict.fromkeys((name, key) for one in tables for name, key, _ in one.variables)
        values = {(name, key): slot for one in tables for name, key, slot in one.variables}
        zones.sort(key=lambda one: self._rank(one.zone))
        order = {name: number for number, name in enumerate(sorted(self._core.vars, key=self._rank))}
        return zones, [(name, key, values[name, key]) for name, key in sorted(known, key=lambda k: (order[k[0]], k[1]))]

    def _rank(self, name: str) -> int:
        """What the rules want to be drawn first comes first; everything else stays as it was declared."""
        return self._order.get(name, len(self._order))

    def _asked(self, step: Step) -> SceneAsking | None:
        if not isinstance(step, State):
            return None
        found = self._walker.asked(step)
        who = tuple({FATE: "fate", TABLE: "table"}.get(by) or self._players[by] for by in sorted(found.by))
        offering = offers(self._walker.course.point(step.at))
        what = () if offering is None else tuple(dict.fromkeys(one.label for one in offered(offering)))
        return SceneAsking(who, what, found.point.name)

    # ------------------------------------------------------------------ components
    def _laid(self, view: ZoneView) -> SceneZone:
        """A zone; the same object for the same content, as long as not too much is kept."""
        known = self._zones.get(view)
        if known is None:
            known = self._zone(self._core.zones[view.zone], view)
            if len(self._zones) < MOST_KEPT:
                self._zones[view] = known
        return known

    def _zone(self, zone: Zone, view: ZoneView) -> SceneZone:
        board, cell = self._cell(zone.keys, view.key)
        spots: tuple[str, ...] = ()
        if zone.form is Form.SLOTS and zone.spots is not None:
            spots = tuple(str(encode_value(self._core, self._players, zone.spots, index))
                          for index in range(zone.spots.lo, zone.spots.hi + 1))  # fmt: skip
            board = board if board is not None else self._board(zone.spots)
        return SceneZone(
            zone.name, place_text(self._core, self._players, zone.name, zone.keys, view.key), self._form(zone),
            view.number, view.content is not None, tuple(self._pieces(view, spots)),
            self._owner(zone.keys, view.key), board, cell, spots, self._groups.get(zone.name), self._picture(zone.name),
        )  # fmt: skip

    def _form(self, zone: Zone) -> ZoneForm:
        match zone.form:
            case Form.SLOTS:
                return ZoneForm.BOARD if zone.spots is not None and self._board(zone.spots) else ZoneForm.SPOTS
            case Form.LINE:
                return ZoneForm.ROW
            case Form.PILE:
                return ZoneForm.PILE
            case Form.BAG:
                return ZoneForm.HAND if zone.sight.owners else ZoneForm.HEAP
            case _:
                assert_never(zone.form)

    def _pieces(self, view: ZoneView, spots: Sequence[str]) -> Iterator[ScenePiece]:
        if view.content is None:
            taken = zip(spots, view.taken or (), strict=True) if view.taken else ()
            yield from (ScenePiece(None, None, 1, None, spot) for spot, there in taken if there)
        elif spots:
            yield from (self._piece(one, 1, spot) for spot, one in zip(spots, view.content, strict=True)
                        if isinstance(one, int))  # fmt: skip
        else:
            for layer, part in enumerate(view.content):
                if isinstance(part, tuple):
                    yield from (self._piece(one, number, None, layer) for one, number in Counter(part).items())
            single = [one for one in view.content if isinstance(one, int)]
            yield from (self._piece(one, sum(1 for _ in alike)) for one, alike in groupby(single))

    def _piece(self, index: int, number: int, spot: str | None = None, layer: int | None = None) -> ScenePiece:
        if index < 0:  # nobody knows what it is
            return ScenePiece(None, None, number, None, spot, layer)
        one = self._core.components[index]
        owner = None if one.owner is None else self._players[one.owner]
        name = str(called(self._core, self._players, COMPONENT, index))
        picture = self._picture(one.without_owner(self._core.domains[PLAYER].labels)) or self._picture(one.kind)
        return ScenePiece(name, one.kind, number, owner, spot, layer, picture)

    def _picture(self, name: str) -> str | None:
        return self._core.look.pictures.get(name)

    # ------------------------------------------------------------------ values
    def _values(self, values: Iterable[tuple[str, Key, Slot]]) -> Iterator[SceneValue]:
        for name, entries in groupby(values, lambda one: one[0]):
            var = self._core.vars[name]
            if var.role in _UNTOLD or name in (TURN, WINNERS):
                continue
            held = [(key, slot) for _, key, slot in entries]
            if self._core.drawn.get(name) is LookOfItsOwn.DICE:
                yield from self._dice(var, held)
            elif var.role is not Role.STATE and len(held) > MANY:
                yield self._counted(var, held)
            else:
                usual = _usual(var, len(held))
                yield from (self._kept(var, key, slot, start) for (key, slot), start in zip(held, usual, strict=True))

    def _kept(self, var: Var, key: Key, slot: Slot, start: Slot) -> SceneValue:
        """A value; the same object for the same value, as long as not too much is kept."""
        known = self._held.get((var.name, key, slot, start))
        if known is None:
            known = self._value(var, key, slot, var.role is not Role.STATE and slot == start)
            if len(self._held) < MOST_KEPT:
                self._held[var.name, key, slot, start] = known
        return known

    def _value(self, var: Var, key: Key, slot: Slot, default: bool = False) -> SceneValue:
        board, cell = self._cell(var.keys, key)
        form, (low, high) = self._value_form(var), _bounds(var.type)
        if form is ValueForm.MARKER:
            kind = var.type.of if isinstance(var.type, Maybe) else var.type
            assert isinstance(kind, Elem)
            board = self._board(kind)
        is_open = isinstance(slot, Open)
        value = None if isinstance(slot, Open) else self._plain(var.type, slot)
        within = f" ({slot.lo}..{slot.hi})" if isinstance(slot, Open) and isinstance(var.type, Int) else ""
        text = f"open{within}" if is_open else said(value)
        return SceneValue(
            var.name, place_text(self._core, self._players, var.name, var.keys, key), form, value, text,
            self._owner(var.keys, key), board, cell, low, high, is_open, var.role is not Role.STATE, default,
            self._groups.get(var.name), self._picture(var.name),
        )  # fmt: skip

    def _value_form(self, var: Var) -> ValueForm:
        match var.type:
            case Bool():
                return ValueForm.FACT
            case Int():
                return ValueForm.TRACK if [_is_player(key) for key in var.keys] == [True] else ValueForm.COUNTER
            case Elem() | Maybe(Elem()):
                kind = var.type.of if isinstance(var.type, Maybe) else var.type
                return ValueForm.MARKER if self._board(kind) is not None else ValueForm.OTHER
            case Maybe() | SetOf() | Many():
                return ValueForm.OTHER
            case _:
                assert_never(var.type)

    def _dice(self, var: Var, entries: Sequence[_Entry]) -> Iterator[SceneValue]:
        """The dice that lie together: the last key is what they show, the value how many show it."""
        for key, alike in groupby(entries, lambda one: one[0][:-1]):
            shown: list[Plain] = [face[-1] for face, slot in alike if isinstance(slot, int) for _ in range(slot)]
            title = place_text(self._core, self._players, var.name, var.keys[:-1], key)
            low, high = _bounds(var.keys[-1])
            yield SceneValue(var.name, title, ValueForm.DICE, shown, said(shown), self._owner(var.keys[:-1], key),
                             *self._cell(var.keys[:-1], key), low, high,
                             group=self._groups.get(var.name), picture=self._picture(var.name))  # fmt: skip

    def _counted(self, var: Var, entries: Sequence[_Entry]) -> SceneValue:
        texts = Counter(self._value(var, key, slot).text for key, slot in entries)
        text = ", ".join(f"{number} x {value}" for value, number in texts.most_common())
        default = [slot for _, slot in entries] == _usual(var, len(entries))
        return SceneValue(var.name, var.name, ValueForm.OTHER, None, text, setting=True, default=default)

    def _plain(self, kind: Type, slot: Slot) -> Plain:
        found: Plain = encode_value(self._core, self._players, kind, slot)  # type: ignore[arg-type, assignment]  # no content
        return found

    # ------------------------------------------------------------------ where it belongs
    def _owner(self, kinds: Sequence[Scalar], key: Key) -> str | None:
        """The player among the keys, if there is one only."""
        seats = [value for kind, value in zip(kinds, key, strict=True) if _is_player(kind)]
        return self._players[seats[0]] if len(seats) == 1 else None

    def _cell(self, kinds: Sequence[Scalar], key: Key) -> tuple[str | None, str | None]:
        """The cell among the keys, if there is one only, with its board."""
        found = [(kind, value) for kind, value in zip(kinds, key, strict=True) if self._board(kind) is not None]
        if len(found) != 1:
            return None, None
        kind, value = found[0]
        return self._board(kind), str(encode_value(self._core, self._players, kind, value))

    def _board(self, kind: Type) -> str | None:
        return kind.domain if isinstance(kind, Elem) and kind.domain in self._known else None


def said(value: Plain) -> str:
    """A value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(said, value)) or "none"
    return "nothing" if value is None else str(value)


def _usual(var: Var, number: int) -> list[Slot]:
    """The values with which a variable begins; nothing, where not all of them may be known."""
    found = list(starts(var, number))
    return found if len(found) == number else [None] * number


def _clear(view: ZoneView) -> tuple[bool, bool]:
    return view.content is not None, view.taken is not None


def _is_player(kind: Scalar) -> bool:
    return isinstance(kind, Elem) and kind.domain == PLAYER


def _bounds(kind: Type) -> tuple[int | None, int | None]:
    return (kind.lo, kind.hi) if isinstance(kind, Int) else (None, None)
