"""How large the course of a game becomes when everything is written out where it is used, before it is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from referee.core.stmt import Block
from referee.core.traverse import nested, walk

MOST_PARTS = 300_000
"""Parts of statements and values, all told."""
MOST_DEEP = 80
"""Blocks within each other."""


class Size(NamedTuple):
    """The parts of a body, and the blocks within each other in it."""

    parts: int
    deep: int


Name = TypeVar("Name", bound=Hashable)


def parts(node: object, most: int = MOST_PARTS) -> int:
    """The number of nodes in a piece of core, each counted wherever it stands; counts no further than `most` + 1."""
    return sum(1 for _ in islice(walk(node), most + 1))


def in_order(uses: Mapping[Name, Sequence[Name]]) -> Iterator[Name]:
    """Every name after those that it uses; there is no circle among them."""
    done: set[Name] = set()
    todo = [(name, False) for name in reversed(list(uses))]
    while todo:
        name, leaving = todo.pop()
        if name in done:
            continue
        if leaving:
            done.add(name)
            yield name
        else:
            todo.append((name, True))
            todo.extend((other, False) for other in uses[name] if other not in done)


def deepest(block: Block) -> int:
    """The most blocks within each other."""
    return max((around for _, around in nested(block)), default=0)


def too_large(uses: Mapping[Name, Sequence[tuple[Name, int]]], own: Mapping[Name, Size]) -> tuple[Name, str] | None:
    """The first name that becomes too large when all that it leads to is written out, and how; None if none does.

    `uses`: what each leads to, as often as it does, with the number of blocks around; `own`: the size of its own body.
    """
    whole: dict[Name, Size] = {}
    for name in in_order({name: [other for other, _ in led_to] for name, led_to in uses.items()}):
        size = own[name].parts + sum(whole[other].parts for other, _ in uses[name])
        deep = max([own[name].deep, *(around + 1 + whole[other].deep for other, around in uses[name])])
        whole[name] = Size(size, deep)
        if size > MOST_PARTS:
            return name, f"written out, this has more than {MOST_PARTS:,} parts"
        if deep > MOST_DEEP:
            return name, f"written out, this has more than {MOST_DEEP} blocks within each other"
    return None
