"""Comparisons, also with values that nobody stated: what a range tells, and where it is split."""

from __future__ import annotations

from typing import Any, assert_never

from referee.core.expr import Operator
from referee.core.operators import Comparison
from referee.game.state import Open

Pieces = tuple[tuple[int, int], ...]


def compare(op: Comparison, left: Any, right: Any) -> bool:
    """The result of a comparison of two values."""
    match op:
        case Operator.EQ:
            return bool(left == right)
        case Operator.NE:
            return bool(left != right)
        case Operator.LT:
            return bool(left < right)
        case Operator.LE:
            return bool(left <= right)
        case Operator.GT:
            return bool(left > right)
        case Operator.GE:
            return bool(left >= right)
        case Operator.IN:
            return left in right
        case _:
            assert_never(op)


def halves(value: Open) -> Pieces:
    """Two pieces of about the same size."""
    middle = (value.lo + value.hi) // 2
    return ((value.lo, middle), (middle + 1, value.hi))


def decide(op: Comparison, left: Any, right: Any) -> bool | tuple[int, Pieces]:
    """The result of a comparison, if the ranges tell it; else which side is to be split (0 or 1), and its pieces."""
    if isinstance(left, Open) and isinstance(right, Open):
        return _both(op, left, right)
    if isinstance(left, Open):
        decided = _one(op, left, right)
        return decided if isinstance(decided, bool) else (0, decided)
    decided = _one(_mirrored(op), right, left)
    return decided if isinstance(decided, bool) else (1, decided)


def _mirrored(op: Comparison) -> Comparison:
    """The comparison with its sides exchanged. `TypeError` for `in`: a set is never without a value."""
    match op:
        case Operator.EQ | Operator.NE:
            return op
        case Operator.LT:
            return Operator.GT
        case Operator.GT:
            return Operator.LT
        case Operator.LE:
            return Operator.GE
        case Operator.GE:
            return Operator.LE
        case Operator.IN:
            raise TypeError("a set has a value")
        case _:
            assert_never(op)


def _one(op: Comparison, value: Open, other: Any) -> bool | Pieces:
    """A range against a known value (for `in`: a known set)."""
    lo, hi = value.lo, value.hi
    match op:
        case Operator.EQ | Operator.NE:
            held = _pieces(lo, hi, frozenset() if other is None else frozenset((int(other),)))
        case Operator.IN:
            held = _pieces(lo, hi, frozenset(other))
        case Operator.LT | Operator.GE:
            held = _cut(lo, hi, other)
        case Operator.GT | Operator.LE:
            held = _cut(lo, hi, other + 1)
        case _:
            assert_never(op)
    if len(held) > 1:
        return held
    return compare(op, lo, other)


def _cut(lo: int, hi: int, at: int) -> Pieces:
    """The range below `at` and from it on."""
    return ((lo, at - 1), (at, hi)) if lo < at <= hi else ((lo, hi),)


def _pieces(lo: int, hi: int, chosen: frozenset[int]) -> Pieces:
    """The longest runs of values that are all in the set or all outside."""
    made: list[tuple[int, int]] = []
    start = lo
    for cut in sorted({value for member in chosen for value in (member, member + 1) if lo < value <= hi}):
        if (cut in chosen) != (cut - 1 in chosen):
            made.append((start, cut - 1))
            start = cut
    return (*made, (start, hi))


def _both(op: Comparison, left: Open, right: Open) -> bool | tuple[int, Pieces]:
    """Two ranges: decided if they do not meet as they would have to; else the wider is halved."""
    answers = {compare(op, a, b) for a in (left.lo, left.hi) for b in (right.lo, right.hi)}
    apart = left.hi < right.lo or right.hi < left.lo
    if len(answers) == 1 and (apart or op not in (Operator.EQ, Operator.NE)):
        return answers.pop()
    return (0, halves(left)) if left.hi - left.lo >= right.hi - right.lo else (1, halves(right))
