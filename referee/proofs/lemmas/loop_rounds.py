"""How many rounds of a loop are left, compared with what they were counted by: a number that lemmas may speak of.

A loop over `1..3 - number of row` goes through a set of numbers that is made once; what is done in it changes the row.
What the set has more than as many as it would be made with now is what such a loop keeps within bounds.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.expr import Const, Get, Numbers, Op, Operator, Where
from referee.core.read_write_sets import locals_of, reads
from referee.core.stmt import (
    Put,
)
from referee.core.traverse import walk
from referee.core.types import Int
from referee.proofs.lemmas.looked_up_spots import said

MOST_LOOPS = 24
"""Of more loops it is not looked at."""


def rounds_left(effects: Iterable[object], kept: frozenset[str]) -> tuple[Op, ...]:
    """For each loop over numbers up to one that is read off variables and zones that are kept: how many it has still to
    go through, less how many there would be if it began now."""
    found: dict[str, Op] = {}
    for one in walk(tuple(effects), Put):
        match one:
            case Put(var, (), Where(source=Numbers(lo=Const(value=int(low)), hi=hi), where=None, type=kind)):
                name = said(hi)
                if name is None or isinstance(hi, Const) or locals_of(hi) or not reads(hi) | {var} <= kept:
                    continue
                assert isinstance(hi.type, Int)
                assert isinstance(kind.of, Int)
                most = kind.of.hi - kind.of.lo + 1
                left = Op(Operator.SIZE, (Get(var, (), kind),), Int(0, most))
                less = Const(low - 1, Int(low - 1, low - 1))
                anew = hi if low == 1 else Op(Operator.SUB, (hi, less), Int(hi.type.lo - low + 1, hi.type.hi - low + 1))
                whole = Int(-hi.type.hi - abs(low), most + abs(hi.type.lo) + abs(low))
                found.setdefault(f"{var} {name}", Op(Operator.SUB, (left, anew), whole))
            case Put():
                continue
    return tuple(found.values())[:MOST_LOOPS]
