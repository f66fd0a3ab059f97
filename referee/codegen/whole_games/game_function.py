"""What is kept of a function of whole games: its code, the objects it uses, and how a position is told to it."""

from __future__ import annotations

from typing import Any, NamedTuple

Kind = tuple[tuple[str, ...], tuple[bool, ...]]
"""Label and arguments of events, and which arguments are several components."""


class GameFunction(NamedTuple):
    """`code`: as `marshal` writes it; `objects`: what it uses, by name; `kinds`: of events, by number; `width`: how
    many arguments a row has; `places`: the nodes at which it can begin, by number; `sets`, `truths`: the entries that
    are sets, or true or false; `spots`: of zones on spots the entry, the first and the last spot; `counted`: the
    entries that are bags of which it is kept how many of each class lie there; `classes`: how many classes there are.
    """

    code: bytes
    objects: dict[str, Any]
    kinds: dict[Kind, int]
    width: int
    places: dict[int, int]
    sets: tuple[int, ...]
    truths: tuple[int, ...]
    spots: tuple[tuple[int, int, int], ...]
    counted: tuple[int, ...]
    classes: int
