"""`referee redact`: a log as one player knows it."""

from __future__ import annotations

import click

from referee.api.errors import NoView
from referee.api.runs.log_engines import Rules
from referee.cli.options import engine_option, timeout_option
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit


@click.command()
@click.argument("log")
@click.option("--for", "player", required=True, metavar="PLAYER", help="Whose view; `public`: what everybody saw.")
@click.option("--ruleset", help="Judge by this ruleset, whatever the log names.")
@engine_option
@timeout_option("How long judging the log may take. If not said as long as it takes.")
def redact(log: str, player: str, ruleset: str | None, engine_name: str, timeout: float | None) -> int:
    """Write a legal LOG as PLAYER knows it at its last line: what he did not see is "?".

    Of a position that it starts from what lies hidden is counted. Ends with 5 for a log that has holes itself or
    that was not judged in time.
    """
    from referee.api.runs.log_lookup import open_log, redacted_lines

    with open_log(log) as opened:
        try:
            lines = redacted_lines(opened, player, Rules(ruleset, engine_name), timeout)
        except NoView as none:
            ERR.tell(str(none.verdict))
            return none.verdict.exit
    for line in lines:
        OUT.say(line)
    return Exit.GOOD
