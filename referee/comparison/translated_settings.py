"""What a log of the first of two rulesets settles before its game, as a log of the second says it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.comparison.correspondence import Correspondence, Dictionary
from referee.core.ruleset import Core, Role
from referee.game.log.strict_json import Json
from referee.game.signatures import Signatures

_STATED = {"parameters": Role.PARAMETER, "given": Role.GIVEN}
_HEADER = ("readings", "parameters", "given", "rulings")


class NotComparable(Exception):
    """A log settles what the second rules cannot be told."""


def translated_options(options: Mapping[str, Json], correspondence: Correspondence,
                       ranges: tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]) -> dict[str, Json]:
    """The options of a header. `ranges`: the values of each option of both, the default first. Raises
    `NotComparable`."""
    mine, its = ranges
    found: dict[str, Json] = {}
    for name, value in options.items():
        called = correspondence.settings.get(name, name)
        if called in its:
            found[called] = value
        elif name not in mine or value != mine[name][0]:
            raise NotComparable(f"the option {name} is {value}, and the second rules have none such")
    return found


def kept(core: Core) -> set[str]:
    """Zones and counters."""
    return {*core.zones, *(name for name, var in core.vars.items() if var.role is Role.STATE)}


class TranslatedSettings:
    """Readings, parameters, givens and rulings of logs."""

    def __init__(self, cores: tuple[Core, Core], correspondence: Correspondence, words: Dictionary) -> None:
        """`words`: of the second."""
        self._mine, self._its = cores
        self._said, self._words = correspondence, words
        self._points = Signatures.of(self._its).rulings

    def header(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """The entries of a header that are settled. Raises `NotComparable`."""
        if "state" in raw and kept(self._mine) != kept(self._its):
            raise NotComparable("it begins in a position, and the two do not keep the same zones and counters")
        entries: dict[str, dict[str, Json]] = {}
        for key in _HEADER:
            entry = raw.get(key, {})
            entries[key] = dict(entry) if isinstance(entry, dict) else {}
        found = {
            "readings": self._readings(entries["readings"]),
            **{key: self._values(key, role, entries[key]) for key, role in _STATED.items()},
            "rulings": {point: choice for point, choice in entries["rulings"].items() if self.rules(point, choice)},
        }
        return {key: {**entry, **self._held(1, key)} for key, entry in found.items() if entry or self._held(1, key)}

    def rules(self, point: str, choice: Json) -> bool:
        """Whether the second rules are told what the table rules; not, if they are held to the same. Raises
        `NotComparable`."""
        if point in self._points:
            return True
        if self._held(0, "rulings").get(point) != choice:
            raise NotComparable(f"the table rules {choice} on {point}, which the second rules do not ask")
        return False

    def _readings(self, stated: Mapping[str, Json]) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for name, reading in self._mine.readings.items():
            default = reading.choices[reading.default].name
            choice, called = stated.get(name, default), self._said.settings.get(name, name)
            there = self._its.readings.get(called)
            chosen = self._said.choices.get(name, {}).get(str(choice), choice)
            if there is not None and called not in self._held(1, "readings") and chosen in {
                    one.name for one in there.choices}:
                found[called] = chosen
            elif choice != self._held(0, "readings").get(name, default):
                raise NotComparable(f"the reading {name} is {choice}, which the second rules have not")
        return found

    def _values(self, key: str, role: Role, stated: Mapping[str, Json]) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for name, value in stated.items():
            called = self._said.settings.get(name, name)
            there = self._its.vars.get(called)
            if there is not None and there.role is role and called not in self._held(1, key):
                found[called] = self._words.foreign(value)
            elif value != self._held(0, key).get(name):
                raise NotComparable(f"{name} is stated, and the second rules have nothing such")
        return found

    def _held(self, number: int, key: str) -> Mapping[str, Json]:
        found = self._said.held[number].get(key, {})
        assert isinstance(found, dict)
        return found
