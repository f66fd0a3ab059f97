"""From a path to a verdict: opens the log, finds its rules, judges it; no fault of one log stops the next."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.archives.log_opening import log_of, open_log
from referee.archives.log_places import LogPlace
from referee.archives.log_walk import LogStream, log_streams, stream_at
from referee.archives.short_files import one_header, short_text
from referee.game.log.log_reader import STDIN, Log, LogProblem
from referee.judge.line_by_line.judging_options import PLAIN as PLAIN
from referee.judge.line_by_line.judging_options import Begun as Begun
from referee.judge.line_by_line.judging_options import LineWatcher as LineWatcher
from referee.judge.line_by_line.judging_options import Options as Options
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.judge.whole_logs.whole_logs import whole_logs

if TYPE_CHECKING:
    from referee.judge.judgement_summary import Loader


def judge_all(paths: Iterable[str], load: Loader, options: Options = PLAIN) -> Iterator[LogVerdict]:
    """The verdict on each log in files, folders and archives, in order, each as soon as it is known."""
    if options != PLAIN:
        for one in log_streams(paths):
            yield judge_stream(one, load, options)
        return
    known = whole_logs(load)
    for named in paths:  # most are short files
        text = short_text(named)
        found = None if text is None else known.followed(text, named)
        if found is None and text is not None and one_header(text):
            found = known.verdict(text, named, load)
        if found is not None:
            yield found
        else:
            for one in log_streams((named,)):
                yield judge_stream(one, load, options)


def judge_place(place: LogPlace, load: Loader, options: Options = PLAIN) -> LogVerdict:
    """The verdict on the log at a place."""
    with stream_at(place) as one:
        return judge_stream(one, load, options)


def judge_stream(one: LogStream, load: Loader, options: Options, judged_by: Begun | None = None) -> LogVerdict:
    """The verdict on a log that can be read once. `judged_by` is told who judges it, before the first line."""
    text = one.whole if options == PLAIN and judged_by is None else None
    if text is not None and (found := whole_logs(load).verdict(text, one.settled().name, load)) is not None:
        return found
    try:
        verdict = judge_log(log_of(one), load, options, None, judged_by)
    except LogProblem as problem:
        from referee.judge.judgement_summary import unreadable  # slow to import, and mostly not needed

        verdict = unreadable(LogVerdict(problem.diagnostic.span.path, LogOutcome.UNREADABLE), problem)
    verdict = _placed(verdict, one.settled())
    return _again(verdict, one.place, load, options) if verdict.large else verdict


def _placed(verdict: LogVerdict, place: LogPlace) -> LogVerdict:
    """A verdict with the place of its log, by which it is called everywhere in it: of the first of several that is
    known only when it was read."""
    before, path = verdict.path, str(place)
    if before == path:
        return replace(verdict, place=place.name)
    told = tuple(replace(one, span=replace(one.span, path=path)) if one.span.path == before else one
                 for one in verdict.diagnostics)
    excerpts = None if verdict.excerpts is None else {
        (path if file == before else file, line): text for (file, line), text in verdict.excerpts.items()}
    return replace(verdict, path=path, place=place.name, diagnostics=told, excerpts=excerpts)


def _again(verdict: LogVerdict, place: LogPlace, load: Loader, options: Options) -> LogVerdict:
    """Another look at a log that is read more than once for it."""
    if _read_once(place.path):
        return verdict
    from referee.judge.open_settings.wide_search import widely  # slow to import, and mostly not needed

    found = widely(verdict, place, load, all_readings=options.all_readings, seconds=options.timeout)
    return replace(found, path=verdict.path, place=verdict.place)


def _read_once(path: str) -> bool:
    """Whether what lies there cannot be read again: the standard input, a pipe, a device."""
    return path == STDIN or (os.path.exists(path) and not os.path.isfile(path))


def judge_path(path: str, load: Loader, options: Options = PLAIN, watcher: LineWatcher | None = None) -> LogVerdict:
    """The verdict on one log by its path or address, `-` for the standard input."""
    try:
        with open_log(path) as log:
            verdict = judge_log(log, load, options, watcher)
    except LogProblem as problem:
        from referee.judge.judgement_summary import unreadable

        return unreadable(LogVerdict(problem.diagnostic.span.path, LogOutcome.UNREADABLE), problem)
    if not verdict.large or _read_once(path):
        return verdict
    from referee.judge.open_settings.wide_search import widely

    return widely(verdict, path, load, all_readings=options.all_readings, seconds=options.timeout)


def judge_log(log: Log, load: Loader, options: Options = PLAIN, watcher: LineWatcher | None = None,
              judged_by: Begun | None = None) -> LogVerdict:
    """The verdict on a log whose header has been read. `watcher`: looks on, line by line; `judged_by`: is told who
    judges it, before the first line."""
    from referee.judge.line_by_line.log_judgement import judged_log  # slow to import, and mostly not needed

    return judged_log(log, load, options, watcher, judged_by)
