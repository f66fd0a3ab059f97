"""Whether a line excludes some way to fill the holes before it, where too many are left to count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from referee.judge.partial.constraints.constraint_search import Domains, GaveUp, narrowed
from referee.judge.partial.constraints.derived_search import witness_of
from referee.judge.partial.constraints.hidden_values import Sum, members
from referee.judge.partial.constraints.model_counting import Filled
from referee.judge.partial.lifted.constrained_state import ConstrainedState

MOST_TRIED = 16
"""Ways to fill the holes that are looked at for one line, at most."""


def surely_gone(refused: Iterable[ConstrainedState], found: Sequence[ConstrainedState], holes: int) -> bool:
    """Whether none of the positions found has some way to fill the first holes that a refused position has.

    Of each refused position one way is looked at: false says nothing. Raises `OutOfTime`.
    """
    for index, way in enumerate(refused):
        if index >= MOST_TRIED:
            return False
        witness = way.store.whole().witness
        said = [_said(hole, [witness[token] for token in hole.tokens]) for hole in way.filled[:holes]]
        if not any(_may_be(one, said) for one in found):
            return True
    return False


def _said(hole: Filled, classes: Iterable[int]) -> Counter[object] | None:
    """What stands for a hole once its tokens are of some classes; None where that follows from other holes."""
    if hole.values is not None:
        return Counter(part for one in classes for part in _parts(hole.values[one]))
    known = hole.known
    if not hole.tokens and (known is None or known == () or (isinstance(known, tuple) and isinstance(known[0], tuple))):
        return None
    return Counter(_parts(known)) + Counter[object](classes)


def _parts(known: object) -> Iterator[object]:
    """What is known of a hole, each component or value by itself."""
    if not isinstance(known, tuple | frozenset):
        yield from () if known is None else (known,)
        return
    for one in known:
        if isinstance(one, tuple):  # so many of a class
            yield from [one[0]] * one[1]
        else:
            yield one


def _may_be(way: ConstrainedState, said: Sequence[Counter[object] | None]) -> bool:
    """Whether a position may have a way to fill the holes: as long as it was not found out, it may."""
    store = way.store.whole()
    domains: Domains = store.domains
    conditions = list(store.conditions.values())
    for hole, wanted in zip(way.filled, said, strict=False):
        if wanted is not None and hole.values is not None:
            token = hole.tokens[0]
            mask = sum(1 << one for one in members(domains[token]) if _said(hole, [one]) == wanted)
            if not mask:
                return False
            domains = {**domains, token: mask}
            continue
        own = _said(hole, ())
        if wanted is None or own is None:
            continue
        if own.total() + len(hole.tokens) != wanted.total():
            return False
        for one in own.keys() | wanted.keys():
            each = {token: {one: 1} for token in hole.tokens} if isinstance(one, int) else {}
            total = Sum(own[one] - wanted[one], each)
            left = narrowed(domains, total)
            if left is None:
                return False
            domains = left
            conditions.append(total)
    near = {token: known if mask >> (known := store.witness[token]) & 1 else next(members(mask))
            for token, mask in domains.items()}
    try:
        return witness_of(domains, conditions, near, store.deadline, None, store.derived) is not None
    except GaveUp:
        return True
