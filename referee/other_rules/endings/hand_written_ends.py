"""Ends of the game that an effect brings about: where another answer to "at once?" is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Expr, Fold, FoldKind, Get, Op, Operator, Place
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Block, Branch, Finish, Origin, Put, Repeat, Stmt, origin_of
from referee.core.traverse import itself, rewrite_each, walk
from referee.core.types import PLAYER, Elem, Int, SetOf
from referee.frontend.desugaring.later_moments import END_OF_ROUND, WHEN, round_end
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

WON = "won with the round"
"""Who wins once the round is played to its end."""
_REACHED = (Operator.GE, Operator.GT, Operator.EQ, Operator.LE, Operator.LT)
_COUNTED = (FoldKind.COUNT, FoldKind.SUM)


def with_ends_after_the_round(core: Core, others: OtherAnswers) -> Core:
    """The rules with each end that an effect brings about where somebody has reached a number; for another answer the
    round is played to its end first, and all who have reached it by then win.

    Only where turns go round, and not of what stands behind them.
    """
    if round_end() not in core.procedures or core.seats.number < 2:
        return core
    player = SetOf(Elem(PLAYER, 0, core.seats.number - 1))
    held, made = Get(WON, (), player), list[Finish]()

    def later(stmt: Stmt, branch: Branch) -> Stmt:
        ends = list(itself(stmt, Finish))
        where = Origin(branch.origin.span, tuple(dict.fromkeys((*branch.origin.cites, *origin_of(stmt).cites))))
        test = others.test(WHEN, END_OF_ROUND, where) if ends else None
        if test is None:
            return stmt
        made.append(ends[0])
        noted = Put(WON, (), Op(Operator.UNION, (held, ends[0].winners), player), ends[0].origin)
        return Branch(test, (noted,), (stmt,), ends[0].origin)

    def found(branch: Branch) -> Branch:
        inner = replace(branch, yes=inside(branch.yes), no=inside(branch.no))
        return replace(inner, yes=tuple(later(one, branch) for one in inner.yes)) if _is_reached(branch.cond) else inner

    def inside(block: Block) -> Block:
        return rewrite_each(block, Branch, found, lambda _: False)

    actions = {name: replace(one, body=inside(one.body)) for name, one in core.actions.items()}
    procedures = {name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()}
    main = rewrite_each(core.main, Repeat, lambda loop: replace(loop, body=inside(loop.body)), lambda _: False)
    if not made:
        return core
    where, moment = made[0].origin, procedures[round_end()]
    number = Op(Operator.SIZE, (held,), Int(0, core.seats.number))
    some = typed_operators.compare(Operator.GT, number, typed_operators.number(0))
    ended = Branch(some, (Finish(held, where),), (), where)
    procedures[moment.name] = replace(moment, body=(*moment.body, ended))
    won = Var(WON, (), player, frozenset(), Role.REGISTER, where)
    return replace(core, main=main, actions=actions, procedures=procedures, vars={**core.vars, WON: won})


def _is_reached(cond: Expr) -> bool:
    """Whether a condition compares what a player has with a number."""
    return any(_is_of_a_player(one.args[0]) and _is_number(one.args[1])
               for one in walk(cond, Op) if one.op in _REACHED)  # fmt: skip


def _is_number(value: Expr) -> bool:
    return any(True for _ in walk(value.type, Int))


def _is_of_a_player(value: Expr) -> bool:
    if not _is_number(value):
        return False
    own = [key for one in itself(value, Get) for key in one.keys]
    own += [key for fold in itself(value, Fold) if fold.kind in _COUNTED
            for place in _places(fold) for key in place]  # fmt: skip
    return any(kind.domain == PLAYER for key in own for kind in walk(key.type, Elem))


def _places(fold: Fold) -> Iterator[tuple[Expr, ...]]:
    return (one.keys for one in walk(fold.source, Place))
