"""Which settings a log has: those that its header names, and those that it leaves at their default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.core.expr import Const
from referee.core.ruleset import Core
from referee.core.traverse import walk
from referee.core.types import Type
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.state import is_open
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.open_settings.value_ranges import Place
from referee.judge.verdict import NamedSetting, SettingKind

OPTION = "option "
"""What the domain of an option is called before its name."""


class LogSettings:
    """Some settings of one log with their values: made by `at_default` or `set_by_log`. What is left open is none.

    `places`: readings, parameters and givens by their entry in a position; `rulings`: the points that are ruled on, by
    their entry; `options`: name -> value.
    """

    def __init__(self, walker: Walker, setting: Setting, places: Mapping[int, Place], rulings: Mapping[int, str],
                 options: Mapping[str, str]) -> None:
        self.places = places
        self.rulings = rulings
        self.options = options
        self._names = Names(walker.flow, setting.players)
        self._entries = walker.entries(setting)
        self._ruled = Signatures.of(walker.core).rulings
        self._option_of: dict[Type, str] = {walker.core.domains[OPTION + name].whole: name for name in options}

    def __bool__(self) -> bool:
        return bool(self.places or self.rulings or self.options)

    def among(self, entries: Iterable[int]) -> list[int]:
        """Those of some entries that are such settings, in the order of the rules."""
        return sorted(index for index in set(entries) if index in self.places or index in self.rulings)

    def named(self, index: int) -> NamedSetting:
        """An entry in the words of the rules."""
        if index in self.rulings:
            point = self.rulings[index]
            return NamedSetting(SettingKind.RULING, point, self._names.value(self._entries[index], self._ruled[point]))
        value = int(self._entries[index])
        return self.with_values(self.places[index], [(value, value)])

    def with_values(self, place: Place, pieces: Sequence[tuple[int, int]]) -> NamedSetting:
        """The same entry with some stretches of values."""
        name, key = place
        kind = SettingKind(self._names.openness(name).value)
        said = " or ".join(self._names.piece(name, piece) for piece in pieces)
        return NamedSetting(kind, self._names.variable(name, key), said)

    def option(self, name: str) -> NamedSetting:
        """An option."""
        return NamedSetting(SettingKind.OPTION, name, self.options[name])

    def options_in(self, parts: object) -> list[str]:
        """The options that pieces of the rules ask for."""
        return sorted({self._option_of[one.type] for one in walk(parts, Const) if one.type in self._option_of})


def at_default(walker: Walker, setting: Setting, header: Header) -> LogSettings:
    """What a header does not name: neither what it leaves open, nor what it gives the value of the default."""
    options = {name: value for name, value in walker.core.options if name not in header.options}
    return LogSettings(walker, setting, dict(_places(walker, setting, stated=False)), {}, options)


def set_by_log(walker: Walker, setting: Setting, header: Header) -> LogSettings:
    """What a header names, and does not leave open."""
    options = {name: value for name, value in walker.core.options if name in header.options}
    rulings = {index: name for name, index in walker.layout.rulings.items() if name in setting.rulings}
    return LogSettings(walker, setting, dict(_places(walker, setting, stated=True)), rulings, options)


def _places(walker: Walker, setting: Setting, *, stated: bool) -> Iterator[tuple[int, Place]]:
    layout = walker.layout
    entries = walker.entries(setting)
    for name, var in layout.defs.items():
        if not layout.may_be_open(name):
            continue
        said = {(): 0} if name in setting.readings else (
            (setting.parameters.get(name) or setting.givens.get(name) or {}) if is_open(var) else {})
        if stated and not said:
            continue
        spread = layout.vars[name]
        for index, key in enumerate(spread.keys(), spread.base):
            if (key in said) is stated and isinstance(entries[index], int):
                yield index, (name, key)


def other_values(core: Core, name: str, value: str) -> tuple[str, ...]:
    """The values of an option but one, in their order."""
    return tuple(str(label) for label in core.domains[OPTION + name].labels if label != value)
