"""What a player may be told: whether an expression reads only what he sees."""

from __future__ import annotations

from referee.core.expr import Const, Expr, Get, Local, Place
from referee.core.flow import Flow
from referee.core.traverse import walk
from referee.engine.offer import ME

HIDDEN = "hidden"


class Sight:
    """What one player sees, judged by the text of the rules alone: in doubt, he does not see it."""

    def __init__(self, flow: Flow, viewer: int | None) -> None:
        """`viewer`: a seat, or None for somebody who sees everything."""
        self._flow = flow
        self._viewer = viewer

    def of_actor(self, actor: int) -> bool:
        """Whether what an actor may do can be told."""
        return self._viewer is None or self._viewer == actor

    def open(self, expr: Expr, actor: int) -> bool:
        """Whether the value of an expression can be told; `actor` is who is meant by `me` in it."""
        return self._viewer is None or all(self._open(node, actor) for node in walk(expr))

    def _open(self, node: object, actor: int) -> bool:
        match node:
            case Get(var, keys):
                owner = self._flow.vars[var].seen_by
                return owner is None or self._is_viewer(keys[owner], actor)
            case Place(zone, keys):
                sight = self._flow.core.zones[zone].sight
                return sight.everybody or any(self._is_viewer(keys[owner], actor) for owner in sight.owners)
            case _:
                return True

    def _is_viewer(self, key: Expr, actor: int) -> bool:
        match key:
            case Const(value):
                return value == self._viewer
            case Local(name):
                return name == ME and actor == self._viewer
            case _:
                return False
