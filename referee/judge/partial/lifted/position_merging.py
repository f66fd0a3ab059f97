"""Makes positions with hidden things one that differ only in what they settled of what was open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, assert_never

from referee.interpreter.interruptions import Fault
from referee.judge.open_settings.setting_space import Rejoin, SettingSpace, kind_of, state_of
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Bag, Case, Sum, Token, Unknown
from referee.judge.partial.lifted.constrained_state import ConstrainedState
from referee.judge.partial.lifted.hidden_pools import Kinds, is_hidden
from referee.system.deadline import Deadline


def alike(ways: Sequence[ConstrainedState], rejoin: Rejoin, deadline: Deadline) -> list[ConstrainedState]:
    """The same positions under the same settings, fewer of them. What stands for holes is taken from one of them.

    Raises `OutOfTime` and `TooManyNodes`.
    """
    def place(way: ConstrainedState) -> object:
        deadline.check()
        return _place(way, rejoin.space)

    return [_one(same, rejoin) for group in _grouped(ways, place)
            for same in _grouped(group, lambda way: _known(way.store))]


def _grouped(ways: Sequence[ConstrainedState], key: Any) -> Iterable[list[ConstrainedState]]:
    if len(ways) < 2:
        return [list(ways)] if ways else []
    groups: dict[object, list[ConstrainedState]] = {}
    for way in ways:
        groups.setdefault(key(way), []).append(way)
    return groups.values()


def _one(group: Sequence[ConstrainedState], rejoin: Rejoin) -> ConstrainedState:
    return replace(group[0], here=rejoin.one([way.here for way in group]))


def _place(way: ConstrainedState, space: SettingSpace) -> object:
    """Equal for positions that differ at most in what is open, and in what is known of what is hidden."""
    step = way.here.step
    state = state_of(step)
    if state is None:
        return kind_of(step), id(step)
    rest = tuple(_named(one) for part in space.rest(state.slots) for one in part)
    return kind_of(step), state.at, rest, way.closed, way.marks


def same_future(way: ConstrainedState, base: ConstrainedState) -> object:
    """Equal only for positions after which the same lines are true; what stands for holes may differ. Only what is not
    as it was in `base` is looked at."""
    state, first, store = state_of(way.here.step), state_of(base.here.step), way.store
    if state is None or first is None:
        return object()
    changed = tuple((at, _named(one)) for at, (one, other) in enumerate(zip(state.slots, first.slots, strict=True))
                    if one is not other)
    return kind_of(way.here.step), state.at, changed, way.closed, _known(store), frozenset(store.derived.items())


def _known(store: ConstraintStore) -> object:
    """Equal if the same is known of the same tokens."""
    return (frozenset(store.domains.items()),
            frozenset((name, total.key()) for name, total in store.conditions.items()))


def _named(value: Any) -> object:
    """Equal for values that are the same whatever the tokens are."""
    if not is_hidden(value):
        return tuple(map(_named, value)) if isinstance(value, tuple) else value
    match value:
        case Token():
            return "token", value.id
        case Bag():
            return "bag", value.source, frozenset(value.known.items()), frozenset(value.tokens.items())
        case Case():
            return "case", value.token, tuple(_case(value.values))
        case Sum():
            return "sum", value.key()
        case Unknown() | Kinds():  # there is but one unknown, and what is kept in a position is no set of classes
            return id(value)
        case _:
            assert_never(value)


def _case(values: Any) -> Iterator[object]:
    for one, found in sorted(values.items()):
        yield one, (str(found) if isinstance(found, Fault) else _named(found))
