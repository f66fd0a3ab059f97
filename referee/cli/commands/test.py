"""`referee test`: the scenarios of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator

import click

from referee.api.results.rule_results import ScenarioResult
from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_reports import scenario_results
from referee.cli.options import engine_option, ruleset_argument
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.text.printable import count, printable


@click.command()
@ruleset_argument
@click.option("--quiet", is_flag=True, help="Name only the scenarios that fail.")
@engine_option
def test(ruleset: str, quiet: bool, engine_name: str) -> int:
    """Carry out the scenarios of a RULESET."""
    results = list(scenario_results(RulesSource(ruleset), engine_name, lambda _: None))
    for result in results:
        if not (quiet and result.passed):
            for line in _lines(result):
                OUT.say(line)
    failed = sum(not result.passed for result in results)
    OUT.say(f"{count(len(results), 'scenario')}: {len(results) - failed} passed, {failed} failed")
    return Exit.NEGATIVE if failed else Exit.GOOD


def _lines(result: ScenarioResult) -> Iterator[str]:
    cites = f"  [{' '.join(result.statements)}]" if result.statements else ""
    yield printable(f"{'passed' if result.passed else 'FAILED'}  {result.title}{cites}")
    for failure in result.failures:
        yield printable(f"  {failure.place}: {failure.message}")
        for text, value in failure.values.items():
            yield printable(f"    {text} = {value}")
