"""From the header of a log to its verdict: finds its rules, has its lines judged one by one, looks at what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_lines import EventLine, Line, LineFault
from referee.game.log.log_reader import Log, LogProblem
from referee.game.log.strict_json import brief
from referee.game.setting import Setting
from referee.game.state import Open
from referee.interpreter.walker import Walker
from referee.judge.defaults.verdict_defaults import VerdictDefaults
from referee.judge.judge import Judge
from referee.judge.judgement_summary import UNKNOWN_START, Loader, begun, seat_of, unreadable, verdict_of
from referee.judge.judging_notes import Halt, out_of_time
from referee.judge.line_by_line.judging_options import Begun, LineWatcher, Options
from referee.judge.open_settings.header_admission import admitted, other_rules
from referee.judge.open_settings.setting_narrowing import opened
from referee.judge.partial.line_corrections import MOST_SECONDS, contradiction, mending
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.smt.undecided import Undecided
from referee.system.deadline import Deadline, OutOfTime, Stopwatch

DAMAGED = "LG51"
"""What a log is packed in is damaged."""
SOLVER = "the solver has no answer"
MOST_KEPT_LINES = 20_000
"""Lines that are kept to be judged again, at most."""


def judged_log(log: Log, load: Loader, options: Options, watcher: LineWatcher | None,
               judged_by: Begun | None) -> LogVerdict:
    """The verdict on a log whose header has been read. `watcher`: looks on, line by line; `judged_by`: is told who
    judges it, before the first line."""
    header = log.header
    blank = LogVerdict(log.path, LogOutcome.UNREADABLE, header.ruleset, players=header.players, viewer=options.viewer)
    try:
        walker = load(header)
        setting = admitted(walker, header)
        viewer = seat_of(options.viewer, header)
    except Undecided as why:
        return replace(blank, outcome=LogOutcome.UNKNOWN, at=log.line, reason=f"{SOLVER}: {why}")
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
        return replace(blank, outcome=LogOutcome.UNKNOWN, at=log.line, reason=f"{SOLVER}: {why}")
    judge.explains = True
    judge.lines = log.line
    judge.notes.extend(other_rules(walker, header))
    if options.timeout is not None:
        log.until = Deadline(options.timeout)
        judge.limit(log.until)
    if judged_by is not None:
        judged_by(judge, blank)
    kept: list[Line] | None = [] if options.facts or options.under else None
    watch = Stopwatch.computing() if options.under else None  # to ask for it takes a fifth of a short log's time
    try:
        if watcher is not None:
            watcher.begins(header, walker, setting, judge)
        verdict = _judged(log, judge, blank, kept, watcher)
        if walker.note:
            verdict = replace(verdict, notes=(walker.note, *verdict.notes), engine=walker.note)
    except Problems as problems:  # the rules have changed meanwhile
        return replace(blank, outcome=LogOutcome.NO_RULES, diagnostics=problems.diagnostics)
    if _large(verdict, judge, walker, setting):
        verdict = replace(verdict, large=True)
    if verdict.outcome is LogOutcome.ILLEGAL or options.under:
        defaults = VerdictDefaults(walker, setting, header, viewer, log.until)
        verdict = defaults.named(verdict, judge)
        if watch is not None and kept is not None and len(kept) < MOST_KEPT_LINES:
            verdict = defaults.tried(verdict, kept, load, watch.seconds)
    if kept is None or judge.holes is None or not options.facts:
        return verdict
    if verdict.outcome is not LogOutcome.ILLEGAL:
        return replace(verdict, facts=judge.holes.facts(), open_holes=judge.holes.unknowns(thorough=True))

    limit = log.until.computing_within(MOST_SECONDS)

    def outcome(lines: Sequence[Line]) -> LogOutcome:
        again = Judge(walker, setting, viewer, somewhere=somewhere)
        again.limit(limit)
        for line in lines:
            again.feed(line)
        return verdict_of(again, blank).outcome

    conflict = contradiction(kept, verdict.at or 0, verdict.conflict,
                             lambda lines: outcome(lines) is LogOutcome.ILLEGAL, limit)
    mends = mending(kept, conflict, lambda lines: outcome(lines) in (LogOutcome.LEGAL, LogOutcome.POSSIBLE), limit)
    return replace(verdict, conflict=conflict, mends=tuple(mends))


def _large(verdict: LogVerdict, judge: Judge, walker: Walker, setting: Setting) -> bool:
    """Whether there is no answer because more settings were open than were followed."""
    if verdict.outcome not in (LogOutcome.DEPENDS, LogOutcome.UNKNOWN):
        return False
    if not any(isinstance(one, Open) for one in walker.entries(setting)):
        return False
    halt = judge.halt
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


def _excerpts(problems: Problems) -> dict[tuple[str, int], str]:
    """The lines that the diagnostics of a ruleset point at."""
    sources = {source.path: source for source in problems.sources}

    def line(found: Diagnostic) -> str:
        source = sources.get(found.span.path)
        return source.line(found.span.line) if source is not None else ""

    return {(found.span.path, found.span.line): line(found) for found in problems.diagnostics}
