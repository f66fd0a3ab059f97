"""Writes the verdicts on many logs in one of the formats; says the exit code for all of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Protocol

from referee.diagnostics.diagnostic import Diagnostic
from referee.diagnostics.exit_codes import Exit, first
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.data.tally_data import as_data as tally_data
from referee.report.data.verdict_data import SCHEMA, as_data
from referee.report.text.printable import printable
from referee.report.text.tally_text import lines_of
from referee.report.text.verdict_text import summary_of, text_of
from referee.report.verdict_tally import VerdictTally


class Sink(Protocol):
    """Where a report goes."""

    def write(self, text: str, /) -> object:
        """Takes a piece of it."""


FORMATS = ("text", "json", "sarif", "junit")
SUMMARIES = ("text", "json")


def write(verdicts: Iterable[LogVerdict], form: str, out: Sink, *, quiet: bool = False) -> Exit:
    """Writes a report and returns the exit code over all logs. `form` is one of `FORMATS`.

    Text and JSON are written log by log as the verdicts come, the others at the end. `quiet` (text only): legal logs
    are only counted.
    """
    seen: set[Exit] = set()

    def noted() -> Iterable[LogVerdict]:
        for verdict in verdicts:
            seen.add(verdict.exit)
            yield verdict

    if form == "text":
        _write_text(noted(), out, quiet)
    else:
        _WRITERS[form](noted(), out)
    return first(seen)


def write_summary(tally: VerdictTally, form: str, out: Sink) -> None:
    """Writes what is counted of verdicts, in one of `SUMMARIES`."""
    out.write("".join(f"{line}\n" for line in lines_of(tally)) if form == "text"
              else json.dumps(tally_data(tally), indent=1) + "\n")


def _write_text(verdicts: Iterable[LogVerdict], out: Sink, quiet: bool) -> None:
    outcomes: Counter[LogOutcome] = Counter()
    faults: set[tuple[Diagnostic, ...]] = set()
    for verdict in verdicts:
        outcomes[verdict.outcome] += 1
        if verdict.outcome is LogOutcome.NO_RULES and verdict.diagnostics in faults:
            out.write(f"{printable(verdict.path)}: no rules, as above\n")
        elif not quiet or verdict.outcome is not LogOutcome.LEGAL:
            out.write(text_of(verdict) + "\n")
        if verdict.outcome is LogOutcome.NO_RULES:
            faults.add(verdict.diagnostics)
    if outcomes.total() != 1 or quiet:
        out.write(summary_of(outcomes) + "\n")


def _write_json(verdicts: Iterable[LogVerdict], out: Sink) -> None:
    out.write(f'{{"schema": "{SCHEMA}", "verdicts": [')
    gap = "\n"
    for verdict in verdicts:
        out.write(gap + json.dumps(as_data(verdict), ensure_ascii=True))
        gap = ",\n"
    out.write("\n]}\n")


def _write_sarif(verdicts: Iterable[LogVerdict], out: Sink) -> None:
    from referee.report.data.sarif import sarif_of

    json.dump(sarif_of(list(verdicts)), out, indent=1)
    out.write("\n")


def _write_junit(verdicts: Iterable[LogVerdict], out: Sink) -> None:
    from referee.report.data.junit import junit_of

    out.write(junit_of(list(verdicts)))


_WRITERS: dict[str, Callable[[Iterable[LogVerdict], Sink], None]] = {
    "json": _write_json, "sarif": _write_sarif, "junit": _write_junit,
}
