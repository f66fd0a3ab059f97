"""What is left of the rules once some values are known: conditions that are decided then, and what lies behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.decided_values import Known, decided
from referee.core.expr import And, Get, If, Op, Or
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
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
    Origin,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import children, walk


class Left:
    """The nodes and statements that games can come to, and the alternatives that they can take, given what is known."""

    def __init__(self, flow: Flow, known: Known) -> None:
        self._flow, self._known = flow, known
        self.nodes = self._reached()

    def _reached(self) -> frozenset[int]:
        found, waiting = {self._flow.start}, [self._flow.start]
        while waiting:
            for after in self._after(self._flow.nodes[waiting.pop()]):
                if after not in found:
                    found.add(after)
                    waiting.append(after)
        return frozenset(found)

    def _after(self, node: Node) -> Iterator[int]:
        match node:
            case Fork():
                test = decided(node.cond, self._known)
                if test is None or test.value:
                    yield node.yes
                if test is None or not test.value:
                    yield node.no
            case Ask():
                yield from (one.next for one in node.alternatives if self.possible(one))
                if node.otherwise is not None:
                    yield node.otherwise
            case Draw():
                if self.possible(node.alternative):
                    yield node.alternative.next
            case Run() | Gather() | Rule():
                yield node.next

    def possible(self, one: Alternative) -> bool:
        """False if a guard of an alternative surely fails."""
        tests = [decided(guard.cond, self._known) for guard in one.guards]
        return all(test is None or test.value for test in tests)

    def parts(self) -> Iterator[object]:
        """Everything that is left, piece by piece: what is read, and where it comes from."""
        for at in sorted(self.nodes):
            node = self._flow.nodes[at]
            match node:
                case Run():
                    yield from self._statements(node.body)
                case Fork():
                    if decided(node.cond, self._known) is None:
                        yield node.cond
                        yield node.origin
                case Ask():
                    yield node.point
                    yield node.actor
                    yield from (one for one in node.alternatives if self.possible(one))
                case Gather() | Draw() | Rule():
                    yield node
                case _:
                    assert_never(node)

    def _statements(self, block: Block) -> Iterator[object]:
        for stmt in block:
            yield from self._statement(stmt)

    def _statement(self, stmt: Stmt) -> Iterator[object]:
        match stmt:
            case Branch():
                test = decided(stmt.cond, self._known)
                if test is None:
                    yield stmt.cond
                    yield stmt.origin
                if test is None or test.value:
                    yield from self._statements(stmt.yes)
                if test is None or not test.value:
                    yield from self._statements(stmt.no)
            case Each():
                yield stmt.source
                yield stmt.origin
                yield from self._statements(stmt.body)
            case (Put() | Move() | Merge() | Swap() | Bind() | Repeat() | Decide() | Commit() | Chance() | Unspecified()
                  | Finish() | Call()):
                yield stmt
            case _:
                assert_never(stmt)

    def reads(self, name: str) -> bool:
        """True if anything that is left depends on a variable."""
        return any(_mentions(part, name, self._known) for part in self.parts())

    def cites(self) -> frozenset[str]:
        """The statements of the rulebook that something is left of."""
        core = self._flow.core
        return frozenset(cite for part in self.parts() for cite in core.statements_in(_cites(part)))


def _mentions(node: object, name: str, known: Known) -> bool:
    """Whether a variable is read in a node, outside what is decided without it."""
    if isinstance(node, Get) and node.var == name:
        return True
    if isinstance(node, And | Or | If | Op) and decided(node, known) is not None:
        return False
    if isinstance(node, If):
        test = decided(node.cond, known)
        if test is not None:
            return _mentions(node.yes if test.value else node.no, name, known)
    return any(_mentions(part, name, known) for part in children(node))


def _cites(node: object) -> Iterator[str]:
    for one in walk(node):
        origin = one if isinstance(one, Origin) else getattr(one, "origin", None)
        if isinstance(origin, Origin):
            yield from origin.cites
