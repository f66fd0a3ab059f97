"""How large the course of a game becomes when everything is written out where it is used, before it is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

MOST_PARTS = 300_000
"""Parts of statements and values, all told."""
MOST_CALLS = 30
"""Procedures and actions within each other."""

Name = TypeVar("Name", bound=Hashable)
_HARMLESS = frozenset({"origin", "span", "type"})


def parts(node: object, most: int = MOST_PARTS) -> int:
    """The number of nodes in a piece of core, each counted wherever it stands; counts no further than `most` + 1."""
    count, stack = 0, [node]
    while stack and count <= most:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        elif hasattr(part, "__dataclass_fields__"):
            count += 1
            stack.extend(getattr(part, name) for name in part.__dataclass_fields__ if name not in _HARMLESS)
    return count


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


def too_large(uses: Mapping[Name, Sequence[Name]], own: Mapping[Name, int]) -> tuple[Name, str] | None:
    """The first name that becomes too large, and how; None if none does.

    `uses`: what each leads to, as often as it does; `own`: the parts of its own body.
    """
    whole: dict[Name, int] = {}
    deep: dict[Name, int] = {}
    for name in in_order(uses):
        whole[name] = own[name] + sum(whole[other] for other in uses[name])
        deep[name] = 1 + max((deep[other] for other in uses[name]), default=0)
        if whole[name] > MOST_PARTS:
            return name, f"written out, this has more than {MOST_PARTS:,} parts"
        if deep[name] > MOST_CALLS:
            return name, f"more than {MOST_CALLS} procedures and actions stand within each other here"
    return None
