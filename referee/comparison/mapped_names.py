"""The names in a correspondence that one of the two rulesets does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.comparison.correspondence import ALL, Correspondence
from referee.core.ruleset import Core, Role
from referee.game.signatures import Signatures
from referee.game.value_codec import RULE

_BEFORE = (Role.PARAMETER, Role.GIVEN, Role.READING)


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name in a correspondence that some rules do not have; `what` it should be, and which there are."""

    what: str
    name: str
    known: tuple[str, ...]


def unknown_names(core: Core, players: tuple[str, ...], said: Correspondence, number: int) -> Iterator[UnknownName]:
    """The names that are said to be of the first (0) or second (1) rules, and are not."""
    signatures = Signatures.of(core)
    labels = {**signatures.labels, RULE: {}}
    zones = {*core.zones, *(name for name, var in core.vars.items() if var.role is Role.STATE)}
    settled = {name for name, var in core.vars.items() if var.role in _BEFORE} | {
        *core.readings, *dict(core.options)}
    values = {*players, *signatures.rulings, *(label for domain in core.domains.values() for label in domain.labels
                                               if isinstance(label, str))}

    def of(pairs: Iterable[tuple[str, str]]) -> list[str]:
        return [pair[number] for pair in pairs]

    yield from _unknown("the event", of(said.labels.items()), labels)
    if number == 0:
        yield from _unknown("the event", said.arguments, labels)
        yield from _unknown("the counter or zone", said.ignored - {ALL}, zones)
    yield from _unknown("the event", said.silent[number] | said.several[number], labels)
    for label, names in said.arguments.items():
        own = label if number == 0 else said.labels.get(label, label)
        yield from _unknown(f"the argument of {own}", of(names.items()), labels.get(own, {}))
    yield from _unknown("the value", of(said.values.items()), values)
    yield from _unknown("the counter or zone", of(said.same.items()), zones)
    for reading, names in said.choices.items():
        own = reading if number == 0 else said.settings.get(reading, reading)
        there = core.readings.get(own)
        yield from _unknown("the reading", [own], core.readings)
        yield from _unknown(f"the choice of {own}", of(names.items()),
                            () if there is None else [choice.name for choice in there.choices])
    yield from _unknown("the parameter, given, reading or option", of(said.settings.items()), settled)


def _unknown(what: str, names: Iterable[str], known: Iterable[str]) -> Iterator[UnknownName]:
    there = set(known)
    for name in sorted(set(names) - there):
        yield UnknownName(what, name, tuple(sorted(there)))
