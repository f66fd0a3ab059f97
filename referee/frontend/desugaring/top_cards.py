"""`the top card of Z` of a pile: refused unless everybody can say which card that is."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Const
from referee.core.stmt import Merge, Move, Swap
from referee.core.traverse import statements
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf
from referee.frontend.desugaring.insert_checks import bodies
from referee.frontend.names.symbol_table import Symbols


def check_tops(symbols: Symbols) -> None:
    """Reports each pile whose top card is asked for and of which a block may be more than one component (PL03)."""
    moves = [move for block in bodies(symbols) for move in statements(block, Move, Merge, Swap)]
    for name, where in symbols.topped.items():
        why = _begins_with_several(symbols, name)
        for move in moves:
            why = why or _mixed(symbols, name, move)
        if why is not None:
            hint = "declare it as a `line`, or lay the cards one by one"
            symbols.reporter.error("PL03", f"which card lies at an end of {name} is not known: {why}", where, hint=hint)


def _begins_with_several(symbols: Symbols, name: str) -> str | None:
    there: dict[tuple[int, ...], int] = {}
    for component in symbols.components:
        for home in component.homes:
            if home.zone == name:
                there[home.key] = there.get(home.key, 0) + home.number
    return "several begin there, in no order" if any(number > 1 for number in there.values()) else None


def _mixed(symbols: Symbols, name: str, move: Move | Merge | Swap) -> str | None:
    """Why a statement may leave several in one block of the pile; None if it cannot."""
    match move:
        case Merge():
            return "it is shuffled" if move.to.zone == name else None
        case Swap():
            zones = {move.one.zone, move.other.zone}
            return f"all of {min(zones - {name})} may come there" if name in zones and zones != {name} else None
        case Move():
            several = _several(move) and move.to.zone == name
            return "several come there at once" if several else None
        case _:
            assert_never(move)


def _several(move: Move) -> bool:
    match move.what.type:
        case Many(_, most):
            return most > 1
        case SetOf():
            return True
        case Bool() | Int() | Elem() | Maybe():
            return move.number is not None and move.number != Const(1, Int(1, 1))
        case _:
            assert_never(move.what.type)
