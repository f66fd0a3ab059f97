"""How what lies in an instance of a zone lies in memory, one form for each way; written and read from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.ruleset import Core, Form, Zone
from referee.core.types import size
from referee.native.value_forms import NotNative

MOST_COUNTED = 8
"""Bags of so many classes of components have a number for each; of more, a list."""
MOST_SINGLE = 512
"""Bags of so many classes of one component each have a bit for each; of more, a list."""
FEWEST_SPOTS, MOST_SPOTS = 8, 512
"""So many spots have a set of those that are free, and one for each class of components, at least and at most."""
MOST_SET_BYTES = 2_048
"""So many bytes of an instance are such sets at most."""


@dataclass(frozen=True, slots=True)
class AsList:
    """A bag or a line, in 16-bit words: how many lie there, at most `most`, then each. A bag is sorted."""

    most: int


@dataclass(frozen=True, slots=True)
class AsCounts:
    """A bag, in 16-bit words: how many lie there, then how many of each class `lo`, `lo` + 1, ..."""

    lo: int
    width: int


@dataclass(frozen=True, slots=True)
class AsBits:
    """A bag of components of which there is one of each class: a bit for each class `lo`, `lo` + 1, ..."""

    lo: int
    width: int


@dataclass(frozen=True, slots=True)
class OnSpots:
    """Spots, a 16-bit word for each: a component, or -1. Then, with `width`, sets of spots, a bit for each spot: those
    that are free, and those with components of class `lo`, `lo` + 1, ..."""

    number: int
    lo: int
    width: int

    @property
    def sets_at(self) -> int:
        """Behind so many bytes the sets begin."""
        return _whole(2 * self.number)

    @property
    def set_bytes(self) -> int:
        """The bytes of each set."""
        return _whole(-(-self.number // 8))


@dataclass(frozen=True, slots=True)
class InBlocks:
    """A pile, in 16-bit words: how many lie there, at most `most`, and how many blocks; the size of each block; each
    component, top first."""

    most: int


ZoneLayout = AsList | AsCounts | AsBits | OnSpots | InBlocks


def layout_of(zone: Zone, core: Core, most: int) -> ZoneLayout:
    """How a zone of at most so many components lies."""
    classes = [at for at, one in enumerate(core.components) if one.kind in zone.kinds]
    lo, width = (min(classes), max(classes) - min(classes) + 1) if classes else (0, 1)
    match zone.form:
        case Form.LINE:
            return AsList(most)
        case Form.BAG:
            if width <= MOST_COUNTED and sum(one.number for one in core.components) < 1 << 15:
                return AsCounts(lo, width)
            if width <= MOST_SINGLE and all(core.components[at].number <= 1 for at in classes):
                return AsBits(lo, width)
            return AsList(most)
        case Form.SLOTS:
            number = size(zone.spots) if zone.spots is not None else 0
            plain = OnSpots(number, lo, 0)
            sets = FEWEST_SPOTS <= number <= MOST_SPOTS and (1 + width) * plain.set_bytes <= MOST_SET_BYTES
            return OnSpots(number, lo, width) if sets else plain
        case Form.PILE:
            return InBlocks(most)
        case _:
            assert_never(zone.form)


def bytes_of(layout: ZoneLayout) -> tuple[int, int]:
    """How many bytes an instance takes, and at a multiple of which number it begins."""
    match layout:
        case AsList(most):
            return 2 * (1 + most), 2
        case AsCounts(_, width):
            return 2 * (1 + width), 2
        case AsBits(_, width):
            return _whole(-(-width // 8)), 8
        case OnSpots(number, _, width):
            return (layout.sets_at + (1 + width) * layout.set_bytes, 8) if width else (2 * number, 2)
        case InBlocks(most):
            return 2 * (2 + 2 * most), 2
        case _:
            assert_never(layout)


def written(layout: ZoneLayout, content: Any, zone: str) -> bytes:
    """What lies in an instance, as `State.slots` has it. `NotNative` for what has no room."""
    match layout:
        case AsList(most):
            if len(content) > most:
                raise NotNative(f"{zone} holds more than there are")
            return _words([len(content), *content, *[0] * (most - len(content))])
        case AsCounts(lo, width):
            if any(not lo <= one < lo + width for one in content):
                raise NotNative(f"{zone} holds what does not belong there")
            return _words([len(content), *[content.count(lo + at) for at in range(width)]])
        case AsBits(lo, width):
            if any(not lo <= one < lo + width for one in content) or len(set(content)) < len(content):
                raise NotNative(f"{zone} holds what does not belong there")
            bits: int = sum(1 << one - lo for one in content)
            return bits.to_bytes(bytes_of(layout)[0], "little")
        case OnSpots(_, lo, width):
            words = _words([-1 if one is None else one for one in content])
            if not width:
                return words
            if any(one is not None and not lo <= one < lo + width for one in content):
                raise NotNative(f"{zone} holds what does not belong there")
            sets = [0] * (1 + width)
            for spot, one in enumerate(content):
                sets[0 if one is None else 1 + one - lo] |= 1 << spot
            return words.ljust(layout.sets_at, b"\0") + b"".join(
                one.to_bytes(layout.set_bytes, "little") for one in sets)
        case InBlocks(most):
            lying = [one for block in content for one in block]
            if len(lying) > most:
                raise NotNative(f"{zone} holds more than there are")
            sizes = [len(block) for block in content]
            return _words([len(lying), len(sizes), *sizes, *[0] * (most - len(sizes)), *lying,
                           *[0] * (most - len(lying))])
        case _:
            assert_never(layout)


def lying(layout: ZoneLayout, memory: memoryview) -> Any:
    """What lies in an instance, as `State.slots` has it."""
    match layout:
        case AsList():
            words = memory.cast("h")
            return tuple(words[1:1 + words[0]])
        case AsCounts(lo, width):
            words = memory.cast("h")
            return tuple([lo + at for at in range(width) for _ in range(words[1 + at])])
        case AsBits(lo):
            bits, found = int.from_bytes(memory, "little"), list[int]()
            while bits:
                lowest = bits & -bits
                found.append(lo + lowest.bit_length() - 1)
                bits ^= lowest
            return tuple(found)
        case OnSpots(number):
            return tuple([None if one < 0 else one for one in memory[:2 * number].cast("h")])
        case InBlocks(most):
            words = memory.cast("h")
            at, blocks = 2 + most, list[tuple[int, ...]]()
            for large in words[2:2 + words[1]]:
                blocks.append(tuple(words[at:at + large]))
                at += large
            return tuple(blocks)
        case _:
            assert_never(layout)


def _words(numbers: list[int]) -> bytes:
    return b"".join([number.to_bytes(2, "little", signed=True) for number in numbers])


def _whole(number: int) -> int:
    """So many bytes, up to a whole number of 64-bit words."""
    return -(-number // 8) * 8
