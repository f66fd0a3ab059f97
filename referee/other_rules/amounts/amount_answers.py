"""What a number is: added to what was left, or half of one that may change: where other answers are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Const, Expr, Get, Op, Operator, Or
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import Branch, Origin, Put
from referee.core.traverse import bodies, in_all_play, in_course, itself, rewrite_each, statements, walk
from referee.core.types import PLAYER, Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.control_statements import BOUNDS
from referee.frontend.statements.state_changes import SURPLUS

ADDED = "added_up"
HALF = "half_of_them"


def with_amounts_added_up(core: Core, others: OtherAnswers) -> Core:
    """The rules with each counter of a player that is set to what he gets, and that actions take from; for another
    answer it is added to what he has left, as far as the counter goes."""
    spent = {put.var for action in core.actions.values() for put in walk(action.body, Put)
             for op in walk(put.value, Op) if op.op is Operator.SUB
             and any(one.var == put.var for one in walk(op.args[0], Get))}  # fmt: skip

    def added(put: Put) -> object | None:
        var = core.vars[put.var]
        if put.var not in spent or put.more or var.role is not Role.STATE or not _is_of_a_player(put):
            return None
        if put.var in variables_of(put.value) or not any(True for _ in walk(put.value, Get)):
            return None
        test = others.test(SURPLUS, ADDED, put.origin)
        if test is None:
            return None
        had = Get(put.var, put.keys, var.type)
        (kind,) = walk(var.type, Int)
        both = typed_operators.arithmetic(Operator.ADD, had, put.value)
        value = typed_operators.arithmetic(Operator.LOWER, both, typed_operators.number(kind.hi))
        return Branch(test, (replace(put, value=value),), (put,), put.origin)

    return in_course(core, lambda block: rewrite_each(block, Put, added, lambda _: False))


def with_halves(core: Core, others: OtherAnswers) -> Core:
    """The rules with each comparison with a number that is half of what a counter starts at that play changes; for
    another answer it is half of what that counter holds."""
    moving = {name: var.start for name, var in core.vars.items()
              if var.role is Role.STATE and not var.keys and any(True for _ in walk(var.type, Int))
              and any(not any(True for _ in walk(put.value, Const)) or put.var in variables_of(put.value)
                      for put in _puts(core) if put.var == name)}  # fmt: skip

    def half(part: Op) -> Expr | None:
        if part.op is not Operator.EQ or part.span is None:
            return None
        literals = list(itself(part.args[1], Const))
        whole = next((name for name, start in moving.items() if any(_doubles(one, start) for one in literals)), None)
        if whole is None or not any(True for _ in walk(part.args[0].type, Int)):
            return None
        test = others.test(BOUNDS, HALF, Origin(part.span), alone=True)
        if test is None:
            return None
        twice = typed_operators.arithmetic(Operator.MUL, typed_operators.number(2), part.args[0])
        now = typed_operators.equal(twice, Get(whole, (), core.vars[whole].type))
        return Or((typed_operators.both((test, now)), typed_operators.both((typed_operators.negate(test), part))))

    return in_all_play(core, lambda node: rewrite_each(node, Op, half, lambda _: False))


def _doubles(literal: Const, start: object) -> bool:
    return type(start) is int and type(literal.value) is int and literal.value > 1 and start == 2 * literal.value


def _puts(core: Core) -> Iterator[Put]:
    for body in bodies(core):
        yield from statements(body, Put)


def _is_of_a_player(put: Put) -> bool:
    return any(kind.domain == PLAYER for key in put.keys for kind in walk(key.type, Elem))
