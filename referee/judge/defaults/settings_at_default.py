"""Which settings a game has at their default, because its header does not name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.expr import Const
from referee.core.ruleset import Core
from referee.core.traverse import walk
from referee.core.types import Type
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.game.state import Layout, is_open
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.open_settings.value_ranges import Place
from referee.judge.verdict import DefaultKind, DefaultSetting

OPTION = "option "
"""What the domain of an option is called before its name."""


class SettingsAtDefault:
    """The settings that one header leaves at their default. What it leaves open is none, nor what it names, even if
    that is the default.

    `places`: readings, parameters and givens by their entry in a position; `options`: name -> value.
    """

    def __init__(self, walker: Walker, setting: Setting, header: Header) -> None:
        self.places = dict(_places(walker, setting))
        self.options = {name: value for name, value in walker.core.options if name not in header.options}
        self._names = Names(walker.flow, setting.players)
        self._entries = walker.entries(setting)
        self._option_of: dict[Type, str] = {
            walker.core.domains[OPTION + name].whole: name for name in self.options}

    def among(self, entries: Iterable[int]) -> list[int]:
        """Those of some entries that are at their default, in the order of the rules."""
        return sorted(index for index in set(entries) if index in self.places)

    def named(self, index: int) -> DefaultSetting:
        """An entry that is at its default, in the words of the rules."""
        value = int(self._entries[index])
        return self.with_values(self.places[index], [(value, value)])

    def with_values(self, place: Place, pieces: Sequence[tuple[int, int]]) -> DefaultSetting:
        """The same entry with some stretches of values."""
        name, key = place
        kind = DefaultKind(self._names.openness(name).value)
        said = " or ".join(self._names.piece(name, piece) for piece in pieces)
        return DefaultSetting(kind, self._names.variable(name, key), said)

    def option(self, name: str) -> DefaultSetting:
        """An option that is at its default."""
        return DefaultSetting(DefaultKind.OPTION, name, self.options[name])

    def options_in(self, node: object) -> frozenset[str]:
        """The options at their default that a piece of the rules asks for."""
        return frozenset(self._option_of[one.type] for one in walk(node, Const) if one.type in self._option_of)


def _places(walker: Walker, setting: Setting) -> Iterator[tuple[int, Place]]:
    layout: Layout = walker.layout
    entries = walker.entries(setting)
    for name, var in layout.defs.items():
        if not layout.may_be_open(name):
            continue
        stated = {(): 0} if name in setting.readings else (
            (setting.parameters.get(name) or setting.givens.get(name) or {}) if is_open(var) else {})
        spread = layout.vars[name]
        for index, key in enumerate(spread.keys(), spread.base):
            if key not in stated and isinstance(entries[index], int):
                yield index, (name, key)


def other_values(core: Core, name: str, value: str) -> tuple[str, ...]:
    """The values of an option but one, in their order."""
    return tuple(str(label) for label in core.domains[OPTION + name].labels if label != value)
