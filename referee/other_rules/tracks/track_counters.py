"""Which counters say where players stand on a track."""

from __future__ import annotations

from referee.core.expr import Const, Get, Look, Op, Operator
from referee.core.ruleset import Core, Role
from referee.core.stmt import Block, Put
from referee.core.traverse import bodies, itself, statements, walk
from referee.core.types import PLAYER, Elem, Int

LEAST_PLACES = 5
"""A track has at least so many places."""


def track_counters(core: Core) -> frozenset[str]:
    """The counters of players that are raised and whose single values mean something: a place on a track has an effect
    of its own, or is looked up in a table."""
    own = {name for name, var in core.vars.items() if var.role is Role.STATE and len(var.keys) == 1
           and any(kind.hi - kind.lo >= LEAST_PLACES for kind in walk(var.type, Int))
           and any(one.domain == PLAYER for one in walk(var.keys[0], Elem))}  # fmt: skip
    play = (core.main, *(one.body for one in core.actions.values()), *(one.body for one in core.procedures.values()))
    moved = {put.var for body in bodies(core) for put in statements(body, Put) if put.var in own and is_moved(put)}
    return frozenset(name for name in moved if any(_is_looked_up(body, name, core) for body in play))


def is_moved(put: Put) -> bool:
    """Whether a statement raises what it stores."""
    return any(one.op is Operator.ADD and any(get.var == put.var and get.keys == put.keys
                                              for get in itself(one.args[0], Get))
               for one in walk(put.value, Op))  # fmt: skip


def _is_looked_up(block: Block, name: str, core: Core) -> bool:
    ends = [end for kind in walk(core.vars[name].type, Int) for end in (kind.lo, kind.hi)]
    for one in walk(block, Op):
        if one.op is Operator.EQ and _is_of(one.args[0], name) and any(
                value.value not in ends for value in walk(one.args[1], Const)):  # fmt: skip
            return True
    return any(_is_of(key, name) for one in walk(block, Look) for key in one.keys)


def _is_of(value: object, name: str) -> bool:
    return any(one is value and one.var == name for one in walk(value, Get))
