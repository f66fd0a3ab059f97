"""What is counted of many verdicts as text: how many logs came out how, and what is broken most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.report.data.tally_data import ranked
from referee.report.text.printable import count, path_of, printable
from referee.report.text.verdict_text import summary_of
from referee.report.verdict_tally import GENERATED, RulesetTally, VerdictTally

MOST_ROWS = 12
"""Of each table; JSON has all of them."""


def lines_of(tally: VerdictTally) -> Iterator[str]:
    """The summary: all logs, then each ruleset with what is broken in its logs."""
    yield f"{summary_of(tally.outcomes)}; {tally.events:,} {'event' if tally.events == 1 else 'events'}"
    yield from engine_lines_of(tally)
    by_logs = sorted(tally.rulesets.items(), key=lambda one: (-one[1].outcomes.total(), one[0]))
    for name, one in by_logs[:MOST_ROWS]:
        yield from _of_ruleset(printable(name, 60) or "(no ruleset)", one, alone=len(tally.rulesets) == 1)
    if len(by_logs) > MOST_ROWS or tally.others.outcomes:
        rest = sum((one.outcomes for _, one in by_logs[MOST_ROWS:]), tally.others.outcomes)
        yield f"others: {summary_of(rest)}"


def engine_lines_of(tally: VerdictTally) -> Iterator[str]:
    """What judged them, where it was not only generated code."""
    engines = tally.engines
    if set(engines) - {GENERATED}:
        said = [printable(engine) if len(engines) == 1 else f"{number:,} {printable(engine)}"
                for engine, number in ranked(engines)]
        yield f"judged {'; '.join(said)}"


def broken_lines_of(tally: VerdictTally) -> Iterator[str]:
    """Only what is broken, ruleset by ruleset."""
    for name, one in sorted(tally.rulesets.items(), key=lambda one: (-one[1].broken.total(), one[0]))[:MOST_ROWS]:
        if one.broken:
            yield from _of_ruleset(printable(name, 60) or "(no ruleset)", one, alone=False)


def _of_ruleset(name: str, one: RulesetTally, *, alone: bool) -> Iterator[str]:
    yield name if alone else f"{name}  {summary_of(one.outcomes)}"
    yield from _table("rules broken, by logs", one.broken, _rule)
    yield from _table("conditions that failed", one.conditions, lambda key: f"{key[0]}: {key[1]}")
    yield from _table("statements cited", one.statements, str)
    yield from _table("codes", one.codes, str)
    if one.others:
        yield f"  {count(one.others, 'other')} of further names"


def _rule(key: tuple[str, str]) -> str:
    name, place = key
    return f"{name}  {path_of(place)}" if place else name


def _table(title: str, names: Counter[Any], told: Any) -> Iterator[str]:
    if not names:
        return
    yield f"  {title}"
    rows = ranked(names)
    width = len(f"{rows[0][1]:,}")
    for name, number in rows[:MOST_ROWS]:
        yield f"    {number:>{width},}  {printable(told(name), 120)}"
    if len(rows) > MOST_ROWS:
        yield f"    {sum(number for _, number in rows[MOST_ROWS:]):>{width},}  {len(rows) - MOST_ROWS} others"
