"""What other lines say of what a line is about.

Those lines stop the same counter at the same limit, or read what it notes.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.expr import Const, Op, Operator
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Origin, Put, Repeat
from referee.core.traverse import bodies, itself, statements, walk
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import REMEMBERED
from referee.other_rules.players.player_rounds import asking_procedures, asks

_STOPS = (Operator.LOWER, Operator.HIGHER)


def cites_of_like_limits(core: Core, where: Span) -> tuple[str, ...]:
    """What all lines cite that change the same counter as far as the same limit."""
    puts = [put for body in bodies(core) for put in statements(body, Put)]
    own = {(put.var, limit) for put in puts if put.origin.span == where for limit in _limits(put)}
    like = (put for put in puts if any((put.var, limit) in own for limit in _limits(put)))
    return tuple(dict.fromkeys(cite for put in like for cite in put.origin.cites))


def _limits(put: Put) -> Iterator[object]:
    """The numbers that the value of a counter stops at."""
    for stop in (one for one in walk(put.value, Op) if one.op in _STOPS):
        yield from ((stop.op, one.value) for arg in stop.args for one in itself(arg, Const))


def is_read_after_the_turn(core: Core, where: Origin) -> bool:
    """Whether a line only notes something that nobody reads before a turn, or a round, is played: in no action and
    procedure, and in no loop before its last step in which somebody decides."""
    noted = [put for body in bodies(core) for put in statements(body, Put)
             if put.origin.span.first_line == where.span.first_line and _is_of_the_rules(put.var)]  # fmt: skip
    names = {put.var for put in noted}
    if not names or any(not _is_fixed(put) for put in noted):
        return False
    inside = (*core.actions.values(), *core.procedures.values())
    if any(variables_of(one) & names for one in inside):
        return False
    asking = asking_procedures(core)
    for loop in statements(core.main, Repeat):
        deciding = [at for at, one in enumerate(loop.body) if asks((one,), asking)]
        if deciding and variables_of(loop.body[: deciding[-1] + 1]) & names:
            return False
    return True


def _is_of_the_rules(name: str) -> bool:
    """Whether it is no name for what other answers remember: names of rules have no space in them."""
    return " " not in name and not name.startswith(REMEMBERED)


def _is_fixed(put: Put) -> bool:
    return next(itself(put.value, Const), None) is not None
