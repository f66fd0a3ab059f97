"""Moments at which something could happen later than the rules say: where other answers to "when?" are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.core.expr import And, Expr, Get, Or
from referee.core.ruleset import TURN, Role, Var
from referee.core.stmt import Block, Branch, Call, Origin, Procedure, Put, Stmt
from referee.core.types import Bool, Maybe
from referee.frontend.expressions import typed_operators
from referee.frontend.names.symbol_table import Symbols

WHEN = "when"
AFTER_ACTION, END_OF_TURN, END_OF_ROUND = "after_the_action", "end_of_turn", "end_of_round"
WITH_THE_ROUND = "with_the_round"
MOMENTS = (AFTER_ACTION, END_OF_TURN, END_OF_ROUND)
FIRST_OF_ROUND, DUE = "first of the round", "due"
REMEMBERED = (FIRST_OF_ROUND, DUE)
"""How the names begin of what these answers remember: who had the first turn of a round, what is still to be done."""
RUN_DRY, WHEN_NEEDED = "run_dry", "when_needed"


def passed(symbols: Symbols, moment: str, where: Origin) -> tuple[Stmt, ...]:
    """What stands in the rules where a moment has come; nothing unless other answers are asked for."""
    if not symbols.others.asked:
        return ()
    name = _procedure(moment)
    symbols.procedures.setdefault(name, Procedure(name, (), (), (), where))
    return (Call(name, (), (), where),)


def before_draw(symbols: Symbols, zone: str, where: Origin) -> tuple[Stmt, ...]:
    """What stands in the rules before something is drawn from a zone."""
    return passed(symbols, _drawn(zone), where)


def round_over(
    symbols: Symbols, where: Origin, until: Expr
) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...], Expr]:
    """Before the first turn, and after each: a round is over when the turn comes back to who had the first. And when
    turns end: as `until` says, and for another answer with a round only."""
    if not symbols.others.asked:
        return (), (), until
    player = symbols.player
    name = symbols.numbered(FIRST_OF_ROUND, symbols.vars, " ")
    symbols.vars[name] = Var(name, (), Maybe(player), None, Role.REGISTER, where)
    first = Get(name, (), Maybe(player))
    again = typed_operators.equal(first, Get(TURN, (), Maybe(player)))
    begun = Put(name, (), Get(TURN, (), Maybe(player)), where)
    test = None if until == typed_operators.FALSE else symbols.others.test(WHEN, WITH_THE_ROUND, where)
    over = until if test is None else And((until, Or((typed_operators.negate(test), again))))
    return (begun,), (Branch(again, passed(symbols, END_OF_ROUND, where), (), where),), over


def postponed(symbols: Symbols, check: Block, where: Origin) -> Block:
    """What is tested at once, with the other answers: it is tested at a later moment only.

    To be asked for when all blocks are lowered; `later` then has what is to be done at those moments.
    """
    tests = []
    for moment in MOMENTS:
        if moment != AFTER_ACTION and _procedure(moment) not in symbols.procedures:
            continue
        test = symbols.others.test(WHEN, moment, where)
        if test is not None:
            tests.append(test)
            symbols.moments.setdefault(moment, []).append(Branch(test, check, (), where))
    return (Branch(Or(tuple(tests)), (), check, where),) if tests else check


def delayed(symbols: Symbols, body: Block, where: Origin, moments: Iterable[str], dimension: str = WHEN) -> Block:
    """What is done at once, with the other answers: it is noted that it is due, and done at a later moment."""
    made = body
    for moment in moments:
        if moment != AFTER_ACTION and _procedure(moment) not in symbols.procedures:
            continue
        test = symbols.others.test(dimension, WHEN_NEEDED if dimension == RUN_DRY else moment, where)
        if test is None:
            continue
        due = symbols.numbered(DUE, symbols.vars, " ")
        symbols.vars[due] = Var(due, (), Bool(), False, Role.REGISTER, where)
        made = (Branch(test, (Put(due, (), typed_operators.TRUE, where),), made, where),)
        done = (Put(due, (), typed_operators.FALSE, where), *body)
        symbols.moments.setdefault(moment, []).append(Branch(Get(due, (), Bool()), done, (), where))
    return made


def draws_from(zone: str) -> str:
    """The moment before something is drawn from a zone."""
    return _drawn(zone)


def round_end() -> str:
    """The procedure of what is done at the end of each round."""
    return _procedure(END_OF_ROUND)


def turn_over() -> str:
    """The procedure of what is done at the end of each turn."""
    return _procedure(END_OF_TURN)


def settle(symbols: Symbols) -> None:
    """Puts what is to be done at each moment where it comes."""
    for moment, made in symbols.moments.items():
        if moment == AFTER_ACTION:
            names = [name for name in symbols.action_nodes if name in symbols.actions]
            symbols.actions |= {n: replace(symbols.actions[n], body=(*symbols.actions[n].body, *made)) for n in names}
            continue
        procedure = symbols.procedures[_procedure(moment)]
        symbols.procedures[procedure.name] = replace(procedure, body=(*procedure.body, *made))
    symbols.moments.clear()


def _procedure(moment: str) -> str:
    return f"at {moment}"


def _drawn(zone: str) -> str:
    return f"a draw from {zone}"
