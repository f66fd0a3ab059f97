"""What a piece of core or flow reads and writes: names of variables and zones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.blocks import statements
from referee.core.expr import Get, Place
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
from referee.core.reads import nodes_of
from referee.core.ruleset import WINNERS
from referee.core.stmt import Finish, Merge, Move, Put, Stmt


def reads(node: object) -> frozenset[str]:
    """The variables and zones that an expression, guard, statement or block looks at."""
    found = (one for one in nodes_of(node) if isinstance(one, Get | Place))
    return frozenset(one.var if isinstance(one, Get) else one.zone for one in found)


def writes(stmt: Stmt) -> frozenset[str]:
    """The variables and zones that a single statement changes; of a compound one, none of its own."""
    match stmt:
        case Put(var):
            return frozenset((var,))
        case Move(_, _, source, to):
            return frozenset((source.zone, to.zone))
        case Merge(to, sources):
            return frozenset((to.zone, *(s.zone for s in sources)))
        case _:
            return frozenset()


def changes(node: Node) -> frozenset[str]:
    """The variables, registers and zones that a node of a flow may change, whatever happens at it."""
    match node:
        case Run(body):
            ended = (WINNERS,) if any(isinstance(stmt, Finish) for stmt in statements(body)) else ()
            return frozenset(ended).union(*map(writes, statements(body)))
        case Fork():
            return frozenset()
        case Ask() | Gather() | Draw():
            pending = (node.pending,) if isinstance(node, Gather) else ()
            return frozenset((*pending, *(register for one in _alternatives(node) for register, _ in one.stores)))
        case Rule(into=into):
            return frozenset() if into is None else frozenset((into,))
        case _:
            assert_never(node)


def _alternatives(node: Ask | Gather | Draw) -> Iterator[Alternative]:
    match node:
        case Ask():
            yield from node.alternatives
        case Gather():
            yield from (one for _, one in node.parts)
        case Draw():
            yield node.alternative


def unchanging(flow: Flow) -> frozenset[str]:
    """The variables that hold from the first node to the last what a game begins with: no node changes them."""
    return frozenset(flow.vars).difference(*map(changes, flow.nodes))
