"""Positions: the flat immutable state, where each thing lies in it, and what a step yields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from referee.base.source import Span
from referee.core.flow import Flow, Rule
from referee.core.ruleset import Core, Form, Key, Role, Table, Var, Zone
from referee.core.stmt import Point
from referee.core.types import Bool, Elem, Int, Many, Scalar, Type, Value, size


@dataclass(frozen=True, slots=True)
class Open:
    """The value of a parameter or given that nobody stated: one of lo..hi (of a Bool: 0..1), it is not known which."""

    lo: int
    hi: int


Content = tuple[int, ...] | tuple[int | None, ...] | tuple[tuple[int, ...], ...]
"""What lies in a zone instance. bag: sorted classes, with repetition; line: classes by position; slots: a class or None
for each spot; pile: blocks, top first, each sorted classes."""
Slot = Value | Open | Content
"""One entry of a state."""


@dataclass(frozen=True, slots=True)
class State:
    """A position: `at` is the index of a flow node (a point), `slots` the entries that `Layout` finds."""

    at: int
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    state: State
    winners: frozenset[int]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The rules do not say how the game goes on from this point."""

    state: State
    point: Point
    why: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The rules made an error (code RT..). `state` is the last point passed, None before the first."""

    code: str
    message: str
    span: Span | None
    state: State | None


Step = State | Ended | Stopped | Failed


@dataclass(frozen=True, slots=True)
class Spread:
    """The entries of an array over keys: row-major from `base`, an entry for each combination."""

    base: int
    lows: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of entries (1 without keys)."""
        total = 1
        for number in self.sizes:
            total *= number
        return total

    def find(self, key: Sequence[int]) -> int:
        """The position of an entry; -1 if the key leaves its range."""
        index = 0
        for value, low, number in zip(key, self.lows, self.sizes, strict=True):
            step = value - low
            if not 0 <= step < number:
                return -1
            index = index * number + step
        return self.base + index

    def keys(self) -> Iterator[Key]:
        """Every combination of keys, in the order of the entries."""
        return iter(_keys(self))


@lru_cache(maxsize=64)
def _keys(entries: Spread) -> tuple[Key, ...]:
    return tuple(product(*(range(low, low + number) for low, number in zip(entries.lows, entries.sizes, strict=True))))


class Layout:
    """Where the variables, zones and rulings of a flow lie in its states; and where table entries lie in their tables.

    After the variables (in the order of `flow.vars`) and the zones stands one entry for each closed unspecified
    point: the candidate that the header rules, None without a ruling.
    """

    def __init__(self, flow: Flow) -> None:
        self.core: Core = flow.core
        self.defs: Mapping[str, Var] = flow.vars
        self.vars: dict[str, Spread] = {}
        self.zones: dict[str, Spread] = {}
        self.rulings: dict[str, int] = {}
        self.tables: dict[str, tuple[Spread, Table]] = {}
        self.size = 0
        for var in flow.vars.values():
            self.vars[var.name] = self._next(var.keys)
        for zone in flow.core.zones.values():
            self.zones[zone.name] = self._next(zone.keys)
        for node in flow.nodes:
            if isinstance(node, Rule) and node.candidates is not None and node.point.name not in self.rulings:
                self.rulings[node.point.name] = self._next(()).base
        for table in flow.core.tables.values():
            self.tables[table.name] = (spread(0, table.keys), table)

    def _next(self, keys: tuple[Scalar, ...]) -> Spread:
        made = spread(self.size, keys)
        self.size += made.count
        return made

    def may_be_open(self, name: str) -> bool:
        """True for a variable that may be without a value: a parameter, a given, or a reading that is left open."""
        return self.defs[name].role in (Role.PARAMETER, Role.GIVEN, Role.READING)

    def read_var(self, state: State, name: str, key: Key = ()) -> Slot:
        """The value of a variable; `Open` if nobody stated it. `KeyError` for a name or key that is not there."""
        return state.slots[_found(self.vars[name], key)]

    def read_zone(self, state: State, name: str, key: Key = ()) -> Slot:
        """What lies in a zone instance. `KeyError` for a name or key that is not there."""
        return state.slots[_found(self.zones[name], key)]


def spread(base: int, keys: tuple[Scalar, ...]) -> Spread:
    """The entries of an array over `keys` that begins at `base`."""
    return Spread(base, tuple(key.lo for key in keys), tuple(size(key) for key in keys))


def _found(entries: Spread, key: Key) -> int:
    index = entries.find(key) if len(key) == len(entries.sizes) else -1
    if index < 0:
        raise KeyError(key)
    return index


def starts(var: Var, count: int) -> Iterator[Slot]:
    """The start values of a variable, one for each entry; `Open` where a parameter or given has none."""
    missing = unknown(var) if is_open(var) else None
    for value in _each_start(var, count):
        yield missing if value is None else value


def _each_start(var: Var, count: int) -> Sequence[Value]:
    start = var.start
    if not var.keys or not isinstance(start, tuple) or len(start) != count:
        return (start,) * count  # type: ignore[return-value]
    if isinstance(var.type, Many) and not all(isinstance(value, tuple) for value in start):
        return (start,) * count  # type: ignore[return-value]
    return start


def is_open(var: Var) -> bool:
    """True for a variable that a header may leave without a value."""
    return var.role in (Role.PARAMETER, Role.GIVEN)


def unknown(var: Var) -> Slot:
    """What a parameter or given holds that nobody stated: its whole range; nothing if its type has no range."""
    match var.type:
        case Bool():
            return Open(0, 1)
        case Int(lo, hi) | Elem(_, lo, hi):
            return Open(lo, hi)
        case _:
            return None


def empty(zone: Zone) -> Content:
    """A zone instance with nothing in it."""
    return (None,) * size(zone.spots) if zone.form is Form.SLOTS and zone.spots is not None else ()


def narrowed(kind: Type, piece: tuple[int, int]) -> Slot:
    """What an open value of a type holds once it is known to lie in a piece of its range."""
    lo, hi = piece
    return Open(lo, hi) if lo < hi else bool(lo) if isinstance(kind, Bool) else lo
