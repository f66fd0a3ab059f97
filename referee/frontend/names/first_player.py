"""Who is the first of several players in their order: where another answer to "who begins?" is asked for."""

from __future__ import annotations

from referee.core.expr import Expr, Get, If, Local, Look
from referee.core.stmt import Block, Call, Decide, Origin
from referee.core.traverse import walk
from referee.frontend.names.symbol_table import Symbols

TURN_ORDER, NEXT_BEGINS = "turn_order", "the_next_begins"


def with_another_first(symbols: Symbols, first: Expr, where: Origin, body: Block | None = None) -> Expr:
    """Who begins; for another answer the player after him round the table. Of a loop only where its body asks somebody,
    which dealing does not; not if the rules have found out who it is."""
    asks = body is None or next(walk(body, Decide), None) is not None or any(
        " " not in call.procedure for call in walk(body, Call))  # fmt: skip
    if not asks:
        return first
    if next(walk(first, Get, Local), None) is not None:
        return first
    test = symbols.others.test(TURN_ORDER, NEXT_BEGINS, where)
    if test is None or symbols.seats.number < 2:
        return first
    following = Look(symbols.next_player(False), (first,), symbols.player, first.span)
    return If(test, following, first, symbols.player, first.span)
