"""From an admitted log to its verdict: has its lines judged one by one, and looks at what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_lines import EventLine, Line, LineFault
from referee.game.log.log_reader import Log, LogProblem
from referee.game.setting import Setting
from referee.game.state import Open
from referee.interpreter.walker import Walker
from referee.judge.defaults.verdict_defaults import VerdictDefaults
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader, unreadable, verdict_of
from referee.judge.judging_notes import Halt, out_of_time
from referee.judge.line_by_line.admitted_log import SOLVER, AdmittedLog, admitted_log
from referee.judge.line_by_line.judging_options import Begun, LineWatcher, Options
from referee.judge.partial.line_corrections import MOST_SECONDS, contradiction, mending
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.smt.undecided import Undecided
from referee.system.deadline import OutOfTime, Stopwatch
from referee.system.garbage_collection import SeldomCollected

DAMAGED = "LG51"
"""What a log is packed in is damaged."""
MOST_KEPT_LINES = 20_000
"""Lines that are kept to be judged again, at most."""


def judged_log(log: Log, load: Loader, options: Options, watcher: LineWatcher | None,
               judged_by: Begun | None) -> LogVerdict:
    """The verdict on a log whose header has been read. `watcher`: looks on, line by line; `judged_by`: is told who
    judges it, before the first line."""
    found = admitted_log(log, load, options)
    if isinstance(found, LogVerdict):
        return found
    walker, judge = found.walker, found.judge
    if judged_by is not None:
        judged_by(judge, found.blank)
    kept: list[Line] | None = [] if options.facts or options.under else None
    watch = Stopwatch.computing() if options.under else None  # to ask for it takes a fifth of a short log's time
    try:
        if watcher is not None:
            watcher.begins(log.header, walker, found.setting, judge)
        with SeldomCollected():
            verdict = _judged(log, judge, found.blank, kept, watcher)
        if walker.note:
            verdict = replace(verdict, notes=(walker.note, *verdict.notes), engine=walker.note)
    except Problems as problems:  # the rules have changed meanwhile
        return replace(found.blank, outcome=LogOutcome.NO_RULES, diagnostics=problems.diagnostics)
    if _large(verdict, judge, walker, found.setting):
        verdict = replace(verdict, large=True)
    if verdict.outcome is LogOutcome.ILLEGAL or options.under:
        defaults = VerdictDefaults(walker, found.setting, log.header, found.viewer, log.until)
        verdict = defaults.named(verdict, judge)
        if watch is not None and kept is not None and len(kept) < MOST_KEPT_LINES:
            verdict = defaults.tried(verdict, kept, load, watch.seconds)
    if kept is None or judge.holes is None or not options.facts:
        return verdict
    if verdict.outcome is not LogOutcome.ILLEGAL:
        return replace(verdict, facts=judge.holes.facts(), open_holes=judge.holes.unknowns(thorough=True))
    return _with_mends(verdict, found, kept)


def _with_mends(verdict: LogVerdict, found: AdmittedLog, kept: Sequence[Line]) -> LogVerdict:
    """The verdict on an illegal log with holes, with the lines that contradict each other and what would mend them."""
    limit = found.log.until.computing_within(MOST_SECONDS)

    def is_wrong(lines: Sequence[Line]) -> bool:
        return found.outcome(lines, limit) is LogOutcome.ILLEGAL

    def can_be(lines: Sequence[Line]) -> bool:
        return found.outcome(lines, limit) in (LogOutcome.LEGAL, LogOutcome.POSSIBLE)

    conflict = contradiction(kept, verdict.at or 0, verdict.conflict, is_wrong, limit)
    return replace(verdict, conflict=conflict, mends=tuple(mending(kept, conflict, can_be, limit)))


def _large(verdict: LogVerdict, judge: Judge, walker: Walker, setting: Setting) -> bool:
    """Whether there is no answer because more settings were open than were followed."""
    if verdict.outcome not in (LogOutcome.DEPENDS, LogOutcome.UNKNOWN):
        return False
    if not any(isinstance(one, Open) for one in walker.entries(setting)):
        return False
    halt = judge.halt
    if halt is None and judge.holes is not None and judge.holes.some:
        return True
    return judge.overflowed if halt is None else halt.outcome is LogOutcome.DEPENDS or (halt.large and not halt.late)


def _judged(log: Log, judge: Judge, blank: LogVerdict, kept: list[Line] | None,
            watcher: LineWatcher | None) -> LogVerdict:
    problem = None
    log.test = judge.claims.readable
    try:
        lines = iter(log)
        while True:
            if kept is None and not (watcher is not None and watcher.watches):
                judge.follow(log)
            if (line := next(lines, None)) is None:
                break
            if kept is not None and len(kept) < MOST_KEPT_LINES:
                kept.append(line)
            if isinstance(line, EventLine) and line.holes and log.header.viewpoint == "all":
                log.warn_line("LG44", f"a hole in a log of which nobody is said to have seen less: {line.holes[0]}",
                              line.holes[0])
            if watcher is not None and watcher.watches:
                watcher.before()
            goes_on = _fed(log, judge, line)
            if watcher is not None and watcher.watches:
                watcher.after(line)
            if not goes_on or (judge.halt is not None and judge.halt.late):
                break  # once the time is over the rest is not even read
    except LogProblem as found:
        problem = found
    except OutOfTime:
        judge.halt = judge.halt or out_of_time(log.until, log.line)
    verdict = _told(judge, replace(blank, diagnostics=tuple(log.warnings)) if log.warnings else blank)
    if problem is None:
        return verdict
    if problem.diagnostic.code == DAMAGED:  # no line of it need be as it was written
        return unreadable(replace(blank, diagnostics=tuple(log.warnings)), problem)
    if judge.found or judge.halt is not None:
        return replace(verdict, diagnostics=(*verdict.diagnostics, problem.diagnostic),
                       not_judged_from=verdict.not_judged_from or problem.diagnostic.span.line)
    return unreadable(replace(verdict, finished=False, winners=None), problem)


def _fed(log: Log, judge: Judge, line: Line) -> bool:
    """Gives a line to the judge; false if there is no answer to it. Raises `LogProblem` if it cannot be read."""
    try:
        judge.feed(line)
    except LineFault as fault:
        raise log.refuse_line(fault) from None
    except Undecided as why:
        judge.halt = Halt(LogOutcome.UNKNOWN, line.number, f"{SOLVER}: {why}")
        return False
    return True


def _told(judge: Judge, blank: LogVerdict) -> LogVerdict:
    """What a judge who has seen the lines says; what the last of them led to may be too much for the solver."""
    try:
        return verdict_of(judge, blank)
    except Undecided as why:
        judge.halt = Halt(LogOutcome.UNKNOWN, judge.lines, f"{SOLVER}: {why}")
        return verdict_of(judge, blank)
