"""What is offered at a node: the alternatives that an event may mean, what of it is kept, and where it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from referee.core.expr import Expr
from referee.core.flow import Alternative, Ask, Draw, Fork, Gather, Node, OfferNode, Rule, Run, offered, ways_on
from referee.interpreter.offers import ME

MOST_NODES = 40
"""So many nodes are in one function at most."""


def successors(node: Node) -> tuple[int, ...]:
    """Where a node may go on, once for each place in the source that does."""
    match node:
        case Gather():
            return ways_on(node) * max(1, len(node.parts))
        case Run() | Fork() | Ask() | Draw() | Rule():
            return ways_on(node)
        case _:
            assert_never(node)


def choosers(node: OfferNode) -> Sequence[Expr]:
    """Who may take which alternative, where that differs."""
    match node:
        case Gather():
            return [actors for actors, _ in node.parts]
        case Ask() | Draw():
            return ()
        case _:
            assert_never(node)


def who_varies(node: OfferNode) -> bool:
    """Whether it hangs on the position who acts at a point."""
    match node:
        case Ask() | Gather():
            return True
        case Draw():
            return False
        case _:
            assert_never(node)


def groups(node: OfferNode) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Label and arguments of an event, in order, with the alternatives that may be meant."""
    found: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(offered(node)):
        found.setdefault((one.label, *logged(one)), []).append(number)
    meant = Counter((label, frozenset(args)) for label, *args in found)
    return {key: tuple(numbers) for key, numbers in found.items()
            if meant[key[0], frozenset(key[1:])] == 1 and len(set(key[1:])) == len(key) - 1}


def plain(node: OfferNode) -> bool:
    """True if each event that is offered is known by its label and arguments."""
    known = groups(node)
    return all((one.label, *logged(one)) in known for one in offered(node))


def once(node: OfferNode) -> bool:
    """True if no two ways of taking what is offered are the same event."""
    ways = offered(node)
    return len({one.label for one in ways}) == len(ways) and all(
        param.arg is not None for one in ways for param in one.params)


def stored(one: Alternative) -> list[str]:
    """What else than the actor an event keeps: fixed values and parameters, each once."""
    return list(dict.fromkeys(local for _, local in one.stores if local != ME))


def logged(one: Alternative) -> tuple[str, ...]:
    """The arguments of an event that takes an alternative."""
    return tuple(param.arg for param in one.params if param.arg is not None)
