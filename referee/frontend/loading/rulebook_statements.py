"""The statements of a rulebook: `statements.toml`, id -> our own short wording and what became of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Span
from referee.system.file_observations import FileObservations

EXAMPLE = "example"
REASONS = ("heading", "aim", EXAMPLE, "component list", "flavour", "not in our copy")
DUPLICATE = "duplicate of "
MOST_BYTES = 2_000_000
"""A file of statements with more bytes is refused."""
_HEAD = re.compile(r"""\[statement\.["']?(?P<id>[^"'\]\s]+)["']?\]""")


class Status(Enum):
    """What became of a statement."""

    ENCODED = "encoded"
    OPEN = "open"
    NO_RULE = "not a rule"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the rulebook in our words; `reason` says why it is not a rule, `line` where it stands there.

    `shown`: it does not say a rule but shows what comes of others, as worked examples do. `settles`: questions that are
    asked of the rulebook and that this sentence answers, each with the few words of it that do.
    """

    id: str
    text: str
    status: Status = Status.ENCODED
    reason: str = ""
    line: int | None = None
    shown: bool = False
    settles: tuple[tuple[str, str], ...] = ()


def read_statements(path: Path, reporter: Reporter, looks: FileObservations) -> Mapping[str, Statement]:
    """The statements by id. What is wrong with the file is reported (ST..), and the result is then partial.

    `looks`: by whom it is read.
    """
    whole = Span(str(path), 1, 1, 1, 1)
    try:
        content = looks.read(path, MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ValueError(f"larger than {MOST_BYTES:,} bytes")
        text = content.decode("utf-8")
        data = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        reporter.error("ST01", f"the statements cannot be read: {why}", whole)
        return {}
    entries = data.get("statement", {})
    if not isinstance(entries, dict):
        reporter.error("ST02", "expected tables `[statement.ID]`", whole)
        return {}
    places = _places(str(path), text)
    found = {name: _statement(name, entry, places.get(name, whole), reporter) for name, entry in entries.items()}
    for one in found.values():
        if one is not None and one.reason.startswith(DUPLICATE) and one.reason.removeprefix(DUPLICATE) not in found:
            where = places.get(one.id, whole)
            reporter.error("ST05", f"statement {one.id} is a {one.reason}, which is no statement", where)
    return {name: one for name, one in found.items() if one is not None}


def _places(path: str, text: str) -> Mapping[str, Span]:
    """Where the head of each statement stands, as far as it is written in the usual way."""
    found: dict[str, Span] = {}
    for number, line in enumerate(text.split("\n"), 1):
        head = _HEAD.match(line)
        if head is not None:
            found.setdefault(head["id"], Span(path, number, 1, number, head.end() + 1))
    return found


def _statement(name: str, entry: object, here: Span, reporter: Reporter) -> Statement | None:
    wording = entry.get("text") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(wording, str):
        reporter.error("ST03", f"statement {name} has no `text`", here)
        return None
    status, reason, line = entry.get("status", "encoded"), entry.get("reason", ""), entry.get("line")
    if not isinstance(status, str) or status not in {s.value for s in Status}:
        said = f"statement {name} is {str(status)[:80]}"
        reporter.error("ST04", said, here, expected=tuple(f"`{s.value}`" for s in Status))
        return None
    closed = reason in REASONS or (isinstance(reason, str) and reason.startswith(DUPLICATE))
    if reason and status != Status.NO_RULE.value:
        reporter.error("ST05", f"statement {name} is {status}, so it has no `reason`", here)
        return None
    if status == Status.NO_RULE.value and not closed:
        expected = tuple(f"`{r}`" for r in (*REASONS, DUPLICATE + "ID"))
        reporter.error("ST05", f"why is statement {name} not a rule?", here, expected=expected)
        return None
    shown = entry.get("example", reason == EXAMPLE)
    if not isinstance(shown, bool):
        reporter.error("ST06", f"whether statement {name} is an example", here, expected=("`true`", "`false`"))
        return None
    settles = entry.get("settles", {})
    if not isinstance(settles, dict) or not all(isinstance(words, str) and words.strip() for words in settles.values()):
        reporter.error("ST07", f"which questions statement {name} settles", here, expected=("`{ ID = \"words\" }`",))
        return None
    settled = tuple(settles.items())
    place = line if isinstance(line, int) else None
    return Statement(name, wording, Status(status), str(reason), place, shown, settled)
