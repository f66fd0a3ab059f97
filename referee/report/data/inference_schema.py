"""The JSON Schema of what `infer --format json` writes; `spec/inference.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.diagnostics.exit_codes import Exit
from referee.judge.verdict import LogOutcome, OpenKind
from referee.report.data.inference_data import SCHEMA
from referee.report.schema_parts import MAYBE_TEXT, TEXT, TEXTS, exactly

_NUMBER = {"type": "integer", "minimum": 0}
_MAYBE_NUMBER = {"type": ["integer", "null"], "minimum": 0}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


_VALUE = exactly(name=TEXT, value=TEXT)
_EXCLUDED = exactly(value=TEXT, looked={"type": "boolean"}, log=MAYBE_TEXT, line=_MAYBE_NUMBER, what=MAYBE_TEXT,
                message=MAYBE_TEXT, statements=TEXTS)
_GAME = exactly(by=TEXT, forbidden_by=TEXT, events=_MAYBE_NUMBER, event=MAYBE_TEXT,
            exhaustive={"type": "boolean"}, games=_NUMBER, file=MAYBE_TEXT)
_DIFFERENT = exactly(kind={"enum": [OpenKind.READING.value, OpenKind.PARAMETER.value]}, name=TEXT,
                 values=_list(exactly(value=TEXT, logs=TEXTS)), more=_NUMBER)

INFERENCE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"settings inferred from logs ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA},
        outcome={"enum": ["explained", "contradiction", "unknown"]},
        exit={"enum": sorted(int(code) for code in Exit)},
        engines={"description": "what judged the logs, in words", **TEXTS},
        logs=_list(exactly(path=TEXT, outcome={"enum": [one.value for one in LogOutcome]}, line=_MAYBE_NUMBER,
                       events=_NUMBER, reason=MAYBE_TEXT, told={"type": "boolean"}, states=TEXTS)),
        headers={"description": "entries of which headers state different values; `more` of the same table",
                 **_list(_DIFFERENT)},
        settings=_list(exactly(kind={"enum": [OpenKind.READING.value, OpenKind.PARAMETER.value]}, name=TEXT, left=TEXTS,
                           untold=TEXTS, settled={"type": "boolean"}, excluded=_list(_EXCLUDED))),
        untouched={"description": "entries of parameters of which no log says anything", **_MAYBE_NUMBER},
        combinations=_list(_list(_VALUE)),
        number_of_combinations=_NUMBER,
        untold={"description": "settings that nothing refutes, not all of which could be looked at",
                **_list(_list(_VALUE))},
        number_untold=_NUMBER,
        rulings=_list(exactly(point=TEXT, tried=TEXTS, explaining=TEXTS)),
        clashes=_list(TEXTS),
        by_headers={"description": "of each clash, whether the headers alone contradict each other",
                    **_list({"type": "boolean"})},
        apart_at={"description": "of the first clashes of two logs, the first value that they leave differently",
                  **_list({"anyOf": [_DIFFERENT, {"type": "null"}]})},
        all_clashes={"type": "boolean"},
        together={"description": "if logs clash: groups of logs that some setting explains together",
                  **_list(TEXTS)},
        deciding=_list(exactly(log=TEXT, event=TEXT, left=_list(_VALUE))),
        apart=_list(exactly(name=TEXT, values=TEXTS, games=_list(_GAME))),
    ),
}
