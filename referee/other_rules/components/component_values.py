"""Other answers about values that components have at the start and that change.

They ask whether the printed or the current one counts, for how long, and whether who comes anew has it anew.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Expr, Get, If, Local, Look
from referee.core.ruleset import Core, Role, Table
from referee.core.stmt import Block, Branch, Each, Guard, Move, Origin, Put, Stmt
from referee.core.traverse import bodies, rewrite_each, statements, walk, with_blocks
from referee.core.types import COMPONENT, Elem, Int, Value
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.state_changes import SCOPE
from referee.other_rules.players.player_rounds import at_ends_of_turns

WHICH_VALUE, AS_PRINTED = "which_value", "as_printed"
TO_THE_TURN = "to_the_end_of_the_turn"
STATE, KEEPS = "state", "keeps_what_it_had"


class ComponentValues:
    """The counters of components in one core that begin at what is printed on each, or that are set back."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        changed = {put.var for body in bodies(core) for put in statements(body, Put)}
        self._own = {name: var for name, var in core.vars.items()
                     if var.role is Role.STATE and len(var.keys) == 1 and isinstance(var.keys[0], Elem)
                     and var.keys[0].domain == COMPONENT and name in changed}  # fmt: skip
        self._printed = {name: var for name, var in self._own.items()
                         if isinstance(var.start, tuple) and isinstance(var.type, Int)}  # fmt: skip

    def made(self) -> Core:
        """The rules with all these answers; set-up is left as it is."""
        core = self._core
        tables = {_table(name): Table(_table(name), var.keys, var.type, _starts(var.start))
                  for name, var in self._printed.items()}  # fmt: skip
        setup, play = core.main[: core.setup], core.main[core.setup :]
        core = replace(
            core, tables={**core.tables, **tables}, main=(*setup, *self._block(play)),
            actions={name: replace(one, guards=tuple(map(self._guard, one.guards)), body=self._block(one.body))
                     for name, one in core.actions.items()},
            procedures={name: replace(one, body=self._block(one.body)) for name, one in core.procedures.items()},
        )  # fmt: skip
        return self._restored(core)

    # ------------------------------------------------------------------ printed or current
    def _guard(self, guard: Guard) -> Guard:
        return replace(guard, cond=self._as_printed(guard.cond, guard.origin))

    def _as_printed(self, value: Expr, where: Origin) -> Expr:
        """A value with what is printed in the place of what is counted, for another answer."""
        if not any(one.var in self._printed for one in walk(value, Get)):
            return value
        test = self._others.test(WHICH_VALUE, AS_PRINTED, where, alone=True)
        if test is None:
            return value

        def printed(part: Get) -> Expr | None:
            if part.var not in self._printed:
                return None
            return If(test, Look(_table(part.var), part.keys, part.type, part.span), part, part.type, part.span)

        return rewrite_each(value, Get, printed, lambda _: False)

    # ------------------------------------------------------------------ blocks
    def _block(self, block: Block) -> Block:
        moved = {one.what for one in block if isinstance(one, Move) and isinstance(one.what, Local)}
        return tuple(self._kept(self._changed(stmt), moved) for stmt in block)

    def _changed(self, stmt: Stmt) -> Stmt:
        inner = with_blocks(stmt, self._block)
        match inner:
            case Branch():
                return replace(inner, cond=self._as_printed(inner.cond, inner.origin))
            case Put() if inner.var not in self._printed:
                return replace(inner, value=self._as_printed(inner.value, inner.origin))
            case _:
                return inner

    def _kept(self, stmt: Stmt, moved: set[Local]) -> Stmt:
        """What is set back of a component that the same lines move; for another answer it keeps what it had."""
        if not isinstance(stmt, Put) or stmt.more or stmt.var not in self._own or stmt.keys[0] not in moved:
            return stmt
        if stmt.var not in self._printed or any(one.var in self._own for one in walk(stmt.value, Get)):
            return stmt
        test = self._others.test(STATE, KEEPS, stmt.origin)
        return stmt if test is None else Branch(test, (), (stmt,), stmt.origin)

    # ------------------------------------------------------------------ for how long
    def _restored(self, core: Core) -> Core:
        """The rules with what is printed counting again from the end of each turn, for another answer."""
        back: list[Stmt] = []
        for body in bodies(self._core):
            for put in statements(body, Put):
                if put.var in self._printed and _changes(put):
                    test = self._others.test(SCOPE, TO_THE_TURN, put.origin)
                    if test is not None:
                        back.append(Branch(test, (self._as_at_first(put.var),), (), put.origin))
        if not back:
            return core
        return at_ends_of_turns(core, tuple(back))

    def _as_at_first(self, name: str) -> Stmt:
        var = self._printed[name]
        kind = var.keys[0]
        each = Local("each one", kind)
        return Each("each one", All(kind), (Put(name, (each,), Look(_table(name), (each,), var.type), var.origin),),
                    var.origin)  # fmt: skip


def _changes(put: Put) -> bool:
    """Whether a statement stores what hangs on what was there, or what was worked out before."""
    return any(one.var == put.var for one in walk(put.value, Get)) or (
        put.value not in put.keys and next(walk(put.value), None) in tuple(walk(put.value, Local)))


def _table(name: str) -> str:
    """The name of the table of what is printed."""
    return f"printed {name}"


def _starts(start: Value | tuple[Value, ...]) -> tuple[Value, ...]:
    assert isinstance(start, tuple)
    return start
