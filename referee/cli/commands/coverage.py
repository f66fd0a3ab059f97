"""`referee coverage`: what became of each statement of a rulebook, and whether its encoding matters."""

from __future__ import annotations

import click

from referee.api.results.rule_results import MISSING, STATES, CoverageReport
from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_reports import coverage_report, tried_lines
from referee.cli.options import ruleset_argument
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.text.printable import count, printable


@click.command("coverage")
@ruleset_argument
@click.option(
    "--live", "alive", is_flag=True, help="Take out each cited line in turn and see whether anything notices."
)
@click.option("--answers", is_flag=True, help="List the answers that no words of the rulebook give.")
def coverage(ruleset: str, alive: bool, answers: bool) -> int:
    """Say for each statement of the rulebook where the RULESET encodes it, or why it does not."""
    source = RulesSource(ruleset)
    found = coverage_report(source, None)
    if answers:
        for answer in found.inferred:
            OUT.say(f"{_short(answer.place)}  {answer.construct}")
        OUT.say(f"{count(len(found.inferred), 'inferred answer')}")
        return Exit.GOOD
    if not found.statements:
        OUT.say(f"{found.ruleset}: no statements.toml, so nothing to cover")
        return Exit.GOOD
    dead = _live(source) if alive else 0
    return _summary(found) if not dead else Exit.NEGATIVE


def _short(place: str) -> str:
    """A place without its folder."""
    return place.rpartition("/")[2]


def _summary(found: CoverageReport) -> int:
    for one in found.statements:
        where = ", ".join(dict.fromkeys(map(_short, one.places)))
        OUT.say(f"{one.id}  {one.state:<11} {where or one.reason or printable(one.text)}")
    numbers = {state: sum(1 for one in found.statements if one.state == state) for state in STATES}
    told = ", ".join(f"{number} {state}" for state, number in numbers.items() if number)
    share = 100 * (len(found.statements) - numbers[MISSING]) // len(found.statements)
    OUT.say(f"{count(len(found.statements), 'statement')}: {told}; {share} %")
    return Exit.GOOD if found.complete else Exit.NEGATIVE


def _live(source: RulesSource) -> int:
    """Prints each cited line as it is tried; the number of statements of which no line is live."""
    noticed: dict[str, bool] = {}
    for one in tried_lines(source):
        noticed[one.statement] = noticed.get(one.statement, False) or bool(one.noticed)
        OUT.say(f"{one.statement}  {_short(one.place)}  {one.noticed or 'NOT LIVE: nothing notices when it is gone'}")
    dead = [name for name, alive in noticed.items() if not alive]
    OUT.say(f"{count(len(noticed), 'statement')} cited, {len(noticed) - len(dead)} live")
    return len(dead)
