"""Arguments that are any number of a range: all of it is legal or nothing, so it need not be gone through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from referee.core.expr import All, Members, Numbers, Within
from referee.core.flow import Node, offered, offers
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Guard, Param
from referee.core.types import Elem, Int, Many, size


def ranges_wide(node: Node, few: int) -> bool:
    """Whether at a node something is offered with a number that is free in a range of more than `few`."""
    found = offers(node)
    ranges = [free_range(index, one.params, one.guards)
              for one in (() if found is None else offered(found)) for index in range(len(one.params))]
    return any(one is not None and size(one) > few for one in ranges)


def free_range(index: int, params: Sequence[Param], guards: Sequence[Guard]) -> Int | None:
    """The type of a parameter that is one number of a range whose ends are worked out, if nothing else of the offer
    reads it; else None. `guards`: what the offer needs."""
    param = params[index]
    others = tuple((one.source, one.count, one.among) for at, one in enumerate(params) if at != index)
    read = locals_of((others, tuple(guard.cond for guard in guards)))
    if param.count is not None or param.name in read:
        return None
    match param.source, param.type:
        case Numbers(), Int() as kind:
            return kind
        case (Numbers() | All() | Members() | Within()), (Int() | Elem() | Many()):
            return None
        case _:
            assert_never((param.source, param.type))
