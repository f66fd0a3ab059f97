"""The schema of correspondences: what two rulesets call the same; `spec/correspondence.schema.json` is this."""

from __future__ import annotations

from typing import Any

CORRESPONDENCE = "referee/correspondence/1"
_TEXT = {"type": "string"}
_NAMES = {"type": "array", "items": _TEXT}


def _of(required: tuple[str, ...], description: str, **properties: Any) -> dict[str, Any]:
    return {"description": description, "type": "object", "required": list(required), "properties": properties,
            "additionalProperties": False}


def _table(of: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "type": "object", "additionalProperties": of}


def _held(which: str) -> dict[str, Any]:
    anything = {"type": "object"}
    return _of((), f"what is fixed for all games of the {which} rules, as in the header of a log",
               readings=_table(_TEXT, "reading -> choice"), parameters=anything, given=anything,
               rulings=_table(_TEXT, "point -> what the table rules there"))


def _both(description: str) -> dict[str, Any]:
    return _of((), description, first=_NAMES, second=_NAMES)


CORRESPONDENCE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what two rulesets call the same ({CORRESPONDENCE})",
    **_of(
        ("schema",), "what is not named is called the same by both",
        schema={"const": CORRESPONDENCE},
        labels=_table(_TEXT, "label of the first rules -> label of the second"),
        arguments=_table(_table(_TEXT, "argument in the first rules -> in the second"), "label of the first rules"),
        values=_table(_TEXT, "name in the first rules -> in the second: components, squares, choices"),
        silent=_both("labels of events that only one of them has, and that nobody compares"),
        several=_both("labels of which several events here are one there: games are not compared through them"),
        settings=_of((), "parameters, givens and readings", first=_held("first"), second=_held("second"),
                     same=_table(_TEXT, "parameter, given, reading or option of the first rules -> of the second"),
                     choices=_table(_table(_TEXT, "choice in the first rules -> in the second"),
                                    "reading of the first rules")),
        state=_of((), "counters and zones that both have are compared by their names",
                  same=_table(_TEXT, "counter or zone of the first rules -> of the second"),
                  ignored={"description": "names in the first rules that are not compared; `*`: all not in `same`",
                           **_NAMES}),
        claims=_table(_TEXT, "expression by the first rules -> by the second: their values are compared"),
    ),
}
