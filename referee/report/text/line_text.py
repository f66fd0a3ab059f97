"""One line of a log, explained as text."""

from __future__ import annotations

from collections.abc import Iterator

from referee.judge.line_explanation import Moment
from referee.judge.reasons.told_traces import ToldTrace, TraceKind, TraceLine
from referee.judge.verdict import LogOutcome
from referee.judge.visibility import HIDDEN
from referee.report.text.printable import path_of, printable
from referee.report.text.verdict_text import assumed_lines, note_lines, text_of, values_of

MOST_TRACE_LINES = 60
"""So many lines of what an event did are told; of more it is said how many."""
MOST_DEPTH = 12
"""Levels to which lines are indented: deeper ones stand there too."""


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
        yield from note_lines(moment.verdict)
    else:
        yield text_of(moment.verdict)
    yield from _stands(moment)
    yield from _did(moment.trace, named=moment.what is not None)
    if moment.asked:
        yield f"  asked     {printable(moment.asked)}"
    if moment.legal:
        yield "  possible  " + ", ".join(printable(text) for text in moment.legal) + (", ..." if moment.more else "")


def _stands(moment: Moment) -> Iterator[str]:
    for fact in moment.held:
        values = values_of(fact)
        word = "not so" if fact.forbids else "held  "
        yield f"    {word}  {printable(fact.text)}" + (f"  {values}" if values else "")
    if moment.rule is not None:
        place = f"  {path_of(moment.place.path)}:{moment.place.line}" if moment.place is not None else ""
        yield f"  rule      {printable(moment.rule)}{place}"
    for cite, wording in moment.statements:
        yield f"  {printable(cite):<9} {printable(wording)}".rstrip()
    yield from assumed_lines(moment.assumed)


def _did(trace: ToldTrace | None, *, named: bool) -> Iterator[str]:
    """What an event did, folded: at most so many lines. `named`: it was said before which event."""
    if trace is None or not (trace.lines or trace.cut):
        return
    lines = [line for one in trace.lines if not named or one.kind is not TraceKind.EVENT for line in _folded(one, 0)]
    number = f"{trace.courses:,}" if trace.courses else "many"
    yield "  did" + (f"       (in one of {number} ways in which it may have stood)" if trace.courses != 1 else "")
    yield from lines[:MOST_TRACE_LINES]
    more = trace.left_out + max(len(lines) - MOST_TRACE_LINES, 0)
    if more:
        yield f"    and {more:,} more"
    if trace.cut:
        yield f"    the rest hangs on what is {HIDDEN}"


def _folded(line: TraceLine, depth: int) -> Iterator[str]:
    """A line with what is in it, deeper ones indented."""
    values = ", ".join(f"{printable(text, 60)} = {printable(value, 80)}" for text, value in line.shows)
    cites, assumed = " ".join(line.cites), ", ".join(one.name for one in line.assumed)
    said = f"{printable(line.text, 160)}" + (f" ({values})" if values else "") + (f" [{cites}]" if cites else "")
    said += f" (assumed: {assumed})" if assumed else ""
    yield "    " + "  " * min(depth, MOST_DEPTH) + said
    for one in line.inside:
        yield from _folded(one, depth + 1)
