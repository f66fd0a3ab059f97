"""`referee test`: the scenarios of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator

import click

from referee.api.folders.found_rulesets import wholes
from referee.api.named_engines import AUTO, GENERATED, NATIVE, REFERENCE
from referee.api.results.rule_results import ScenarioResult
from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_reports import scenario_results
from referee.cli.options import engine_option, rulesets_argument, timeout_option, whole_option
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit, first
from referee.report.text.printable import count, printable
from referee.system.deadline import OutOfTime

_IN_TURN = ", by generated code: scenarios are carried out event by event"
_SAID = {GENERATED: "", REFERENCE: ", by the reference engine", NATIVE: _IN_TURN, AUTO: _IN_TURN}


@click.command()
@rulesets_argument
@whole_option
@click.option("--quiet", is_flag=True, help="Name only the scenarios that fail.")
@engine_option
@timeout_option("How long all scenarios of a ruleset may take. If not said as long as they take.")
def test(rulesets: tuple[str, ...], whole: bool, quiet: bool, engine_name: str, timeout: float | None) -> int:
    """Carry out the scenarios of each RULESET.

    Ends with 5 if none failed, and not all were carried out in time.
    """
    found = wholes(rulesets) if whole else rulesets
    return first([_tested(one, quiet, engine_name, timeout) for one in found])


def _tested(ruleset: str, quiet: bool, engine_name: str, timeout: float | None) -> Exit:
    source = RulesSource(ruleset)
    done = failed = 0
    late = False
    try:
        for result in scenario_results(source, engine_name, lambda _: None, timeout):
            done, failed = done + 1, failed + (not result.passed)
            if not (quiet and result.passed):
                for line in _lines(result):
                    OUT.say(line)
    except OutOfTime:
        late = True
    OUT.say(f"{count(done, 'scenario')}: {done - failed} passed, {failed} failed{_SAID[engine_name]}")
    if late:
        OUT.say(f"out of time: {len(source.scenarios.found) - done} more not carried out within {timeout:g} s")
    return Exit.NEGATIVE if failed else Exit.OPEN if late else Exit.GOOD


def _lines(result: ScenarioResult) -> Iterator[str]:
    cites = f"  [{' '.join(result.statements)}]" if result.statements else ""
    yield printable(f"{'passed' if result.passed else 'FAILED'}  {result.title}{cites}")
    for failure in result.failures:
        yield printable(f"  {failure.place}: {failure.message}")
        for text, value in failure.values.items():
            yield printable(f"    {text} = {value}")
