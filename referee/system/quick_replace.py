"""`replace` of `dataclasses` for values that are replaced all the time: what a class has is looked up once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

_T = TypeVar("_T")


_Parts = tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]
_KNOWN: dict[type[Any], _Parts] = {}


def _parts(of: type[Any]) -> _Parts:
    """What reads all fields of a class that has several, and their places."""
    names = [one.name for one in fields(of)]
    found = _KNOWN[of] = attrgetter(*names), {name: at for at, name in enumerate(names)}
    return found


def replace(one: _T, **changes: Any) -> _T:
    """The same dataclass with other values in some fields. Each of its fields can be given when one is made."""
    of: type[Any] = type(one)
    read, places = _KNOWN.get(of) or _parts(of)
    values = list(read(one))
    for name, value in changes.items():
        values[places[name]] = value
    found: _T = of(*values)
    return found
