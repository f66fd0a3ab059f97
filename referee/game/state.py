"""Positions: the flat immutable state, where each thing lies in it, and what a step yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Final, assert_never

from referee.core.flow import Flow, Rule
from referee.core.read_write_sets import unchanging
from referee.core.ruleset import Core, Form, Key, Role, Table, Var, Zone
from referee.core.stmt import Point
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, Value, size
from referee.diagnostics.source import Span
from referee.system.lazy_dataclasses import dataclass


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
MANY_ENTRIES = 16
"""A variable of more entries, none of which ever changes, lies behind everything else."""
MOST_HASHED = 256
"""The entries from which the hash of a position is made: what changes comes first."""


class State:
    """A position: `at` is the index of a flow node (a point), `slots` the entries that `Layout` finds.

    It never changes. A game may have large tables that hold throughout: an engine carries them as one entry, the last
    of `short`, that all positions of a game share (`Layout.shortened`); `slots` is put together only for those who ask.
    """

    __slots__ = ("_later", "_slots", "at", "short")
    __match_args__ = ("at", "slots")

    def __init__(self, at: int, slots: tuple[Slot, ...]) -> None:
        self.at: Final = at
        self.short: Final[tuple[Any, ...] | None] = None
        self._slots: tuple[Slot, ...] | None = slots
        self._later: Callable[[], tuple[Slot, ...]]

    @staticmethod
    def of_short(at: int, short: tuple[Any, ...]) -> State:
        """A position of which the entries that never change are the last entry."""
        made = State.__new__(State)
        made.at = at  # type: ignore[misc]
        made.short = short  # type: ignore[misc]
        made._slots = None
        return made

    @staticmethod
    def later(at: int, slots: Callable[[], tuple[Slot, ...]]) -> State:
        """A position of which the entries are made when somebody looks at them."""
        made = State.__new__(State)
        made.at = at  # type: ignore[misc]
        made.short = None  # type: ignore[misc]
        made._slots = None
        made._later = slots
        return made

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Every entry."""
        if self._slots is None:
            self._slots = self._later() if self.short is None else self.short[:-1] + self.short[-1]
        return self._slots

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.at != other.at:
            return False
        one, two = self.short, other.short
        if one is not None and two is not None and one[-1] is two[-1]:
            return one == two
        return self.slots == other.slots

    def __hash__(self) -> int:
        short = self.short
        if short is None:
            first = self.slots[:MOST_HASHED]
        elif len(short) <= MOST_HASHED:
            first = short[:-1] + short[-1][:MOST_HASHED + 1 - len(short)]
        else:
            first = short[:MOST_HASHED]
        return hash((self.at, first))

    def __repr__(self) -> str:
        return f"State(at={self.at!r}, slots={self.slots!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.at, self.slots)


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


class ErrorCause(Enum):
    """What is behind an error, where its code has several causes and somebody tells them apart."""

    SEVERAL = "there are several where one is meant"
    MISFIT = "a value that is stored is none of its variable"


@dataclass(frozen=True, slots=True)
class Failed:
    """The rules made an error (code RT..). `state` is the last point passed, None before the first."""

    code: str
    message: str
    span: Span | None
    state: State | None
    cause: ErrorCause | None = None


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

    @property
    def entries(self) -> range:
        """The positions of all entries."""
        return range(self.base, self.base + self.count)

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


class _Tables(dict[str, "tuple[Spread, Table]"]):
    """Each constant table with where its entries lie; one that a claim or scenario has brought later, too."""

    def __init__(self, known: Mapping[str, Table]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, name: str) -> tuple[Spread, Table]:
        table = self._known[name]
        found = self[name] = (spread(0, table.keys), table)
        return found


class Layout:
    """Where the variables, zones and rulings of a flow lie in its states; and where table entries lie in their tables.

    First the zones, then the variables in the order of `flow.vars`, then one entry for each closed unspecified point:
    the candidate that the header rules, None without a ruling. From `fixed` on: large variables that no node changes.
    """

    def __init__(self, flow: Flow) -> None:
        self.core: Core = flow.core
        self.defs: Mapping[str, Var] = flow.vars
        self.vars: dict[str, Spread] = {}
        self.zones: dict[str, Spread] = {}
        self.rulings: dict[str, int] = {}
        self.tables = _Tables(flow.core.tables)
        self._without_start: dict[str, tuple[tuple[Key, int], ...]] = {}
        self.size = 0
        for zone in flow.core.zones.values():
            self.zones[zone.name] = self._next(zone.keys)
        last = {name for name in unchanging(flow) if spread(0, flow.vars[name].keys).count > MANY_ENTRIES}
        for var in flow.vars.values():
            if var.name not in last:
                self.vars[var.name] = self._next(var.keys)
        for node in flow.nodes:
            if isinstance(node, Rule) and node.candidates is not None and node.point.name not in self.rulings:
                self.rulings[node.point.name] = self._next(()).base
        self.fixed = self.size
        for var in flow.vars.values():
            if var.name in last:
                self.vars[var.name] = self._next(var.keys)

    def _next(self, keys: tuple[Scalar, ...]) -> Spread:
        made = spread(self.size, keys)
        self.size += made.count
        return made

    def shortened(self, state: State, known: tuple[Slot, ...] = ()) -> list[Any]:
        """The entries that may change, and last a tuple of those that never do: `known`, if they are the same."""
        if state.short is not None:
            return list(state.short)
        fixed = state.slots[self.fixed:]
        return [*state.slots[:self.fixed], known if fixed == known else fixed]

    def without_start(self, name: str) -> tuple[tuple[Key, int], ...]:
        """The entries of a variable that begin without a value if nobody states one: the key of each, and where it
        lies. Tables may have thousands of entries, and rarely one of these."""
        known = self._without_start.get(name)
        if known is None:
            entries = self.vars[name]
            begun = zip(entries.keys(), entries.entries, starts(self.defs[name], entries.count), strict=True)
            known = self._without_start[name] = tuple((key, at) for key, at, start in begun if isinstance(start, Open))
        return known

    @cached_property
    def stated(self) -> tuple[tuple[str, Var], ...]:
        """The variables that a header may leave without a value, by their names."""
        return tuple((name, var) for name, var in self.defs.items() if is_open(var))

    @cached_property
    def called_in_play_outs(self) -> tuple[tuple[str, Var], ...]:
        """The variables that have a value of their own in play-outs, by their names."""
        return tuple((name, var) for name, var in self.defs.items() if var.in_play_outs is not None)

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
    """What a parameter or given holds that nobody stated: its whole range; of a type without one (no such value is ever
    stated: VR03) nothing."""
    match var.type:
        case Bool():
            return Open(0, 1)
        case Int(lo, hi) | Elem(_, lo, hi):
            return Open(lo, hi)
        case Maybe() | SetOf() | Many():
            return None
        case _:
            assert_never(var.type)


def empty(zone: Zone) -> Content:
    """A zone instance with nothing in it."""
    return (None,) * size(zone.spots) if zone.form is Form.SLOTS and zone.spots is not None else ()


def narrowed(kind: Type, piece: tuple[int, int]) -> Slot:
    """What an open value of a type holds once it is known to lie in a piece of its range."""
    lo, hi = piece
    return Open(lo, hi) if lo < hi else bool(lo) if isinstance(kind, Bool) else lo
