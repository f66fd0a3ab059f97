"""Loops over members that the rules put into no order: where that matters, the table says which is next.

It matters where somebody decides in the loop, and where one round may change what another sees or leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from referee.core.expr import All, Const, Expr, Get, Local, Members, Numbers, Op, Operator, Where, Within
from referee.core.ruleset import Form, Role, Var
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
    Gap,
    Merge,
    Move,
    Origin,
    Point,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import statements, with_blocks
from referee.core.types import COMPONENT, Elem, Int, SetOf
from referee.frontend.desugaring.commutation import Commuting
from referee.frontend.expressions import typed_operators
from referee.frontend.names.free_locals import local_types
from referee.frontend.names.symbol_table import Symbols

QUESTION = "the rules do not say in which order: which is next?"


class Orders:
    """Finds such loops once all blocks are lowered, and lets the table choose in them."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._names: dict[Origin, tuple[str, str]] = {}
        self._deciding: set[str] = set()
        self._commuting = Commuting(symbols)
        while more := {n for n, p in symbols.procedures.items() if self._asks(p.body)} - self._deciding:
            self._deciding |= more

    def settle(self) -> None:
        """Goes through every block of the ruleset."""
        symbols = self._symbols
        symbols.setup, symbols.main = self.block(symbols.setup, "setup"), self.block(symbols.main, "play")
        symbols.actions = {n: replace(a, body=self.block(a.body, n)) for n, a in symbols.actions.items()}
        symbols.procedures = {n: replace(p, body=self.block(p.body, n)) for n, p in symbols.procedures.items()}

    def block(self, block: Block, owner: str) -> Block:
        """A block of a declaration, with the choices of the table in it."""
        return tuple(made for stmt in block for made in self._stmt(stmt, owner))

    def is_open(self, stmt: Each) -> bool:
        """Whether the table says in which order a loop goes through its members."""
        return self._asked_for(stmt) is not None

    def _asked_for(self, stmt: Each) -> Elem | None:
        """What the table chooses from in a loop, if the order is its to say."""
        kind = local_types(stmt.body).get(stmt.var)
        return kind if isinstance(kind, Elem) and self._unordered(stmt) and self._matters(stmt) else None

    def _stmt(self, stmt: Stmt, owner: str) -> Iterator[Stmt]:
        match stmt:
            case Each():
                inner = with_blocks(stmt, lambda block: self.block(block, owner))
                kind = self._asked_for(stmt)
                if kind is not None:
                    yield from self._chosen(inner, kind, owner)
                else:
                    yield inner
            case (
                Put() | Move() | Merge() | Swap() | Bind() | Branch() | Repeat() | Decide() | Commit() | Chance()
                | Unspecified() | Finish() | Call()
            ):
                yield with_blocks(stmt, lambda block: self.block(block, owner))
            case _:
                assert_never(stmt)

    def _asks(self, block: Block) -> bool:
        called = (call.procedure for call in statements(block, Call))
        return any(True for _ in statements(block, Decide, Commit)) or any(name in self._deciding for name in called)

    def _matters(self, stmt: Each) -> bool:
        """True if somebody is asked in a loop, or if what its rounds leave may depend on which comes first."""
        if self._asks(stmt.body):
            return True
        return stmt.origin in self._symbols.loops and not self._commuting.rounds(stmt.body, stmt.var)

    def _unordered(self, stmt: Each) -> bool:
        """True for players without a first one, and for other members that have no order of their own."""
        if self._symbols.loops.get(stmt.origin, False):
            return True
        match stmt.source:
            case All(of, first):  # from a first one on it has an order
                return first is None and isinstance(of, Elem) and not self._ordered(of)
            case Members(of, first):
                kind = of.type.of if isinstance(of.type, SetOf) else None
                return first is None and isinstance(kind, Elem) and not self._ordered(kind)
            case Within(place):
                return self._symbols.zones[place.zone].form is not Form.LINE
            case Numbers():  # one after the other
                return False
            case _:
                assert_never(stmt.source)

    def _ordered(self, kind: Elem) -> bool:
        if kind.domain == COMPONENT:
            return any(k.ordered and k.lo <= kind.lo and kind.hi <= k.hi for k in self._symbols.kinds.values())
        return self._symbols.domains[kind.domain].ordered

    def _chosen(self, stmt: Each, kind: Elem, owner: str) -> Iterator[Stmt]:
        """As long as members are left, the table takes one (the last by itself), and the block is carried out."""
        whole = SetOf(kind)
        name, kept = self._named(stmt, whole, owner)
        left: Expr = Get(kept, (), whole)
        size = Op(Operator.SIZE, (left,), Int(0, kind.hi - kind.lo + 1))
        taken = Op(Operator.MINUS, (left, typed_operators.singleton(Local(stmt.var, kind))), whole)
        ask = Unspecified(Point(name, False, stmt.origin), QUESTION, stmt.var, kind, Members(left), Gap.ORDER)
        yield Put(kept, (), Where(stmt.var, stmt.source, None, whole), stmt.origin)
        none = typed_operators.equal(size, Const(0, Int(0, 0)))
        yield Repeat(none, (ask, Put(kept, (), taken, stmt.origin), *stmt.body), None, stmt.origin)

    def _named(self, stmt: Each, kind: SetOf, owner: str) -> tuple[str, str]:
        """The names of the point and of the register. What is woven in stands in many places, and is one point."""
        if stmt.origin not in self._names:
            name = self._symbols.point(f"{owner}.order")
            kept = self._symbols.numbered(name, self._symbols.vars, " ")
            self._symbols.vars[kept] = Var(kept, (), kind, frozenset(), Role.REGISTER, stmt.origin)
            self._names[stmt.origin] = name, kept
        return self._names[stmt.origin]
