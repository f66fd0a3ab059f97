"""Adds to a verdict what of it hangs on settings: which were looked at, and on request what became of it otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.game.log.log_header import Header
from referee.game.log.log_lines import Line
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.defaults.default_trials import JudgedGame, Trier
from referee.judge.defaults.log_settings import at_default, set_by_log
from referee.judge.defaults.setting_bearing import SettingBearing
from referee.judge.defaults.settings_read import DoneStep, SettingsRead
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader
from referee.judge.judging_notes import JudgingNotes
from referee.judge.verdict import LogOutcome, LogVerdict, SettingKind
from referee.system.deadline import Deadline

MOST_SECONDS = 1.0
"""So long may it take to find the last step again."""
MOST_STEPS = 24
"""So many of the last steps are looked at."""
MOST_NAMED = 100
"""Settings that a verdict names, at most."""
_TRIED = (LogOutcome.ILLEGAL, LogOutcome.LEGAL, LogOutcome.POSSIBLE)


class VerdictDefaults:
    """The settings of one log that was judged. `viewer`: the seat from which hidden values are kept."""

    def __init__(self, walker: Walker, setting: Setting, header: Header, viewer: int | None, until: Deadline) -> None:
        self._walker = walker
        self._setting = setting
        self._header = header
        self._viewer = viewer
        self._until = until
        self._known = at_default(walker, setting, header)
        self._set = set_by_log(walker, setting, header)
        self._near: list[int] = []
        self._near_options: list[str] = []

    def named(self, verdict: LogVerdict, judge: Judge) -> LogVerdict:
        """An illegal verdict with the settings at their default that were looked at on the way to its wrong line and
        have a bearing on it, and those of the log itself that have one or were looked at to test the line."""
        claim = None if judge.holes is None else judge.holes.broken(judge.overruled)
        notes = next((one for one in (*judge.found, *((claim,) if claim is not None else ()))
                      if verdict.wrong is not None and one.wrong.line == verdict.wrong.line), None)
        if verdict.outcome is not LogOutcome.ILLEGAL or notes is None or not (self._known or self._set):
            return verdict
        if notes.line is None:
            return verdict
        read = SettingsRead(self._walker, self._setting, self._viewer, self._until)
        steps = [] if notes.past is None else notes.past.last(
            self._walker, None, MOST_STEPS, self._until.computing_within(MOST_SECONDS))[-MOST_STEPS:]
        done = [(step.state, step.event) for step in steps]
        looked = read.before(notes.wrong, notes.line, notes.before, done)
        own = {index: looked.entries[index] for index in self._set.among(looked.entries)}
        usual = {index: looked.entries[index] for index in self._known.among(looked.entries)}
        bearing = self._bearing(done, notes, judge.claims)
        if bearing is not None:
            deciding = bearing.among({**usual, **own}, {**self._known.places, **self._set.places})
        else:
            deciding = {index for index, (_, last) in {**usual, **own}.items() if last <= 1}
        self._near = sorted(deciding & usual.keys())
        self._near_options = self._known.options_in(looked.parts)
        asked = {index for index, (_, last) in own.items()
                 if last == 0 and self._set.named(index).kind is not SettingKind.GIVEN}
        return self._told(verdict, sorted(asked | (deciding & own.keys())), self._set.options_in(looked.parts))

    def _bearing(self, steps: Sequence[DoneStep], notes: JudgingNotes, claims: AssertedClaims) -> SettingBearing | None:
        """What other values are tried with; None if it is not known for sure where the game stood."""
        if self._viewer is not None or notes.line is None or len(notes.before) != 1:
            return None
        final = notes.before[0].step
        if not isinstance(final, State | Ended):
            return None
        return SettingBearing(self._walker, self._setting, steps, final, notes.line, claims)

    def _told(self, verdict: LogVerdict, entries: Sequence[int], options: Sequence[str]) -> LogVerdict:
        found = [*map(self._known.named, self._near), *map(self._known.option, self._near_options)]
        own = [*map(self._set.named, entries), *map(self._set.option, options)]
        return replace(
            verdict, defaults=tuple(found[:MOST_NAMED]), more_defaults=max(len(found) - MOST_NAMED, 0),
            set_by_log=tuple(own[:MOST_NAMED]), more_set_by_log=max(len(own) - MOST_NAMED, 0))

    def tried(self, verdict: LogVerdict, lines: Sequence[Line], load: Loader, seconds: float) -> LogVerdict:
        """A verdict with what becomes of it with something else in the place of defaults. `seconds`: how long judging
        took. For a player nothing is tried: what others know would decide what he is told."""
        if verdict.outcome not in _TRIED or self._viewer is not None or (
                verdict.outcome is LogOutcome.ILLEGAL and verdict.wrong is None):
            return verdict
        game = JudgedGame(verdict, self._walker, self._setting, self._header, lines, load, seconds)
        return replace(verdict, trials=Trier(game, self._known, self._until).tried(self._near, self._near_options))
