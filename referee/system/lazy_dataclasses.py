"""Frozen dataclasses whose methods are made when they are first called: most classes that are imported are never used.

`dataclass` is the decorator of `dataclasses`, which tools that check types take it for. What it makes of a class with
`frozen=True, slots=True` behaves as what that makes, and `fields`, `replace` and whatever else asks for its fields find
them. Everything else is left to that decorator itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from inspect import get_annotations
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_FIELDS, _PARAMS, _KIND = "__dataclass_fields__", "__dataclass_params__", "_field_type"
_OWN, _POST = "_lazy_fields_", "__post_init__"
_Parts = dict[str, tuple[Any, Any]]
"""By their names the annotations of fields, and what stands behind them: a value, a `Field`, or `MISSING`."""
_ODD = ("ClassVar", "InitVar", "KW_ONLY", "typing.", "dataclasses.")
"""No annotation of an ordinary field begins so."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **how):
        """As the decorator of `dataclasses`."""
        if cls is None:
            return lambda cls: dataclass(cls, **how)
        parts = _parts(cls) if how == {"frozen": True, "slots": True} else None
        return dataclasses.dataclass(cls, **how) if parts is None else _lazy(cls, parts)


def _parts(cls: type) -> _Parts | None:
    """The fields of a class, those of its bases first; None if anything about it is not as usual."""
    found: _Parts = {}
    for base in reversed(cls.__mro__[1:-1]):
        own = base.__dict__.get(_OWN)
        if own is None and (_FIELDS in base.__dict__ or "__annotations__" in base.__dict__):
            return None
        found |= own or {}
    for name, annotation in get_annotations(cls).items():
        default = cls.__dict__.get(name, dataclasses.MISSING)
        odd = isinstance(default, dataclasses.Field) and default.kw_only is True
        if not isinstance(annotation, str) or annotation.startswith(_ODD) or odd or _mutable(default):
            return None
        found[name] = annotation, default
    return None if "__slots__" in cls.__dict__ else found


def _mutable(default: Any) -> bool:
    """Whether a default is one that the decorator refuses."""
    value = default.default if isinstance(default, dataclasses.Field) else default
    return value is not dataclasses.MISSING and type(value).__hash__ is None


def _field(default: Any) -> Any:
    """What is said of a field."""
    return default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)


def _lazy(cls: type, parts: _Parts) -> type:
    """The class anew, with slots, and methods that are to be made."""
    inside = dict(cls.__dict__)
    for name in (*get_annotations(cls), "__dict__", "__weakref__"):
        inside.pop(name, None)
    taken = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get(_OWN, ())}
    inside["__slots__"] = tuple(name for name in parts if name not in taken)
    inside[_OWN] = parts
    inside[_FIELDS], inside[_PARAMS] = _WhenAsked(_FIELDS), _WhenAsked(_PARAMS)
    inside.setdefault("__match_args__", tuple([name for name, (_, default) in parts.items() if _field(default).init]))
    made: type = type(cls)(cls.__name__, cls.__bases__, inside)
    made.__qualname__ = cls.__qualname__
    stubs = {"__init__": _init, "__repr__": _repr, "__eq__": _eq, "__setattr__": _unassigned,
             "__delattr__": _undeleted, "__getstate__": _getstate, "__setstate__": _setstate}
    if inside.get("__hash__") is None and not ("__hash__" in inside and "__eq__" not in inside):
        stubs["__hash__"] = _hash
    for name, stub in stubs.items():
        if name not in inside or (name == "__hash__" and inside[name] is None):
            setattr(made, name, stub(made, parts))
        elif name in ("__setattr__", "__delattr__"):
            raise TypeError(f"{name} of {made.__qualname__} stands there already")
    return made


class _WhenAsked:
    """What `dataclasses` says of a class, worked out once somebody asks."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, _: object, owner: type) -> Any:
        home = next(base for base in owner.__mro__ if base.__dict__.get(self._name) is self)
        made = _fields(home.__dict__[_OWN]) if self._name == _FIELDS else getattr(_Sample, _PARAMS)
        setattr(home, self._name, made)
        return made


@dataclasses.dataclass(frozen=True)
class _Sample:
    """What is the same of all classes."""

    one: int


def _fields(parts: _Parts) -> dict[str, Any]:
    """What `dataclasses` says of fields."""
    found = {}
    for name, (annotation, default) in parts.items():
        given = _field(default)
        one = dataclasses.field(init=given.init, repr=given.repr, hash=given.hash, compare=given.compare,
                                metadata=given.metadata, kw_only=False)
        one.name, one.type, one.default = name, annotation, given.default
        one.default_factory = given.default_factory
        setattr(one, _KIND, getattr(dataclasses.fields(_Sample)[0], _KIND))  # that of an ordinary one
        found[name] = one
    return found


# --- methods, each made when it is first called

def _when_called(cls: type, name: str, make: Callable[[], Any]) -> Any:
    """What stands for a method until it is called."""

    def stub(self: Any, *args: Any, **named: Any) -> Any:
        made = make()
        made.__name__, made.__qualname__ = name, f"{cls.__qualname__}.{name}"
        type.__setattr__(cls, name, made)
        return made(self, *args, **named)

    stub.__name__, stub.__qualname__ = name, f"{cls.__qualname__}.{name}"
    return stub


def _written(head: str, body: list[str], names: dict[str, Any]) -> Any:
    """A function of source of ours: the names of fields are all that is in it besides."""
    text = "\n ".join([f"def f({head}):", *(body or ["pass"])])
    exec(text, names)  # noqa: S102 see above
    return names["f"]


def _init(cls: type, parts: _Parts) -> Any:
    def make() -> Any:
        head, body, names = ["self"], [], dict[str, Any]()
        for name, (_, given) in parts.items():
            one, value = _field(given), name
            if one.default is not dataclasses.MISSING:
                names[f"_d_{name}"] = one.default
                head.append(f"{name}=_d_{name}") if one.init else None
                value = name if one.init else f"_d_{name}"
            elif one.default_factory is not dataclasses.MISSING:
                names[f"_d_{name}"], names["_missing"] = one.default_factory, dataclasses.MISSING
                head.append(f"{name}=_missing") if one.init else None
                value = f"_d_{name}() if {name} is _missing else {name}" if one.init else f"_d_{name}()"
            elif one.init:
                head.append(name)
            else:
                continue
            names[f"_s_{name}"] = getattr(cls, name).__set__
            body.append(f"_s_{name}(self, {value})")
        if hasattr(cls, _POST):
            body.append(f"self.{_POST}()")
        return _written(", ".join(head), body, names)

    return _when_called(cls, "__init__", make)


def _eq(cls: type, parts: _Parts) -> Any:
    def make() -> Any:
        told = [name for name, (_, given) in parts.items() if _field(given).compare]
        one, other = ("".join(f"{side}.{name}," for name in told) for side in ("self", "other"))
        return _written("self, other", ["if other.__class__ is not self.__class__: return NotImplemented",
                                        f"return ({one}) == ({other})"], {})

    return _when_called(cls, "__eq__", make)


def _hash(cls: type, parts: _Parts) -> Any:
    def make() -> Any:
        told = [name for name, (_, given) in parts.items()
                if (_field(given).compare if _field(given).hash is None else _field(given).hash)]
        return _written("self", [f"return hash(({''.join(f'self.{name},' for name in told)}))"], {})

    return _when_called(cls, "__hash__", make)


def _repr(cls: type, parts: _Parts) -> Any:
    def make() -> Any:
        told = [name for name, (_, given) in parts.items() if _field(given).repr]

        def shown(self: Any) -> str:
            values = ", ".join([f"{name}={getattr(self, name)!r}" for name in told])
            return f"{self.__class__.__qualname__}({values})"

        return recursive_repr("...")(shown)

    return _when_called(cls, "__repr__", make)


def _unassigned(cls: Any, parts: _Parts) -> Any:
    def barred(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in parts:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    return barred


def _undeleted(cls: Any, parts: _Parts) -> Any:
    def barred(self: Any, name: str) -> None:
        if type(self) is cls or name in parts:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return barred


def _getstate(_: type, parts: _Parts) -> Any:
    def getstate(self: Any) -> list[Any]:
        return [getattr(self, name) for name in parts]

    return getstate


def _setstate(_: type, parts: _Parts) -> Any:
    def setstate(self: Any, state: list[Any]) -> None:
        for name, value in zip(parts, state, strict=True):
            object.__setattr__(self, name, value)

    return setstate
