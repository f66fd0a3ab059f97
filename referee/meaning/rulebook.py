"""The statements of a rulebook: `statements.toml`, id -> our own short wording and what became of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from referee.base.diagnostic import Reporter
from referee.base.source import Span

REASONS = ("heading", "aim", "example", "component list", "flavour", "not in our copy")
DUPLICATE = "duplicate of "
INFERRED = "inferred"
"""What stands in place of an id where the encoder, and no words of the rulebook, gave the answer."""


class Status(Enum):
    """What became of a statement."""

    ENCODED = "encoded"
    OPEN = "open"
    NO_RULE = "not a rule"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the rulebook in our words; `reason` says why it is not a rule, `line` where it stands there."""

    id: str
    text: str
    status: Status = Status.ENCODED
    reason: str = ""
    line: int | None = None


def read_statements(path: Path, reporter: Reporter) -> Mapping[str, Statement]:
    """The statements by id. What is wrong with the file is reported (ST..), and the result is then partial."""
    here = Span(str(path), 1, 1, 1, 1)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reporter.error("ST01", f"the statements cannot be read: {error}", here)
        return {}
    entries = data.get("statement", {})
    if not isinstance(entries, dict):
        reporter.error("ST02", "expected tables `[statement.ID]`", here)
        return {}
    found = {str(name): _statement(str(name), entry, here, reporter) for name, entry in entries.items()}
    for one in found.values():
        if one is not None and one.reason.startswith(DUPLICATE) and one.reason.removeprefix(DUPLICATE) not in found:
            reporter.error("ST05", f"statement {one.id} is a {one.reason}, which is no statement", here)
    return {name: one for name, one in found.items() if one is not None}


def _statement(name: str, entry: object, here: Span, reporter: Reporter) -> Statement | None:
    wording = entry.get("text") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(wording, str):
        reporter.error("ST03", f"statement {name} has no `text`", here)
        return None
    status, reason, line = entry.get("status", "encoded"), entry.get("reason", ""), entry.get("line")
    if status not in {s.value for s in Status}:
        reporter.error("ST04", f"statement {name} is {status}", here, expected=tuple(s.value for s in Status))
        return None
    closed = reason in REASONS or (isinstance(reason, str) and reason.startswith(DUPLICATE))
    if (status == Status.NO_RULE.value) != bool(reason) or (reason and not closed):
        reporter.error("ST05", f"statement {name}: why is it not a rule?", here, expected=(*REASONS, DUPLICATE + "ID"))
        return None
    return Statement(name, wording, Status(status), str(reason), line if isinstance(line, int) else None)
