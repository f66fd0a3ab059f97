"""`referee redact`: a log as one player knows it."""

from __future__ import annotations

import click

from referee.api.engines import Rules
from referee.base.exitcodes import Exit
from referee.cli.terminal import ERR, OUT


@click.command()
@click.argument("log")
@click.option("--for", "player", required=True, metavar="PLAYER", help="Whose view; `public`: what everybody saw.")
@click.option("--ruleset", help="Judge by this ruleset, whatever the log names.")
def redact(log: str, player: str, ruleset: str | None) -> int:
    """Write a legal LOG as PLAYER knows it at its last line: what he did not see is "?".

    Of a position that it starts from what lies hidden is counted. Ends with 5 for a log that has holes itself.
    """
    from referee.game.header import HeaderFault
    from referee.game.log import open_log
    from referee.judge.redact import Refused, redacted
    from referee.report.text import text_of

    with open_log(log) as opened:
        try:
            for line in redacted(opened, player, Rules(ruleset)):
                OUT.say(line)
        except HeaderFault as fault:
            raise opened.refuse(fault) from None
        except Refused as refused:
            ERR.tell(text_of(refused.verdict))
            return refused.verdict.exit
    return Exit.GOOD
