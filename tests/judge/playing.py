"""Judges logs written line by line in a test, by a core made by hand."""

from __future__ import annotations

import io
import json
from typing import Any

from referee.core.ruleset import Core
from referee.engine.walker import Walker
from referee.game.header import Header
from referee.game.log import Log
from referee.judge.run import Options, judge_log
from referee.judge.verdict import Outcome, Verdict
from referee.meaning.flow import lower

PLAIN = Options()


def header(players: list[str] | None = None, **entries: Any) -> dict[str, Any]:
    return {"schema": "referee/log/1", "ruleset": "made", "players": players or ["ana", "ben"], **entries}


def does(by: str, do: str, **args: Any) -> dict[str, Any]:
    return {"by": by, "do": do, "with": args}


def ends(winner: Any = ..., **entries: Any) -> dict[str, Any]:
    return {"end": entries if winner is ... else {"winner": winner, **entries}}


def judged(core: Core, *lines: dict[str, Any] | str, head: dict[str, Any] | None = None,
           options: Options = PLAIN) -> Verdict:
    """The verdict on a log: the header is line 1, `lines` follow; a text is written as it is."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in (head or header(), *lines)]
    walker = Walker(lower(core))

    def load(_: Header) -> Walker:
        return walker

    return judge_log(Log(io.StringIO("".join(f"{text}\n" for text in texts)), "game.jsonl"), load, options)


def wrong(verdict: Verdict) -> tuple[int, str, str]:
    """Line, kind and message of an illegal log."""
    assert verdict.outcome is Outcome.ILLEGAL, verdict
    assert verdict.wrong is not None
    return verdict.wrong.line, verdict.wrong.kind.value, verdict.wrong.message
