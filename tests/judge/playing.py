"""Judges logs written line by line in a test, by a core made by hand."""

from __future__ import annotations

import io
import json
import re
from typing import Any

from jsonschema import Draft202012Validator

from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.data.verdict_data import SCHEMA, as_data
from referee.report.data.verdict_schema import REPORT_SCHEMA
from referee.report.text.verdict_text import text_of

PLAIN = Options()
_SCHEMA = Draft202012Validator(REPORT_SCHEMA)


def header(players: list[str] | None = None, **entries: Any) -> dict[str, Any]:
    return {"schema": "referee/log/1", "ruleset": "made", "players": players or ["ana", "ben"], **entries}


def does(by: str, do: str, **args: Any) -> dict[str, Any]:
    return {"by": by, "do": do, "with": args}


def ends(winner: Any = ..., **entries: Any) -> dict[str, Any]:
    return {"end": entries if winner is ... else {"winner": winner, **entries}}


def judged(core: Core, *lines: dict[str, Any] | str, head: dict[str, Any] | None = None,
           options: Options = PLAIN) -> LogVerdict:
    """The verdict on a log: the header is line 1, `lines` follow; a text is written as it is."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in (head or header(), *lines)]
    walker = Walker(lower(core))

    def load(_: Header) -> Walker:
        return walker

    return sound(judge_log(Log(io.StringIO("".join(f"{text}\n" for text in texts)), "game.jsonl"), load, options))


def sound(verdict: LogVerdict) -> LogVerdict:
    """The verdict, after it was seen that its reports keep what they promise."""
    _SCHEMA.validate({"schema": SCHEMA, "verdicts": [json.loads(json.dumps(as_data(verdict)))]})
    negative = [line for line in text_of(verdict).splitlines() if re.match(r"game\.jsonl:\d+: illegal", line)]
    assert len(negative) == (verdict.outcome is LogOutcome.ILLEGAL)
    return verdict


def wrong(verdict: LogVerdict) -> tuple[int, str, str]:
    """Line, kind and message of an illegal log."""
    assert verdict.outcome is LogOutcome.ILLEGAL, verdict
    assert verdict.wrong is not None
    return verdict.wrong.line, verdict.wrong.kind.value, verdict.wrong.message
