"""What of the position before a step keeps the step from doing something, as a condition that is read off any slice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import z3

from referee.smt.abstraction.known_slices import terms_of
from referee.smt.abstraction.relevance import TermUnknowns
from referee.smt.abstraction.slices import Sliced
from referee.smt.encoding.term_leaves import changed
from referee.smt.term import Cond, name_of

MOST_PARTS = 2_000
"""A condition of more parts is not made."""


class PositionBefore:
    """The position before steps: every entry an unknown."""

    def __init__(self, store: Sliced, unknowns: TermUnknowns) -> None:
        self._store, self._unknowns = store, unknowns
        self._terms = terms_of(store)
        self._free = unknowns.of_all(self._terms)

    @cached_property
    def _owners(self) -> dict[int, str]:
        """The variable or zone that each unknown is of."""
        return {one: name for name in self._store.slice.names for part in self._parts(name)
                for one in self._unknowns.of(part)}

    def _parts(self, name: str) -> Iterator[Any]:
        variables, zones = self._store.slice.entries_of(frozenset((name,)))
        found: list[Any] = []
        for index in variables:
            changed(self._store.entries[index], found.append)
        for index in zones:
            there = self._store.tallies[index]
            found.extend((*there.counts, *(part for one in there.spots or () for part in (one.has, one.value))))
        yield from found

    def excluding(self, cond: Cond) -> Cond | None:
        """What keeps a condition from being true; None if that hangs on other unknowns too, or is too large."""
        if isinstance(cond, bool):
            return not cond
        found: list[Any] = []
        for part in _parts_of(cond):
            inside = self._unknowns.of(part)
            if inside <= self._free:
                found.append(part)
            elif not inside.isdisjoint(self._free):
                return None
        made = _known(z3.simplify(z3.Not(z3.And(found))))
        return None if not isinstance(made, bool) and _larger_than(made, MOST_PARTS) else made

    def names(self, cond: Cond) -> frozenset[str]:
        """The variables and zones that a condition of the entries speaks of."""
        return frozenset(self._owners[one] for one in self._unknowns.of(cond) if one in self._owners)

    def reader(self, cond: Cond) -> Callable[[Sliced], Cond]:
        """A condition of the entries, as one of those of any slice of the same kind."""
        inside = self._unknowns.of(cond)
        places = {name_of(one): i for i, one in enumerate(self._terms) if name_of(one) in inside}

        def holds(store: Sliced) -> Cond:
            if isinstance(cond, bool) or store is self._store:
                return cond
            there = terms_of(store)
            if all(isinstance(there[i], int) for i in places.values()):
                return self._unknowns.parts.known(cond, {name: there[i] for name, i in places.items()})
            pairs = zip(self._terms, there, strict=True)
            instead = [(one, _term(other)) for one, other in pairs if not isinstance(one, bool | int)]
            return _known(z3.simplify(z3.substitute(cond, *instead)))

        return holds


def _parts_of(cond: Any) -> Iterator[Any]:
    """The conditions that are to hold together for one to hold."""
    if z3.is_and(cond):
        for i in range(cond.num_args()):
            yield from _parts_of(cond.arg(i))
    else:
        yield cond


def _larger_than(cond: Any, most: int) -> bool:
    seen, waiting = set[int](), [cond]
    while waiting and len(seen) <= most:
        one = waiting.pop()
        if one.get_id() not in seen:
            seen.add(one.get_id())
            waiting.extend(one.arg(i) for i in range(one.num_args()))
    return len(seen) > most


def _term(value: Any) -> Any:
    if isinstance(value, bool):
        return z3.BoolVal(value)
    return z3.IntVal(value) if isinstance(value, int) else value


def _known(cond: Any) -> Cond:
    return True if z3.is_true(cond) else False if z3.is_false(cond) else cond
