"""What must be so of the holes of a log: found by asking whether it could be otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.types import Many, SetOf
from referee.judge.names import Names
from referee.judge.veil.count import Filled
from referee.judge.veil.hidden import Sum, members
from referee.judge.veil.search import GaveUp
from referee.judge.veil.store import Store
from referee.judge.veil.way import Way
from referee.judge.verdict import HoleFact

MOST_NAMED = 6
"""Values that are named where a hole may be one of several."""


class Asked:
    """What a token may be, in one position; worlds that were met on the way are remembered."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._met = [store.witness]

    def classes(self, token: int) -> list[int]:
        """The classes that a token may have; in doubt one is among them. Raises `OutOfTime`."""
        return [one for one in members(self._store.domains[token]) if self._may_be(token, one)]

    def _may_be(self, token: int, one: int) -> bool:
        if any(world[token] == one for world in self._met):
            return True
        return self._holds(Sum(-1, {token: {one: 1}}))

    def _holds(self, total: Sum) -> bool:
        try:
            after = self._store.adding(total, 0)
        except GaveUp:
            return True
        if after is None:
            return False
        self._met.append(after.witness)
        return True

    def least(self, tokens: Sequence[int], one: int) -> int:
        """How many of some tokens surely are of a class. Raises `OutOfTime`."""
        most = min(sum(world[token] == one for token in tokens) for world in self._met)
        while most and self._holds(Sum(most - 1, {token: {one: -1} for token in tokens})):
            most = min(sum(world[token] == one for token in tokens) for world in self._met)
        return most


def facts(ways: Sequence[Way], names: Names) -> Iterator[HoleFact]:
    """What is known of each hole of which something is known. Raises `OutOfTime`."""
    asked = [Asked(way.store) for way in ways]
    for index in range(min((len(way.filled) for way in ways), default=0)):
        holes = [way.filled[index] for way in ways]
        found = _of_several(holes, asked, names) if isinstance(holes[0].kind, Many | SetOf) else _of_one(
            holes, asked, names)
        if found is not None:
            yield found


def _of_one(holes: Sequence[Filled], asked: Sequence[Asked], names: Names) -> HoleFact | None:
    values: dict[object, None] = {}
    for hole, here in zip(holes, asked, strict=True):
        values.update(dict.fromkeys(here.classes(hole.tokens[0]) if hole.tokens else [hole.known]))
    told = [names.value(value, holes[0].kind) for value in values]  # type: ignore[arg-type]
    if len(told) > MOST_NAMED:
        return None
    return HoleFact(holes[0].line, holes[0].name, tuple(told), len(told) == 1)


def _of_several(holes: Sequence[Filled], asked: Sequence[Asked], names: Names) -> HoleFact | None:
    """What is surely among several, so often."""
    kind = holes[0].kind
    assert isinstance(kind, Many | SetOf)
    sure: dict[int, int] | None = None
    for hole, here in zip(holes, asked, strict=True):
        own = _least(hole, here)
        sure = own if sure is None else {one: min(number, own.get(one, 0)) for one, number in sure.items()}
    told = [names.value(one, kind.of) for one, number in sorted((sure or {}).items()) for _ in range(number)]
    whole = len(told) == max(_size(hole) for hole in holes)
    return HoleFact(holes[0].line, holes[0].name, tuple(told), whole, among=True) if told else None


def _size(hole: Filled) -> int:
    known = hole.known if isinstance(hole.known, tuple | frozenset) else ()
    return len(hole.tokens) + len(list(_listed(known)))


def _listed(known: Iterable[object]) -> Iterator[int]:
    """The members of what is known: classes, or (of a bag) classes with numbers."""
    for one in known:
        if isinstance(one, tuple):
            yield from [one[0]] * one[1]
        elif isinstance(one, int):
            yield one


def _least(hole: Filled, here: Asked) -> dict[int, int]:
    found: dict[int, int] = {}
    for one in _listed(hole.known if isinstance(hole.known, tuple | frozenset) else ()):
        found[one] = found.get(one, 0) + 1
    for one in {one for token in hole.tokens for one in here.classes(token)}:
        number = here.least(hole.tokens, one)
        if number:
            found[one] = found.get(one, 0) + number
    return found
