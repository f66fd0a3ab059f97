"""`referee coverage`: what became of each statement of a rulebook, and whether its encoding matters."""

from __future__ import annotations

from pathlib import Path

import click

from referee.api.log_inputs import logs_in
from referee.api.results.rule_results import MISSING, STATES, CoverageReport
from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_reports import coverage_report, tried_lines
from referee.cli.options import html_option, ruleset_argument, timeout_option
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit, first
from referee.report.text.printable import count, printable
from referee.system.deadline import OutOfTime


@click.command("coverage")
@ruleset_argument
@click.option(
    "--live", "alive", is_flag=True, help="Take out each cited line in turn and see whether anything notices."
)
@click.option("--answers", is_flag=True, help="List what is assumed, and the lines that rest on it.")
@timeout_option("How long --live may take. If not said as long as it takes.")
@html_option("Write a page of the rulebook too: each statement with its lines, scenarios and questions.")
@click.option("--logs", multiple=True, metavar="LOG",
              help="For the page: count how often this log, or each *.jsonl of this folder, used each statement.")
def coverage(ruleset: str, alive: bool, answers: bool, timeout: float | None, html: Path | None,
             logs: tuple[str, ...]) -> int:
    """Say for each statement of the rulebook where the RULESET encodes it, or why it does not.

    Ends with 5 if all is encoded, and not all cited lines were tried in time.
    """
    source = RulesSource(ruleset)
    if logs and html is None:
        raise click.UsageError("--logs are counted for a page: say --html OUT.html too")
    found = coverage_report(source, None)
    if html is not None:
        from referee.api.pages.log_files import write_page
        from referee.api.pages.report_files import coverage_page

        write_page(coverage_page(source, found, logs_in(logs) if logs else None), html)
    if answers:
        _answers(found)
        return Exit.GOOD
    if not found.statements:
        OUT.say(f"{found.ruleset}: no statements.toml, so nothing to cover")
        return Exit.GOOD
    tried = _live(source, timeout) if alive else Exit.GOOD
    return tried if tried is Exit.NEGATIVE else first([_summary(found), tried])


def _short(place: str) -> str:
    """A place without its folder."""
    return place.rpartition("/")[2]


def _summary(found: CoverageReport) -> Exit:
    for one in found.statements:
        where = ", ".join(dict.fromkeys(map(_short, one.places)))
        assumed = f"assumed: {', '.join(one.assumptions)}" if one.assumptions else ""
        said = "; ".join(part for part in (where, assumed) if part)
        settled = f"; settles: {', '.join(map(printable, one.settles))}" if one.settles else ""
        OUT.say(f"{one.id}  {one.state:<11} {said or one.reason or printable(one.text)}{settled}")
    for made in found.assumptions:
        OUT.say(f"{made.name}  assumed     {count(len(made.rests), 'line')}: {printable(made.text)}")
    numbers = {state: sum(1 for one in found.statements if one.state == state) for state in STATES}
    told = ", ".join(f"{number} {state}" for state, number in numbers.items() if number)
    share = 100 * (len(found.statements) - numbers[MISSING]) // len(found.statements)
    OUT.say(f"{count(len(found.statements), 'statement')}: {told}; {share} %")
    if found.assumptions or found.inferred:
        OUT.say(_number_of_answers(found))
    return Exit.GOOD if found.complete else Exit.NEGATIVE


def _answers(found: CoverageReport) -> None:
    """Prints what no words of the rulebook give: each assumption with the lines that rest on it, then bare marks."""
    for one in found.assumptions:
        about = f"  [{' '.join(one.statements)}]" if one.statements else ""
        OUT.say(f"{one.name}  {printable(one.text)}{about}")
        OUT.say(f"  {count(len(one.rests), 'line')}: {', '.join(map(_short, one.rests))}" if one.rests else "  no line")
    for answer in found.inferred:
        OUT.say(f"{_short(answer.place)}  {answer.construct}  [inferred]")
    OUT.say(_number_of_answers(found))


def _number_of_answers(found: CoverageReport) -> str:
    bare = f"{count(len(found.inferred), 'line')} marked [inferred]"
    return f"{count(len(found.assumptions), 'assumption')}, {bare}"


def _live(source: RulesSource, timeout: float | None) -> Exit:
    """Prints each cited line as it is tried: negative if no line of some statement is live, open if time ran out."""
    noticed: dict[str, bool] = {}
    tried = 0
    try:
        for one in tried_lines(source, timeout):
            tried += 1
            noticed[one.statement] = noticed.get(one.statement, False) or bool(one.noticed)
            found = one.noticed or "NOT LIVE: nothing notices when it is gone"
            OUT.say(f"{one.statement}  {_short(one.place)}  {found}")
    except OutOfTime:
        OUT.say(f"out of time: {count(tried, 'cited line')} tried within {timeout:g} s, "
                f"{count(sum(noticed.values()), 'statement')} live so far")
        return Exit.OPEN
    dead = [name for name, alive in noticed.items() if not alive]
    OUT.say(f"{count(len(noticed), 'statement')} cited, {len(noticed) - len(dead)} live")
    return Exit.NEGATIVE if dead else Exit.GOOD
