"""Expressions as functions: the types, and who turns one into the other.

Every kind of node is looked at once, when the rules are loaded; in play only functions call functions. That is several
times faster than walking the nodes anew for every event, and as easy to read: one case for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from referee.core.expr import Domainlike, Expr
from referee.game.state import Layout

Slots = list[Any]
"""The entries of a position, in the order of the layout."""
Env = dict[Any, Any]
"""Locals: those of bodies and parameters by name, those bound inside an expression by a number of their own."""
Fn = Callable[[Slots, Env], Any]
"""The value of an expression at a position. Raises `Fault` and `Unsettled`."""
Many = Callable[[Slots, Env], Sequence[int]]
"""The members of a source at a position, in order."""
Index = Callable[[Slots, Env], int]
"""Where an entry of an array lies. Raises `Fault` RT01 for a key out of range."""
Scope = Mapping[str, int]
"""The locals bound inside an expression, with their numbers."""
NOTHING: Scope = {}


class Compiler(Protocol):
    """What turns nodes into functions for one layout. `wary`: a value may be one that hangs on something that is not
    known, and so nothing without being the one nothing that there is."""

    layout: Layout
    wary: bool

    def expr(self, expr: Expr, scope: Scope = NOTHING) -> Fn:
        """An expression as a function."""

    def source(self, source: Domainlike, scope: Scope = NOTHING) -> Many:
        """A source as a function: its members in order, alike ones as often as they are there."""

    def bind(self, name: str, scope: Scope) -> tuple[int, Scope]:
        """A new number for a local, and the scope with it."""
