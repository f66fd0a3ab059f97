"""Values and events between core and JSON: members by their labels, players by their names.

Nothing here depends on a position: a label means the same signature wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import assert_never

from referee.core.naming import quoted, written
from referee.core.ruleset import Core
from referee.core.types import COMPONENT, PLAYER, Bool, DomainKind, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.diagnostics.suggestions import did_you_mean
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.log.strict_json import MAX_DIGITS, Json, brief
from referee.game.player_views import HIDDEN, Recorded
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.system.lazy_dataclasses import dataclass

RULE = "rule"
"""What a log calls a ruling; its arguments are `POINT` and `CHOICE`."""
POINT = "point"
_SQUARES = frozenset({"cell", "field", "hex", "place", "point", "space", "square"})
"""Boards whose name is a word for one of their squares."""
OF = " of "
"""Between the kind of a component and the player whose it is."""
_BY = {"fate": FATE, "table": TABLE}
_MANY = 10_000
"""Members of a value in a log, alike ones each counted: a value with more is refused."""
_LONG = re.compile(rf"-?[1-9][0-9]{{{MAX_DIGITS},}}")
"""A number that is too long to be one in a log, as the text that it is there."""


@dataclass(frozen=True, slots=True)
class DecodeProblem:
    """Why a JSON event is none of a ruleset: where (`by`, `do`, or the name of an argument), and what would do.

    `kind`: `form` (not even the shape of an event), `player`, `label`, `argument` (a name not known), `value`. `alone`:
    what stands there where a list of it would do.
    """

    where: str
    message: str
    kind: str
    expected: tuple[str, ...] = ()
    hint: str | None = None
    alone: str | int | None = None


class BadValue(Exception):
    """A JSON value that is none of a type: what is wrong, what would do, a hint. `alone`: the value, where a list of it
    would do."""

    def __init__(self, message: str, expected: tuple[str, ...] = (), hint: str | None = None,
                 alone: str | int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.hint = hint
        self.alone = alone


def decode_value(core: Core, players: Sequence[str], kind: Type, raw: Json, by: int | None = None) -> Value:
    """The value of a type that a JSON value stands for. Raises `BadValue`.

    A member outside a narrower range of its domain is accepted: whether it may stand here is for the rules to say.
    `by`: of components that are called alike, his are meant.
    """
    match kind:
        case Bool():
            if isinstance(raw, bool):
                return raw
            raise BadValue(f"{brief(raw)} is neither true nor false", ("true", "false"))
        case Int():
            return _number(kind, raw)
        case Elem():
            return _member(core, players, kind, raw, by)
        case Maybe():
            return None if raw is None else decode_value(core, players, kind.of, raw, by)
        case SetOf():
            return frozenset(_members(core, players, kind.of, raw, by))
        case Many():
            return tuple(sorted(_members(core, players, kind.of, raw, by)))
        case _:
            assert_never(kind)


def encode_value(core: Core, players: Sequence[str], kind: Type, value: Value) -> Json:
    """The JSON value that a log writes for a value of a type."""
    match kind:
        case Bool():
            assert isinstance(value, int)
            return value
        case Int():
            assert isinstance(value, int)
            return value if abs(value) < 10**MAX_DIGITS else str(value)
        case Elem():
            assert isinstance(value, int)
            return called(core, players, kind.domain, value)
        case Maybe():
            return None if value is None else encode_value(core, players, kind.of, value)
        case SetOf() | Many():
            assert isinstance(value, (frozenset, tuple))
            return [encode_value(core, players, kind.of, member) for member in sorted(value)]
        case _:
            assert_never(kind)


def called(core: Core, players: Sequence[str], domain: str, index: int) -> str | int:
    """What a log calls a member: players by their names, also where a component belongs to one."""
    if domain == PLAYER:
        return players[index]
    label = core.domains[domain].labels[index]
    owner = core.components[index].owner if domain == COMPONENT else None
    if owner is None or not isinstance(label, str):
        return label
    seat = core.domains[PLAYER].labels[owner]
    if not label.endswith(f"{OF}{seat}"):
        return label
    kind = label.removesuffix(f"{seat}")
    said = f"{kind}{players[owner]}"
    # names may hold any words: what would be read as another component has the name in quotes
    return said if index in _called_so(core, players, domain, said) else f"{kind}{quoted(players[owner])}"


def place_text(core: Core, players: Sequence[str], name: str, kinds: Sequence[Type], key: Sequence[int]) -> str:
    """A zone or counter of a key in the words of the rules, as claims and positions name it."""
    said = [key_text(core, players, kind, value) for kind, value in zip(kinds, key, strict=True)]
    return name if not said else f"{name} of {said[0]}" if len(said) == 1 else f"{name}({', '.join(said)})"


def key_text(core: Core, players: Sequence[str], kind: Type, value: int) -> str:
    """A key in the words of the rules: a player as claims name him, a combination as the rules write it."""
    if kind == Elem(PLAYER, 0, len(players) - 1):
        return written(core, players, value)
    said = str(encode_value(core, players, kind, value))
    match kind:
        case Elem(domain) if domain == COMPONENT and "-" in said[1:]:  # no other name of a component has it there
            return f"{core.components[value].kind}({', '.join(said.split('-'))})"
        case Elem() | Int() | Bool() | Maybe() | SetOf() | Many():
            return said
        case _:
            assert_never(kind)


def decode_event(core: Core, setting: Setting, raw: Mapping[str, Json]) -> Event | list[DecodeProblem]:
    """The event that a line of a log stands for, or everything that is wrong with it in any position."""
    known = Signatures.of(core)
    args = raw.get("with", {})
    who, label = raw.get("by"), raw.get("do")
    if not isinstance(who, str) or not isinstance(label, str) or not isinstance(args, dict):
        return [DecodeProblem("do", "an event says `by` whom it is, what they `do`, and `with` what", "form")]
    by = _BY.get(who)
    if by is None:
        if who not in setting.players:
            expected = (*setting.players, *_BY)
            return [DecodeProblem("by", f"{brief(who)} does not play", "player", expected, did_you_mean(who, expected))]
        by = setting.players.index(who)
    if by == TABLE and label == RULE:
        return _ruling(core, setting, known, args)
    if label not in known.labels:
        expected = tuple(known.labels)
        return [DecodeProblem("do", f"there is no action {brief(label)}", "label", expected,
                              did_you_mean(label, expected))]
    return _event(core, setting, by, label, known.labels[label], args)


def encode_event(core: Core, setting: Setting, event: Event) -> dict[str, Json]:
    """The line of a log for an event: `by`, `do`, and `with` if there are arguments."""
    known = Signatures.of(core)
    who = {FATE: "fate", TABLE: "table"}[event.by] if event.by < 0 else setting.players[event.by]
    if event.by == TABLE:
        kind = known.rulings[event.label]
        choice = encode_value(core, setting.players, kind, dict(event.args)[CHOICE])
        return {"by": who, "do": RULE, "with": {POINT: event.label, CHOICE: choice}}
    types = known.labels[event.label]
    args: dict[str, Json] = {name: encode_value(core, setting.players, fitting_type(types[name], value), value)
                             for name, value in event.args}
    return {"by": who, "do": event.label, "with": args} if args else {"by": who, "do": event.label}


def fitting_type(types: Sequence[Type], value: Value) -> Type:
    """The type of a value among those that an argument has: one thing here may be several elsewhere."""
    several = isinstance(value, tuple | frozenset)
    return next((kind for kind in types if isinstance(kind, Many | SetOf) == several), types[0])


def encode_recorded(core: Core, setting: Setting, recorded: Recorded) -> dict[str, Json]:
    """The line of a log for an event as somebody knows it: "?" for what he did not see."""
    shown = tuple((name, value) for name, value in recorded.args if not isinstance(value, str))
    line = encode_event(core, setting, Event(recorded.by, recorded.label, shown))
    if not recorded.args:
        return line
    known = line.get("with", {})
    assert isinstance(known, dict)
    return {**line, "with": {name: known.get(name, HIDDEN) for name, _ in recorded.args}}


def _event(core: Core, setting: Setting, by: int, label: str, types: Mapping[str, tuple[Type, ...]],
           args: Mapping[str, Json]) -> Event | list[DecodeProblem]:
    values: list[tuple[str, Value]] = []
    problems: list[DecodeProblem] = []
    for name in (*(name for name in types if name in args), *(name for name in args if name not in types)):
        if name not in types:
            problems.append(DecodeProblem(name, f"{label} has no argument {brief(name)}", "argument", tuple(types),
                                          did_you_mean(name, types)))
            continue
        try:
            values.append((name, decode_argument(core, setting.players, types[name], args[name], by)))
        except BadValue as bad:
            problems.append(DecodeProblem(name, bad.message, "value", bad.expected, bad.hint, bad.alone))
    return problems or Event(by, label, tuple(values))


def decode_argument(core: Core, players: Sequence[str], kinds: tuple[Type, ...], raw: Json, by: int) -> Value:
    """The value by the first of several types that has it (a label may stand for actions with different types).

    Raises `BadValue`.
    """
    for kind in kinds[:-1]:
        try:
            return decode_value(core, players, kind, raw, by)
        except BadValue:
            continue
    return decode_value(core, players, kinds[-1], raw, by)


def _ruling(core: Core, setting: Setting, known: Signatures, args: Mapping[str, Json]) -> Event | list[DecodeProblem]:
    name = args.get(POINT)
    if not isinstance(name, str) or name not in known.rulings:
        expected = tuple(known.rulings)
        hint = did_you_mean(name, expected) if isinstance(name, str) else None
        return [DecodeProblem(POINT, f"{brief(name)} is no point on which the table rules", "value", expected, hint)]
    if CHOICE not in args:
        return [DecodeProblem(CHOICE, "a ruling says what is chosen", "argument", (CHOICE,))]
    if isinstance(args[CHOICE], list):
        return [DecodeProblem(CHOICE, f"at {name} the table chooses one, not {brief(args[CHOICE])}", "value")]
    try:
        choice = decode_value(core, setting.players, known.rulings[name], args[CHOICE])
    except BadValue as bad:
        return [DecodeProblem(CHOICE, bad.message, "value", bad.expected, bad.hint, bad.alone)]
    return Event(TABLE, name, ((CHOICE, choice),))


def _number(kind: Int, raw: Json) -> int:
    """The number: one that is too long for a log stands there as a text, as long as the type has any of that length."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and len(raw) <= max(len(str(kind.lo)), len(str(kind.hi))) and _LONG.fullmatch(raw):
        return int(raw)
    raise BadValue(f"{brief(raw)} is no whole number", (f"{kind.lo}..{kind.hi}",))


def _member(core: Core, players: Sequence[str], kind: Elem, raw: Json, by: int | None) -> int:
    if kind.domain == PLAYER:
        if isinstance(raw, str) and raw in players:
            return players.index(raw)
        hint = did_you_mean(raw, players) if isinstance(raw, str) else None
        raise BadValue(f"{brief(raw)} does not play", tuple(players), hint)
    found: tuple[int, ...] = ()
    if isinstance(raw, (str, int)) and not isinstance(raw, bool):
        found = _called_so(core, players, kind.domain, raw)
    if not found:
        labels = [str(called(core, players, kind.domain, index)) for index in range(kind.lo, kind.hi + 1)]
        hint = did_you_mean(str(raw), labels) if isinstance(raw, (str, int)) else None
        whole = core.domains[kind.domain].kind is DomainKind.CELL and kind.domain not in _SQUARES
        what = f"square of {kind.domain}" if whole else kind.domain
        raise BadValue(f"{brief(raw)} is no {what}", tuple(dict.fromkeys(labels)), hint)
    return found[0] if len(found) == 1 else _meant(core, kind, found, by)


def _called_so(core: Core, players: Sequence[str], domain: str, raw: str | int) -> tuple[int, ...]:
    """The members that a log calls so: a component that is somebody's after him, under his name there.

    The longest name comes first, and before all a component that is nobody's and has a name such as that.
    """
    known = Signatures.of(core)
    found = known.members(domain, raw)
    if domain != COMPONENT or not isinstance(raw, str) or OF not in raw:
        return found
    if found and core.components[found[0]].owner is None:
        return found
    for seat in sorted(range(len(players)), key=lambda one: -len(players[one])):
        for name in (players[seat], quoted(players[seat])):
            if raw.endswith(f"{OF}{name}"):
                his = known.members(domain, f"{raw.removesuffix(name)}{core.domains[PLAYER].labels[seat]}")
                if his:
                    return his
    return found


def _meant(core: Core, kind: Elem, found: tuple[int, ...], by: int | None) -> int:
    """Of members that are called alike: one of the type's range, of these his."""
    possible = [index for index in found if kind.lo <= index <= kind.hi] or list(found)
    if kind.domain == COMPONENT:
        possible = [index for index in possible if core.components[index].owner == by] or possible
    return possible[0]


def _members(core: Core, players: Sequence[str], kind: Elem | Int, raw: Json, by: int | None) -> list[int]:
    """The members of a list, or of an object with the number of each."""
    if isinstance(raw, dict):
        entries: list[Json] = []
        for label, number in raw.items():
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _MANY:
                raise BadValue(f"{brief(number)} is not how many there are of {brief(label)}")
            if len(entries) + number > _MANY:
                raise BadValue(f"more than {_MANY} at once")
            entries.extend([label] * number)
    elif isinstance(raw, list):
        entries = raw
    else:
        alone = raw if isinstance(raw, str | int) else None
        raise BadValue(f"{brief(raw)} is no list", () if alone is None else (f"[{brief(alone)}]",), alone=alone)
    made: list[int] = []
    for one in entries:
        value = decode_value(core, players, kind, one, by)
        assert isinstance(value, int)
        made.append(value)
    return made
