"""Why conditions on what is hidden cannot hold together: a few lines of the log that contradict each other."""

from __future__ import annotations

from collections.abc import Hashable

from referee.judge.partial.constraints.constraint_search import MOST_ROUNDS, GaveUp, witness_of
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Sum
from referee.judge.partial.constraints.lagrangian_bound import Relaxation


def contradicting(store: ConstraintStore, impossible: Sum) -> frozenset[int]:
    """Lines of the log because of which a sum cannot be 0 or more; none if they were not found. None of the conditions
    that they made can be left out. Raises `OutOfTime`."""
    names = list(store.conditions)
    if not _refuted(store, names, impossible):
        return frozenset()
    names = _few(store, names, impossible)
    for name in list(names):
        rest = [other for other in names if other != name]
        if _refuted(store, rest, impossible):
            names = rest
    return impossible.why.union(*(store.lines[name] for name in names)) - {0}


def _conditions(store: ConstraintStore, names: list[Hashable], impossible: Sum) -> tuple[Sum, ...]:
    return (impossible, *(store.conditions[name] for name in names))


def _few(store: ConstraintStore, names: list[Hashable], impossible: Sum) -> list[Hashable]:
    """The conditions that a proof needs, if there is a short one."""
    proof = Relaxation(store.met, _conditions(store, names, impossible)).refutes([0], MOST_ROUNDS, store.deadline)
    few = names if proof is None else [names[index - 1] for index in proof if index > 0]
    return few if len(few) == len(names) or _refuted(store, few, impossible) else names


def _refuted(store: ConstraintStore, names: list[Hashable], impossible: Sum) -> bool:
    try:
        return witness_of(store.met, _conditions(store, names, impossible), store.witness, store.deadline) is None
    except GaveUp:
        return False
