"""Under which readings and parameters one log stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from referee.archives.log_opening import open_log
from referee.archives.log_places import LogPlace
from referee.core.ruleset import Role
from referee.core.types import Value
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_lines import EventLine, LineFault
from referee.game.log.log_reader import LogProblem
from referee.game.setting import Setting
from referee.game.state import Failed, Open, starts, unknown
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import UNKNOWN_START, Loader, begun, seat_of, unreadable, verdict_of
from referee.judge.judging_notes import MOST_SECONDS
from referee.judge.line_cache import OVERRULE
from referee.judge.open_settings.decision_diagrams import ALL, TooManyNodes
from referee.judge.open_settings.header_admission import admitted, other_rules
from referee.judge.open_settings.setting_narrowing import opened
from referee.judge.open_settings.setting_preference import defaults, next_box
from referee.judge.open_settings.setting_sets import NOTHING, Choices, united
from referee.judge.open_settings.setting_space import Rejoin, SettingSpace
from referee.judge.open_settings.value_ranges import Box, Place
from referee.judge.partial.lifted.setting_tracker import SettingTracker
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.system.deadline import Deadline, Stopwatch

MOST_RUNS = 5_000
"""So often a log is judged for settings that were left out before, at most."""
SHORTEST, LONGER = 0.2, 4
"""A wider look may take so many seconds, or so many times as long as the one before it."""
FIRST_SHARE = 0.6
"""The share of the time in which a log is followed under all settings together; the rest is for what was left out."""

Change = Callable[[Walker, Setting], Setting]


@dataclass(frozen=True, slots=True)
class SettingSearch:
    """What is looked at: a log, and what of its setting is open. `viewer`: from whom hidden values are kept."""

    path: str | LogPlace
    load: Loader
    opening: Change
    viewer: str | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """What one log says of the settings. `region`: those under which every line and claim stands, None if that could
    not be told (the verdict says why); `untold`: those of which it could not be told; `ruled`: unspecified points of
    which it leaves the ruling out.

    `judge` stands at the last line; `walker` and `space` are those of its shape.
    """

    path: str
    verdict: LogVerdict
    region: Choices | None
    ruled: frozenset[str]
    options: Mapping[str, str] = field(default_factory=dict)
    walker: Walker | None = None
    space: SettingSpace | None = None
    judge: Judge | None = None
    untold: Choices = NOTHING

    @property
    def left(self) -> Choices:
        """The settings that the log does not refute. Raises `TooManyNodes`."""
        return self.untold if self.region is None else self.region.either(self.untold)

    @property
    def refuted(self) -> bool:
        """Whether no setting that was looked at explains the log."""
        return self.region is not None and not self.region and not self.untold

    @property
    def full(self) -> Mapping[Place, tuple[int, int]]:
        """The range of every entry that may be open."""
        return self.space.full if self.space is not None else {}


def explain(path: str, load: Loader, change: Change | None = None, *, blind: bool = False,
            seconds: float | None = None) -> Explained:
    """Judges a log under every setting that its header leaves open; `blind`: whatever it states of readings, rulings
    and parameters. `change` settles something more; `seconds`: how long that may take (None: `MOST_SECONDS`).
    Every fault of the log is a verdict."""
    def opening(walker: Walker, setting: Setting) -> Setting:
        return unstated(walker, setting, blind=blind)

    return explained(SettingSearch(path, load, opening), change, seconds)


def explained(look: SettingSearch, change: Change | None = None, seconds: float | None = None) -> Explained:
    """Judges a log under every setting that is open, as `explain`."""
    whole = MOST_SECONDS if seconds is None else seconds
    deadline = Deadline(whole)
    first = _explained(look, change, Deadline(whole * FIRST_SHARE))
    if not first.untold or first.region is None:
        return first

    def again(box: Box, limit: Deadline) -> Explained:
        return _explained(look, _within(box, change), limit)

    return _completed(first, first.region, again, deadline)


Again = Callable[[Box, Deadline], Explained]
"""Judges a log under some settings, for so long."""


def _within(box: Box, change: Change | None) -> Change:
    """Settles what a box settles, and something more."""
    def narrowed(walker: Walker, setting: Setting) -> Setting:
        for one in box:
            setting = settled_at(one.place, (one.lo, one.hi))(walker, setting)
        return change(walker, setting) if change is not None else setting

    return narrowed


def _completed(first: Explained, region: Choices, again: Again, deadline: Deadline) -> Explained:
    """What was left out is looked at by itself, box by box, while there is time: first what shows most that is new."""
    rest, hopeless = _Rest(first, region, again), NOTHING
    usual = {} if first.walker is None else defaults(first.walker.layout, first.full)
    tried = Counter[tuple[Place, int]]()
    while rest.looked < MOST_RUNS and not deadline.passed:
        box = next_box(rest.untold.less(hopeless), rest.region, usual, tried)
        if box is None:
            break
        watch = Stopwatch()
        part = rest.look(box, deadline)
        if part is None:
            hopeless = hopeless.either(Choices(first.untold.ranges, box=box))
        elif part.refuted:
            rest.widen(box, deadline, max(SHORTEST, LONGER * watch.seconds))
    untold = rest.untold.less(rest.region)
    if not rest.region and untold.box == first.untold.box and untold.node is ALL:  # nothing at all was told
        return replace(first, region=None, untold=NOTHING)
    return replace(first, region=rest.region, untold=untold, ruled=rest.ruled, judge=rest.best.judge,
                   verdict=_partly(rest.best.verdict, rest.region, untold))


class _Rest:
    """The settings of which it is known that they explain a log (`region`), and those of which nothing is known yet.

    `looked`: how often the log was judged; `ruled`: where it leaves rulings out; `best`: the look that got furthest.
    """

    def __init__(self, first: Explained, region: Choices, again: Again) -> None:
        self.region, self.untold, self.ruled = region, first.untold, first.ruled
        self.best = first
        self.looked = 0
        self._again = again

    def look(self, box: Box, limit: Deadline) -> Explained | None:
        """Judges the log under some settings; None if nothing was told of these. Raises `TooManyNodes`."""
        part, one = self._again(box, limit), Choices(self.untold.ranges, box=box)
        self.looked += 1
        if part.region is None or not one.less(part.untold):
            return None
        self.best = max(self.best, part, key=lambda one: (bool(one.region), _reached(one.verdict)))
        self.ruled |= part.ruled
        self.region = self.region.either(part.region)
        self.untold = self.untold.less(one).either(part.untold.both(self.untold))
        return part

    def widen(self, box: Box, deadline: Deadline, seconds: float) -> None:
        """Of settings that the log refutes, leaves open value after value that has no part in that: others with the
        same fault need no look of their own. Each look may take so many seconds. Raises `TooManyNodes`."""
        for place in [one.place for one in box]:
            if deadline.passed or self.looked >= MOST_RUNS:
                return
            wider = tuple(one for one in box if one.place != place)
            part = self.look(wider, deadline.within(seconds))
            if part is not None and part.refuted:
                box = wider


def _reached(verdict: LogVerdict) -> tuple[bool, int]:
    """How much a verdict tells: whether anything for certain, and how far the log was followed."""
    return verdict.outcome is not LogOutcome.UNKNOWN, verdict.lines if verdict.wrong is None else verdict.wrong.line


def _partly(verdict: LogVerdict, region: Choices, untold: Choices, why: str = "") -> LogVerdict:
    """No log is wrong as long as some settings were not looked at."""
    if region or not untold or verdict.outcome is not LogOutcome.ILLEGAL:
        return verdict
    return replace(verdict, outcome=LogOutcome.UNKNOWN, wrong=None, after=(), conflict=(),
                   reason=why or "some settings could not be looked at to the end")


def _explained(look: SettingSearch, change: Change | None, limit: Deadline, *, patient: bool = False) -> Explained:
    """One look at a log, from its first line on. `patient`: it goes on after a wrong line, which may be overruled."""
    path, overruled = str(look.path), False
    blank = LogVerdict(path, LogOutcome.UNREADABLE, viewer=look.viewer)
    try:
        with open_log(look.path) as log:
            blank = replace(blank, ruleset=log.header.ruleset, players=log.header.players)
            try:
                walker = look.load(log.header)
                setting = admitted(walker, log.header)
            except HeaderFault as fault:
                return Explained(path, unreadable(blank, log.refuse(fault)), None, frozenset())
            except Problems as problems:
                return Explained(path, replace(blank, outcome=LogOutcome.NO_RULES, diagnostics=problems.diagnostics),
                                 None, frozenset())
            options = {name: str(value) for name, value in log.header.options.items()}
            setting = look.opening(walker, setting)
            setting = change(walker, setting) if change is not None else setting
            space = SettingSpace(walker.layout, _all_open(walker, setting.players), walker.entries(setting))
            rejoin = Rejoin(space, limit)
            somewhere = begun(walker, setting)
            if somewhere is None and not setting.starts_known:
                return Explained(
                    path, replace(blank, outcome=LogOutcome.UNKNOWN, reason=UNKNOWN_START), None, frozenset()
                )
            judge = Judge(walker, setting, seat_of(look.viewer, log.header), rejoin, somewhere)
            judge.limit(limit)
            judge.notes.extend(other_rules(walker, log.header))
            log.test = judge.claims.readable
            for line in log:
                try:
                    judge.feed(line)
                except LineFault as fault:
                    raise log.refuse_line(fault) from None
                if judge.halt is not None:
                    break
                if judge.found and not patient:
                    overruled = any(isinstance(one, EventLine) and one.do == OVERRULE for one in log)
                    break
    except LogProblem as problem:
        return Explained(path, unreadable(blank, problem), None, frozenset())
    if overruled:
        return _explained(look, change, limit, patient=True)
    verdict = verdict_of(judge, blank)
    try:
        region, untold = _told(judge, verdict, rejoin)
    except TooManyNodes:
        region, untold = None, NOTHING
    verdict = _partly(verdict, region or NOTHING, rejoin.left_out, rejoin.why)
    return Explained(path, verdict, region, frozenset(rejoin.ruled), options, walker, space, judge, untold)


def _told(judge: Judge, verdict: LogVerdict, rejoin: Rejoin) -> tuple[Choices | None, Choices]:
    """The settings under which a log stands, and those of which it could not be told. Raises `TooManyNodes`."""
    stated = rejoin.space.shared(Choices(rejoin.space.full, box=rejoin.space.stated))
    settings = judge.holes.branches if judge.holes is not None else None
    region: Choices | None = NOTHING
    if isinstance(settings, SettingTracker) and judge.halt is not None and judge.halt.outcome is LogOutcome.UNKNOWN:
        settings.unfinished()
    elif judge.halt is not None and judge.halt.large:
        rejoin.leave_out(standing(judge))
    else:
        region = _region(judge, verdict, rejoin)
    if region is None:
        return None, NOTHING
    untold = rejoin.left_out.less(region)
    if not region and untold.everything and not (judge.halt is not None and judge.halt.large):
        return None, NOTHING
    return region.both(stated), untold.both(stated)


def _all_open(walker: Walker, players: tuple[str, ...]) -> list[Any]:
    """The entries of a game whose header states nothing, with every reading open."""
    return list(walker.entries(unstated(walker, Setting(players), blind=False)))


def unstated(walker: Walker, setting: Setting, *, blind: bool) -> Setting:
    """The setting with every reading and parameter open that it does not state; a default is no statement."""
    if blind:
        setting = replace(setting, readings={}, rulings={}, parameters={})
    setting = opened(walker.flow, setting)
    for name, var in walker.layout.defs.items():
        if var.role is Role.PARAMETER:
            stated, entries = setting.parameters.get(name, {}), walker.layout.vars[name]
            usual = zip(entries.keys(), starts(var, entries.count), strict=True)
            whole = cast("Value", unknown(var))
            open_ = {key: whole for key, value in usual if key not in stated and not isinstance(value, Open)}
            if open_:
                setting = replace(setting, parameters={**setting.parameters, name: {**stated, **open_}})
    return setting


def _region(judge: Judge, verdict: LogVerdict, rejoin: Rejoin) -> Choices | None:
    """The settings under which a log stands, without what holds for one game only; None if it cannot be told.

    Raises `TooManyNodes`.
    """
    stopped = judge.halt is not None and judge.halt.outcome is LogOutcome.STOPPED
    if (
        verdict.outcome is LogOutcome.ILLEGAL or stopped
    ):  # a game that goes on where the rules stop is explained by none
        return NOTHING
    if judge.overflowed or verdict.outcome not in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.STOPPED):
        return None
    return united([rejoin.space.shared(rejoin.choices(here)) for here in standing(judge)])


def standing(judge: Judge) -> list[PossibleState]:
    """The states in which a log may have ended: nothing it claims is wrong there, and the rules did not fail."""
    if judge.holes is None:
        return [here for here in judge.arrive() if not isinstance(here.step, Failed)]
    return [here for way in judge.holes.branches.alive if not way.marks for here in way.alive
            if not isinstance(here.step, Failed)]


def settled_at(place: Place, piece: tuple[int, int]) -> Change:
    """Settles one reading or parameter to a stretch of its values, whatever a header says of it."""
    name, key = place
    value: Any = Open(*piece) if piece[0] < piece[1] else piece[0]

    def change(walker: Walker, setting: Setting) -> Setting:
        if name in walker.core.readings:
            return replace(setting, readings=cast("Mapping[str, int]", {**setting.readings, name: value}))
        if name not in walker.layout.vars:
            return setting
        known = setting.parameters.get(name, {})
        return replace(setting, parameters={**setting.parameters, name: {**known, key: value}})

    return change
