"""One log looked at: what a player knows of it, and what there is to say about a line."""

from __future__ import annotations

from referee.api.errors import ArgumentError, NoView
from referee.api.results.verdicts import verdict_for_programs
from referee.archives.log_opening import open_log as open_log
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_reader import Log
from referee.judge.judgement_summary import Loader
from referee.judge.line_explanation import Moment, NoSuchLine, moment
from referee.judge.log_run import Options
from referee.views.redaction import RedactionRefused, redacted


def redacted_lines(log: Log, player: str, load: Loader, timeout: float | None) -> list[str]:
    """The lines of a log as a player knows them. `timeout` in seconds, None for no end.

    Raises `NoView`, `LogProblem` and `Problems`.
    """
    try:
        return list(redacted(log, player, load, timeout))
    except HeaderFault as fault:
        raise log.refuse(fault) from None
    except RedactionRefused as refused:
        verdict = verdict_for_programs(refused.verdict)
        wrong = verdict.wrong.message if verdict.wrong is not None else None
        raise NoView(wrong or verdict.reason or verdict.outcome, verdict) from None


def moment_of(log: Log, line: int, load: Loader, viewer: str | None, timeout: float | None) -> Moment:
    """What there is to say about a line. `timeout` in seconds, None for no end.

    Raises `ArgumentError` (AP02) if there is none, `LogProblem`, `Problems`.
    """
    try:
        return moment(log, line, load, Options(viewer, timeout=timeout))
    except HeaderFault as fault:
        raise log.refuse(fault) from None
    except NoSuchLine:
        raise ArgumentError("AP02", f"{log.path} has no line {line} with an event, a claim or an end",
                            hint=_what_is_there(log, line)) from None


def _what_is_there(log: Log, line: int) -> str:
    """Where the lines of a log are that was read up to a line which is none of them. Where several logs lie in a file
    they are counted from its beginning."""
    header = log.before + 1
    if line == header:
        return "it is the header"
    if line < header or log.line < line:
        return f"its lines are {header} to {log.line}" if line > header else (
            f"its header is line {header}, as lines count from the beginning of the file")
    return "it is blank"
