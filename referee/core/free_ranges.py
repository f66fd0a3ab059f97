"""Arguments that are any number of a range: all of it is legal or nothing, so it need not be gone through."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.expr import Numbers
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Guard, Param
from referee.core.types import Int


def in_free_range(index: int, params: Sequence[Param], guards: Sequence[Guard]) -> bool:
    """True if a parameter is one number of a range whose ends are worked out, and nothing else of the offer reads it.

    `guards`: what the offer needs, whatever stands in them.
    """
    param = params[index]
    if param.count is not None or not isinstance(param.source, Numbers) or not isinstance(param.type, Int):
        return False
    others = tuple((one.source, one.count, one.among) for at, one in enumerate(params) if at != index)
    return param.name not in locals_of((others, tuple(guard.cond for guard in guards)))
