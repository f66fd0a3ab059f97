"""Where the entries of a position lie in the memory of the native engine, and how they are written and read there.

Two blocks: what a game changes, behind a head of `HEAD` bytes, and what never changes in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.ruleset import Form, Zone
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, size
from referee.game.state import Layout
from referee.native.value_forms import NONE, NotNative, stored_bits, universe

HEAD = 32
"""Bytes before the entries: claims in doubt, who won, where the game ended, room."""
DOUBTS_AT, WINNERS_AT, ENDED_AT = 0, 8, 16
LARGEST_STATE = 1 << 22


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
        self.zones = {zone.name: self._cells(layout.zones[zone.name].count, 2 * self.words(zone), 2, fixed=False)
                      for zone in core.zones.values()}
        self.vars = {name: self._cells(layout.vars[name].count, stored_bits(var.type) // 8, _aligned(var.type),
                                       fixed=layout.vars[name].base >= layout.fixed)
                     for name, var in layout.defs.items()}
        self.rulings = {name: self._cells(1, 8, 8, fixed=False) for name in layout.rulings}
        self.size, self.fixed_size = (-(-used // 8) * 8 for used in self._sizes)
        if self.size > LARGEST_STATE:
            raise NotNative(f"positions of {self.size} bytes")

    def _cells(self, count: int, stride: int, aligned: int, *, fixed: bool) -> Cells:
        aligned = max(aligned, 2)  # copies are made in words
        base = -(-self._sizes[fixed] // aligned) * aligned
        self._sizes[fixed] = base + count * stride
        return Cells(base, stride, fixed)

    def words(self, zone: Zone) -> int:
        """The 16-bit words of a zone instance. Bag and line: number, components. Slots: a component or -1 for each
        spot. Pile: number, blocks, size of each block, components, top first."""
        most = self.capacities[zone.name]
        match zone.form:
            case Form.BAG | Form.LINE:
                return 1 + most
            case Form.SLOTS:
                return size(zone.spots) if zone.spots is not None else 0
            case Form.PILE:
                return 2 + 2 * most
            case _:
                assert_never(zone.form)

    # --- positions

    def written(self, slots: Any) -> bytearray:
        """What a game changes of the entries of a position, as `State.slots` has them. `NotNative` for one that has no
        room."""
        changing = bytearray(self.size)
        for name, zone in self.layout.core.zones.items():
            entries, cells = self.layout.zones[name], self.zones[name]
            for index in range(entries.count):
                words = self._content(zone, slots[entries.base + index])
                at = cells.base + index * cells.stride
                changing[at:at + 2 * len(words)] = b"".join(word.to_bytes(2, "little", signed=True) for word in words)
        self._write_vars(slots, changing, fixed=False)
        for name, entry in self.layout.rulings.items():
            at, value = self.rulings[name].base, slots[entry]
            changing[at:at + 8] = (NONE if value is None else value).to_bytes(8, "little", signed=True)
        return changing

    def written_once(self, slots: Any) -> bytearray:
        """The entries that never change. `NotNative` as for those that do."""
        block = bytearray(max(self.fixed_size, 1))
        self._write_vars(slots, block, fixed=True)
        return block

    def _write_vars(self, slots: Any, block: bytearray, *, fixed: bool) -> None:
        for name, var in self.layout.defs.items():
            entries, cells = self.layout.vars[name], self.vars[name]
            for index in range(entries.count if cells.fixed == fixed else 0):
                at = cells.base + index * cells.stride
                block[at:at + cells.stride] = encoded(slots[entries.base + index], var.type, cells.stride)

    def _content(self, zone: Zone, content: Any) -> list[int]:
        most = self.capacities[zone.name]
        match zone.form:
            case Form.BAG | Form.LINE:
                if len(content) > most:
                    raise NotNative(f"{zone.name} holds more than there are")
                return [len(content), *content]
            case Form.SLOTS:
                return [-1 if one is None else one for one in content]
            case Form.PILE:
                lying = [one for block in content for one in block]
                if len(lying) > most:
                    raise NotNative(f"{zone.name} holds more than there are")
                sizes = [len(block) for block in content]
                return [len(lying), len(sizes), *sizes, *[0] * (most - len(sizes)), *lying]
            case _:
                assert_never(zone.form)

    def read(self, changing: bytes | bytearray, fixed: tuple[Any, ...]) -> list[Any]:
        """The entries that a game changes, and last those that never change, as they are handed over."""
        layout = self.layout
        slots: list[Any] = [None] * layout.fixed
        for name, zone in layout.core.zones.items():
            entries, cells = layout.zones[name], self.zones[name]
            for index in range(entries.count):
                slots[entries.base + index] = self._lying(zone, changing, cells.base + index * cells.stride)
        for name, var in layout.defs.items():
            cells = self.vars[name]
            if not cells.fixed:
                entries = layout.vars[name]
                for index in range(entries.count):
                    at = cells.base + index * cells.stride
                    slots[entries.base + index] = decoded(changing[at:at + cells.stride], var.type)
        for name, entry in layout.rulings.items():
            at = self.rulings[name].base
            value = int.from_bytes(changing[at:at + 8], "little", signed=True)
            slots[entry] = None if value == NONE else value
        return [*slots, fixed]

    def _lying(self, zone: Zone, memory: bytes | bytearray, at: int) -> Any:
        words = memoryview(memory)[at:at + 2 * self.words(zone)].cast("h")
        match zone.form:
            case Form.BAG | Form.LINE:
                return tuple(words[1:1 + words[0]])
            case Form.SLOTS:
                return tuple([None if one < 0 else one for one in words])
            case Form.PILE:
                at, found = 2 + self.capacities[zone.name], list[tuple[int, ...]]()
                for number in words[2:2 + words[1]]:
                    found.append(tuple(words[at:at + number]))
                    at += number
                return tuple(found)
            case _:
                assert_never(zone.form)


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


def _aligned(kind: Type) -> int:
    bits = stored_bits(kind)
    match kind:
        case Many():
            return 2
        case Bool() | Int() | Elem() | Maybe() | SetOf():
            return min(bits // 8, 8)
        case _:
            assert_never(kind)
