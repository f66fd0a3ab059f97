"""How a way to take an alternative stands as words: which alternative, then what it keeps or what a log has of it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.codegen.offer_groups import logged, stored
from referee.core.flow import Alternative, OfferNode, offered
from referee.core.stmt import Param
from referee.core.types import Elem, Int, Maybe
from referee.interpreter.multisets import cap


def row_width(node: OfferNode) -> int:
    """How many words a way takes that is written down."""
    return max((words_of(one) for one in offered(node)), default=1)


def words_of(one: Alternative) -> int:
    """How many words a way to take an alternative takes."""
    return 1 + sum(width for _, width in columns(one).values())


def written(one: Alternative) -> list[str]:
    """What is written down of a way: what it keeps, then what else a log has of it."""
    return list(dict.fromkeys((*stored(one), *(param.name for param in one.params if param.arg is not None))))


def columns(one: Alternative) -> dict[str, tuple[int, int]]:
    """Where in a row each of what is written down begins, and how many words it takes."""
    widths = {param.name: param_width(param) for param in one.params}
    found, at = dict[str, tuple[int, int]](), 1
    for name in written(one):
        found[name] = at, widths.get(name, 1)
        at += widths.get(name, 1)
    return found


def argument_places(one: Alternative) -> list[tuple[int, bool]]:
    """Where in a row its arguments begin, as a log has them; and whether that is a number of words, then those."""
    known = columns(one)
    return [(known[param.name][0], param.count is not None) for param in one.params if param.arg is not None]


def in_rows(one: Alternative) -> bool:
    """Whether the ways of an alternative can be written down as words."""
    kept = set(written(one))
    return all(isinstance(value.type, Int | Elem | Maybe) for name, value in one.fixed if name in kept)


def argument_widths(alternatives: Sequence[Alternative], chosen: Sequence[int]) -> list[int]:
    """How many words each logged argument of some alternatives with the same arguments takes."""
    widths = [0] * len(logged(alternatives[chosen[0]]))
    for number in chosen:
        params = [param for param in alternatives[number].params if param.arg is not None]
        for index, param in enumerate(params):
            widths[index] = max(widths[index], param_width(param))
    return widths


def param_width(param: Param) -> int:
    """How many words a value of a parameter takes; of several their number comes first."""
    return 1 if param.count is None else 1 + cap(param)
