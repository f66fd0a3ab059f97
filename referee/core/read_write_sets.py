"""What a piece of core or flow reads and writes: names of variables and zones, and of locals."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Connected, Fold, Get, Let, Local, Place, Split, Where
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, offered
from referee.core.ruleset import WINNERS, Role
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import statements, walk

NOTHING: frozenset[str] = frozenset()


def locals_of(node: object) -> frozenset[str]:
    """Every local that is read anywhere in a node of the core, whoever binds it."""
    return frozenset(one.name for one in walk(node, Local))


def locals_bound_in(node: object) -> frozenset[str]:
    """Every local that some part of a node of the core binds itself."""
    found = {one.var for one in walk(node, Fold, Where, Let)} | {one.var for one in walk(node, Connected, Each)}
    found |= {one.here for one in walk(node, Connected)} | {one.rest for one in walk(node, Split)}
    return frozenset(found | {one.name for one in walk(node, Bind)})


def variables_of(node: object) -> frozenset[str]:
    """Every variable that is read anywhere in a node of the core."""
    return frozenset(one.var for one in walk(node, Get))


def places_of(node: object) -> frozenset[str]:
    """Every zone that is named anywhere in a node of the core."""
    return frozenset(one.zone for one in walk(node, Place))


def reads(node: object) -> frozenset[str]:
    """The variables and zones that an expression, guard, statement or block looks at.

    The zones that a statement moves components between are among them: it looks whether they are there.
    """
    return variables_of(node) | places_of(node)


def writes(stmt: Stmt) -> frozenset[str]:
    """The variables and zones that a single statement changes; of a compound one, none of its own.

    What actions change that a statement has carried out (`Decide`, `Commit`, `Chance`), and procedures (`Call`), is
    said by their bodies; of a group the variables that keep what is chosen are its own.
    """
    match stmt:
        case Put(var):
            return frozenset((var,))
        case Move(_, _, source, to):
            return frozenset((source.zone, to.zone))
        case Merge(to, sources):
            return frozenset((to.zone, *(s.zone for s in sources)))
        case Swap(one, other):
            return frozenset((one.zone, other.zone))
        case Finish():
            return frozenset((WINNERS,))
        case Commit(_, parts):
            return frozenset(name for part in parts for name in part.into)
        case Bind() | Branch() | Each() | Repeat() | Decide() | Chance() | Unspecified() | Call():
            return NOTHING
        case _:
            assert_never(stmt)


def block_writes(block: Block) -> frozenset[str]:
    """The variables and zones that the statements of a block change, those in the blocks inside it too."""
    return NOTHING.union(*map(writes, statements(block)))


def changes(node: Node) -> frozenset[str]:
    """The variables, registers and zones that a node of a flow may change, whatever happens at it."""
    match node:
        case Run(body):
            return block_writes(body)
        case Fork():
            return NOTHING
        case Ask() | Gather() | Draw():
            pending = (node.pending,) if isinstance(node, Gather) else ()
            return frozenset((*pending, *(register for one in offered(node) for register, _ in one.stores)))
        case Rule(into=into):
            return NOTHING if into is None else frozenset((into,))
        case _:
            assert_never(node)


def unchanging(flow: Flow) -> frozenset[str]:
    """The variables that hold from the first node to the last what a game begins with: no node changes them."""
    return frozenset(flow.vars).difference(*map(changes, flow.nodes))


def left_behind(flow: Flow) -> frozenset[str]:
    """The registers that say nothing any more once the game is over: no score looks at them."""
    score = NOTHING if flow.core.score is None else variables_of(flow.core.score.value)
    return frozenset(name for name, var in flow.vars.items()
                     if var.role in (Role.REGISTER, Role.COUNTER) and name not in score)
