"""What must be so of the holes of a log: found by asking whether it could be otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf
from referee.judge.display_names import Names
from referee.judge.partial.constraints.constraint_search import GaveUp
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Sum, members
from referee.judge.partial.constraints.model_counting import Filled
from referee.judge.partial.lifted.constrained_state import ConstrainedState
from referee.judge.verdict import HoleFact

Signed = Sequence[tuple[int, int]]
MOST_NAMED = 6
"""Values that are named where a hole may be one of several."""


class TokenQuestions:
    """What a token may be, in one position; worlds that were met on the way are remembered."""

    def __init__(self, store: ConstraintStore) -> None:
        self._store = store.whole()
        self._met = [self._store.witness]

    def classes(self, token: int) -> list[int]:
        """The classes that a token may have; in doubt one is among them. Raises `OutOfTime`."""
        return [one for one in members(self._store.domains[token]) if self._may_be(token, one)]

    def first(self, token: int) -> int:
        """A class that a token may have."""
        return self._met[0][token]

    def other(self, token: int) -> bool:
        """Whether a token may have another class than that; in doubt it may. Raises `OutOfTime`."""
        return any(one != self.first(token) and self._may_be(token, one) for one in members(self._store.domains[token]))

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

    def least(self, known: int, signed: Signed, one: int) -> int:
        """How many surely are of a class: those known to be, and tokens, each once more or once fewer. Raises
        `OutOfTime`."""
        def most() -> int:
            return known + min(sum(sign for token, sign in signed if world[token] == one) for world in self._met)

        found = most()
        while found > 0 and self._holds(Sum(found - 1 - known, {token: {one: -sign} for token, sign in signed})):
            found = most()
        return max(0, found)


def open_values(ways: Sequence[ConstrainedState]) -> int:
    """How many values in holes are not the same however the holes are filled: of several those that are not surely
    among them. Raises `OutOfTime`."""
    asked = [TokenQuestions(way.store) for way in ways]
    found = 0
    for index in range(min((len(way.filled) for way in ways), default=0)):
        holes = [way.filled[index] for way in ways]
        kind = holes[0].kind
        match kind:
            case Many() | SetOf():
                found += max(map(_size, holes)) - sum(_sure(holes, asked).values())
            case Bool() | Int() | Elem() | Maybe():
                found += not _is_settled(holes, asked)
            case _:
                assert_never(kind)
    return found


def _is_settled(holes: Sequence[Filled], asked: Sequence[TokenQuestions]) -> bool:
    """Whether a hole is the same in every way."""
    met: set[object] = set()
    for hole, here in zip(holes, asked, strict=True):
        if hole.values is not None:
            met.update(_values(hole, here))
        else:
            met.update((here.first(hole.tokens[0]),) if hole.tokens else (hole.known,))
        if len(met) > 1 or (hole.values is None and hole.tokens and here.other(hole.tokens[0])):
            return False
    return True


def _values(hole: Filled, here: TokenQuestions) -> set[Any]:
    """What may stand for a hole that is no component. Raises `OutOfTime`."""
    assert hole.values is not None
    return {hole.values[one] for one in here.classes(hole.tokens[0])}


def facts(ways: Sequence[ConstrainedState], names: Names) -> Iterator[HoleFact]:
    """What is known of each hole of which something is known. Raises `OutOfTime`."""
    asked = [TokenQuestions(way.store) for way in ways]
    for index in range(min((len(way.filled) for way in ways), default=0)):
        holes = [way.filled[index] for way in ways]
        kind = holes[0].kind
        match kind:
            case Many(of) | SetOf(of):
                found = _of_several(of, holes, asked, names)
            case Bool() | Int() | Elem() | Maybe():
                found = _of_one(holes, asked, names)
            case _:
                assert_never(kind)
        if found is not None:
            yield found


def _of_one(holes: Sequence[Filled], asked: Sequence[TokenQuestions], names: Names) -> HoleFact | None:
    values: set[Any] = set()
    for hole, here in zip(holes, asked, strict=True):
        if hole.values is not None:
            values.update(_values(hole, here))
        else:
            values.update(here.classes(hole.tokens[0]) if hole.tokens else [hole.known])
    ordered = sorted(values, key=lambda value: (value is None, 0 if value is None else value))
    told = [names.value(value, holes[0].kind) for value in ordered]
    if len(told) > MOST_NAMED:
        return None
    return HoleFact(holes[0].line, holes[0].name, tuple(told), len(told) == 1)


def _of_several(of: Scalar, holes: Sequence[Filled], asked: Sequence[TokenQuestions], names: Names) -> HoleFact | None:
    """What is surely among several, so often."""
    told = [names.value(one, of) for one, number in sorted(_sure(holes, asked).items()) for _ in range(number)]
    whole = len(told) == max(_size(hole) for hole in holes)
    return HoleFact(holes[0].line, holes[0].name, tuple(told), whole, among=True) if told else None


def _sure(holes: Sequence[Filled], asked: Sequence[TokenQuestions]) -> dict[int, int]:
    """How many of each class are among several in every way."""
    sure: dict[int, int] | None = None
    for hole, here in zip(holes, asked, strict=True):
        own = _least(hole, here)
        sure = own if sure is None else {one: min(number, own.get(one, 0)) for one, number in sure.items()}
    return sure or {}


def _size(hole: Filled) -> int:
    if hole.values is not None:
        return max(map(len, hole.values.values()))
    return sum(sign for _, sign in hole.signed) + sum(_numbers(hole.known).values())


def _numbers(known: object) -> dict[int, int]:
    """How many of each class are known: of a bag they are listed with numbers, else one by one."""
    found: dict[int, int] = {}
    for one in known if isinstance(known, tuple | frozenset) else ():
        member, number = one if isinstance(one, tuple) else (one, 1)
        found[member] = found.get(member, 0) + number
    return found


def _least(hole: Filled, here: TokenQuestions) -> dict[int, int]:
    if hole.values is not None:
        first, *others = _values(hole, here)
        return {one: min([number, *(_numbers(other).get(one, 0) for other in others)])
                for one, number in _numbers(first).items()}
    known = _numbers(hole.known)
    added = {one for token, sign in hole.signed if sign > 0 for one in here.classes(token)}
    numbers = {one: here.least(known.get(one, 0), hole.signed, one) for one in sorted(added.union(known))}
    return {one: number for one, number in numbers.items() if number}
