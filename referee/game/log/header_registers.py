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


class RegisterReader:
    """Reads the value that a log has for a register, or an object with one for each key. `whole`: every key is told."""

    def __init__(self, core: Core, players: Sequence[str], told: ToldRegister, var: Var, *, whole: bool) -> None:
        self._core = core
        self._players = players
        self._told = told
        self._var = var
        self._whole = whole and var.start is not None

    def values(self) -> dict[Key, Value]:
        """The value of each key that is told. Raises `BadPosition` (LG26)."""
        return dict(self._values(self._told.raw, self._var.keys, ()))

    def _values(self, raw: Json, keys: tuple[Scalar, ...], key: Key) -> Iterator[tuple[Key, Value]]:
        if not keys:
            yield key, self._value(raw)
            return
        if not isinstance(raw, dict):
            raise self._bad(f"has a value for each key: an object, not {brief(raw)}")
        members = {str(encode_value(self._core, self._players, keys[0], one)): one
                   for one in range(keys[0].lo, keys[0].hi + 1)}
        for label in raw:
            if label not in members:
                raise self._bad(f"has no key {brief(label)}", tuple(members), did_you_mean(label, members))
        for label, one in members.items():
            if label in raw:
                yield from self._values(raw[label], keys[1:], (*key, one))
            elif self._whole:
                raise self._bad(f"says nothing of {label}", tuple(members))

    def _value(self, raw: Json) -> Value:
        kind = self._var.type
        try:
            value = decode_value(self._core, self._players, kind, raw)
        except BadValue as bad:
            raise self._bad(f"cannot be this: {bad.message}", bad.expected, bad.hint) from None
        several = isinstance(value, tuple | frozenset)
        inner = getattr(kind, "of", kind) if several else kind
        for one in value if isinstance(value, tuple | frozenset) else (value,):
            if not within(one, inner):
                raise self._bad(f"cannot be {brief(encode_value(self._core, self._players, inner, one))}",
                                range_text(inner))
        most = getattr(kind, "most", None)
        if isinstance(value, tuple) and most is not None and len(value) > most:
            raise self._bad(f"is at most {most} of them, not {len(value)}")
        return value

    def _bad(self, why: str, expected: tuple[str, ...] = (), hint: str | None = None) -> BadPosition:
        return BadPosition("LG26", f"{self._told.name} {why}", self._told.name, expected, hint)


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
