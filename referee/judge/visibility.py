"""What a player may be told: whether an expression reads only what he sees."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Place,
    Split,
    Where,
)
from referee.core.flow import Flow
from referee.core.secrecy import secret_variables
from referee.core.traverse import walk
from referee.interpreter.offers import ME

HIDDEN = "hidden"


class PlayerSight:
    """What one player sees, judged by the text of the rules alone: in doubt, he does not see it."""

    def __init__(self, flow: Flow, viewer: int | None) -> None:
        """`viewer`: a seat, or None for somebody who sees everything."""
        self._flow = flow
        self._viewer = viewer

    @cached_property
    def _secret(self) -> frozenset[str]:
        return secret_variables(self._flow)

    @property
    def all(self) -> bool:
        """Whether nothing is kept from the viewer."""
        return self._viewer is None

    def of_actor(self, actor: int) -> bool:
        """Whether what an actor may do can be told."""
        return self._viewer is None or self._viewer == actor

    def open(self, expr: Expr | Domainlike, actor: int, unseen: Collection[str] = ()) -> bool:
        """Whether the value of an expression or a source can be told; `actor` is who is meant by `me` in it, `unseen`
        are the locals that stand for what the viewer did not see."""
        return self._viewer is None or all(
            self._open(node, actor, unseen) for node in walk(expr) if isinstance(node, Expr | Place))

    def _open(self, node: Expr | Place, actor: int, unseen: Collection[str]) -> bool:
        match node:
            case Get(var, keys):
                owner = self._flow.vars[var].seen_by
                return var not in self._secret or (owner is not None and self._is_viewer(keys[owner], actor))
            case Place(zone, keys):
                sight = self._flow.core.zones[zone].sight
                if sight.others:
                    return all(self._is_another(keys[owner], actor) for owner in sight.owners)
                return sight.everybody or any(self._is_viewer(keys[owner], actor) for owner in sight.owners)
            case Local(name):
                return name not in unseen
            case (Const() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split()
                  | Let() | Only() | After()):
                return True  # of what stands in it each is asked by itself
            case _:
                assert_never(node)

    def _is_another(self, key: Expr, actor: int) -> bool:
        """Whether a key is surely a player, and the viewer, who sits somewhere, surely another one."""
        assert self._viewer is not None
        match key:
            case Const(value):
                return value is not None and value != self._viewer >= 0
            case Local(name):
                return name == ME and 0 <= self._viewer != actor >= 0
            case (Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split()
                  | Let() | Only() | After()):
                return False
            case _:
                assert_never(key)

    def _is_viewer(self, key: Expr, actor: int) -> bool:
        match key:
            case Const(value):
                return value == self._viewer
            case Local(name):
                return name == ME and actor == self._viewer
            case (Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split()
                  | Let() | Only() | After()):
                return False
            case _:
                assert_never(key)
