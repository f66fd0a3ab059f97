"""Tests data against a schema of ours, as far as such schemas go: types, keys, items, enumerations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "boolean": (bool,),
    "null": (type(None),),
}


def misfits(data: object, schema: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, str]]:
    """Each place (keys with dots between them) that does not fit, and what would."""
    if "const" in schema and data != schema["const"]:
        yield where, repr(schema["const"])
    if "enum" in schema and data not in schema["enum"]:
        yield where, f"one of {', '.join(map(str, schema['enum']))}"
    types = schema.get("type", [])
    wanted = [types] if isinstance(types, str) else types
    if wanted and not any(_is(data, one) for one in wanted):
        yield where, f"of type {' or '.join(wanted)}"
    elif isinstance(data, dict):
        yield from _object(data, schema, where)
    elif isinstance(data, list):
        yield from _array(data, schema, where)


def _is(data: object, name: str) -> bool:
    return isinstance(data, _TYPES[name]) and (name == "boolean" or not isinstance(data, bool))


def _object(data: Mapping[str, object], schema: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in data:
            yield where, f"with the key {name}"
    for name, value in data.items():
        inner = f"{where}.{name}" if where else name
        if name in known:
            yield from misfits(value, known[name], inner)
        elif isinstance(more, dict):
            yield from misfits(value, more, inner)
        elif not more:
            yield inner, f"one of the keys {', '.join(known)}"


def _array(data: Sequence[object], schema: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    if len(data) < schema.get("minItems", 0):
        yield where, f"at least {schema['minItems']} of them"
    for index, value in enumerate(data):
        yield from misfits(value, schema.get("items", {}), f"{where}.{index}" if where else str(index))
