"""What holds after an action: `needs ..., afterwards: C` looks at the position that its body and its triggers lead to.

While rules are read a call of the action stands for its body. Once hooks and triggers are woven in, and before the ends
of the game are, the body is written down there: calls in line, names of its own, nothing that asks anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn, TypeVar, assert_never

from referee.core.expr import After, Expr, Local, Numbers
from referee.core.read_write_sets import reads
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
    origin_of,
)
from referee.core.traverse import rewrite_each, rewrite_expressions, statements, walk
from referee.core.types import Bool, Int, Type
from referee.diagnostics.source import Span
from referee.flow.register_names import substitute
from referee.frontend.desugaring.insert_checks import everywhere
from referee.frontend.desugaring.unordered_loops import Orders
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.abilities import ability, asked_for
from referee.frontend.expressions.positions import NOTED, noting
from referee.frontend.names.free_locals import local_types
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported

T = TypeVar("T")
MOST_STATEMENTS = 2_000
"""So many statements are written down for one body."""
_BODY = "body of "
_UNPAID = "body but for what is paid of "
"""Stand before the name of an action in what stands for its body."""
_WHY = "what is tested afterwards is tested before anybody acts, so its body asks nobody and draws nothing"


def body_of(action: str, where: Origin, *, paid: bool = True) -> Block:
    """What stands for the body of an action until it is known; not `paid`: without what is paid in it."""
    return (Call(f"{_BODY if paid else _UNPAID}{action}", (), (), where),)


def _stood_for(expr: After) -> Call | None:
    """The call that stands for the body of an action."""
    return next((call for call in statements(expr.body, Call) if call.procedure.startswith((_BODY, _UNPAID))), None)


@dataclass(frozen=True, slots=True)
class _Unwritten:
    """Statements to be written down, and what the names in them stand for; `results`: names that outlast the block."""

    block: Block
    names: Mapping[str, Expr]
    results: Mapping[str, Local]


class Lookahead:
    """The bodies of a ruleset as they are now, for what is asked of the position after them.

    `final`: nothing is woven into them any more, so that nothing has to stand for them.
    """

    def __init__(self, symbols: Symbols, *, final: bool) -> None:
        self._symbols = symbols
        self._final = final
        self._actions = dict(symbols.actions)
        self._noting = noting(symbols) if final else self._actions
        self._procedures = dict(symbols.procedures)
        self._orders = Orders(symbols)
        self._open: list[str] = []
        self._made: dict[tuple[str, bool, bool], Block] = {}
        self._without: dict[int, tuple[object, bool]] = {}
        self._number = 0
        self._size = 0

    def settle(self) -> None:
        """Writes down what is asked of actions in every block, guard and argument. Raises Wrong."""
        symbols = self._symbols
        everywhere(symbols, self.filled)
        symbols.actions = {name: replace(one, params=self.filled(one.params), guards=self.filled(one.guards))
                           for name, one in symbols.actions.items()}
        if symbols.over is not None:
            symbols.over = self.filled(symbols.over)
        if symbols.position is not None:  # what is read after the actions asks for it again: scores, claims, scenarios
            symbols.position = self.filled(symbols.position)

    def reads(self, cond: Expr) -> frozenset[str]:
        """What a condition looks at, also in what is asked of actions. Raises Wrong."""
        return reads(self.filled(cond))

    def filled(self, part: T) -> T:
        """A part of the rules in which what is asked of actions is written down. Raises Wrong."""
        return rewrite_each(part, After, self._written, self._asks_nothing)

    def _asks_nothing(self, part: object) -> bool:
        """Whether no `After` stands in a part. What was woven in behind many statements is one object, and is gone
        through once."""
        kept = self._without.get(id(part))
        if kept is None:
            kept = part, not any(True for _ in walk(part, After))
            self._without[id(part)] = kept  # with the part, so that no other one gets its id
        return kept[1]

    def _written(self, part: After) -> Expr | None:
        asked = asked_for(part)
        if asked is not None:
            name, player = asked
            where = part.span or self._actions[name].origin.span
            with self._within(f"can {name}", where):
                action = self._actions[name]
                head = replace(action, params=self.filled(action.params), guards=self.filled(action.guards))
                return ability(self._symbols, head, self.filled(player), where)
        stands = _stood_for(part)
        if stands is None:
            return None
        value, failing = self.filled(part.value), None if part.failing is None else self.filled(part.failing)
        noted = NOTED in reads(value)
        paid = stands.procedure.startswith(_BODY)
        name = stands.procedure.removeprefix(_BODY if paid else _UNPAID)
        body = self._body(name, noted, paid, stands.origin.span)
        return replace(part, body=body if self._final else (stands, *body), value=value, failing=failing)

    @contextmanager
    def _within(self, what: str, where: Span) -> Iterator[None]:
        """What is asked of actions may lead to more of it, but not round in a circle. Raises Wrong."""
        if what in self._open:
            circle = [*self._open[self._open.index(what):], what]
            shown = " -> ".join(circle if len(circle) < 6 else [*circle[:3], "...", *circle[-2:]])
            raise self._symbols.wrong("AF03", f"this is asked in order to know itself: {shown}", where)
        self._open.append(what)
        try:
            yield
        finally:
            self._open.pop()

    # ------------------------------------------------------------------ bodies
    def _body(self, name: str, noted: bool, paid: bool, where: Span) -> Block:
        """The body of an action; `noted`: positions are counted after it, so that the one before it counts; not `paid`:
        without what is paid in it."""
        known = self._made.get((name, noted, paid))
        if known is None:
            with self._within(f"after {name}", where):
                self._size = 0
                action = (self._noting if noted else self._actions)[name]
                block = action.body if paid else self._unpaid(action.body)
                known = self._made[name, noted, paid] = tuple(self._lowered((_Unwritten(block, {}, {}),), where))
        return known

    def _unpaid(self, block: Block) -> Block:
        """A body without the statements that carry out what prices are paid by."""
        price = self._symbols.price
        if price is None:
            return block
        return tuple(stmt for stmt in block
                     if all(call.procedure != price.pays for call in statements((stmt,), Call)))

    def _lowered(self, rest: tuple[_Unwritten, ...], where: Span) -> Iterator[Stmt]:
        """Statements in a row, as runs have them. What ends the game cuts off what comes after it."""
        while rest:
            first, others = rest[0], rest[1:]
            if not first.block:
                rest = others
                continue
            stmt, names = first.block[0], first.names
            tail = replace(first, block=first.block[1:])
            self._size += 1
            if self._size > MOST_STATEMENTS:
                self._refuse("with all that it carries out, the body is too long", stmt, where)
            match stmt:
                case Put() | Move() | Merge() | Swap():
                    yield self._named(stmt, names)
                case Bind():
                    local = first.results.get(stmt.name) or self._fresh(stmt.name, stmt.value.type)
                    yield Bind(local.name, self._named(stmt.value, names), stmt.origin)
                    tail = replace(tail, names={**names, stmt.name: local})
                case Branch():
                    following = (tail, *others) if self._outlasts(stmt, first.results) else ()
                    yes, no = (tuple(self._lowered((replace(first, block=block), *following), where))
                               for block in (stmt.yes, stmt.no))
                    yield Branch(self._named(stmt.cond, names), yes, no, stmt.origin)
                    if following:
                        return
                case Each():
                    yield self._loop(stmt, first, where)
                case Repeat():
                    yield self._rounds(stmt, first, where)
                case Finish() | Unspecified(candidates=None):  # nothing comes after it
                    return
                case Call():
                    called, tail = self._called(stmt, tail)
                    yield from called[0]
                    others = (tail, *others)
                    tail = called[1]
                case Decide() | Commit():
                    self._refuse("somebody is asked in it", stmt, where)
                case Chance():
                    self._refuse("something is drawn in it", stmt, where)
                case Unspecified():
                    self._refuse("the table may be asked in it", stmt, where)
                case _:
                    assert_never(stmt)
            rest = (tail, *others)

    def _loop(self, stmt: Each, first: _Unwritten, where: Span) -> Each:
        self._keeps_to_itself(stmt, first, where)
        if self._final and self._orders.is_open(stmt):
            self._refuse("the order of a loop in it is not said", stmt, where)
        one = self._fresh(stmt.var, local_types(stmt.body).get(stmt.var, Bool()))
        inside = replace(first, block=stmt.body, names={**first.names, stmt.var: one})
        source = self._named(stmt.source, first.names)
        return Each(one.name, source, tuple(self._lowered((inside,), where)), stmt.origin)

    def _rounds(self, stmt: Repeat, first: _Unwritten, where: Span) -> Each:
        """As many rounds as there may be, of which those do nothing that come too late."""
        self._keeps_to_itself(stmt, first, where)
        if stmt.limit is None:
            self._refuse("a loop in it has no limit", stmt, where)
        inner = tuple(self._lowered((replace(first, block=stmt.body),), where))
        again = Branch(self._named(stmt.until, first.names), (), inner, stmt.origin)
        rounds = Numbers(typed_operators.number(1), typed_operators.number(stmt.limit))
        return Each(self._fresh("round", Int(1, stmt.limit)).name, rounds, (again,), stmt.origin)

    def _keeps_to_itself(self, stmt: Each | Repeat, first: _Unwritten, where: Span) -> None:
        if self._outlasts(stmt, first.results):
            self._refuse("a loop in it ends the game, or says what a procedure gives", stmt, where)

    def _called(self, stmt: Call, tail: _Unwritten) -> tuple[tuple[Block, _Unwritten], _Unwritten]:
        """What binds the arguments of a procedure, its body, and what comes after it."""
        made = self._procedures[stmt.procedure]
        given = {name: self._fresh(name, kind) for name, kind in made.params}
        results = {name: self._fresh(name, kind) for name, kind in made.results}
        before = tuple(Bind(local.name, self._named(arg, tail.names), stmt.origin)
                       for arg, local in zip(stmt.args, given.values(), strict=True))
        outside = dict(zip(stmt.results, results.values(), strict=False))
        here = {**tail.names, **outside}
        return (before, _Unwritten(made.body, given, results)), replace(tail, names=here)

    def _outlasts(self, stmt: Stmt, results: Mapping[str, Local]) -> bool:
        """Whether what is done inside a statement decides on what comes after it: an end, or a result."""
        if any(True for _ in statements((stmt,), Finish, Unspecified)) or any(
                bind.name in results for bind in statements((stmt,), Bind)):
            return True
        return any(not results.keys().isdisjoint(call.results) or self._ends(call.procedure, ())
                   for call in statements((stmt,), Call))

    def _ends(self, name: str, above: tuple[str, ...]) -> bool:
        """Whether a procedure may end the game."""
        if name in above:
            return False
        body = self._procedures[name].body
        called = (one.procedure for one in statements(body, Call))
        ends = any(True for _ in statements(body, Finish, Unspecified))
        return ends or any(self._ends(one, (*above, name)) for one in called)

    # ------------------------------------------------------------------ names
    def _fresh(self, name: str, kind: Type) -> Local:
        """A name that nothing else has."""
        self._number += 1
        return Local(f"{name.partition('@')[0]}@{self._number}", kind)

    def _named(self, part: T, names: Mapping[str, Expr]) -> T:
        """A part of a body with its own names, in which what is asked of actions is written down."""
        return self.filled(rewrite_expressions(part, lambda one: substitute(one, names)))

    def _refuse(self, why: str, stmt: Stmt, where: Span) -> NoReturn:
        notes = ((why, origin_of(stmt).span),)
        self._symbols.reporter.error("AF01", "this body cannot be looked at in advance", where, notes=notes, hint=_WHY)
        raise ErrorReported
