"""Choices and rolls of set-up that the rules speak of later: which names they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.frontend.names.tree_access import nodes, words
from referee.syntax.syntax_tree import Node
from referee.syntax.tree_contents import contents

_CHOICES = ("choose", "choose_value", "roll")


def spoken_of_later(decls: Iterable[Node]) -> frozenset[str]:
    """The names of what is chosen or rolled on the lines of `setup` itself, that some other declaration uses.

    What only some may see keeps to set-up: its name would tell everybody.
    """
    listed = list(decls)
    chosen = {name for decl in listed if decl.kind == "setup" for name in _chosen(decl)}
    return frozenset(chosen & {name for decl in listed if decl.kind != "setup" for name in contents(decl).names})


def _chosen(setup: Node) -> Iterator[str]:
    for line in nodes(setup, "line"):
        for stmt in nodes(line, *_CHOICES):
            if not any(True for _ in nodes(stmt, "seen")):
                yield from (name.text for name in words(stmt, "NAME"))
        for stmt in nodes(line, "roll_off"):
            _, best = words(stmt, "NAME")
            yield best.text
