"""Results as immutable objects: made of plain data by the types of their fields, and plain data again."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

_K = TypeVar("_K")
_V = TypeVar("_V")


class Dataclass(Protocol):
    """An instance of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


_SIMPLE = frozenset({str, int, bool})
_R = TypeVar("_R", bound=Dataclass)


class FrozenDict(Mapping[_K, _V]):
    """A mapping that nobody changes. Equal to any mapping with the same entries; its order is that of its making."""

    __slots__ = ("_held",)

    def __init__(self, entries: Mapping[_K, _V]) -> None:
        self._held = dict(entries)

    @classmethod
    def of_json(cls, entries: dict[_K, _V]) -> FrozenDict[_K, _V]:
        """Of an object as JSON has it, which nobody else keeps."""
        for name, value in entries.items():
            if type(value) not in _SIMPLE:
                entries[name] = frozen(value)
        made = cls.__new__(cls)
        made._held = entries
        return made

    def __getitem__(self, key: _K) -> _V:
        return self._held[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return repr(self._held)

    def __hash__(self) -> int:
        return hash(frozenset(self._held.items()))


def frozen(value: object) -> Any:
    """Plain data with tuples for its lists and immutable mappings for its objects."""
    if type(value) in _SIMPLE:
        return value
    if isinstance(value, (list, tuple)):  # asked first: whether something is a mapping takes longer to find out
        return tuple([frozen(inner) for inner in value])
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(inner) for key, inner in value.items()})
    return value


def thawed(value: object) -> Any:
    """Results and what they hold as plain data for JSON, with the keys of the command line."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: thawed(getattr(value, name)) for name, key in _keys(type(value)).items()}
    if isinstance(value, Mapping):
        return {key: thawed(inner) for key, inner in value.items()}
    return [thawed(inner) for inner in value] if isinstance(value, (tuple, list)) else value


def made(cls: type[_R], data: Mapping[str, Any], *beside: object) -> _R:
    """A result with the fields of the data. `beside`: its last fields, of which the data has nothing."""
    values = []
    for key, kind in _typed_keys(cls):
        value = data[key]
        if value is not None and type(value) not in _SIMPLE:
            value = _typed(kind, value) if value != [] else ()
        values.append(value)
    return cls(*values, *beside)


@cache
def _keys(cls: type[Dataclass]) -> dict[str, str]:
    """The fields of which there is data: name -> key. A word of Python has `_` behind it."""
    return {field.name: field.name.rstrip("_") for field in fields(cls) if not field.metadata.get("beside")}


@cache
def _typed_keys(cls: type[Dataclass]) -> tuple[tuple[str, Any], ...]:
    """The keys of data with their types, in the order of the fields."""
    kinds = get_type_hints(cls)
    return tuple((key, _simple(kinds[name])) for name, key in _keys(cls).items())


def _simple(kind: Any) -> Any:
    """A type as `_typed` takes it: a class, a tuple of one, or None for what is only frozen."""
    if get_origin(kind) in (Union, types.UnionType):
        kind, = (one for one in get_args(kind) if one is not type(None))
    if get_origin(kind) is tuple:
        inner = _simple(get_args(kind)[0])
        return None if inner is None else (inner,)
    return kind if is_dataclass(kind) else None


def _typed(kind: Any, value: Any) -> Any:
    if value is None or kind is None:
        return value if isinstance(value, (str, int)) else frozen(value)
    if isinstance(kind, tuple):
        return tuple([_typed(kind[0], inner) for inner in value])
    return made(kind, value)
