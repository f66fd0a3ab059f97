"""A log whose header is admitted: the rules it is judged by, the position it starts from, for whom it is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_lines import Line
from referee.game.log.log_reader import Log
from referee.game.log.strict_json import brief
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import UNKNOWN_START, Loader, begun, seat_of, unreadable, verdict_of
from referee.judge.line_by_line.judging_options import Options
from referee.judge.open_settings.header_admission import admitted, other_rules
from referee.judge.open_settings.setting_narrowing import opened
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.smt.undecided import Undecided
from referee.system.deadline import Deadline
from referee.system.lazy_dataclasses import dataclass

SOLVER = "the solver has no answer"


@dataclass(frozen=True, slots=True)
class AdmittedLog:
    """`setting`: what the header fixes, and what is open; `viewer`: the seat of the player for whom it is judged;
    `somewhere`: the position at its start, if not all of it is known; `judge`: who has seen no line yet; `blank`: the
    verdict before the first line."""

    log: Log
    walker: Walker
    setting: Setting
    viewer: int | None
    somewhere: State | None
    judge: Judge
    blank: LogVerdict

    def outcome(self, lines: Sequence[Line], limit: Deadline) -> LogOutcome:
        """How the log would come out if it had only these lines."""
        again = Judge(self.walker, self.setting, self.viewer, somewhere=self.somewhere)
        again.limit(limit)
        for line in lines:
            again.feed(line)
        return verdict_of(again, self.blank).outcome


def admitted_log(log: Log, load: Loader, options: Options) -> AdmittedLog | LogVerdict:
    """The log with who judges it; or the verdict, if no line of it can be judged."""
    header = log.header
    blank = LogVerdict(log.path, LogOutcome.UNREADABLE, header.ruleset, players=header.players, viewer=options.viewer)
    try:
        walker = load(header)
        setting = admitted(walker, header)
        viewer = seat_of(options.viewer, header)
    except Undecided as why:
        return _undecided(blank, log, why)
    except HeaderFault as fault:
        return unreadable(blank, log.refuse(fault))
    except Problems as problems:
        return replace(
            blank, outcome=LogOutcome.NO_RULES, diagnostics=problems.diagnostics, excerpts=_excerpts(problems)
        )
    core = walker.flow.core
    somewhere = begun(walker, setting)
    if somewhere is None and not setting.starts_known:
        return replace(blank, outcome=LogOutcome.UNKNOWN, at=log.line, reason=UNKNOWN_START,
                       diagnostics=tuple(log.warnings))
    if options.all_readings:
        setting = opened(walker.flow, setting)
    blank = LogVerdict(log.path, LogOutcome.UNREADABLE, core.name, core.version, header.players, viewer=options.viewer)
    if header.version is not None and header.version != core.version:
        message = f"played by version {brief(header.version)}, judged by {brief(core.version)}"
        log.warn_header("LG43", message, "version")
    try:
        judge = Judge(walker, setting, viewer, somewhere=somewhere)
    except Undecided as why:
        return _undecided(blank, log, why)
    judge.explains = True
    judge.lines = log.line
    judge.notes.extend(other_rules(walker, header))
    if options.timeout is not None:
        log.until = Deadline(options.timeout)
        judge.limit(log.until)
    return AdmittedLog(log, walker, setting, viewer, somewhere, judge, blank)


def _undecided(blank: LogVerdict, log: Log, why: Undecided) -> LogVerdict:
    return replace(blank, outcome=LogOutcome.UNKNOWN, at=log.line, reason=f"{SOLVER}: {why}")


def _excerpts(problems: Problems) -> dict[tuple[str, int], str]:
    """The lines that the diagnostics of a ruleset point at."""
    sources = {source.path: source for source in problems.sources}

    def line(found: Diagnostic) -> str:
        source = sources.get(found.span.path)
        return source.line(found.span.line) if source is not None else ""

    return {(found.span.path, found.span.line): line(found) for found in problems.diagnostics}
