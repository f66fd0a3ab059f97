"""Reads the position that a log or a scenario starts from: what it says of places and counters becomes core values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.core.expr import Const, Get, Place
from referee.core.ruleset import Core, Form, Key, Role, Zone
from referee.core.types import COMPONENT, PLAYER, Elem, Int, Type, Value, size
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.log_lines import is_hole
from referee.game.log.strict_json import Json, brief
from referee.game.player_views import HIDDEN
from referee.game.start_position import (
    HIDDEN_ONE,
    VACANT,
    BadPosition,
    Block,
    ClassSpread,
    Placed,
    Position,
    ToldRegister,
)
from referee.game.value_codec import BadValue, decode_value

MOST_PLACED = 20_000
"""Components that the position in a header places: a header with more is refused."""
ANY, OR = "any ", " or "

Said = tuple[str, Place, Json]
"""A place in the words of the rules, what it stands for, and what lies there."""
Held = tuple[tuple[str, Key], Value]
"""A counter with its keys, and its value."""


def position_of(core: Core, players: Sequence[str], at: str | None, turn: str | None, places: Iterable[Said],
                values: Iterable[Held], *, rest_known: bool = True,
                registers: tuple[ToldRegister, ...] = (),
                texts: Mapping[tuple[str, Key], str] | None = None) -> Position:
    """The position that is told, its places in the order of the rules: in which order a log names them says nothing.

    Raises `BadPosition` (LG26) for what the ruleset does not have, and for a place or counter that is said twice.
    """
    if turn is not None and turn not in players:
        raise BadPosition("LG26", f"{brief(turn)} does not play", turn, tuple(players), did_you_mean(turn, players))
    told = list(places)
    known = [said for said in told if not is_hole(said[2])]
    placed = _in_order(core, [_PlaceReader(core, players, *said).placed() for said in known])
    hidden = next((one for one in placed if any(HIDDEN_ONE in block for block in one.blocks)), None)
    if hidden is not None and not (rest_known and len(known) == len(told)):
        raise BadPosition("LG26", f"{hidden.text} says how many lie there: so must every other place", hidden.text)
    all_known = rest_known and len(known) == len(told) and hidden is None
    return Position(at, None if turn is None else players.index(turn), placed, _each_once(values), all_known,
                    hidden is not None, registers, texts or {})


def _in_order(core: Core, placed: Iterable[Placed]) -> tuple[Placed, ...]:
    """The places in the order in which the rules declare them, each once."""
    zones = {name: index for index, name in enumerate(core.zones)}
    found: dict[tuple[int, Key, int], Placed] = {}
    for one in placed:
        where = zones[one.zone], one.key, -1 if one.spot is None else one.spot
        if where in found:
            raise BadPosition("LG26", f"what lies in {one.text} is said twice", one.text)
        found[where] = one
    return tuple(one for _, one in sorted(found.items(), key=lambda entry: entry[0]))


def _each_once(values: Iterable[Held]) -> dict[tuple[str, Key], Value]:
    found: dict[tuple[str, Key], Value] = {}
    for counter, value in values:
        if counter in found:
            raise BadPosition("LG26", f"the value of {counter[0]} is said twice", "set")
        found[counter] = value
    return found


def _key(text: str, place: Place | Get) -> Key:
    found = tuple(key.value for key in place.keys if isinstance(key, Const) and isinstance(key.value, int))
    if len(found) != len(place.keys):
        raise BadPosition("LG26", f"{brief(text)} does not name one place or counter", text)
    return found


def held(core: Core, players: Sequence[str], text: str, counter: Get, raw: Json) -> Held:
    """The value that a log has for a counter. Raises `BadPosition` (LG26)."""
    var = core.vars[counter.var]
    if var.role is not Role.STATE or " " in var.name:
        raise BadPosition("LG26", f"{brief(text)} is no counter", text)
    try:
        value = decode_value(core, players, var.type, raw)
    except BadValue as bad:
        raise BadPosition("LG26", f"{text}: {bad.message}", text, bad.expected, bad.hint) from None
    if not within(value, var.type):
        raise BadPosition("LG26", f"{text} cannot be {brief(raw)}", text, range_text(var.type))
    return (var.name, _key(text, counter)), value


def within(value: Value, kind: Type) -> bool:
    """Whether a number or member is in the range of a type."""
    inner = getattr(kind, "of", kind)
    if isinstance(inner, Int | Elem) and isinstance(value, int) and not isinstance(value, bool):
        return inner.lo <= value <= inner.hi
    return True


def range_text(kind: Type) -> tuple[str, ...]:
    """The range of a number, as what is expected."""
    return (f"{kind.lo}..{kind.hi}",) if isinstance(kind, Int) else ()


class _PlaceReader:
    """Reads what lies in one place."""

    def __init__(self, core: Core, players: Sequence[str], text: str, place: Place, raw: Json) -> None:
        self._core = core
        self._players = players
        self._text = text
        self._place = place
        self._raw = raw
        self._zone: Zone = core.zones[place.zone]
        self._some: list[ClassSpread] = []
        self._number = 0

    def placed(self) -> Placed:
        """What lies there."""
        raw = self._raw
        whole = raw is not None and (isinstance(raw, dict) or not isinstance(raw, list))
        entries: list[Json] = [] if raw is None else [raw] if whole else list(raw)  # type: ignore[arg-type]
        blocks = tuple(block for entry in entries if (block := self._block(entry)))
        if self._zone.form in (Form.LINE, Form.SLOTS) and any(len(set(block)) > 1 for block in blocks):
            raise self._bad(f"{self._text} has an order: what lies there is a list")
        spot = self._spot(sum(map(len, blocks)) + sum(one.number for one in self._some))
        return Placed(self._zone.name, _key(self._text, self._place), spot, blocks, tuple(self._some), self._text)

    def _spot(self, number: int) -> int | None:
        spot = self._place.spot
        if self._zone.form is not Form.SLOTS:
            return None
        if spot is None and self._zone.spots is not None and number == size(self._zone.spots) and not self._some:
            return None
        if spot is None and number:
            raise self._bad(f"on which spot of {self._text}? Say `{self._text} at SPOT`, or list all of it")
        if number > 1:
            raise self._bad(f"only one component lies on {self._text}")
        if spot is None:
            return None
        if not isinstance(spot, Const) or not isinstance(spot.value, int):
            raise self._bad(f"{self._text} does not name one spot")
        return spot.value

    def _block(self, entry: Json) -> Block:
        """The components of an entry: one, a list of them, or how many of each; sorted. On a board null is nothing."""
        if entry is None and self._zone.form.on_spots and self._place.spot is None:
            self._count(1)
            return (VACANT,)
        if isinstance(entry, dict):
            return tuple(sorted(index for label, number in entry.items() for index in self._counted(label, number)))
        if isinstance(entry, list):
            return tuple(sorted(self._member(one) for one in entry))
        return (self._member(entry),)

    def _counted(self, label: str, number: Json) -> Iterator[int]:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST_PLACED:
            raise self._bad(f"{self._text}: {brief(number)} is not how many there are of {brief(label)}")
        if label == HIDDEN:
            self._count(number)
            yield from [HIDDEN_ONE] * number
        elif label.startswith(ANY):
            self._some.append(self._of_kind(label.removeprefix(ANY), number))
            self._count(number)
        elif number:
            index = self._member(label)
            self._count(number - 1)
            yield from [index] * number

    def _of_kind(self, kind: str, number: int) -> ClassSpread:
        kinds = kind.split(OR)
        found = [index for index, one in enumerate(self._core.components) if one.kind in kinds]
        apart = found and found[-1] - found[0] >= len(found)
        if not found or apart or not set(kinds) <= set(self._zone.kinds):
            raise self._bad(f"{self._text} is for {' or '.join(self._zone.kinds)}, not for {brief(kind)}")
        return ClassSpread(found[0], found[-1], number)

    def _member(self, raw: Json) -> int:
        self._count(1)
        whole = Elem(COMPONENT, 0, max(0, len(self._core.components) - 1))
        owner = next((key.value for key, kind in zip(self._place.keys, self._zone.keys, strict=True)
                      if isinstance(key, Const) and isinstance(kind, Elem) and kind.domain == PLAYER), None)
        try:
            index = decode_value(self._core, self._players, whole, raw, owner if isinstance(owner, int) else None)
        except BadValue as bad:
            raise BadPosition("LG26", f"{self._text}: {bad.message}", self._text, bad.expected, bad.hint) from None
        assert isinstance(index, int)
        if self._core.components[index].kind not in self._zone.kinds:
            raise self._bad(f"{self._text} is for {' or '.join(self._zone.kinds)}, not for {brief(raw)}")
        return index

    def _count(self, number: int) -> None:
        self._number += number
        if self._number > MOST_PLACED:
            raise self._bad(f"{self._text}: more than {MOST_PLACED} components")

    def _bad(self, message: str) -> BadPosition:
        return BadPosition("LG26", message, self._text)
