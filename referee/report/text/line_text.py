"""One line of a log, explained as text."""

from __future__ import annotations

from collections.abc import Iterator

from referee.judge.line_explanation import Moment
from referee.judge.verdict import LogOutcome
from referee.report.text.printable import path_of, printable
from referee.report.text.verdict_text import assumed_lines, text_of, values_of


def moment_text(moment: Moment) -> str:
    """The verdict on a line, by what it stands or falls, who was asked and what was possible."""
    return "\n".join(_lines(moment))


def _lines(moment: Moment) -> Iterator[str]:
    wrong = moment.verdict.wrong
    if moment.verdict.outcome is LogOutcome.ILLEGAL and wrong is not None and wrong.line <= moment.line:
        yield text_of(moment.verdict)
    elif moment.verdict.outcome is LogOutcome.LEGAL:
        what = f"  {printable(moment.what)}" if moment.what is not None else ""
        yield f"{printable(moment.verdict.path)}:{moment.line}: legal{what}"
    else:
        yield text_of(moment.verdict)
    yield from _stands(moment)
    if moment.asked:
        yield f"  asked     {printable(moment.asked)}"
    if moment.legal:
        yield "  possible  " + ", ".join(printable(text) for text in moment.legal) + (", ..." if moment.more else "")


def _stands(moment: Moment) -> Iterator[str]:
    for fact in moment.held:
        values = values_of(fact)
        yield f"    held    {printable(fact.text)}" + (f"  {values}" if values else "")
    if moment.rule is not None:
        place = f"  {path_of(moment.place.path)}:{moment.place.line}" if moment.place is not None else ""
        yield f"  rule      {printable(moment.rule)}{place}"
    for cite, wording in moment.statements:
        yield f"  {printable(cite):<9} {printable(wording)}".rstrip()
    yield from assumed_lines(moment.assumed)
