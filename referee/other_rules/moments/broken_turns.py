"""What is left of the turn in which the end comes: another answer than that it is played is that it is broken off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import And, Const, Expr, Local, Numbers, Or
from referee.core.read_write_sets import block_writes, variables_of
from referee.core.ruleset import TURN, Core
from referee.core.stmt import Bind, Block, Branch, Call, Chance, Decide, Each, Finish, Origin, Repeat, Stmt, is_whole
from referee.core.traverse import itself, statements
from referee.core.types import Bool
from referee.frontend.desugaring.later_moments import WHEN, turn_over
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.turns.full_rounds import says_a_round_is_over
from referee.other_rules.forms import as_a
from referee.other_rules.players.player_rounds import asking_procedures, asks

BROKEN_OFF = "broken_off"
ALREADY = "it was so before the turn"
"""What is noted of the end when a turn begins."""


def with_turns_broken_off(core: Core, others: OtherAnswers) -> Core:
    """The rules with turns of several steps after which the game may end; for another answer nothing more is done in
    the turn in which that comes to be so."""
    setup, play = core.main[: core.setup], core.main[core.setup :]
    return replace(core, main=(*setup, *(_broken_off(core, one, others) for one in play)))


def _broken_off(core: Core, stmt: Stmt, others: OtherAnswers) -> Stmt:
    loop = as_a(stmt, Repeat)
    ends = list(_ends(loop)) if loop is not None and TURN in block_writes(loop.body) else []
    if loop is None or not ends:
        return stmt
    cond, where = ends[0]
    asking = asking_procedures(core)
    first = next((at for at, one in enumerate(loop.body) if asks((one,), asking)), len(loop.body))
    last = next((at for at, one in enumerate(loop.body) if is_kept(one)), len(loop.body))
    steps = [one for one in loop.body[first + 1 : last] if as_a(one, Bind) is None]
    kept = [one for one in loop.body if one not in steps]
    test = others.test(WHEN, BROKEN_OFF, where, alone=True) if steps and surely_asks(core, tuple(kept)) else None
    if test is None:
        return stmt
    so_far = typed_operators.negate(Local(ALREADY, Bool()))
    goes_on = typed_operators.negate(typed_operators.both((test, so_far, cond)))
    found = tuple(_if(goes_on, one, where) if one in steps and is_whole(one) else one for one in loop.body)
    return replace(loop, body=(Bind(ALREADY, cond, where), *found))


def _if(goes_on: Expr, stmt: Stmt, where: Origin) -> Stmt:
    return Branch(goes_on, (stmt,), (), where)


def _ends(loop: Repeat) -> Iterator[tuple[Expr, Origin]]:
    """The condition by which the game is over after a turn, and where that stands; of one at the end of a round what is
    asked besides that."""
    joined = as_a(loop.until, And)
    parts = [one for one in joined.parts if not any(map(says_a_round_is_over, variables_of(one)))] if joined else []
    if len(parts) == 1 or as_a(loop.until, Or) is not None:
        yield (parts or [loop.until])[0], loop.origin
    said = {one.name: one.value for stmt in loop.body for one in itself(stmt, Bind)}
    for branch in (one for stmt in loop.body for one in itself(stmt, Branch)):
        named = as_a(branch.cond, Local)
        if named is not None and named.name in said and any(True for _ in statements(branch.yes, Finish)):
            yield said[named.name], branch.origin


def surely_asks(core: Core, block: Block) -> bool:
    """Whether somebody decides or something is drawn in a block, whatever is the case."""
    for one in block:
        call, each = as_a(one, Call), as_a(one, Each)
        if as_a(one, Decide) is not None or as_a(one, Chance) is not None:
            return True
        if call is not None and surely_asks(core, core.procedures[call.procedure].body):
            return True
        if each is not None and _is_done(each) and surely_asks(core, each.body):
            return True
    return False


def _is_done(each: Each) -> bool:
    """Whether what is done for some numbers is done once at least."""
    numbers = as_a(each.source, Numbers)
    lo, hi = (None, None) if numbers is None else (as_a(numbers.lo, Const), as_a(numbers.hi, Const))
    ends = [one.value for one in (lo, hi) if one is not None and type(one.value) is int]
    return len(ends) == 2 and ends[0] <= ends[1]


def is_kept(stmt: Stmt) -> bool:
    """Whether a statement passes the turn on, or ends the game: that is no step of the turn."""
    block: Block = (stmt,)
    written = block_writes(block)
    return (TURN in written or any(map(says_a_round_is_over, written))
            or any(one.procedure == turn_over() for one in statements(block, Call))
            or any(True for _ in statements(block, Finish)))
