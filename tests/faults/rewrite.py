"""Rules changed in one respect: every node of a core may be put in another's place, or be taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from referee.core.ruleset import Core
from referee.core.stmt import Action, Origin, Procedure

Change = Callable[[object], object]
"""What becomes of a node whose parts have been changed already; of a statement, maybe a tuple of statements."""
NOT_RULES = frozenset({"origin", "span", "type", "shows", "text", "point"})
"""Parts of a node that say where it stands or what people are shown, and types."""


def changed(node: Any, change: Change) -> Any:
    """A node with a change made to everything in it, inner ones first. In a row of nodes several may take the place of
    one. What is not changed stays the same object."""
    if isinstance(node, tuple):
        found: list[Any] = []
        for part in node:
            new = changed(part, change)
            found.extend(new if isinstance(new, tuple) and not isinstance(part, tuple) else (new,))
        return node if len(found) == len(node) and all(map(_is, found, node)) else tuple(found)
    if not hasattr(node, "__dataclass_fields__"):
        return node
    parts = {name: changed(getattr(node, name), change) for name in node.__dataclass_fields__ if name not in NOT_RULES}
    new = {name: part for name, part in parts.items() if part is not getattr(node, name)}
    return change(replace(node, **new) if new else node)


def _is(one: object, other: object) -> bool:
    return one is other


def in_core(core: Core, change: Change) -> Core:
    """Rules in which what is done and what is asked before it has been changed; what always holds stays."""
    setup, play = changed(core.main[:core.setup], change), changed(core.main[core.setup:], change)
    return replace(
        core, main=(*setup, *play), setup=len(setup),
        actions={name: changed(one, change) for name, one in core.actions.items()},
        procedures={name: changed(one, change) for name, one in core.procedures.items()},
        watched={name: changed(one, change) for name, one in core.watched.items()})


def told(core: Core) -> Iterator[tuple[str, Origin, Any]]:
    """Every node of what is done: whose it is (an action, a procedure, `play`), where it stands, the node."""
    owners: tuple[tuple[str, Action | Procedure], ...] = (*core.actions.items(), *core.procedures.items())
    for name, one in owners:
        yield from _within(name, one.origin, one)
    yield from _within("play", Origin(core.origin), core.main)


def _within(owner: str, origin: Origin, node: Any) -> Iterator[tuple[str, Origin, Any]]:
    if isinstance(node, tuple):
        for part in node:
            yield from _within(owner, origin, part)
    elif hasattr(node, "__dataclass_fields__"):
        origin = getattr(node, "origin", None) or origin
        yield owner, origin, node
        for name in node.__dataclass_fields__:
            if name not in NOT_RULES:
                yield from _within(owner, origin, getattr(node, name))
