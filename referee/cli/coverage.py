"""`referee coverage`: what became of each statement of a rulebook, and whether its encoding matters."""

from __future__ import annotations

import click

from referee.base.exitcodes import Exit
from referee.cli.options import ruleset_argument
from referee.cli.terminal import OUT
from referee.manual.coverage import Coverage, State
from referee.manual.coverage import coverage as covered
from referee.meaning.assemble import Loaded, parsed
from referee.meaning.find import find
from referee.report.printable import count, printable


@click.command("coverage")
@ruleset_argument
@click.option(
    "--live", "alive", is_flag=True, help="Take out each cited line in turn and see whether anything notices."
)
@click.option("--answers", is_flag=True, help="List the answers that no words of the rulebook give.")
def coverage(ruleset: str, alive: bool, answers: bool) -> int:
    """Say for each statement of the rulebook where the RULESET encodes it, or why it does not."""
    loaded = parsed(find(ruleset))
    found = covered(loaded)
    if answers:
        for citation in found.inferred:
            OUT.say(f"{str(citation.span).rpartition('/')[2]}  {citation.construct.rstrip('_').replace('_', ' ')}")
        OUT.say(f"{count(len(found.inferred), 'inferred answer')}")
        return Exit.GOOD
    if not found.rows:
        OUT.say(f"{loaded.files.name}: no statements.toml, so nothing to cover")
        return Exit.GOOD
    dead = _live(loaded, found) if alive else 0
    return _summary(found) if not dead else Exit.NEGATIVE


def _summary(found: Coverage) -> int:
    for row in found.rows:
        where = ", ".join(dict.fromkeys(str(c.span).rpartition("/")[2] for c in row.citations))
        said = where or row.statement.reason or printable(row.statement.text)
        OUT.say(f"{row.statement.id}  {row.state.value:<11} {said}")
    numbers = {state: sum(1 for row in found.rows if row.state is state) for state in State}
    told = ", ".join(f"{number} {state.value}" for state, number in numbers.items() if number)
    share = 100 * (len(found.rows) - numbers[State.MISSING]) // len(found.rows)
    OUT.say(f"{count(len(found.rows), 'statement')}: {told}; {share} %")
    return Exit.GOOD if found.complete else Exit.NEGATIVE


def _live(loaded: Loaded, found: Coverage) -> int:
    """Prints each citation as it is tried; the number of statements of which no citation is live."""
    from referee.judge.live import live

    noticed: dict[str, bool] = {}
    for tried in live(loaded, found):
        one = tried.citation
        noticed[one.id] = noticed.get(one.id, False) or tried.live
        place = str(one.span).rpartition("/")[2]
        OUT.say(f"{one.id}  {place}  {tried.noticed or 'NOT LIVE: nothing notices when it is gone'}")
    dead = [name for name, alive in noticed.items() if not alive]
    OUT.say(f"{count(len(noticed), 'statement')} cited, {len(noticed) - len(dead)} live")
    return len(dead)
