"""Judges several records of one game together: can all of them be true, or which lines contradict each other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

from referee.archives.log_opening import open_log
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_reader import Log, LogProblem
from referee.judge.judgement_summary import Loader, unreadable
from referee.judge.judging_notes import out_of_time
from referee.judge.line_by_line.log_judgement import MOST_KEPT_LINES
from referee.judge.log_run import PLAIN, Options, judge_log
from referee.judge.records.record_merge import Joined, Places, Record, RecordsDisagree, joined
from referee.judge.records.start_merge import Unjoined
from referee.judge.verdict import FailedLine, LogOutcome, LogVerdict, WrongKind
from referee.system.deadline import Deadline, OutOfTime


def judge_together(paths: Sequence[str], load: Loader, options: Options = PLAIN) -> LogVerdict:
    """One verdict on several records of one game."""
    name = " + ".join(paths)
    records: list[Record] = []
    deadline = Deadline(options.timeout)
    for path in paths:
        found = _read(path, deadline)
        if isinstance(found, LogVerdict):
            return found
        records.append(found)
    first = records[0].header
    blank = LogVerdict(name, LogOutcome.ILLEGAL, first.ruleset, players=first.players, viewer=options.viewer)
    try:
        all_ = joined(records)
    except RecordsDisagree as apart:
        wrong = FailedLine(
            apart.places[0][1], WrongKind.BAD_ARGUMENT, apart.what, f"{apart.message} ({_told(apart.places)})"
        )
        return replace(blank, wrong=wrong, at=wrong.line, conflict=tuple(line for _, line in apart.places))
    except Unjoined as why:
        return replace(blank, outcome=LogOutcome.UNKNOWN, at=1, reason=str(why))
    options = replace(options, timeout=deadline.as_timeout)
    return _placed(judge_log(Log(io.StringIO("".join(f"{text}\n" for text in all_.texts)), name), load, options), all_)


def _read(path: str, deadline: Deadline) -> Record | LogVerdict:
    try:
        with open_log(path) as log:
            log.until, lines = deadline, []
            for line in log:
                lines.append(line)
                deadline.check()
                if len(lines) > MOST_KEPT_LINES:
                    return LogVerdict(path, LogOutcome.UNKNOWN, at=line.number,
                                   reason=f"more than {MOST_KEPT_LINES:,} lines are not judged together")
            return Record(path, log.header, tuple(lines))
    except OutOfTime:
        late = out_of_time(deadline, log.line)
        return LogVerdict(path, late.outcome, at=late.line, reason=late.reason)
    except LogProblem as problem:
        return unreadable(LogVerdict(path, LogOutcome.UNREADABLE), problem)
    except Problems as problems:
        return LogVerdict(path, LogOutcome.UNREADABLE, diagnostics=problems.diagnostics)


def _placed(verdict: LogVerdict, all_: Joined) -> LogVerdict:
    """The verdict with a note on where the lines stand of which it speaks."""
    spoken = (*verdict.conflict, *((verdict.at,) if verdict.at is not None else ()))
    notes = [f"line {number}: {_told(all_.places[number - 1])}" for number in dict.fromkeys(spoken)
             if 0 < number <= len(all_.places) and any(line != number for _, line in all_.places[number - 1])]
    return replace(verdict, notes=(*verdict.notes, *notes))


def _told(places: Places) -> str:
    return ", ".join(f"{path}:{line}" for path, line in places)
