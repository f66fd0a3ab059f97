"""Values that hang on several tokens: a case for each class of the latest, in these cases for the classes of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.interpreter.interruptions import Fault
from referee.judge.partial.constraints.hidden_values import Case, Hidden, Token, members

MOST_APPLIED = 2_000
"""So often a function is applied to values that hang on several tokens."""
Literals = Mapping[int, int]
"""Tokens, each with classes (bits) of which it is one."""


class TooWide(Exception):
    """A value hangs on too much to be told case by case."""


def joined(args: Sequence[Any], domains: Mapping[int, int], apply: Callable[..., Any]) -> Any:
    """A function of values of which some hang on tokens; what it raises for some classes is a value like others.

    Raises `TooWide`, and what the function raises if nothing hangs on a token.
    """
    return _Joining(domains, apply).of(list(args), {}, top=True)


class _Joining:
    """`domains`: the classes that each token may have."""

    def __init__(self, domains: Mapping[int, int], apply: Callable[..., Any]) -> None:
        self._domains = domains
        self._apply = apply
        self._left = MOST_APPLIED

    def of(self, args: list[Any], classes: Mapping[int, int], *, top: bool = False) -> Any:
        """`classes`: those that tokens have on the way here."""
        token = max((one for arg in args if (one := token_of(arg)) is not None), default=None)
        if token is None:
            return self._applied(args, top=top)
        if token in classes:
            return self.of([_at(arg, token, classes[token]) for arg in args], classes)
        made: dict[tuple[Any, ...], Any] = {}
        values: dict[int, Any] = {}
        for one in members(self._domains[token]):
            inner = [_at(arg, token, one) for arg in args]
            key = tuple([same_as(arg) for arg in inner])
            if key not in made:
                made[key] = self.of(inner, {**classes, token: one})
            values[one] = made[key]
        return reduced(token, values)

    def _applied(self, args: list[Any], *, top: bool) -> Any:
        self._left -= 1
        if self._left < 0 or any(isinstance(arg, Hidden) for arg in args):
            raise TooWide
        for arg in args:
            if isinstance(arg, Fault):
                return arg
        if top:
            return self._apply(*args)
        try:
            return self._apply(*args)
        except Fault as fault:
            return fault


def token_of(value: Any) -> int | None:
    """The token that a value hangs on first."""
    return value.token if isinstance(value, Case) else value.id if isinstance(value, Token) else None


def _at(value: Any, token: int, one: int) -> Any:
    """A value, if a token is of a class."""
    if isinstance(value, Case):
        return value.values[one] if value.token == token else value
    return one if isinstance(value, Token) and value.id == token else value


def same_as(value: Any) -> object:
    """Equal for values that are surely the same; of hidden ones for the very same."""
    if isinstance(value, Hidden | Fault):
        return "hidden", id(value)
    return type(value), value


def reduced(token: int, values: Mapping[int, Any]) -> Any:
    """A value for each class of a token; the value itself, if it is the same for all and no error."""
    first = next(iter(values.values()))
    known = same_as(first)
    if not isinstance(first, Fault) and all(same_as(one) == known for one in values.values()):
        return first
    return Case(token, values)


def leaves(value: Any) -> Iterator[Any]:
    """The values that a case may have, whatever it hangs on; some maybe more than once."""
    if not isinstance(value, Case):
        yield value
        return
    for one in {same_as(one): one for one in value.values.values()}.values():
        yield from leaves(one)


def case_of(value: Any, apply: Callable[[Any], Any]) -> Any:
    """A function of what hangs on tokens, and is no error; `HiddenValueAsked` if it hangs on anything else."""
    if not isinstance(value, Case):
        return apply(value)
    made = {key: case_of(one, apply) for key, one in {same_as(one): one for one in value.values.values()}.items()}
    return reduced(value.token, {at: made[same_as(one)] for at, one in value.values.items()})


def is_nested(case: Case) -> bool:
    """Whether a case hangs on several tokens."""
    return any(isinstance(one, Case) for one in case.values.values())


def only_way(case: Case, domains: Mapping[int, int], wanted: bool) -> Literals | None:
    """What must be so of tokens for a condition to be as wanted, if that is one thing of each; else None.

    Each token of which nothing is said may have any class.
    """
    found = _ways(case, domains, wanted)
    return found[0] if len(found) == 1 else None


def _ways(value: Any, domains: Mapping[int, int], wanted: bool) -> list[dict[int, int]]:
    """Two ways at most to come to a value."""
    if not isinstance(value, Case):
        return [{}] if value is wanted else []
    groups: dict[object, tuple[Any, int]] = {}
    for one in members(domains[value.token]):
        child = value.values[one]
        key = same_as(child)
        groups[key] = child, groups.get(key, (child, 0))[1] | 1 << one
    found: list[dict[int, int]] = []
    for child, mask in groups.values():
        for way in _ways(child, domains, wanted):
            found.append({**way, value.token: mask & way.get(value.token, mask)})
            if len(found) > 1:
                return found
    return found
