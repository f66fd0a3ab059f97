"""How values of the core stand in machine code: numbers, truths, sets as bits, multisets as sorted lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type

Ssa = Any
"""A value of the library that writes the code; it has no types."""
NONE = -(2**62)
"""What stands for nothing where a Maybe is computed."""
MOST_BITS = 1024
"""A set of a wider universe is left to the other engines."""
LARGEST = 2**61
"""Numbers beyond it, up or down, are computed in more than a word: `NONE` lies there."""


class NotNative(Exception):
    """Something that machine code is not made of; the message says what, for people."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A number, a member by its index, or nothing (`NONE`): 64 bits, or more where numbers are larger (`word_bits`)."""

    ssa: Ssa


@dataclass(frozen=True, slots=True)
class Truth:
    """Yes or no: one bit."""

    ssa: Ssa


@dataclass(frozen=True, slots=True)
class SetForm:
    """A set of numbers lo..lo+width-1: a bit for each."""

    ssa: Ssa
    lo: int
    width: int


@dataclass(frozen=True, slots=True)
class Several:
    """A multiset: so many sorted numbers of 16 bits, at most `most`, behind a pointer. Nobody changes what is there."""

    items: Ssa
    count: Ssa
    most: int


Form = NumberForm | Truth | SetForm | Several


def universe(of: Int | Elem) -> tuple[int, int]:
    """The lowest number of a universe and its width in bits. `NotNative` if it is too wide."""
    width = max(of.hi - of.lo + 1, 1)
    if width > MOST_BITS:
        raise NotNative(f"a set of {width} different members")
    return of.lo, width


def members_of(kind: Type) -> Elem | Int | None:
    """Of what the members of a set are; None of what is no set."""
    match kind:
        case SetOf(of):
            return of
        case Bool() | Int() | Elem() | Maybe() | Many():
            return None
        case _:
            assert_never(kind)


def stored_bits(kind: Type) -> int:
    """How many bits an entry of a type takes in memory; a whole number of bytes. `NotNative` for what has no room."""
    match kind:
        case Bool():
            return 8
        case Int(lo, hi) | Elem(_, lo, hi):
            return _bits_of(lo, hi)
        case Maybe(of):
            bits = _bits_of(of.lo - 1, of.hi)  # nothing is the lowest number of its width
            if bits > 64:
                raise NotNative("numbers that large, or none")
            return bits
        case SetOf(of):
            _, width = universe(of)
            return next((bits for bits in (8, 16, 32, 64) if width <= bits), -(-width // 64) * 64)
        case Many(_, most):
            return 16 * (1 + most)
        case _:
            assert_never(kind)


def word_bits(lo: int, hi: int) -> int:
    """In how many bits numbers from lo to hi are computed."""
    return max(64, _bits_of(lo, hi)) if lo <= hi else 64


def _bits_of(lo: int, hi: int) -> int:
    for bits in (8, 16, 32, 64, 128, 256, 512, 1024):
        if -(1 << bits - 1) < lo and hi < 1 << bits - 1 and (bits != 64 or (lo > -LARGEST and hi < LARGEST)):
            return bits
    raise NotNative("numbers of more than 300 digits")
