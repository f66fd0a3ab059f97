"""Whether rules may be in error where a slice does not tell: it leaves out what it does not look at as a game does.

Where an error ends the step that does not matter: a slice then takes more steps. It does where rules go on after one: a
guard in error does not hold, `After` has a value for it, and a claim in error is broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from referee.core.expr import At, Fold, FoldKind, Get, Look, Only, Place, Split, Where
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Finish, Merge, Move, Put, Repeat, Swap
from referee.core.traverse import walk
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.game.state import Layout
from referee.smt.abstraction.slices import Slice


def may_be_unseen(slice_: Slice, node: object) -> bool:
    """Whether a node of the core or of flow may be in error without its terms on a slice saying where.

    They say it where nothing is looked at but variables that are kept: of zones, and of sets that are filtered, only
    what is asked for is looked at, and what is not kept has any key.
    """
    if not _may_fail(slice_.layout, node):
        return False
    stored = frozenset(put.var for put in walk(node, Put))
    return not slice_.keeps(variables_of(node) | stored) or any(True for _ in walk(node, Place, Where, Split))


def _may_fail(layout: Layout, node: object) -> bool:
    """Whether there may be an error; yes, where types and kinds do not rule it out."""
    return (
        any(True for _ in walk(node, Only, Split))
        or any(True for _ in walk(node, Put, Move, Merge, Swap))
        or any(True for _ in walk(node, Repeat, Finish))
        or any(one.kind in (FoldKind.MIN, FoldKind.MAX) and one.empty is None for one in walk(node, Fold))
        or any(not _inside(*_keyed(layout, one)) for one in walk(node, Get, Look, Place, At))
    )


def _keyed(layout: Layout, one: Get | Look | Place | At) -> tuple[Sequence[Type], Sequence[Scalar]]:
    """The types of what an entry is told by, and of what there are entries."""
    core: Core = layout.core
    match one:
        case Get():
            return [key.type for key in one.keys], layout.defs[one.var].keys
        case Look():
            return [key.type for key in one.keys], core.tables[one.table].keys
        case Place():
            return [key.type for key in one.keys], core.zones[one.zone].keys
        case At():
            spots = core.zones[one.place.zone].spots
            return [one.spot.type], () if spots is None else (spots,)
        case _:
            assert_never(one)


def _inside(kinds: Sequence[Type], whole: Sequence[Scalar]) -> bool:
    return len(kinds) == len(whole) and all(_fits(kind, one) for kind, one in zip(kinds, whole, strict=True))


def _fits(kind: Type, whole: Scalar) -> bool:
    match kind:
        case Int(lo, hi) | Elem(_, lo, hi):
            return whole.lo <= lo and hi <= whole.hi
        case Bool() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)
