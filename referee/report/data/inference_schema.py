"""The JSON Schema of what `infer --format json` writes; `spec/inference.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.diagnostics.exit_codes import Exit
from referee.judge.verdict import LogOutcome, OpenKind
from referee.report.data.inference_data import SCHEMA

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_MAYBE_TEXT = {"type": ["string", "null"]}
_NUMBER = {"type": "integer", "minimum": 0}
_MAYBE_NUMBER = {"type": ["integer", "null"], "minimum": 0}


def _of(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


_VALUE = _of(name=_TEXT, value=_TEXT)
_EXCLUDED = _of(value=_TEXT, looked={"type": "boolean"}, log=_MAYBE_TEXT, line=_MAYBE_NUMBER, what=_MAYBE_TEXT,
                message=_MAYBE_TEXT, statements=_TEXTS)
_GAME = _of(by=_TEXT, forbidden_by=_TEXT, events=_MAYBE_NUMBER, event=_MAYBE_TEXT,
            exhaustive={"type": "boolean"}, games=_NUMBER, file=_MAYBE_TEXT)
_DIFFERENT = _of(kind={"enum": [OpenKind.READING.value, OpenKind.PARAMETER.value]}, name=_TEXT,
                 values=_list(_of(value=_TEXT, logs=_TEXTS)), more=_NUMBER)

INFERENCE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"settings inferred from logs ({SCHEMA})",
    **_of(
        schema={"const": SCHEMA},
        outcome={"enum": ["explained", "contradiction", "unknown"]},
        exit={"enum": sorted(int(code) for code in Exit)},
        engines={"description": "what judged the logs, in words", **_TEXTS},
        logs=_list(_of(path=_TEXT, outcome={"enum": [one.value for one in LogOutcome]}, line=_MAYBE_NUMBER,
                       events=_NUMBER, reason=_MAYBE_TEXT, told={"type": "boolean"}, states=_TEXTS)),
        headers={"description": "entries of which headers state different values; `more` of the same table",
                 **_list(_DIFFERENT)},
        settings=_list(_of(kind={"enum": [OpenKind.READING.value, OpenKind.PARAMETER.value]}, name=_TEXT, left=_TEXTS,
                           untold=_TEXTS, settled={"type": "boolean"}, excluded=_list(_EXCLUDED))),
        untouched={"description": "entries of parameters of which no log says anything", **_MAYBE_NUMBER},
        combinations=_list(_list(_VALUE)),
        number_of_combinations=_NUMBER,
        untold={"description": "settings that nothing refutes, not all of which could be looked at",
                **_list(_list(_VALUE))},
        number_untold=_NUMBER,
        rulings=_list(_of(point=_TEXT, tried=_TEXTS, explaining=_TEXTS)),
        clashes=_list(_TEXTS),
        by_headers={"description": "of each clash, whether the headers alone contradict each other",
                    **_list({"type": "boolean"})},
        apart_at={"description": "of the first clashes of two logs, the first value that they leave differently",
                  **_list({"anyOf": [_DIFFERENT, {"type": "null"}]})},
        all_clashes={"type": "boolean"},
        together={"description": "if logs clash: groups of logs that some setting explains together",
                  **_list(_TEXTS)},
        deciding=_list(_of(log=_TEXT, event=_TEXT, left=_list(_VALUE))),
        apart=_list(_of(name=_TEXT, values=_TEXTS, games=_list(_GAME))),
    ),
}
