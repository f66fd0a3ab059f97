"""Where the entries of a position lie in the memory of the native engine, and how they are written and read there.

Two blocks: what a game changes, behind a head of `HEAD` bytes, and what never changes in it.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.ruleset import Role
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.game.state import Layout, starts
from referee.native.value_forms import NONE, NotNative, stored_bits, universe
from referee.native.zones.zone_layout import (
    AsBits,
    AsCounts,
    AsList,
    InBlocks,
    OnSpots,
    bytes_of,
    layout_of,
    lying,
    written,
)

HEAD = 40
"""Bytes before the entries: claims in doubt, who won, where the game ended, where it is (if kept), how many bytes from
the first on are in use: all behind them are zero."""
DOUBTS_AT, WINNERS_AT, ENDED_AT, AT_AT, USED_AT = 0, 8, 16, 24, 32
"""The byte at which each of these begins."""
LEAST_TAIL = 2_048
"""A variable of so many bytes is laid last, if it begins as zeros: only what was written of it is copied then."""
LARGEST_STATE = 1 << 22
"""Bytes of a position: no machine code is made of rules with a larger one."""
_CODES = {1: "b", 2: "h", 4: "i", 8: "q"}
"""How the library calls numbers of so many bytes."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Where the entries of a variable or zone begin, and how many bytes each takes. `fixed`: in the block that never
    changes."""

    base: int
    stride: int
    fixed: bool


class MemoryLayout:
    """Offsets of all entries. `NotNative` for rulesets whose positions do not fit."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        core = layout.core
        self._sizes = [HEAD, 0]
        admitted = {kind: 0 for zone in core.zones.values() for kind in zone.kinds}
        for component in core.components:
            if component.kind in admitted:
                admitted[component.kind] += component.number
        self.capacities = {zone.name: max(1, min(zone.capacity, sum(admitted[kind] for kind in zone.kinds)))
                           for zone in core.zones.values()}
        self.forms = {zone.name: layout_of(zone, core, self.capacities[zone.name]) for zone in core.zones.values()}
        self.zones = {name: self._cells(layout.zones[name].count, *bytes_of(form), fixed=False)
                      for name, form in self.forms.items()}
        self.tail = self._last()
        first = [name for name in layout.defs if name != self.tail]
        self.vars = {name: self._var(name) for name in first}
        self.rulings = {name: self._cells(1, 8, 8, fixed=False) for name in layout.rulings}
        self._first_used = -(-self._sizes[False] // 8) * 8
        if self.tail is not None:
            self._sizes[False] = self._first_used
            self.vars[self.tail] = self._var(self.tail)
        self.size, self.fixed_size = (-(-used // 8) * 8 for used in self._sizes)
        if self.size > LARGEST_STATE:
            raise NotNative(f"positions of {self.size} bytes")

    def _var(self, name: str) -> Cells:
        entries, var = self.layout.vars[name], self.layout.defs[name]
        return self._cells(entries.count, stored_bits(var.type) // 8, _aligned(var.type),
                           fixed=entries.base >= self.layout.fixed)

    def _last(self) -> str | None:
        """The variable that is laid last: the largest, if it is large, and begins as zeros in every game."""
        found = list[tuple[int, str]]()
        for name, var in self.layout.defs.items():
            entries = self.layout.vars[name]
            size_of = entries.count * stored_bits(var.type) // 8
            if var.role is Role.COUNTER and entries.base < self.layout.fixed and size_of >= LEAST_TAIL and (
                    _is_zeros(var.type) and not any(starts(var, entries.count))):
                found.append((size_of, name))
        return max(found, default=(0, None))[1]

    def _cells(self, count: int, stride: int, aligned: int, *, fixed: bool) -> Cells:
        aligned = max(aligned, 2)  # copies are made in words
        base = -(-self._sizes[fixed] // aligned) * aligned
        self._sizes[fixed] = base + count * stride
        return Cells(base, stride, fixed)

    def listed(self, zone: str) -> bool:
        """Whether components of a zone lie one beside the other."""
        form = self.forms[zone]
        match form:
            case AsList() | OnSpots() | InBlocks():
                return True
            case AsCounts() | AsBits():
                return False
            case _:
                assert_never(form)

    # --- positions

    def written(self, slots: Any) -> bytearray:
        """What a game changes of the entries of a position, as `State.slots` has them. `NotNative` for one that has no
        room."""
        changing = self.blank()
        for name in self.layout.core.zones:
            self.write_zone(name, slots, changing)
        for name in self.layout.defs:
            if not self.vars[name].fixed:
                self.write_var(name, slots, changing)
        for name in self.layout.rulings:
            self.write_ruling(name, slots, changing)
        return changing

    def blank(self) -> bytearray:
        """Memory for what a game changes, before anything is written."""
        changing = bytearray(self.size)
        changing[USED_AT:USED_AT + 8] = (self.size if self.tail is None else self._first_used).to_bytes(8, "little")
        return changing

    def trimmed(self, changing: bytes | bytearray) -> bytes:
        """What is in use of a block; all behind it is zero."""
        return bytes(changing[:int.from_bytes(changing[USED_AT:USED_AT + 8], "little")])

    def written_once(self, slots: Any) -> bytearray:
        """The entries that never change. `NotNative` as for those that do."""
        block = bytearray(max(self.fixed_size, 1))
        for name in self.layout.defs:
            if self.vars[name].fixed:
                self.write_var(name, slots, block)
        return block

    def write_zone(self, name: str, slots: Any, changing: bytearray) -> None:
        """What lies in all instances of a zone. `NotNative` for what has no room."""
        form, entries, cells = self.forms[name], self.layout.zones[name], self.zones[name]
        for index in range(entries.count):
            at = cells.base + index * cells.stride
            changing[at:at + cells.stride] = written(form, slots[entries.base + index], name)

    def write_var(self, name: str, slots: Any, block: bytearray) -> None:
        """All entries of a variable, into the block in which they lie. `NotNative` for a value that has no room."""
        entries, cells, kind = self.layout.vars[name], self.vars[name], self.layout.defs[name].type
        if name == self.tail:
            self._write_tail(slots, block)
            return
        whole = _side_by_side(slots[entries.base:entries.base + entries.count], kind, cells.stride)
        if whole is not None:
            block[cells.base:cells.base + len(whole)] = whole
            return
        for index in range(entries.count):
            at = cells.base + index * cells.stride
            block[at:at + cells.stride] = encoded(slots[entries.base + index], kind, cells.stride)

    def _write_tail(self, slots: Any, block: bytearray) -> None:
        """Writes the entries of the last variable up to the last that is not as it began."""
        assert self.tail is not None
        entries, cells, kind = self.layout.vars[self.tail], self.vars[self.tail], self.layout.defs[self.tail].type
        values = slots[entries.base:entries.base + entries.count]
        many = len(values)
        while many and not values[many - 1]:
            many -= 1
        for index in range(many):
            at = cells.base + index * cells.stride
            block[at:at + cells.stride] = encoded(values[index], kind, cells.stride)
        block[USED_AT:USED_AT + 8] = (cells.base + many * cells.stride).to_bytes(8, "little")

    def write_ruling(self, name: str, slots: Any, changing: bytearray) -> None:
        """What the header rules at a point."""
        at, value = self.rulings[name].base, slots[self.layout.rulings[name]]
        changing[at:at + 8] = (NONE if value is None else value).to_bytes(8, "little", signed=True)

    def read(self, changing: bytes | bytearray, fixed: tuple[Any, ...],
             wanted: Collection[str] | None = None) -> list[Any]:
        """The entries that a game changes, and last those that never change, as they are handed over. `wanted`: the
        variables and zones that somebody will look at, None for all."""
        layout = self.layout
        slots: list[Any] = [None] * layout.fixed
        memory = memoryview(changing)
        for name, form in self.forms.items():
            if wanted is not None and name not in wanted:
                continue
            entries, cells = layout.zones[name], self.zones[name]
            for index in range(entries.count):
                at = cells.base + index * cells.stride
                slots[entries.base + index] = lying(form, memory[at:at + cells.stride])
        for name, var in layout.defs.items():
            cells = self.vars[name]
            if not cells.fixed and (wanted is None or name in wanted):
                entries = layout.vars[name]
                many = entries.count
                if name == self.tail:
                    slots[entries.base:entries.base + many] = starts(var, many)
                    many = (int.from_bytes(changing[USED_AT:USED_AT + 8], "little") - cells.base) // cells.stride
                for index in range(many):
                    at = cells.base + index * cells.stride
                    slots[entries.base + index] = decoded(changing[at:at + cells.stride], var.type)
        for name, entry in layout.rulings.items():
            at = self.rulings[name].base
            value = int.from_bytes(changing[at:at + 8], "little", signed=True)
            slots[entry] = None if value == NONE else value
        return [*slots, fixed]


def copied(memory: Any) -> bytes:
    """What is in use of a block of memory."""
    at = ctypes.addressof(memory)
    return ctypes.string_at(at, int.from_bytes(ctypes.string_at(at + USED_AT, 8), "little"))


def put_back(memory: Any, image: bytes) -> None:
    """Lays a copy into a block of memory; behind it all is zero."""
    at = ctypes.addressof(memory)
    used = int.from_bytes(ctypes.string_at(at + USED_AT, 8), "little")
    ctypes.memmove(at, image, len(image))
    if used > len(image):
        ctypes.memset(at + len(image), 0, used - len(image))


def _side_by_side(values: Sequence[Any], kind: Type, stride: int) -> bytes | None:
    """Numbers as their entries have them, all at once; None for what has to be looked at one by one."""
    code = _CODES.get(stride)
    match kind:
        case Int(lo, hi) | Elem(_, lo, hi):
            if code is None or set(map(type, values)) != {int} or min(values) < lo or max(values) > hi:
                return None
            return array(code, values).tobytes()
        case Bool() | Maybe() | SetOf() | Many():
            return None
        case _:
            assert_never(kind)


def encoded(value: Any, kind: Type, stride: int) -> bytes:
    """A value as an entry of a type has it in memory. `NotNative` for one that is none of the type."""
    if not _fits(value, kind):
        raise NotNative(f"a value that is not known, or none of {kind}")
    match kind:
        case Bool():
            return bytes((value,))
        case Int() | Elem():
            number: int = value
            return number.to_bytes(stride, "little", signed=True)
        case Maybe():
            return (-(1 << 8 * stride - 1) if value is None else int(value)).to_bytes(stride, "little", signed=True)
        case SetOf(of):
            lo, _ = universe(of)
            bits: int = sum(1 << one - lo for one in value)
            return bits.to_bytes(stride, "little")
        case Many(_, most):
            words = [len(value), *value, *[0] * (most - len(value))]
            return b"".join(word.to_bytes(2, "little", signed=True) for word in words)
        case _:
            assert_never(kind)


def decoded(memory: bytes | bytearray, kind: Type) -> Any:
    """The value of an entry of a type."""
    match kind:
        case Bool():
            return bool(memory[0])
        case Int() | Elem():
            return int.from_bytes(memory, "little", signed=True)
        case Maybe():
            number = int.from_bytes(memory, "little", signed=True)
            return None if number == -(1 << 8 * len(memory) - 1) else number
        case SetOf(of):
            lo, width = universe(of)
            bits = int.from_bytes(memory, "little")
            return frozenset([lo + at for at in range(width) if bits >> at & 1])
        case Many():
            words = memoryview(memory).cast("h")
            return tuple(words[1:1 + words[0]])
        case _:
            assert_never(kind)


def _fits(value: Any, kind: Type) -> bool:
    match kind:
        case Bool():
            return isinstance(value, bool)
        case Int(lo, hi) | Elem(_, lo, hi):
            return isinstance(value, int) and lo <= value <= hi
        case Maybe(of):
            return value is None or (isinstance(value, int) and of.lo <= value <= of.hi)
        case SetOf(of):
            return isinstance(value, frozenset) and all(of.lo <= one <= of.hi for one in value)
        case Many(of, most):
            return isinstance(value, tuple) and len(value) <= most and all(
                isinstance(one, int) and of.lo <= one <= of.hi and abs(one) < 1 << 15 for one in value)
        case _:
            assert_never(kind)


def _is_zeros(kind: Type) -> bool:
    """Whether what is no number but 0, no and nothing stands as zeros in memory."""
    match kind:
        case Bool() | Int() | Elem() | SetOf():
            return True
        case Maybe() | Many():
            return False
        case _:
            assert_never(kind)


def _aligned(kind: Type) -> int:
    bits = stored_bits(kind)
    match kind:
        case Many():
            return 2
        case Bool() | Int() | Elem() | Maybe() | SetOf():
            return min(bits // 8, 8)
        case _:
            assert_never(kind)


def word_at(image: bytes, at: int) -> int:
    """A number of the head of a position."""
    return int.from_bytes(image[at:at + 8], "little", signed=True)
