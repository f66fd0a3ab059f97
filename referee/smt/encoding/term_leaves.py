"""The leaves of values and contents: conditions and numbers, each changed by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from referee.smt.encoding.content import Content, LineContent, Pile, Slots
from referee.smt.value import Bits, Counts, Opt, Sym

_Entry = TypeVar("_Entry", Sym, Content)


def changed(entry: Any, change: Callable[[Any], Any]) -> Any:
    """The same entry with every leaf changed, in a fixed order."""
    match entry:
        case Opt(has, value):
            return Opt(change(has), change(value))
        case Bits(lo, bits):
            return Bits(lo, tuple(change(bit) for bit in bits))
        case Counts(lo, counts):
            return Counts(lo, tuple(change(n) for n in counts))
        case LineContent(items, length):
            return LineContent(tuple(change(item) for item in items), change(length))
        case Slots(spots):
            return Slots(tuple(changed(one, change) for one in spots))
        case Pile(blocks):
            return Pile(tuple(changed(block, change) for block in blocks))
        case _:  # a condition or a number: mypy does not know the classes of z3
            return change(entry)
