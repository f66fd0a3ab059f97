"""The statements of a rulebook: `statements.toml` beside the rules, id -> our own short wording."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from referee.base.diagnostic import Reporter
from referee.base.source import Span


def read_statements(path: Path, reporter: Reporter) -> Mapping[str, str]:
    """The wording by id. What is wrong with the file is reported (ST..), and the result is then partial."""
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
    found: dict[str, str] = {}
    for name, entry in entries.items():
        wording = entry.get("text") if isinstance(entry, dict) else None
        if isinstance(wording, str):
            found[str(name)] = wording
        else:
            reporter.error("ST03", f"statement {name} has no `text`", here)
    return found
