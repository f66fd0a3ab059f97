"""What becomes of a counter that has passed its mark, and how often what is noted as done can be done again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.core.expr import And, Const, Expr, Get, If, Op, Operator, Or
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import Block, Branch, Guard, Put, Stmt
from referee.core.traverse import bodies, rewrite_each, statements, walk
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.frontend.desugaring.triggers import AGAIN
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.state_changes import SURPLUS

CARRIED = "carried_over"
AS_OFTEN, NEVER_AGAIN = "as_often_as_able", "once_a_game"
_REACHED = (Operator.GE, Operator.GT, Operator.EQ)


def with_surplus_carried_over(core: Core, others: OtherAnswers) -> Core:
    """The rules with each counter that is set back where it has reached a mark; for another answer it keeps what it has
    more than that."""

    def change(branch: Branch) -> object | None:
        marks = {(one.args[0].var, one.args[0].keys): one.args[1] for one in walk(branch.cond, Op)
                 if one.op in _REACHED and isinstance(one.args[0], Get) and isinstance(one.args[1].type, Int)}
        if not marks:
            return None
        inner = replace(branch, yes=inside(branch.yes), no=inside(branch.no))
        return replace(inner, yes=tuple(carried(stmt, marks) for stmt in inner.yes))

    def carried(stmt: Stmt, marks: Mapping[tuple[str, tuple[Expr, ...]], Expr]) -> Stmt:
        if not isinstance(stmt, Put) or (stmt.var, stmt.keys) not in marks or not isinstance(stmt.value, Const):
            return stmt
        kind = core.vars[stmt.var].type
        if not isinstance(kind, Int) or stmt.value.value != kind.lo or core.vars[stmt.var].role is not Role.STATE:
            return stmt
        mark = marks[stmt.var, stmt.keys]
        if isinstance(mark, Const) and mark.value == kind.lo:  # there is something: nobody has more than that
            return stmt
        test = others.test(SURPLUS, CARRIED, stmt.origin)
        if test is None:
            return stmt
        rest = typed_operators.arithmetic(Operator.SUB, Get(stmt.var, stmt.keys, kind), mark)
        kept = typed_operators.arithmetic(Operator.HIGHER, rest, stmt.value)
        both = typed_operators.join(kept.type, kind)
        assert both is not None
        return replace(stmt, value=If(test, kept, stmt.value, both, stmt.origin.span))

    def inside(block: Block) -> Block:
        return rewrite_each(block, Branch, change, lambda _: False)

    return replace(
        core, main=inside(core.main),
        actions={name: replace(one, body=inside(one.body)) for name, one in core.actions.items()},
        procedures={name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()},
    )  # fmt: skip


def with_repetition(core: Core, others: OtherAnswers, written: frozenset[Span]) -> Core:
    """The rules with each counter by which an action notes that it was done, and that a `written` condition then takes
    for a reason against it: for other answers it is not forbidden, or what was noted is never taken back."""
    noted = noted_as_done(core)
    lines = {(span.path, span.line) for span in written}

    def free(guard: Guard, name: str) -> Guard:
        span = guard.origin.span
        if (span.path, span.line) not in lines or not variables_of(guard.cond) & noted.get(name, frozenset()):
            return guard
        test = others.test(AGAIN, AS_OFTEN, guard.origin)
        return guard if test is None else replace(guard, cond=Or((test, guard.cond)))

    every = frozenset(var for found in noted.values() for var in found)

    def kept(put: Put) -> object | None:
        if put.more or put.var not in every or not _sets_back(core, put):
            return None
        test = others.test(AGAIN, NEVER_AGAIN, put.origin)
        return None if test is None else Branch(test, (), (put,), put.origin)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Put, kept, lambda _: False)

    actions = {name: replace(one, guards=tuple(free(guard, name) for guard in one.guards))
               for name, one in core.actions.items()}  # fmt: skip
    setup, play = core.main[: core.setup], core.main[core.setup :]
    return replace(core, main=(*setup, *inside(play)), actions=actions,
                   procedures={name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()})


def noted_as_done(core: Core) -> Mapping[str, frozenset[str]]:
    """By action the variables that a guard of it reads and its body sets or counts up, and that elsewhere are set back.
    """
    set_back = {put.var for body in bodies(core) for put in statements(body, Put) if _sets_back(core, put)}
    found = {}
    for name, one in core.actions.items():
        done = [put for put in statements(one.body, Put)
                if put.var in set_back and core.vars[put.var].role is Role.STATE and _is_flag(core, put.var)]
        found[name] = frozenset(put.var for put in done if any(_forbidden_by(guard.cond, put) for guard in one.guards))
    return {name: noted for name, noted in found.items() if noted}


def _forbidden_by(cond: Expr, put: Put, holds: bool = True) -> bool:
    """Whether a condition (that it does not hold, unless `holds`) speaks against what a statement leaves."""
    match cond:
        case And(parts=parts) | Or(parts=parts):
            return any(_forbidden_by(part, put, holds) for part in parts)
        case Op(op=Operator.NOT, args=(inner,)):
            return _forbidden_by(inner, put, not holds)
        case Get(var=var):
            return var == put.var and isinstance(put.value, Const) and put.value.value is not holds
        case Op(op=Operator.EQ | Operator.NE, args=(Get(var=var), Const(value))):
            alike = isinstance(put.value, Const) and put.value.value == value
            return var == put.var and alike is not ((cond.op is Operator.EQ) is holds)
        case Op(op=Operator.LT | Operator.LE, args=(Get(var=var), _)):
            return var == put.var and holds and isinstance(put.value, Op) and put.value.op is Operator.ADD
        case Op(op=Operator.GT | Operator.GE, args=(Get(var=var), _)):
            return var == put.var and holds and isinstance(put.value, Op) and put.value.op is Operator.SUB
        case _:
            return False


def _sets_back(core: Core, put: Put) -> bool:
    return isinstance(put.value, Const) and put.value.value == core.vars[put.var].start


def _is_flag(core: Core, var: str) -> bool:
    kind = core.vars[var].type
    return not isinstance(kind, Int) or kind.hi - kind.lo <= 3
