"""A log is judged while somebody writes it: the first wrong line as soon as it is there, the verdict at the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from referee.api.named_engines import AUTO
from referee.api.runs.judging import How
from referee.api.runs.log_engines import Rules
from referee.archives.growing_source import GrowingSource
from referee.archives.log_places import LogPlace
from referee.archives.log_splitting import SplitStream
from referee.archives.log_walk import LogStream
from referee.archives.urls import is_url
from referee.game.log.log_reader import StreamFault
from referee.judge.judge import Judge
from referee.judge.judgement_summary import verdict_of
from referee.judge.log_run import Options, judge_path, judge_stream
from referee.judge.open_settings.decision_diagrams import TooManyNodes
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.followed_report import FollowEnd
from referee.system.deadline import OutOfTime
from referee.system.file_observations import FileObservations, PathKind

LAST_LINES = 1.0
"""Seconds that are waited, once a game has ended, for a line that says who has won."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What is told of a log. `end`: why it is told now, None for its first wrong line, behind which it goes on;
    `half`: a last line was begun, and is left out."""

    verdict: LogVerdict
    end: FollowEnd | None = None
    half: bool = False


@dataclass(frozen=True, slots=True)
class Patience:
    """How long more is waited for. `idle`: seconds in which nothing comes, None for ever; `next_games`: also behind a
    game that has ended; `stopped`: asked whether somebody wants no more."""

    idle: float | None
    next_games: bool
    stopped: Callable[[], bool]


def follow(path: str, how: How, patience: Patience, tell: Callable[[Followed], None]) -> None:
    """Judges the log or logs in a file that grows, or come through a pipe (`-`: the standard input), and tells of each
    its first wrong line as soon as it is read, and its verdict.

    Raises `Problems` for a ruleset that there is not.
    """
    rules = Rules(how.ruleset, how.engine, alone=True, work=1 << 20 if how.engine == AUTO else 0)
    options = Options(how.viewer, how.all_readings, None, how.facts, how.under)
    run = _FollowedRun(patience, tell)
    try:
        source = GrowingSource(path, run.waits)
    except StreamFault:
        tell(Followed(judge_path(path, rules, options), FollowEnd.HALTED))
        return
    with closing(source):
        split = SplitStream(source.read, waits=False)
        for index, stream in enumerate(split.logs(), 1):
            place = LogPlace(path, "", index, index > 1, index, split.line, split.offset)
            run.begins(place)
            verdict = judge_stream(LogStream(place, stream, split, waits=False), rules, options, run.judged_by)
            run.ends(verdict, _end(run, split, source), source.half)


def can_not_grow(path: str) -> bool:
    """Whether what is named is nothing that somebody writes line by line: a folder, a URL."""
    return is_url(path) or FileObservations().found(Path(path)) is PathKind.FOLDER


def _end(run: _FollowedRun, split: SplitStream, source: GrowingSource) -> FollowEnd:
    if split.more:
        return FollowEnd.NEXT
    return run.end or (FollowEnd.CLOSED if source.over else FollowEnd.HALTED)


class _FollowedRun:
    """Where it stands with the log that is read. `end`: why nobody waits any more, once that is so."""

    def __init__(self, patience: Patience, tell: Callable[[Followed], None]) -> None:
        self._patience, self._tell = patience, tell
        self._place = LogPlace("")
        self._judge: Judge | None = None
        self._blank: LogVerdict | None = None
        self._told = self._over = False
        self.end: FollowEnd | None = None

    def begins(self, place: LogPlace) -> None:
        """The next log."""
        self._place, self._judge, self._told, self._over = place, None, False, False

    def judged_by(self, judge: Judge, blank: LogVerdict) -> None:
        """Who judges it, and what is known of it before its first line."""
        self._judge, self._blank = judge, blank

    def ends(self, verdict: LogVerdict, end: FollowEnd, half: bool) -> None:
        """The log has its verdict: what follows is another."""
        self._judge, self._over = None, True
        self._tell(Followed(verdict, end, half))

    def waits(self, seconds: float) -> bool:
        """Whether more is waited for, after so many seconds in which nothing came. Whatever was read is judged then:
        more is asked for by whoever has judged it."""
        if self._patience.stopped():
            self.end = FollowEnd.INTERRUPTED
        elif not seconds:
            self._look()
        elif self._over and not self._patience.next_games and seconds >= LAST_LINES:
            self.end = FollowEnd.OVER
        elif self._patience.idle is not None and seconds >= self._patience.idle:
            self.end = FollowEnd.IDLE
        return self.end is None

    def _look(self) -> None:
        """Tells what is wrong, if it was not told; and finds out whether the game is over."""
        judge = self._judge
        if judge is None:
            return
        try:
            self._over = judge.finished or judge.halt is not None or judge.not_judged_from is not None
            if self._told or not (judge.found or judge.holes):
                return
            assert self._blank is not None
            verdict = verdict_of(judge, self._blank)
        except (OutOfTime, TooManyNodes):
            return  # whether that ends it the next line says
        if verdict.outcome is LogOutcome.ILLEGAL:
            self._told = True
            self._tell(Followed(replace(verdict, place=self._place)))
