"""`referee test`: the scenarios of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator

import click

from referee.base.exitcodes import Exit
from referee.cli.options import engine_option, ruleset_argument
from referee.cli.terminal import OUT
from referee.judge.scenarios import Result, run_scenario
from referee.meaning.scenario import load_scenarios
from referee.report.printable import count, printable


@click.command()
@ruleset_argument
@click.option("--quiet", is_flag=True, help="Name only the scenarios that fail.")
@engine_option
def test(ruleset: str, quiet: bool, engine_name: str) -> int:
    """Carry out the scenarios of a RULESET."""
    results = [run_scenario(scenario, engine_name) for scenario in load_scenarios(ruleset).found]
    for result in results:
        if not (quiet and result.passed):
            for line in _lines(result):
                OUT.say(line)
    failed = sum(not result.passed for result in results)
    OUT.say(f"{count(len(results), 'scenario')}: {len(results) - failed} passed, {failed} failed")
    return Exit.NEGATIVE if failed else Exit.GOOD


def _lines(result: Result) -> Iterator[str]:
    scenario = result.scenario
    cites = f"  [{' '.join(scenario.cites)}]" if scenario.cites else ""
    yield printable(f"{'passed' if result.passed else 'FAILED'}  {scenario.title}{cites}")
    for failure in result.failures:
        yield printable(f"  {failure.span}: {failure.message}")
        for text, value in failure.values:
            yield printable(f"    {text} = {value}")
