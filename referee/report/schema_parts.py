"""What the schemas of all results are made of: objects with exactly some keys, texts."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}
MAYBE_TEXT: dict[str, Any] = {"type": ["string", "null"]}


def exactly(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}
