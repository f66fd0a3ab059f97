"""Whether rules may be in error where a slice does not tell: it leaves out what it does not look at as a game does.

Where an error ends the step that does not matter: a slice then takes more steps. It does where rules go on after one: a
guard in error does not hold, `After` has a value for it, and a claim in error is broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from referee.core.expr import At, Connected, Expr, Fold, FoldKind, Get, Look, Only, Place, Split, Where
from referee.core.stmt import Finish, Merge, Move, Put, Repeat, Swap
from referee.core.traverse import walk
from referee.core.types import Scalar, lies_within
from referee.game.state import Layout
from referee.smt.abstraction.place_filters import filters_of, one_asked_for
from referee.smt.abstraction.slices import Slice


def may_be_unseen(slice_: Slice, node: object) -> bool:
    """Whether a node of the core or of flow may be in error without its terms on a slice saying where.

    What is not kept has any key, of components only groups are known, and of what lies in a place or is connected not
    every member is looked at.
    """
    if any(True for _ in walk(node, Move, Merge, Swap)) or any(True for _ in walk(node, Split, Repeat, Finish)):
        return True
    if any(not _is_seen(slice_, one) for one in walk(node, Get, Place, At, Put)):
        return True
    return any(_may_fail(slice_.layout, one) for one in walk(node, Fold, Where, Connected) if _hides(one))


def _is_seen(slice_: Slice, one: Get | Place | At | Put) -> bool:
    """Whether it is told if there is no such entry, or there always is one."""
    match one:
        case Place(zone=name, spot=None) | Get(var=name) | Put(var=name):
            return slice_.keeps(frozenset((name,))) or _is_there(slice_.layout, one)
        case At() | Place():
            return _is_there(slice_.layout, one)
        case _:
            assert_never(one)


def _hides(one: Fold | Where | Connected) -> bool:
    """Whether what stands in it may not be looked at for each member."""
    match one:
        case Fold():
            found = filters_of(one.source)
            return found is not None and one_asked_for(one, found) is None
        case Where() | Connected():
            return True
        case _:
            assert_never(one)


def _may_fail(layout: Layout, node: object) -> bool:
    """Whether there may be an error; yes, where types and kinds do not rule it out."""
    return (
        any(True for _ in walk(node, Only, Put))
        or any(one.kind in (FoldKind.MIN, FoldKind.MAX) and one.empty is None for one in walk(node, Fold))
        or any(not _is_there(layout, one) for one in walk(node, Get, Look, Place, At))
    )


def _is_there(layout: Layout, one: Get | Put | Look | Place | At) -> bool:
    """Whether there is such an entry, whatever the position is."""
    core = layout.core
    match one:
        case Get(var=name) | Put(var=name):
            return _inside(one.keys, layout.defs[name].keys)
        case Look():
            return _inside(one.keys, core.tables[one.table].keys)
        case Place():
            zone = core.zones[one.zone]
            on_spot = one.spot is None or (zone.spots is not None and lies_within(one.spot.type, zone.spots))
            return on_spot and _inside(one.keys, zone.keys)
        case At():
            spots = core.zones[one.place.zone].spots
            return spots is None or lies_within(one.spot.type, spots)  # a line has nothing where nothing lies
        case _:
            assert_never(one)


def _inside(keys: Sequence[Expr], whole: Sequence[Scalar]) -> bool:
    return all(lies_within(key.type, kind) for key, kind in zip(keys, whole, strict=True))
