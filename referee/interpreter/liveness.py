"""What a point of a flow needs to know of the way that led to it: the registers that are read later on."""

from __future__ import annotations

from math import prod
from typing import assert_never

from referee.core.expr import Const, Expr
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, ways_on
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import TURN, Key, Role
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
from referee.core.types import size

Names = frozenset[str]
_NONE: Names = frozenset()


class Needs:
    """Which registers matter at each node of a flow; whose turn it is counts as one, and so do the rounds of loops."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self._told = frozenset(name for name, var in flow.vars.items()
                               if var.role in (Role.REGISTER, Role.COUNTER) or name == TURN)
        self._before: list[Names] = [_NONE] * len(flow.nodes)
        self._reads: dict[int, Names] = {}  # by identity: the flow keeps its nodes
        self._settle()

    def at(self, index: int) -> Names:
        """The registers whose value at a node may be read later."""
        return self._before[index]

    def told(self, name: str) -> bool:
        """Whether a variable is one of these."""
        return name in self._told

    def before(self, block: Block, after: Names) -> Names:
        """What matters before a block, given what matters after it.

        An array of which one entry after the other is filled, by constant keys, and none read meanwhile, is filled.
        """
        filled: dict[str, set[Key]] = {}
        for stmt in reversed(block):
            after = self._stmt(stmt, after)
            read = self.reads(stmt)
            for name in read:
                filled.pop(name, None)
            if isinstance(stmt, Put) and stmt.var not in read and (key := constant(stmt.keys)) is not None:
                filled.setdefault(stmt.var, set()).add(key)
                if len(filled[stmt.var]) == self.entries(stmt.var):
                    after -= {stmt.var}
        return after

    def entries(self, name: str) -> int:
        """How many entries a variable has."""
        return prod(size(key) for key in self.flow.vars[name].keys)

    def _settle(self) -> None:
        """From the nodes backwards until nothing changes: what is needed only grows."""
        ways: list[list[int]] = [[] for _ in self.flow.nodes]
        for index, node in enumerate(self.flow.nodes):
            for after in ways_on(node):
                ways[after].append(index)
        waiting = dict.fromkeys(reversed(range(len(self.flow.nodes))))
        while waiting:
            index = next(iter(waiting))
            del waiting[index]
            needed = self._node(self.flow.nodes[index])
            if needed != self._before[index]:
                self._before[index] = needed
                waiting.update(dict.fromkeys(ways[index]))

    def _node(self, node: Node) -> Names:
        match node:
            case Run(body, following):
                return self.before(body, self.at(following))
            case Fork(cond, yes, no):
                return self.reads(cond) | self.at(yes) | self.at(no)
            case Ask(_, actor, alternatives, otherwise):
                offered = [self._offered(one) for one in alternatives]
                last = _NONE if otherwise is None else self.at(otherwise)
                return self.reads(actor).union(last, *offered)
            case Gather(_, parts, pending):
                stored = {register for _, one in parts for register, _ in one.stores}
                offered = [self.reads(actors) | self._offered(one) for actors, one in parts]
                asked = self.reads(tuple((actors, one.params, one.guards, one.fixed) for actors, one in parts))
                return asked | (_NONE.union(*offered) - stored - {pending})
            case Draw(_, alternative):
                return self._offered(alternative)
            case Rule(_, _, candidates, _, into, following):
                return self.reads(candidates) | (self.at(following) - {into or ""})
            case _:
                assert_never(node)

    def _offered(self, one: Alternative) -> Names:
        stored = {register for register, _ in one.stores}
        return self.reads((one.params, one.guards, one.fixed)) | (self.at(one.next) - stored)

    def _stmt(self, stmt: Stmt, after: Names) -> Names:
        match stmt:
            case Put(var, keys, value):
                kept = after if keys else after - {var}
                return kept | self.reads((keys, value))
            case Branch(cond, yes, no):
                return self.reads(cond) | self.before(yes, after) | self.before(no, after)
            case Each(_, source, body):
                return self.reads(source) | after | self.before(body, after)
            case (Move() | Merge() | Swap() | Finish() | Bind() | Repeat() | Decide() | Commit() | Chance()
                  | Unspecified() | Call()):
                return after | self.reads(stmt)
            case _:
                assert_never(stmt)

    def reads(self, node: object) -> Names:
        """What a node of the flow reads, of what a position may tell. It is asked for again and again."""
        if isinstance(node, tuple):
            return _NONE.union(*map(self.reads, node))
        known = self._reads.get(id(node))
        if known is None:
            known = self._reads[id(node)] = variables_of(node) & self._told
        return known


def constant(keys: tuple[Expr, ...]) -> Key | None:
    """The keys, if they are constants that stand in the rules."""
    values = tuple(key.value for key in keys if isinstance(key, Const))
    return tuple(int(value) for value in values if isinstance(value, int)) if len(values) == len(keys) else None
