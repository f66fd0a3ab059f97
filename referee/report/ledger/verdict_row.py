"""A verdict as a line of a part file."""

from __future__ import annotations

import json

from referee.judge.verdict import LogVerdict
from referee.report.data.verdict_data import as_data
from referee.report.verdict_tally import TallyEntry, entry_of

Row = tuple[bytes, TallyEntry]
"""The line, and what is counted of it. It is made where the log is judged: there are several such, and one writer."""


def row_of(verdict: LogVerdict) -> Row:
    """The line of a verdict: `verdict` of `report.schema.json`."""
    return json.dumps(as_data(verdict), ensure_ascii=True, separators=(",", ":")).encode() + b"\n", entry_of(verdict)
