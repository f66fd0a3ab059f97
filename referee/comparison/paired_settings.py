"""The settings of two games that are to be the same: what one ruleset fixes before a game, fixed in the other too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from referee.core.ruleset import Role, Var
from referee.core.types import Value
from referee.game.setting import Setting
from referee.game.start_position import Position
from referee.game.value_codec import BadValue, decode_value, encode_value
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.simulation.state_space import settings

_OPEN = (Role.PARAMETER, Role.GIVEN)
Pair = tuple[Setting, Setting]


class PairedSettings:
    """Settings of both, in which whatever both have by one name is the same. What only one of them has is drawn, and a
    reading that only one has is its default."""

    def __init__(self, one: Walker, other: Walker, players: tuple[str, ...]) -> None:
        self._one, self._other, self._players = one, other, players
        self._readings = [name for name, reading in one.core.readings.items() if name in other.core.readings
                          and _choices(reading) == _choices(other.core.readings[name])]
        mine, its = _open_names(one), _open_names(other)
        self.alone = sorted(mine - its), sorted(its - mine)

    def every(self) -> list[Pair] | None:
        """Every setting there can be; None if there are too many, or one side alone has something open."""
        found = settings(self._one, Setting(self._players)) if not any(self.alone) else None
        if found is None or self._other.core.relations:
            return None
        plain = {name: reading.default for name, reading in self._one.core.readings.items()
                 if name not in self._readings}
        fixed = [one for one in found if all(one.readings.get(name, index) == index for name, index in plain.items())]
        pairs = [self._beside(one) for one in fixed]
        return None if any(pair is None for pair in pairs) else [pair for pair in pairs if pair is not None]

    def drawn(self, number: int, random: Random) -> Pair | None:
        """The settings of a game; None if no values are found that fit both. The first has what the rules prefer."""
        readings = {name: random.randrange(len(self._one.core.readings[name].choices)) for name in self._readings}
        first = complete(self._one, Setting(self._players, readings=readings if number % 2 else {}), random)
        pair = self._beside(first)
        return None if pair is None else (first, complete(self._other, pair[1], random))

    def completed(self, own: Setting, position: Position | None) -> Pair | None:
        """A setting of the first that a scenario fixes, and the same for the second, that begins in a position of its
        own; what is open is drawn. None if no values fit both."""
        try:
            found = self._beside(complete(self._one, own, Random(0)))
            if found is None:
                return None
            return found[0], complete(self._other, replace(found[1], position=position, rulings={}), Random(0))
        except Fault:
            return None

    def _beside(self, one: Setting) -> Pair | None:
        readings = {name: self._index(name, index) for name, index in one.readings.items() if name in self._readings}
        try:
            parameters = dict(self._carried(one.parameters))
            givens = dict(self._carried(one.givens))
        except BadValue:
            return None
        return one, replace(one, readings=readings, parameters=parameters, givens=givens)

    def _index(self, name: str, index: int) -> int:
        said = self._one.core.readings[name].choices[index].name
        return [choice.name for choice in self._other.core.readings[name].choices].index(said)

    def _carried(self, stated: Mapping[str, Mapping[tuple[int, ...], Value]]) -> Iterator[
            tuple[str, dict[tuple[int, ...], Value]]]:
        for name, values in stated.items():
            mine, its = self._one.layout.defs[name], self._other.layout.defs.get(name)
            if its is None or its.role not in _OPEN:
                continue
            yield name, {self._key(mine, its, key): self._value(mine, its, value) for key, value in values.items()}

    def _key(self, mine: Var, its: Var, key: tuple[int, ...]) -> tuple[int, ...]:
        made = []
        if len(mine.keys) != len(its.keys):
            raise BadValue("other keys")
        for kind, other, part in zip(mine.keys, its.keys, key, strict=True):
            raw = encode_value(self._one.core, self._players, kind, part)
            value = decode_value(self._other.core, self._players, other, raw)
            assert isinstance(value, int)
            made.append(value)
        return tuple(made)

    def _value(self, mine: Var, its: Var, value: Value) -> Value:
        raw = encode_value(self._one.core, self._players, mine.type, value)
        return decode_value(self._other.core, self._players, its.type, raw)


def _choices(reading: object) -> set[str]:
    return {choice.name for choice in getattr(reading, "choices", ())}


def _open_names(walker: Walker) -> set[str]:
    return {name for name, var in walker.layout.defs.items() if var.role in _OPEN}
