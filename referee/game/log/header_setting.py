"""From the header of a log to the setting of a game: names looked up in the ruleset, values decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TypeVar, cast

from referee.core.ruleset import TURN, Core, Key, Role, Var
from referee.core.types import Elem, Int, Scalar, Value
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.header_position import Held, held, position_of
from referee.game.log.log_header import Header, HeaderFault, StateEntry
from referee.game.log.strict_json import Json, Object, brief
from referee.game.player_views import HIDDEN
from referee.game.setting import Setting, everywhere
from referee.game.signatures import Signatures
from referee.game.start_position import BadPosition, Position, ToldRegister
from referee.game.state import unknown
from referee.game.value_codec import BadValue, decode_value

_Read = TypeVar("_Read")
MOST_REGISTERS = 200
"""So many names that are no counters are told of the way to a point; no point has as many."""


def setting_of(header: Header, core: Core) -> Setting:
    """The setting that a header fixes; `HeaderFault` (LG18, LG19, LG26) if it does not fit the ruleset.

    The ruleset is for as many players as `core` is; options are part of its shape and not looked at here.
    """
    if len(header.players) != core.seats.number:
        number = core.seats.number
        message = f"{core.name} is for {number} players here, the log has {len(header.players)}"
        raise HeaderFault("LG18", message, "players", (f"{number} names",))
    return Setting(
        header.players,
        givens=dict(_stated(header, core, header.given, Role.GIVEN, "given")),
        readings=dict(_readings(header, core)),
        rulings=dict(_rulings(header, core)),
        parameters=dict(_stated(header, core, header.parameters, Role.PARAMETER, "parameters")),
        position=None if header.state is None else _position(header, header.state, core),
        viewpoint=header.viewpoint,
    )


def _position(header: Header, entry: StateEntry, core: Core) -> Position:
    """The position that a log starts from. What reads words of the rules is imported only for this."""
    from referee.frontend.loading.outside_expressions import counter, place
    from referee.frontend.loading.ruleset_files import RulesChanged

    def read(where: str, by: Callable[[Core, str, tuple[str, ...]], _Read]) -> _Read:
        try:
            return by(core, where, header.players)
        except RulesChanged:
            raise
        except Problems as problems:
            found = problems.diagnostics[0]
            raise BadPosition("LG26", f"{brief(where)}: {found.message}", where, found.expected, found.hint,
                              found.span.column) from None

    turn = _turn(entry)
    try:
        places = [(where, read(where, place), raw) for where, raw in entry.place.items()]
        values: list[Held] = []
        registers: list[ToldRegister] = []
        texts: dict[tuple[str, Key], str] = {}
        for where, raw in entry.set.items():
            if where == TURN:
                continue
            try:
                named = read(where, counter)
            except BadPosition as fault:
                if len(registers) >= MOST_REGISTERS:
                    raise
                registers.append(ToldRegister(where, raw, fault))
                continue
            values.append(held(core, header.players, where, named, raw))
            texts[values[-1][0]] = where
        return position_of(core, header.players, entry.at, turn, places, values, rest_known=entry.rest == "home",
                           registers=tuple(registers), texts=texts)
    except BadPosition as bad:
        raise unfit(bad) from None


def unfit(bad: BadPosition) -> HeaderFault:
    """What is wrong with a position, as a fault of the header that tells it."""
    fault = HeaderFault(bad.code, bad.message, bad.key, bad.expected, bad.hint, bad.offset)
    fault.missing = bad.missing
    return fault


def _turn(entry: StateEntry) -> str | None:
    """Whose turn it is, which may be told among the values as well."""
    if TURN not in entry.set:
        return entry.turn
    if entry.turn is not None:
        raise HeaderFault("LG26", "whose turn it is is said twice", TURN)
    told = entry.set[TURN]
    if not isinstance(told, str):
        raise HeaderFault("LG26", f"whose turn it is is the name of a player, not {brief(told)}", TURN)
    return told


def _stated(header: Header, core: Core, entries: Object, role: Role, where: str) -> Iterator[
        tuple[str, Mapping[Key, Value]]]:
    known = [var.name for var in core.vars.values() if var.role is role]
    for name, raw in entries.items():
        if name not in known:
            raise _unknown(where, name, known)
        var = core.vars[name]
        called = dict(var.named)
        if isinstance(raw, str) and raw in called:
            yield name, everywhere(var.keys, called[raw])
        elif raw == HIDDEN:
            yield name, everywhere(var.keys, _open(var))
        else:
            yield name, dict(_values(header, core, var, var.keys, raw, ()))


def _values(header: Header, core: Core, var: Var, keys: tuple[Scalar, ...], raw: Json,
            key: Key) -> Iterator[tuple[Key, Value]]:
    """The values that a header states for a variable: one, or an object with one for each key, key by key."""
    if raw == HIDDEN:
        for rest in product(*(range(kind.lo, kind.hi + 1) for kind in keys)):
            yield (*key, *rest), _open(var)
        return
    if not keys:
        yield key, _value(header, core, var, raw)
        return
    if not isinstance(raw, dict):
        message = f"{var.name} has a value for each key: an object, not {brief(raw)}"
        raise HeaderFault("LG19", message, var.name, tuple(name for name, _ in var.named))
    for label, inner in raw.items():
        yield from _values(header, core, var, keys[1:], inner, (*key, _key(header, core, var, keys[0], label)))


def _open(var: Var) -> Value:
    """What a header says of an entry that it leaves open, whatever its default. An open entry stands where a value
    does: it is split when it is first read."""
    return cast("Value", unknown(var))


def _key(header: Header, core: Core, var: Var, kind: Scalar, label: str) -> int:
    """A key of a variable: object keys are texts, also where the key is a number."""
    number = label.isascii() and label.removeprefix("-").isdigit() and len(label) < 10
    readings: list[Json] = [label, int(label)] if number else [label]
    for raw in readings:
        try:
            value = decode_value(core, header.players, kind, raw)
        except BadValue:
            continue
        if isinstance(value, int) and kind.lo <= value <= kind.hi:
            return value
    raise HeaderFault("LG19", f"{var.name} has no key {brief(label)}", var.name)


def _value(header: Header, core: Core, var: Var, raw: Json) -> Value:
    try:
        value = decode_value(core, header.players, var.type, raw)
    except BadValue as bad:
        raise HeaderFault("LG19", f"{var.name}: {bad.message}", var.name, bad.expected, bad.hint) from None
    if isinstance(var.type, Int | Elem) and not isinstance(value, bool) and isinstance(value, int):
        if not var.type.lo <= value <= var.type.hi:
            message = f"{var.name} cannot be {brief(raw)}"
            raise HeaderFault("LG19", message, var.name, (f"{var.type.lo}..{var.type.hi}",)
                              if isinstance(var.type, Int) else ())
    return value


def _readings(header: Header, core: Core) -> Iterator[tuple[str, int]]:
    for name, choice in header.readings.items():
        if name not in core.readings:
            raise _unknown("readings", name, core.readings)
        names = [one.name for one in core.readings[name].choices]
        if choice not in names:
            message = f"{brief(choice)} is no choice of the reading {name}"
            raise HeaderFault("LG19", message, name, tuple(names), did_you_mean(choice, names))
        yield name, names.index(choice)


def _rulings(header: Header, core: Core) -> Iterator[tuple[str, Value]]:
    known = Signatures.of(core).rulings
    for name, raw in header.rulings.items():
        if name not in known:
            raise _unknown("rulings", name, known)
        try:
            yield name, decode_value(core, header.players, known[name], raw)
        except BadValue as bad:
            raise HeaderFault("LG19", f"{name}: {bad.message}", name, bad.expected, bad.hint) from None


def _unknown(where: str, name: str, known: Iterable[str]) -> HeaderFault:
    names = tuple(known)
    message = f"{brief(name)} in `{where}` is nothing that this ruleset has"
    return HeaderFault("LG19", message, name, names, did_you_mean(name, names))
