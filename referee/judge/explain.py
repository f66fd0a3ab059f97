"""Under which readings and parameters one log stands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from referee.base.diagnostic import Problems
from referee.core.ruleset import Role
from referee.core.types import Value
from referee.engine.walker import Walker
from referee.game.header import HeaderFault
from referee.game.log import LogProblem, open_log
from referee.game.setting import Setting
from referee.game.state import Failed, Open, starts, unknown
from referee.judge.admit import admitted
from referee.judge.deadline import Deadline
from referee.judge.holes import MOST_SECONDS
from referee.judge.judge import Judge
from referee.judge.narrow import opened
from referee.judge.run import UNKNOWN_START, Loader, begun, unreadable, verdict_of
from referee.judge.space import (
    EVERYTHING,
    Box,
    Place,
    Region,
    Rejoin,
    Space,
    TooManyBoxes,
    joined,
    state_of,
    without,
)
from referee.judge.veil.settings import Settings
from referee.judge.verdict import Outcome, Verdict
from referee.judge.worlds import Candidate

MOST_FOLLOWED = 1_024
"""States of one log followed at once, at most."""
MOST_LEFT = 1_000
"""Boxes that were left out, of which those explained are taken away, at most."""
MOST_RUNS = 200
"""So often a log with holes is judged for settings that were left out before."""

Change = Callable[[Walker, Setting], Setting]


@dataclass(frozen=True, slots=True)
class Explained:
    """What one log says of the settings. `region`: those under which every line and claim stands, None if that could
    not be told (the verdict says why); `untold`: those of which it could not be told; `ruled`: unspecified points of
    which it leaves the ruling out.

    `judge` stands at the last line; `walker` and `space` are those of its shape.
    """

    path: str
    verdict: Verdict
    region: Region | None
    ruled: frozenset[str]
    options: Mapping[str, str] = field(default_factory=dict)
    walker: Walker | None = None
    space: Space | None = None
    judge: Judge | None = None
    untold: Region = ()

    @property
    def left(self) -> Region:
        """The settings that the log does not refute."""
        return (*(self.region or ()), *self.untold)

    @property
    def full(self) -> Mapping[Place, tuple[int, int]]:
        """The range of every entry that may be open."""
        return self.space.full if self.space is not None else {}


def explain(path: str, load: Loader, change: Change | None = None, *, blind: bool = False,
            seconds: float | None = None) -> Explained:
    """Judges a log under every setting that its header leaves open; `blind`: whatever it states of readings, rulings
    and parameters. `change` settles something more; `seconds`: the time for a log with holes (None: `MOST_SECONDS`).
    Every fault of the log is a verdict."""
    deadline = Deadline(MOST_SECONDS if seconds is None else seconds)
    limit = None if seconds is None else deadline
    first = _explained(path, load, change, blind, limit)
    if not first.untold or first.region is None or first.space is None:
        return first

    def again(box: Box) -> Explained:
        return _explained(path, load, _within(box, change), blind, deadline)

    return _completed(first, first.space, again, deadline)


def _within(box: Box, change: Change | None) -> Change:
    """Settles what a box settles, and something more."""
    def narrowed(walker: Walker, setting: Setting) -> Setting:
        for one in box:
            setting = settled_at(one.place, (one.lo, one.hi))(walker, setting)
        return change(walker, setting) if change is not None else setting

    return narrowed


def _completed(first: Explained, space: Space, again: Callable[[Box], Explained], deadline: Deadline) -> Explained:
    """What was left out is looked at by itself, box by box, while there is time."""
    waiting, untold, parts = deque(first.untold), list[Box](), [first]
    for _ in range(MOST_RUNS):
        if not waiting or deadline.passed:
            break
        box = waiting.popleft()
        part = again(box)
        if part.region is None:
            untold.append(box)
            continue
        parts.append(part)
        for one in part.untold:
            (untold if one == box else waiting).append(one)
    region = joined([box for part in parts for box in part.region or ()], space.full)
    rest = _less((*untold, *waiting), region, space.full)
    ruled = frozenset().union(*(part.ruled for part in parts))
    best = max(parts, key=lambda part: (bool(part.region), _reached(part.verdict)))
    return replace(first, region=region, untold=rest, ruled=ruled, judge=best.judge,
                   verdict=_partly(best.verdict, region, rest))


def _reached(verdict: Verdict) -> int:
    """How far a log was followed."""
    return verdict.wrong.line if verdict.wrong is not None else verdict.lines


def _partly(verdict: Verdict, region: Region, untold: Region, why: str = "") -> Verdict:
    """No log is wrong as long as some settings were not looked at."""
    if region or not untold or verdict.outcome is not Outcome.ILLEGAL:
        return verdict
    return replace(verdict, outcome=Outcome.UNKNOWN, wrong=None, after=(), conflict=(),
                   reason=why or "some settings could not be looked at to the end")


def _less(boxes: Sequence[Box], region: Region, full: Mapping[Place, tuple[int, int]]) -> Region:
    """Boxes without those of a region; if that is too much work, with them."""
    if len(boxes) > MOST_LEFT:
        return tuple(boxes)
    try:
        return without(joined(boxes, full), region, full)
    except TooManyBoxes:
        return tuple(boxes)


def _explained(path: str, load: Loader, change: Change | None, blind: bool, limit: Deadline | None) -> Explained:
    """One look at a log, from its first line on."""
    blank = Verdict(path, Outcome.UNREADABLE)
    try:
        with open_log(path) as log:
            blank = replace(blank, ruleset=log.header.ruleset, players=log.header.players)
            try:
                walker = load(log.header)
                setting = admitted(walker, log.header)
            except HeaderFault as fault:
                return Explained(path, unreadable(blank, log.refuse(fault)), None, frozenset())
            except Problems as problems:
                return Explained(path, replace(blank, outcome=Outcome.NO_RULES, diagnostics=problems.diagnostics),
                                 None, frozenset())
            options = {name: str(value) for name, value in log.header.options.items()}
            space = Space(walker.layout, _all_open(walker, setting.players))
            setting = _unknown(walker, setting, blind=blind)
            setting = change(walker, setting) if change is not None else setting
            rejoin = Rejoin(space)
            somewhere = begun(walker, setting)
            if somewhere is None and not setting.starts_known:
                return Explained(path, replace(blank, outcome=Outcome.UNKNOWN, reason=UNKNOWN_START), None, frozenset())
            judge = Judge(walker, setting, rejoin=rejoin, most=MOST_FOLLOWED, somewhere=somewhere)
            if limit is not None:
                judge.limit(limit)
            for line in log:
                judge.feed(line)
                if judge.found or judge.halt is not None:
                    break
    except LogProblem as problem:
        return Explained(path, unreadable(blank, problem), None, frozenset())
    verdict = verdict_of(judge, blank)
    region, untold = _told(judge, verdict, rejoin)
    verdict = _partly(verdict, region or (), tuple(rejoin.left_out), rejoin.why)
    return Explained(path, verdict, region, frozenset(rejoin.ruled), options, walker, space, judge, untold)


def _told(judge: Judge, verdict: Verdict, rejoin: Rejoin) -> tuple[Region | None, Region]:
    """The settings under which a log stands, and those of which it could not be told."""
    settings = judge.holes.branches if judge.holes is not None else None
    if not isinstance(settings, Settings):
        return _region(judge, verdict, rejoin.space), ()
    if judge.halt is not None and judge.halt.outcome is Outcome.UNKNOWN:
        settings.unfinished()
        region: Region | None = ()
    else:
        region = _region(judge, verdict, rejoin.space)
    if region is None or not rejoin.left_out:
        return region, ()
    untold = _less(list(rejoin.left_out), region, rejoin.space.full)
    return (None, ()) if not region and untold == EVERYTHING else (region, untold)


def _all_open(walker: Walker, players: tuple[str, ...]) -> list[Any]:
    """The entries of a game whose header states nothing, with every reading open."""
    return list(walker.entries(_unknown(walker, Setting(players), blind=False)))


def _unknown(walker: Walker, setting: Setting, *, blind: bool) -> Setting:
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


def _region(judge: Judge, verdict: Verdict, space: Space) -> Region | None:
    """The settings under which a log stands, without what holds for one game only; None if it cannot be told."""
    stopped = judge.halt is not None and judge.halt.outcome is Outcome.STOPPED
    if verdict.outcome is Outcome.ILLEGAL or stopped:  # a game that goes on where the rules stop is explained by none
        return ()
    if judge.overflowed or verdict.outcome not in (Outcome.LEGAL, Outcome.POSSIBLE, Outcome.STOPPED):
        return None
    boxes = [space.shared(space.box(state.slots)) for here in standing(judge)
             if (state := state_of(here.step)) is not None]
    return joined(boxes, space.full)


def standing(judge: Judge) -> list[Candidate]:
    """The states in which a log may have ended: nothing it claims is wrong there, and the rules did not fail."""
    if judge.holes is None:
        return [here for here in judge.alive if not isinstance(here.step, Failed)]
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
