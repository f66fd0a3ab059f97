"""Pickles of values that are made of frozen dataclasses, by the ten thousands: written as calls of their classes.

The state that a frozen dataclass has in a pickle is put back by functions of Python, which takes most of the time of
reading it; a call of the class takes a third. Anything can read such a pickle that reads others.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from io import BytesIO
from operator import attrgetter
from typing import Any

from referee.system.garbage_collection import uncollected

_Reduced = tuple[type, tuple[Any, ...]]
_POST = "__post_init__"


class _Reducers(dict[type, Callable[[Any], _Reduced]]):
    """By its class how a value is written: those that have none here are written as by `pickle`."""

    def __missing__(self, kind: type) -> Callable[[Any], _Reduced]:
        if not is_dataclass(kind) or not kind.__dataclass_params__.frozen or hasattr(kind, _POST):  # type: ignore[attr-defined]
            raise KeyError(kind)
        parts = fields(kind)
        if any(one.kw_only or not one.init for one in parts):
            raise KeyError(kind)
        names = [one.name for one in parts]
        if len(names) > 1:
            whole = attrgetter(*names)
            self[kind] = lambda value: (kind, whole(value))
        else:
            self[kind] = lambda value: (kind, tuple([getattr(value, name) for name in names]))
        return self[kind]


class _Pickler(pickle.Pickler):
    dispatch_table = _Reducers()


def dumps(value: object) -> bytes:
    """The pickle of a value. Raises RecursionError for one that is nested too deeply."""
    written = BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()


def loads(data: bytes) -> object:
    """The value of a pickle that nobody else could have written. Raises whatever a damaged one leads to.

    Nothing in it is given up while it is read, so that nothing is looked for that was.
    """
    with uncollected():
        found: object = pickle.loads(data)  # noqa: S301 the caller knows where it comes from
        return found
