"""What the schemas of all results are made of: objects with exactly some keys, lists, texts and numbers."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}
MAYBE_TEXT: dict[str, Any] = {"type": ["string", "null"]}
NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0}
MAYBE_NUMBER: dict[str, Any] = {"type": ["integer", "null"]}
TRUTH: dict[str, Any] = {"type": "boolean"}


def exactly(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def list_of(name: str) -> dict[str, Any]:
    """A list of what is defined under a name."""
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}
