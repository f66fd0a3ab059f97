"""The settings of two games that are to be the same: what one ruleset fixes before a game, fixed in the other too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import assert_never

from referee.core.ruleset import Role, Var
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.setting import Setting, Stated
from referee.game.start_position import Position
from referee.game.value_codec import BadValue, decode_value, encode_value
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.simulation.state_space import settings

_OPEN = (Role.PARAMETER, Role.GIVEN)
_TRIES = 20
"""So often values are drawn until some fit both rules."""
Pair = tuple[Setting, Setting]


@dataclass(frozen=True, slots=True)
class OneOfPair:
    """One of two rulesets. `held`: what is fixed for all its games; `names`: what the other calls its parameters,
    givens and readings, where that is another name; `chosen`: and the choices of its readings."""

    walker: Walker
    held: Setting
    names: Mapping[str, str]
    chosen: Mapping[str, Mapping[str, str]]

    def called(self, name: str) -> str:
        """The name that the other has for it."""
        return self.names.get(name, name)

    @property
    def open(self) -> set[str]:
        """Parameters and givens that are not fixed for all games."""
        held = {**self.held.parameters, **self.held.givens}
        entries = self.walker.layout.vars
        return {name for name, var in self.walker.layout.defs.items()
                if var.role in _OPEN and len(held.get(name, ())) < entries[name].count}

    @property
    def readings(self) -> set[str]:
        """Readings that are not fixed for all games."""
        return self.walker.core.readings.keys() - self.held.readings.keys()

    def choices(self, reading: str) -> list[str]:
        """What can be chosen of a reading, by the names of the other."""
        names = self.chosen.get(reading, {})
        return [names.get(choice.name, choice.name) for choice in self.walker.core.readings[reading].choices]

    def strange(self, random: Random) -> dict[str, dict[tuple[int, ...], Value]]:
        """Any values for the parameters of which the rules say what they are in play-outs."""
        found: dict[str, dict[tuple[int, ...], Value]] = {}
        for name, var in self.walker.layout.defs.items():
            if var.role is Role.PARAMETER and var.in_play_outs is not None:
                match var.type:
                    case Bool():
                        values: list[Value] = [False, True]
                    case Int(lo, hi) | Elem(_, lo, hi):
                        values = list(range(lo, hi + 1))
                    case Maybe() | SetOf() | Many():
                        continue
                    case _:
                        assert_never(var.type)
                found[name] = {key: random.choice(values) for key in self.walker.layout.vars[name].keys()}
        return found

    def default(self, reading: str) -> str:
        """What a reading is if nothing is said of it, by the name of the other."""
        return self.choices(reading)[self.walker.core.readings[reading].default]

    def usual(self, setting: Setting, varied: set[str]) -> bool:
        """Whether a setting has what is fixed for all games, and the default of readings that are not `varied`."""
        readings = {name: self.held.readings.get(name, one.default) for name, one in self.walker.core.readings.items()
                    if name not in varied}
        return all(setting.readings.get(name, index) == index for name, index in readings.items()) and all(
            here.get(name, {}).get(key, value) == value
            for here, there in ((setting.parameters, self.held.parameters), (setting.givens, self.held.givens))
            for name, values in there.items() for key, value in values.items())

    def kept(self, setting: Setting) -> Setting:
        """A setting with what is fixed for all games."""
        return replace(setting, readings={**setting.readings, **self.held.readings}, rulings=self.held.rulings,
                       parameters={**setting.parameters, **self.held.parameters},
                       givens={**setting.givens, **self.held.givens})


class PairedSettings:
    """Settings of both, in which whatever both have by one name is the same. What only one of them has is drawn, and a
    reading that only one has is its default.

    `alone`: what is drawn in one of them only; `unfit`: of what both have, a value of the one was none of the other;
    `otherwise`: readings of both whose defaults are not the same.
    """

    def __init__(self, one: OneOfPair, other: OneOfPair) -> None:
        self._one, self._other = one, other
        self._shared = {name: one.called(name) for name in one.readings
                        if one.called(name) in other.readings
                        and set(one.choices(name)) == set(other.choices(one.called(name)))}
        mine, its = one.open, other.open
        said = mine | one.held.parameters.keys() | one.held.givens.keys()
        self.alone = (sorted(name for name in mine if one.called(name) not in its),
                      sorted(its - {one.called(name) for name in said}))
        self.readings_alone = (sorted(one.readings - self._shared.keys()),
                               sorted(other.readings - set(self._shared.values())))
        self.unfit = set[str]()
        self.otherwise = sorted(name for name, called in self._shared.items()
                                if one.default(name) != other.default(called))

    def every(self) -> list[Pair] | None:
        """Every setting there can be; None if there are too many, or one side alone has something open."""
        if any(self.alone) or not all(map(_listed, (self._one, self._other))):
            return None
        mine = _every(self._one, set(self._shared))
        its = _every(self._other, set(self._shared.values()))
        if mine is None or its is None or len(mine) != len(its):
            return None
        pairs = [self._beside(one) for one in mine]
        return None if any(pair is None for pair in pairs) else [pair for pair in pairs if pair is not None]

    def drawn(self, number: int, random: Random, *, wild: bool = False) -> Pair | None:
        """The settings of a game; None if no values are found that fit both. The first has what the rules prefer;
        `wild`: parameters have any values, also where the rules say what they are in play-outs."""
        for _ in range(_TRIES):
            readings = {name: random.randrange(len(self._one.choices(name))) for name in sorted(self._shared)}
            begun = replace(self._one.held, readings=readings if number % 2 else {},
                            parameters=self._one.strange(random) if wild else {})
            pair = self._beside(complete(self._one.walker, self._one.kept(begun), random))
            if pair is not None:
                return pair[0], complete(self._other.walker, pair[1], random)
        return None

    def completed(self, own: Setting, position: Position | None) -> Pair | None:
        """A setting of the first that a scenario fixes, and the same for the second, that begins in a position of its
        own; what is open is drawn. None if no values fit both, or the scenario has a choice that the second has not."""
        if not self._one.usual(own, set(self._shared)):
            return None
        try:
            found = self._beside(complete(self._one.walker, self._one.kept(own), Random(0)))
            if found is None:
                return None
            return found[0], complete(self._other.walker, replace(found[1], position=position), Random(0))
        except Fault:
            return None

    def _beside(self, one: Setting) -> Pair | None:
        defaults = self._one.walker.core.readings
        readings = {called: self._index(name, one.readings.get(name, defaults[name].default))
                    for name, called in self._shared.items()}
        parameters, givens = self._carried(one.parameters), self._carried(one.givens)
        if parameters is None or givens is None:
            return None
        its = replace(one, readings=readings, parameters=parameters, givens=givens)
        return one, self._other.kept(its)

    def _index(self, name: str, index: int) -> int:
        return self._other.choices(self._shared[name]).index(self._one.choices(name)[index])

    def _carried(self, stated: Stated) -> dict[str, dict[tuple[int, ...], Value]] | None:
        """The same values by the names of the second; None if one of them is no value there."""
        found = {}
        open_there = self._other.open
        for name, values in stated.items():
            called = self._one.called(name)
            if called not in open_there:
                continue
            try:
                found[called] = dict(self._values(name, called, values))
            except BadValue:
                self.unfit.add(name)
                return None
        return found

    def _values(self, name: str, called: str, values: Mapping[tuple[int, ...], Value]) -> Iterator[
            tuple[tuple[int, ...], Value]]:
        mine, its = self._one.walker.layout.defs[name], self._other.walker.layout.defs[called]
        for key, value in values.items():
            yield self._key(mine, its, key), self._value(mine, its, value)

    def _key(self, mine: Var, its: Var, key: tuple[int, ...]) -> tuple[int, ...]:
        made = []
        if len(mine.keys) != len(its.keys):
            raise BadValue("other keys")
        one, other, players = self._one.walker.core, self._other.walker.core, self._one.held.players
        for kind, its_kind, part in zip(mine.keys, its.keys, key, strict=True):
            value = decode_value(other, players, its_kind, encode_value(one, players, kind, part))
            assert isinstance(value, int)
            made.append(value)
        return tuple(made)

    def _value(self, mine: Var, its: Var, value: Value) -> Value:
        players = self._one.held.players
        return decode_value(self._other.walker.core, players, its.type,
                            encode_value(self._one.walker.core, players, mine.type, value))


def _listed(side: OneOfPair) -> bool:
    """Whether every value of what is open can be listed."""
    core, defs = side.walker.core, side.walker.layout.defs
    return not core.relations and all(_has_few_values(defs[name].type) for name in side.open)


def _has_few_values(kind: Type) -> bool:
    match kind:
        case Bool() | Int() | Elem():
            return True
        case Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def _every(side: OneOfPair, varied: set[str]) -> list[Setting] | None:
    """Every setting of one of them; None if there are too many."""
    found = settings(side.walker, Setting(side.held.players))
    return None if found is None else [side.kept(one) for one in found if side.usual(one, varied)]
