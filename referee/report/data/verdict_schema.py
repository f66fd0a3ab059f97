"""The JSON Schema of the JSON report; `spec/report.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.diagnostics.diagnostic import Severity
from referee.diagnostics.exit_codes import Exit
from referee.judge.verdict import LogOutcome, OpenKind, SettingKind, WrongKind
from referee.report.data.verdict_data import SCHEMA
from referee.report.schema_parts import MAYBE_TEXT, TEXT, TEXTS, exactly

_NUMBER = {"type": "integer"}
_MAYBE_NUMBER = {"type": ["integer", "null"], "minimum": 0}
_MAYBE_LINE = {"type": ["integer", "null"], "minimum": 1}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name)}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


_DEFS: dict[str, Any] = {
    "verdict": exactly(
        path=TEXT,
        member={"description": "of the archive; null: there is none", **MAYBE_TEXT},
        index={"description": "which of the logs in that file or member, from 1", **_NUMBER},
        outcome={"enum": [outcome.value for outcome in LogOutcome]},
        exit={"enum": sorted(int(code) for code in Exit)},
        line={"description": "of the first wrong line, or of what stopped the judging", **_MAYBE_LINE},
        reason=MAYBE_TEXT,
        **{"for": {"description": "all, or the player from whom the rest is hidden", **TEXT}},
        ruleset=MAYBE_TEXT, version=MAYBE_TEXT, players=TEXTS, lines=_NUMBER, events=_NUMBER,
        finished={"type": "boolean"},
        winners={"type": ["array", "null"], "items": TEXT},
        wrong={"oneOf": [_ref("wrong"), {"type": "null"}]},
        after={"description": "remarks on lines after the first wrong one", **_list("wrong")},
        not_judged_from=_MAYBE_LINE,
        overruled={"description": "wrong lines that the table let stand", "type": "array", "items": _NUMBER},
        under={"description": "the combinations of assumptions under which it is so; empty: none is needed",
               "type": "array", "items": _list("assumption")},
        more_worlds={"type": "boolean"},
        ways={"description": "in how many ways the holes can be filled; null: there are none, or too many to count",
              **_MAYBE_NUMBER},
        narrowing={"description": "lines that hold in some of these ways only", "type": "array", "items": _NUMBER},
        holes={"description": "arguments that are not all stated", **_NUMBER},
        open_holes={"description": "values in them that are not settled; null: unknown", **_MAYBE_NUMBER},
        facts=_list("fact_of_hole"),
        conflict={"description": "of an illegal log with holes: lines that cannot all be true",
                  "type": "array", "items": _NUMBER},
        mends={"description": "lines with which, if they stated something else, it would be possible",
               "type": "array", "items": _NUMBER},
        defaults={"description": "of an illegal log: what was looked at, on the way to its wrong line, of settings at "
                                 "their default, and has a bearing on it", **_list("default")},
        more_defaults={"description": "how many such there are besides", **_NUMBER},
        set_by_log={"description": "the same of the settings that the header of the log names", **_list("set")},
        more_set_by_log={"description": "how many such there are besides", **_NUMBER},
        trials={"description": "what became of the verdict with other values; null: not asked",
                "oneOf": [_ref("trials"), {"type": "null"}]},
        notes=TEXTS,
        diagnostics=_list("diagnostic"),
    ),
    "fact_of_hole": exactly(
        line=_NUMBER, argument=TEXT, among={"description": "the values are among several", "type": "boolean"},
        values={"description": "one of these, or (among) these surely", **TEXTS},
        settled={"description": "nothing more is open", "type": "boolean"},
    ),
    "wrong": exactly(
        line=_MAYBE_LINE, kind={"enum": [kind.value for kind in WrongKind]}, what=TEXT, message=TEXT,
        rule=MAYBE_TEXT, place=MAYBE_TEXT, statements=TEXTS, failed=_list("fact"), held=_list("fact"),
        nearest=_list("nearest"),
        assumed={"description": "what the ruleset takes for granted and the line is judged by", **_list("declared")},
        because={"description": "what led there: conditions tested and entries written on the way, the nearest first",
                 **_list("reason")},
    ),
    "reason": exactly(
        text=TEXT, values={"type": "object", "additionalProperties": TEXT}, statements=TEXTS, place=MAYBE_TEXT,
        line={"description": "of the log, at which it happened", **_MAYBE_LINE},
        assumed={"description": "the names of the assumptions that it rests on", **TEXTS},
    ),
    "fact": exactly(
        text=TEXT, values={"type": "object", "additionalProperties": TEXT}, statements=TEXTS, place=MAYBE_TEXT,
        assumed={"description": "the names of the assumptions that it rests on", **TEXTS},
        forbids={"description": "the text names what must not be", "type": "boolean"},
    ),
    "declared": exactly(
        name=TEXT, text=TEXT, statements={"description": "of the rulebook, that it completes or explains", **TEXTS},
    ),
    "nearest": exactly(event={"type": "object"}, text=TEXT, changed=TEXT),
    "assumption": exactly(kind={"enum": [kind.value for kind in OpenKind]}, name=TEXT, value=TEXT, line=_NUMBER),
    "default": exactly(kind={"enum": [kind.value for kind in SettingKind if kind is not SettingKind.RULING]}, name=TEXT,
                   value=TEXT),
    "set": exactly(kind={"enum": [kind.value for kind in SettingKind]}, name=TEXT, value=TEXT),
    "trials": exactly(
        found=_list("other_setting"),
        alone={"description": "defaults to try", **_NUMBER}, alone_done={"description": "tried to the end", **_NUMBER},
        pairs={"description": "pairs of them to try", **_NUMBER}, pairs_done=_NUMBER,
        unread={"description": "defaults that were never looked at, so that they decide nothing; null: not found out",
                **_MAYBE_NUMBER},
        seconds={"description": "so long it may have taken", "type": "number"},
    ),
    "other_setting": exactly(
        settings={"description": "together they change the verdict", **_list("default")},
        line={"description": "the first wrong line then; null: the log stands", **_MAYBE_LINE},
    ),
    "diagnostic": exactly(
        code=TEXT, severity={"enum": [severity.value for severity in Severity]}, message=TEXT, path=TEXT,
        line=_NUMBER, column=_NUMBER, end_line=_NUMBER, end_column=_NUMBER, expected=TEXTS, hint=MAYBE_TEXT,
    ),
}

REPORT_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "verdicts on logs (referee/report/1)",
    **exactly(schema={"const": SCHEMA}, verdicts=_list("verdict")),
    "$defs": _DEFS,
}
