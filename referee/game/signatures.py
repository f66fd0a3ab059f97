"""What the labels of a ruleset stand for: arguments and their types, members by label, points to rule on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

from referee.core.member_types import member_type
from referee.core.ruleset import Core
from referee.core.stmt import Unspecified
from referee.core.traverse import bodies, statements
from referee.core.types import COMPONENT, Scalar, Type
from referee.game.event import Event, Spoken
from referee.game.event_table import EventTable, LineMemo

_KEPT = 8
"""Cores, and names of players of a core, for which words of logs are remembered at once."""
_EVENTS_KEPT = 4_096
"""Events that are remembered for the same players, then all are forgotten."""
_K = TypeVar("_K")
_V = TypeVar("_V")


class Signatures:
    """The words that logs of a ruleset are written in."""

    _made: ClassVar[list[Signatures]] = []

    def __init__(self, core: Core) -> None:
        self._core = core
        self._members: dict[str, dict[tuple[bool, str | int], tuple[int, ...]]] = {}
        self.labels: Mapping[str, Mapping[str, tuple[Type, ...]]] = _labels(core)
        self.rulings: Mapping[str, Scalar] = dict(_rulings(core))
        self._said: dict[tuple[str, ...], dict[str, Spoken]] = {}
        self._table = EventTable()
        self._lines: dict[tuple[str, ...], LineMemo] = {}
        self._anonymous: dict[tuple[int, str], Spoken] = {}
        self._handed: dict[tuple[str, ...], dict[tuple[object, ...], Event]] = {}
        self._shown: dict[tuple[str, ...], dict[Event, object]] = {}

    @classmethod
    def of(cls, core: Core) -> Signatures:
        """The words of a core, made once while it is in use."""
        for made in cls._made:
            if made._core is core:
                return made
        cls._made = [cls(core), *cls._made[:_KEPT - 1]]
        return cls._made[0]

    def said(self, players: tuple[str, ...]) -> dict[str, Spoken]:
        """Events by the text of the line that said them, for these players: to be added to by whoever reads one."""
        known = self._said.get(players)
        if known is None or len(known) >= _EVENTS_KEPT:
            if len(self._said) >= _KEPT:
                self._said.clear()
            known = self._said[players] = {}
        return known

    def lines(self, players: tuple[str, ...]) -> LineMemo:
        """The numbers of events by the lines that these players' logs have: to be added to likewise. Whoever the
        players are, an event has one number."""
        if self._table.full:
            self._table = EventTable()
            self._lines.clear()
        if players not in self._lines:
            if len(self._lines) >= _KEPT:
                self._lines.clear()
            self._lines[players] = LineMemo(self._table)
        return self._lines[players]

    def handed(self, players: tuple[str, ...]) -> dict[tuple[object, ...], Event]:
        """Events by who, what and arguments as programs name them, for these players: to be added to likewise."""
        return _for(players, self._handed)

    def shown(self, players: tuple[str, ...]) -> dict[Event, object]:
        """What programs are shown of events, for these players: to be added to likewise."""
        return _for(players, self._shown)

    def anonymous(self) -> dict[tuple[int, str], Spoken]:
        """Events by who did them and the rest of the line, of lines that name nobody else: to be added to likewise."""
        if len(self._anonymous) >= _EVENTS_KEPT:
            self._anonymous.clear()
        return self._anonymous

    def members(self, domain: str, label: str | int) -> tuple[int, ...]:
        """The members of a domain that a label may mean; `KIND#3` is the third of those alike in everything."""
        known = self._members.get(domain)
        if known is None:
            known = self._members[domain] = self._by_label(domain)
        found = known.get((isinstance(label, int), label), ())
        if not found and domain == COMPONENT and isinstance(label, str) and "#" in label:
            kind, _, number = label.rpartition("#")
            found = tuple(index for index in known.get((False, kind), ()) if self._has(index, number))
        return found

    def _has(self, index: int, number: str) -> bool:
        return number.isascii() and number.isdigit() and len(number) < 9 and (
            1 <= int(number) <= self._core.components[index].number)

    def _by_label(self, domain: str) -> dict[tuple[bool, str | int], tuple[int, ...]]:
        made: dict[tuple[bool, str | int], tuple[int, ...]] = {}
        for index, label in enumerate(self._core.domains[domain].labels):
            key = (isinstance(label, int), label)
            made[key] = (*made.get(key, ()), index)
        return made


def _for(players: tuple[str, ...], known: dict[tuple[str, ...], dict[_K, _V]]) -> dict[_K, _V]:
    """What is known for these players, of the few whose is."""
    if players not in known:
        if len(known) >= _KEPT:
            known.clear()
        known[players] = {}
    return known[players]


def _labels(core: Core) -> dict[str, dict[str, tuple[Type, ...]]]:
    """label -> argument -> types, over all actions with that label."""
    made: dict[str, dict[str, tuple[Type, ...]]] = {}
    for action in core.actions.values():
        args = made.setdefault(action.label, {})
        for param in action.params:
            if param.arg is not None and param.type not in args.get(param.arg, ()):
                args[param.arg] = (*args.get(param.arg, ()), param.type)
    return made


def _rulings(core: Core) -> Iterator[tuple[str, Scalar]]:
    for body in bodies(core):
        for stmt in statements(body, Unspecified):
            if stmt.candidates is not None:
                yield stmt.point.name, stmt.type or member_type(core, stmt.candidates)
