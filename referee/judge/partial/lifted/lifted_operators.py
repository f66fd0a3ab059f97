"""Operators on values of which some are hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.core.known_operators import PLAIN
from referee.core.operators import Operations
from referee.core.types import Scalar
from referee.interpreter.interruptions import Fault
from referee.judge.partial.constraints.hidden_values import Case, Hidden, Sum, Token, members
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.dependent.case_diagrams import TooWide, is_nested, joined


def known(value: Any, trial: Trial) -> Any:
    """A value as it is without anything hidden: what is open is decided. Not for bags and kinds."""
    match value:
        case Token():
            return trial.class_of(value)
        case Sum():
            return trial.number(value)
        case Case():
            found = trial.case(value)
            if isinstance(found, Fault):
                raise found
            return known(found, trial)
        case _:  # known already: of hidden values none but these three is one value in each world
            return value


def lifted(args: list[Any], trial: Trial, apply: Callable[..., Any]) -> Any:
    """A function of values of which some hang on tokens: then so does the result. If it would hang on too much, all
    tokens but one are decided."""
    if not any(isinstance(arg, Hidden) for arg in args):
        return apply(*args)
    made = [arg if isinstance(arg, Token | Case) else known(arg, trial) for arg in args]
    try:
        return joined(made, trial.store.domains, apply)
    except TooWide:
        pass
    kept: int | None = None
    for at, arg in enumerate(made):
        one = isinstance(arg, Case) and not is_nested(arg)
        token = arg.id if isinstance(arg, Token) else arg.token if one else None
        if token is None or (kept is not None and token != kept):
            made[at] = known(arg, trial)
        else:
            kept = token
    return joined(made, trial.store.domains, apply)


def as_sum(value: Any, trial: Trial) -> Sum:
    """A number as a sum."""
    if isinstance(value, Sum):
        return value
    if isinstance(value, Case) and all(type(one) is int for one in value.values.values()):
        return Sum(0, {value.token: value.values})
    if isinstance(value, Token):
        return Sum(0, {value.id: {one: one for one in members(trial.store.domains[value.id])}})
    return Sum(known(value, trial), {})


class Lifted(Operations[Any]):
    """Operators on values of which some may hang on tokens.

    A sum stays one where the operator is linear, and is compared with 0; else it is decided what it is.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def equal(self, one: Any, other: Any) -> Any:
        if (one is None or other is None) and _has_sum(one, other):
            return False
        difference = self._apart(one, other)
        return self._of(PLAIN.equal, one, other) if difference is None else self._is_zero(difference)

    def unequal(self, one: Any, other: Any) -> Any:
        if (one is None or other is None) and _has_sum(one, other):
            return True
        difference = self._apart(one, other)
        return self._of(PLAIN.unequal, one, other) if difference is None else not self._is_zero(difference)

    def less(self, one: Any, other: Any) -> Any:
        difference = self._apart(one, other)
        if difference is None:
            return self._of(PLAIN.less, one, other)
        return self._trial.decide(difference.times(-1).plus(-1))

    def at_most(self, one: Any, other: Any) -> Any:
        difference = self._apart(one, other)
        return self._of(PLAIN.at_most, one, other) if difference is None else self._trial.decide(difference.times(-1))

    def greater(self, one: Any, other: Any) -> Any:
        difference = self._apart(one, other)
        return self._of(PLAIN.greater, one, other) if difference is None else self._trial.decide(difference.plus(-1))

    def at_least(self, one: Any, other: Any) -> Any:
        difference = self._apart(one, other)
        return self._of(PLAIN.at_least, one, other) if difference is None else self._trial.decide(difference)

    def member(self, one: Any, group: Any) -> Any:
        return self._of(PLAIN.member, one, group)

    def negation(self, one: Any) -> Any:
        return self._of(PLAIN.negation, one)

    def total(self, one: Any, other: Any) -> Any:
        return self._added(one, other, 1) if _by_sums(one, other) else self._of(PLAIN.total, one, other)

    def difference(self, one: Any, other: Any) -> Any:
        return self._added(one, other, -1) if _by_sums(one, other) else self._of(PLAIN.difference, one, other)

    def product(self, one: Any, other: Any) -> Any:
        return self._of(PLAIN.product, one, other)

    def opposite(self, one: Any) -> Any:
        return one.times(-1) if isinstance(one, Sum) else self._of(PLAIN.opposite, one)

    def lower(self, numbers: Sequence[Any]) -> Any:
        return self._of(lambda *known_ones: PLAIN.lower(known_ones), *numbers)

    def higher(self, numbers: Sequence[Any]) -> Any:
        return self._of(lambda *known_ones: PLAIN.higher(known_ones), *numbers)

    def distance(self, one: Any, other: Any) -> Any:
        return self._of(PLAIN.distance, one, other)

    def set_of(self, members: Sequence[Any], of: Scalar) -> Any:
        return self._of(lambda *known_ones: PLAIN.set_of(known_ones, of), *members)

    def union(self, one: Any, other: Any) -> Any:
        return self._of(PLAIN.union, one, other)

    def without(self, one: Any, other: Any) -> Any:
        return self._of(PLAIN.without, one, other)

    def size(self, group: Any) -> Any:
        return self._of(PLAIN.size, group)

    def _of(self, apply: Callable[..., Any], *args: Any) -> Any:
        made = [known(arg, self._trial) for arg in args] if _has_sum(*args) else list(args)
        return lifted(made, self._trial, apply)

    def _apart(self, one: Any, other: Any) -> Sum | None:
        """How much more one is than the other, where one of them is a sum, or they are numbers that hang on tokens."""
        return self._added(one, other, -1) if _by_sums(one, other) else None

    def _added(self, one: Any, other: Any, sign: int) -> Sum:
        return as_sum(one, self._trial).plus(as_sum(other, self._trial), sign)

    def _is_zero(self, difference: Sum) -> bool:
        return self._trial.decide(difference) and self._trial.decide(difference.times(-1))


def _has_sum(*args: Any) -> bool:
    return any(isinstance(arg, Sum) for arg in args)


def _by_sums(one: Any, other: Any) -> bool:
    """Whether two numbers are told by sums: of what hangs on different tokens everything else would be a case for each
    two classes."""
    if _has_sum(one, other):
        return True
    tokens = {token for arg in (one, other) if (token := _number_token(arg)) is not None}
    return len(tokens) == 2


def _number_token(value: Any) -> int | None:
    """The only token that a number hangs on."""
    if isinstance(value, Token):
        return value.id
    if isinstance(value, Case) and all(type(one) is int for one in value.values.values()):
        return value.token
    return None
