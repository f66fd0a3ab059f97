"""Every multiset that a parameter with a count may be, in the order in which the engines list them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.stmt import Param
from referee.core.types import Many
from referee.smt import value
from referee.smt.concolic.guide import Guide
from referee.smt.encoding.offered_values import allowed
from referee.smt.encoding.term_evaluation import Evaluator


def taken_of(param: Param, evaluate: Evaluator, guide: Guide) -> Iterator[tuple[int, ...]]:
    """Those that the source offers: fewer first, then by members, each sorted."""
    assert param.count is not None
    assert isinstance(param.type, Many)
    counts: dict[int, int] = {}
    for member in evaluate.members(param.source, False):
        one, number = guide.number(member.value), guide.number(member.number)
        counts[one] = param.type.most if param.repeated else counts.get(one, 0) + number
    least, most = (guide.number(evaluate.number(end)) for end in param.count)
    for size in range(max(least, 0), min(most, param.type.most) + 1):
        for chosen in _of_size(sorted(counts.items()), size):
            if guide.cond(allowed(param, value.of(param.type, chosen), evaluate)):
                yield chosen


def _of_size(counts: list[tuple[int, int]], size: int) -> Iterator[tuple[int, ...]]:
    if size == 0:
        yield ()
        return
    left = sum(number for _, number in counts)
    for index, (member, number) in enumerate(counts):
        if left < size:
            return
        left -= number
        for taken in range(min(number, size), 0, -1):
            for others in _of_size(counts[index + 1 :], size - taken):
                yield (member,) * taken + others

