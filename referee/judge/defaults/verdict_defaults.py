"""Adds to a verdict what of it hangs on defaults: what was looked at, and on request what became of it otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.game.log.log_header import Header
from referee.game.log.log_lines import Line
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.judge.defaults.default_trials import JudgedGame, Trier
from referee.judge.defaults.settings_at_default import SettingsAtDefault
from referee.judge.defaults.settings_read import SettingsRead
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.system.deadline import Deadline

MOST_SECONDS = 1.0
"""So long may it take to find the last step again."""
MOST_NAMED = 100
"""Settings that a verdict names, at most."""
_TRIED = (LogOutcome.ILLEGAL, LogOutcome.LEGAL, LogOutcome.POSSIBLE)


class VerdictDefaults:
    """The defaults of one log that was judged. `viewer`: the seat from which hidden values are kept."""

    def __init__(self, walker: Walker, setting: Setting, header: Header, viewer: int | None, until: Deadline) -> None:
        self._walker = walker
        self._setting = setting
        self._header = header
        self._viewer = viewer
        self._until = until
        self._known = SettingsAtDefault(walker, setting, header)
        self._near: list[int] = []
        self._near_options: list[str] = []

    def named(self, verdict: LogVerdict, judge: Judge) -> LogVerdict:
        """An illegal verdict with the defaults that were looked at on the way to its wrong line."""
        claim = None if judge.holes is None else judge.holes.broken(judge.overruled)
        notes = next((one for one in (*judge.found, *((claim,) if claim is not None else ()))
                      if verdict.wrong is not None and one.wrong.line == verdict.wrong.line), None)
        nothing = not self._known.places and not self._known.options
        if verdict.outcome is not LogOutcome.ILLEGAL or notes is None or notes.line is None or nothing:
            return verdict
        read = SettingsRead(self._walker, self._setting, self._known, self._viewer, self._until)
        steps = [] if notes.past is None else notes.past.last(self._walker, None, 1, self._until.within(MOST_SECONDS))
        step = (steps[-1].state, steps[-1].event) if steps else None
        self._near, self._near_options = read.before(notes.wrong, notes.line, notes.before, step)
        found = [*map(self._known.named, self._near), *map(self._known.option, self._near_options)]
        return replace(verdict, defaults=tuple(found[:MOST_NAMED]), more_defaults=max(len(found) - MOST_NAMED, 0))

    def tried(self, verdict: LogVerdict, lines: Sequence[Line], load: Loader, seconds: float) -> LogVerdict:
        """A verdict with what becomes of it with something else in the place of defaults. `seconds`: how long judging
        took. For a player nothing is tried: what others know would decide what he is told."""
        if verdict.outcome not in _TRIED or self._viewer is not None or (
                verdict.outcome is LogOutcome.ILLEGAL and verdict.wrong is None):
            return verdict
        game = JudgedGame(verdict, self._walker, self._setting, self._header, lines, load, seconds)
        return replace(verdict, trials=Trier(game, self._known, self._until).tried(self._near, self._near_options))
