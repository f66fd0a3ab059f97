"""From a path to a verdict: opens the log, finds its rules, judges it; no fault of one log stops the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.base.diagnostic import Diagnostic, Problems
from referee.engine.faults import Fault, Unsettled
from referee.engine.walker import Walker
from referee.game.header import Header, HeaderFault
from referee.game.log import STDIN, Log, LogProblem, open_log
from referee.game.log_json import brief
from referee.game.log_lines import EventLine, Line
from referee.game.position import BadPosition
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, Open, State, Stopped
from referee.judge.admit import admitted
from referee.judge.deadline import Deadline
from referee.judge.found import Found, Halt
from referee.judge.judge import Judge
from referee.judge.mend import MOST_SECONDS, mending
from referee.judge.narrow import opened
from referee.judge.veil.hidden import UNKNOWN, Veiled
from referee.judge.verdict import Outcome, Verdict
from referee.judge.worlds import last_words, simplified
from referee.symbolic.undecided import Undecided

UNKNOWN_START = "the position that the log starts from leaves open where everything lies"
SOLVER = "the solver has no answer"
Loader = Callable[[Header], Walker]
"""Finds the rules that a header names, for its number of players and options. Raises `HeaderFault` if there are none
such, and `Problems` if the rules cannot be loaded. It is asked once for each log: it should remember."""


MOST_KEPT_LINES = 20_000
"""Lines that are kept to be judged again, at most."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge. `viewer`: a player from whom nothing is told that he cannot see; `all_readings`: those that the
    header does not choose are open, not at their default; `timeout`: how many seconds a log may take (None: only one
    with holes is limited); `facts`: what must be so of the holes is found out, and which lines would mend an illegal
    log with holes."""

    viewer: str | None = None
    all_readings: bool = False
    timeout: float | None = None
    facts: bool = False


PLAIN = Options()


def judge_all(paths: Iterable[str], load: Loader, options: Options = Options()) -> Iterator[Verdict]:
    """The verdict on each log, in order, each as soon as it is known."""
    for path in paths:
        yield judge_path(path, load, options)


def judge_path(path: str, load: Loader, options: Options = Options()) -> Verdict:
    """The verdict on one log, `-` for the standard input."""
    try:
        with open_log(path) as log:
            verdict = judge_log(log, load, options)
    except LogProblem as problem:
        return unreadable(Verdict(problem.diagnostic.span.path, Outcome.UNREADABLE), problem)
    if not verdict.large or path == STDIN:
        return verdict
    from referee.judge.widely import widely

    return widely(verdict, path, load, options)


def judge_log(log: Log, load: Loader, options: Options = Options()) -> Verdict:
    """The verdict on a log whose header has been read."""
    header = log.header
    blank = Verdict(log.path, Outcome.UNREADABLE, header.ruleset, players=header.players, viewer=options.viewer)
    try:
        walker = load(header)
        setting = admitted(walker, header)
        viewer = seat_of(options.viewer, header)
    except Undecided as why:
        return replace(blank, outcome=Outcome.UNKNOWN, at=log.line, reason=f"{SOLVER}: {why}")
    except HeaderFault as fault:
        return unreadable(blank, log.refuse(fault))
    except Problems as problems:
        return replace(blank, outcome=Outcome.NO_RULES, diagnostics=problems.diagnostics, excerpts=_excerpts(problems))
    core = walker.flow.core
    somewhere = begun(walker, setting)
    if somewhere is None and not setting.starts_known:
        return replace(blank, outcome=Outcome.UNKNOWN, at=log.line, reason=UNKNOWN_START,
                       diagnostics=tuple(log.warnings))
    if options.all_readings:
        setting = opened(walker.flow, setting)
    blank = Verdict(log.path, Outcome.UNREADABLE, core.name, core.version, header.players, viewer=options.viewer)
    if header.version is not None and header.version != core.version:
        message = f"played by version {brief(header.version)}, judged by {brief(core.version)}"
        log.warn_header("LG43", message, "version")
    try:
        judge = Judge(walker, setting, viewer, somewhere=somewhere)
    except Undecided as why:
        return replace(blank, outcome=Outcome.UNKNOWN, at=log.line, reason=f"{SOLVER}: {why}")
    judge.notes.extend([walker.note] if walker.note else [])
    if options.timeout is not None:
        judge.limit(Deadline(options.timeout))
    kept: list[Line] | None = [] if options.facts else None
    verdict = _judged(log, judge, blank, kept)
    open_ = any(isinstance(one, Open) for one in walker.entries(setting))
    verdict = replace(verdict, large=_large(verdict, judge, open_))
    if kept is None or judge.holes is None:
        return verdict
    if verdict.outcome is not Outcome.ILLEGAL:
        return replace(verdict, facts=judge.holes.facts())

    def stands(lines: Sequence[Line]) -> bool:
        again = Judge(walker, setting, viewer, somewhere=somewhere)
        again.limit(Deadline(MOST_SECONDS))
        for line in lines:
            again.feed(line)
        return verdict_of(again, blank).outcome in (Outcome.LEGAL, Outcome.POSSIBLE)

    return replace(verdict, mends=tuple(mending(kept, verdict.conflict, stands)))


def _large(verdict: Verdict, judge: Judge, open_: bool) -> bool:
    """Whether there is no answer because more settings were open than were followed."""
    if not open_ or verdict.outcome not in (Outcome.DEPENDS, Outcome.UNKNOWN):
        return False
    halt = judge.halt
    return judge.overflowed if halt is None else halt.outcome is Outcome.DEPENDS or (halt.large and not halt.late)


def begun(walker: Walker, setting: Setting) -> State | None:
    """The position that a log starts from, if it is not known of every place what lies there; None if everything is
    known, or too little."""
    if setting.starts_known or setting.position is None or walker.core.undo or walker.note:
        return None  # with undo, or another engine, every way is followed
    try:
        return walker.begin_at(setting, setting.position, UNKNOWN)
    except (BadPosition, Fault, Unsettled, Veiled):
        return None


def _judged(log: Log, judge: Judge, blank: Verdict, kept: list[Line] | None) -> Verdict:
    problem = None
    try:
        lines = iter(log)
        while True:
            if kept is None:
                judge.follow(log)
            if (line := next(lines, None)) is None:
                break
            if kept is not None and len(kept) < MOST_KEPT_LINES:
                kept.append(line)
            if isinstance(line, EventLine) and line.holes and log.header.viewpoint == "all":
                log.warn_line("LG44", f"a hole in a log of which nobody is said to have seen less: {line.holes[0]}",
                              line.holes[0])
            if not _fed(judge, line):
                break
    except LogProblem as found:
        problem = found
    verdict = _told(judge, replace(blank, diagnostics=tuple(log.warnings)) if log.warnings else blank)
    if problem is None:
        return verdict
    if judge.found or judge.halt is not None:
        return replace(verdict, diagnostics=(*verdict.diagnostics, problem.diagnostic),
                       not_judged_from=verdict.not_judged_from or problem.diagnostic.span.line)
    return unreadable(replace(verdict, finished=False, winners=None), problem)


def _fed(judge: Judge, line: Line) -> bool:
    """Gives a line to the judge; false if there is no answer to it."""
    try:
        judge.feed(line)
    except Undecided as why:
        judge.halt = Halt(Outcome.UNKNOWN, line.number, f"{SOLVER}: {why}")
        return False
    return True


def _told(judge: Judge, blank: Verdict) -> Verdict:
    """What a judge who has seen the lines says; what the last of them led to may be too much for the solver."""
    try:
        return verdict_of(judge, blank)
    except Undecided as why:
        judge.halt = Halt(Outcome.UNKNOWN, judge.lines, f"{SOLVER}: {why}")
        return verdict_of(judge, blank)


def verdict_of(judge: Judge, blank: Verdict) -> Verdict:
    """What a judge who has seen the lines says."""
    blank = blank if judge.holes is None else replace(
        blank, holes=judge.holes.number, open_holes=judge.holes.unknowns, conflict=judge.holes.conflict)
    known = replace(blank, lines=judge.lines, events=judge.events, overruled=tuple(judge.overruled),
                    notes=tuple(judge.notes), not_judged_from=_within(judge, judge.not_judged_from))
    wrong_lines = _wrong_lines(judge)
    for index, found in enumerate(wrong_lines):
        if found.wrong.line not in judge.overruled:
            after = tuple(later.wrong for later in wrong_lines[index + 1:])
            stop = known.not_judged_from or (judge.halt.line if judge.halt is not None else None)
            return replace(known, outcome=Outcome.ILLEGAL, wrong=found.wrong, after=after, at=found.wrong.line,
                           not_judged_from=stop)
        if not found.applied:
            return _open(known, Outcome.UNKNOWN, found.wrong.line,
                         f"line {found.wrong.line} was overruled, but the rules cannot carry it out")
    if known.not_judged_from is not None:
        return _open(known, Outcome.UNKNOWN, known.not_judged_from, "too many wrong lines in a row")
    if judge.halt is not None:
        return _open(known, judge.halt.outcome, judge.halt.line, judge.halt.reason)
    return _standing(judge, known)


def _wrong_lines(judge: Judge) -> list[Found]:
    """The wrong lines in order; with holes the first claim that no way to fill them makes true is one."""
    unsure = judge.holes is None or judge.holes.branches.stuck is not None or judge.overflowed
    broken = None if unsure or judge.holes is None else judge.holes.branches.broken(judge.overruled)
    return judge.found if broken is None else sorted((*judge.found, broken), key=lambda found: found.wrong.line)


def _within(judge: Judge, line: int | None) -> int | None:
    """A line, unless the log ended before it."""
    return line if line is not None and line <= judge.lines else None


def _open(known: Verdict, outcome: Outcome, line: int, reason: str) -> Verdict:
    return replace(known, outcome=outcome, at=line, reason=reason)


def _standing(judge: Judge, known: Verdict) -> Verdict:
    """The verdict on a log of which every line stands."""
    playing = [here for here in judge.alive if isinstance(here.step, State | Ended)]
    for here in judge.alive if not playing else ():
        match here.step:
            case Stopped(_, point, why):
                return _open(known, Outcome.STOPPED, judge.lines, f"{point.name}: {why}")
            case Failed(code, message, span):
                return _open(known, Outcome.UNKNOWN, judge.lines, f"the rules fail: {code} {message} ({span})")
            case _:
                pass
    worlds = simplified(world for here in playing for world in here.worlds)
    if judge.holes is not None:
        branches = judge.holes.branches
        broken = branches.broken(judge.overruled)
        if broken is not None:
            return _open(known, Outcome.DEPENDS, broken.wrong.line,
                         f"no way to fill the holes that was followed makes line {broken.wrong.line} true")
        untested = (f"{name.replace('_', ' ')} was not tested: not all that it reads is known"
                    for name in judge.holes.untested)
        known = replace(known, notes=(*known.notes, *untested))
        narrowing = tuple(sorted({*branches.narrowing, *branches.doubtful(judge.overruled)}))
        known = replace(known, ways=branches.ways, narrowing=narrowing)
        if branches.unsure and not narrowing:
            return _open(known, Outcome.UNKNOWN, branches.unsure[0],
                         f"nothing contradicts the rules, but whether line {branches.unsure[0]} is legal in every way "
                         "to fill the holes was not found out")
    return replace(
        known, outcome=Outcome.POSSIBLE if known.narrowing else Outcome.LEGAL,
        finished=judge.finished, winners=judge.winners,
        under=() if worlds == ((),) else tuple(map(last_words, worlds)),
        more_worlds=any(here.more for here in playing) or judge.overflowed,
    )


def seat_of(viewer: str | None, header: Header) -> int | None:
    """The seat of the player for whom to judge, None for everybody; `HeaderFault` if he does not play."""
    if viewer is None or viewer == "all":
        return None
    if viewer not in header.players:
        raise HeaderFault("LG25", f"{brief(viewer)}, for whom to judge, does not play", "players", header.players)
    return header.players.index(viewer)


def unreadable(blank: Verdict, problem: LogProblem) -> Verdict:
    """The verdict on a log that cannot be read."""
    found = problem.diagnostic
    excerpts = {(found.span.path, found.span.line): problem.excerpt}
    return replace(blank, outcome=Outcome.UNREADABLE, at=found.span.line, excerpts=excerpts, reason=found.message,
                   diagnostics=(*blank.diagnostics, found))


def _excerpts(problems: Problems) -> dict[tuple[str, int], str]:
    """The lines that the diagnostics of a ruleset point at."""
    sources = {source.path: source for source in problems.sources}

    def line(found: Diagnostic) -> str:
        source = sources.get(found.span.path)
        return source.line(found.span.line) if source is not None else ""

    return {(found.span.path, found.span.line): line(found) for found in problems.diagnostics}
