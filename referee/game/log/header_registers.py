"""Reads what a position tells of the way to it: values that the rules keep, by the names that they have at a point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from referee.core.ruleset import Core, Key, Var
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, Value
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.header_position import range_text, within
from referee.game.log.strict_json import Json, brief
from referee.game.start_position import BadPosition, ToldRegister
from referee.game.value_codec import BadValue, decode_value, encode_value


def register_values(core: Core, players: Sequence[str], told: ToldRegister, var: Var) -> dict[Key, Value]:
    """The value that a log has for a register, or an object with one for each key. Raises `BadPosition` (LG26)."""
    return dict(_register_values(core, players, told, var, told.raw, var.keys, ()))


def _register_values(core: Core, players: Sequence[str], told: ToldRegister, var: Var, raw: Json,
                     keys: tuple[Scalar, ...], key: Key) -> Iterator[tuple[Key, Value]]:
    if not keys:
        yield key, _register_value(core, players, told, var.type, raw)
        return
    if not isinstance(raw, dict):
        raise BadPosition("LG26", f"{told.name} has a value for each key: an object, not {brief(raw)}", told.name)
    members = {str(encode_value(core, players, keys[0], one)): one for one in range(keys[0].lo, keys[0].hi + 1)}
    for label in raw:
        if label not in members:
            raise BadPosition("LG26", f"{told.name} has no key {brief(label)}", told.name, tuple(members),
                              did_you_mean(label, members))
    for label, one in members.items():
        if label in raw:
            yield from _register_values(core, players, told, var, raw[label], keys[1:], (*key, one))
        elif not isinstance(var.type, Maybe):
            raise BadPosition("LG26", f"{told.name} says nothing of {label}", told.name, tuple(members))


def _register_value(core: Core, players: Sequence[str], told: ToldRegister, kind: Type, raw: Json) -> Value:
    try:
        value = decode_value(core, players, kind, raw)
    except BadValue as bad:
        raise BadPosition("LG26", f"{told.name}: {bad.message}", told.name, bad.expected, bad.hint) from None
    inner = kind.of if isinstance(kind, SetOf | Many) else kind
    for one in value if isinstance(value, tuple | frozenset) else (value,):
        if not within(one, inner):
            shown = brief(encode_value(core, players, inner, one))
            raise BadPosition("LG26", f"{told.name} cannot be {shown}", told.name, range_text(inner))
    return value


def register_kind(var: Var) -> str:
    """What is written for a register, in words."""
    if not var.keys:
        return _kind(var.type)
    return f"an object with {_kind(var.type)} for each of {', '.join(map(_kind, var.keys))}"


def _kind(kind: Type) -> str:
    match kind:
        case Bool():
            return "true or false"
        case Int():
            return f"{kind.lo}..{kind.hi}"
        case Elem(domain):
            return {PLAYER: "a player", COMPONENT: "a component"}.get(domain, domain)
        case Maybe():
            return f"{_kind(kind.of)} or null"
        case SetOf() | Many():
            return f"a list of {_kind(kind.of)}"
        case _:
            assert_never(kind)
