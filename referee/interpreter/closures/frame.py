"""A frame: the entries of one position while something is evaluated or performed, and the locals in scope."""

from __future__ import annotations

from typing import Any

from referee.core.expr import Domainlike, Expr
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env, Slots
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.source_closures import counts_once


class Frame:
    """`slots` is the frame's own list of entries; `env` holds the locals. Both change in place."""

    __slots__ = ("code", "env", "layout", "slots")

    def __init__(self, code: ExpressionClosures, slots: Slots) -> None:
        self.code = code
        self.layout = code.layout
        self.slots = slots
        self.env: Env = {}

    def evaluate(self, expr: Expr) -> Any:
        """The value of an expression here. Raises `Fault` and `Unsettled`."""
        return self.code.expr(expr)(self.slots, self.env)

    def members(self, source: Domainlike) -> tuple[int, ...]:
        """The members of a source here, in order, alike ones as often as they are there."""
        return tuple(self.code.source(source)(self.slots, self.env))

    def distinct(self, source: Domainlike) -> tuple[int, ...]:
        """The members of a source here, in order; alike ones in a zone once, unless it is a line."""
        found = self.members(source)
        return tuple(dict.fromkeys(found)) if counts_once(source, self.layout) else found

    def state(self, at: int) -> State:
        """The position, at a node."""
        return State(at, tuple(self.slots))
