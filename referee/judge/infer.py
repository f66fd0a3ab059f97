"""Which readings, rulings and parameters explain every one of several logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from referee.base.diagnostic import Problems
from referee.core.ruleset import Role
from referee.core.types import Scalar, Value, size
from referee.engine.walker import Walker
from referee.game.header import HeaderFault
from referee.game.log import LogProblem, open_log
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.state import Failed, Open, starts, unknown
from referee.judge.admit import admitted
from referee.judge.judge import Judge
from referee.judge.names import Names
from referee.judge.narrow import opened
from referee.judge.run import Loader, unreadable, verdict_of
from referee.judge.space import EVERYTHING, Box, Place, Region, Rejoin, Space, TooManyBoxes, common, joined, state_of
from referee.judge.verdict import Outcome, Verdict
from referee.judge.worlds import Candidate

MOST_FOLLOWED = 1_024
"""States of one log followed at once, at most."""
MOST_CHOICES = 64
"""Choices of an unspecified point that are tried, at most."""
MOST_SETS = 10_000
"""Sets of logs looked at for a contradiction, at most."""

Change = Callable[[Walker, Setting], Setting]


@dataclass(frozen=True, slots=True)
class Explained:
    """What one log says of the settings. `region`: those under which every line and claim stands, None if that could
    not be told (the verdict says why); `ruled`: unspecified points of which it leaves the ruling out.

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

    @property
    def full(self) -> Mapping[Place, tuple[int, int]]:
        """The range of every entry that may be open."""
        return self.space.full if self.space is not None else {}


def explain(path: str, load: Loader, change: Change | None = None, *, blind: bool = False) -> Explained:
    """Judges a log under every setting that its header leaves open; `blind`: whatever it states of readings, rulings
    and parameters. `change` settles something more. Every fault of the log is a verdict."""
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
            judge = Judge(walker, setting, join=rejoin, most=MOST_FOLLOWED)
            for line in log:
                judge.feed(line)
                if judge.found or judge.halt is not None:
                    break
    except LogProblem as problem:
        return Explained(path, unreadable(blank, problem), None, frozenset())
    verdict = verdict_of(judge, blank)
    return Explained(path, verdict, _region(judge, verdict, space), frozenset(rejoin.ruled), options,
                     walker, space, judge)


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


# --- several logs


@dataclass(frozen=True, slots=True)
class Fixed:
    """One unspecified point whose ruling logs leave out: the choices, by name, that explain all logs if always made."""

    point: str
    tried: tuple[str, ...]
    explaining: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A choice or value that no setting left has. `verdict`: the log that speaks against it alone, at its first wrong
    line; None if only several logs, or several values, do so together."""

    place: Place
    piece: tuple[int, int]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Inference:
    """What several logs say together. `region`: the settings that explain all logs of which it can be told under which
    settings they stand, None if there are too many to keep apart; `clashing`: minimal sets of logs that no setting
    explains together; `complete`: there are no others."""

    logs: tuple[Explained, ...]
    region: Region | None
    clashing: tuple[tuple[str, ...], ...] = ()
    complete: bool = True

    @property
    def full(self) -> dict[Place, tuple[int, int]]:
        """The range of every entry of every shape that may be open."""
        return {place: edges for log in self.logs for place, edges in log.full.items()}

    @property
    def inferred(self) -> list[Place]:
        """The readings and parameters, in the order of the rules."""
        return list(dict.fromkeys(place for log in self.logs if log.space is not None
                                  for place in log.full if place in log.space.inferred))

    def names(self, place: Place) -> Names:
        """Who knows what an entry and its values are called. `KeyError` for an entry that no log has."""
        for log in self.logs:
            if log.judge is not None and place in log.full:
                return log.judge.names
        raise KeyError(place)

    @property
    def unsure(self) -> list[Explained]:
        """The logs of which it cannot be told under which settings they stand."""
        return [log for log in self.logs if log.region is None]


def infer(logs: Sequence[Explained]) -> Inference:
    """The settings that explain every log; if there are none, which logs contradict each other."""
    known = [log for log in logs if log.region is not None]
    full = Inference(tuple(logs), None).full
    try:
        region = met_by(known, full)
    except TooManyBoxes:
        return Inference(tuple(logs), None)
    if region:
        return Inference(tuple(logs), region)
    sets, complete = _clashing(known, full)
    return Inference(tuple(logs), (), sets, complete)


def met_by(logs: Sequence[Explained], full: Mapping[Place, tuple[int, int]]) -> Region:
    """The settings under which all of these logs stand. Raises `TooManyBoxes`."""
    region = EVERYTHING
    for log in logs:
        region = common(region, log.region or (), full)
    return _related_of(region, logs)


def _related_of(region: Region, logs: Sequence[Explained]) -> Region:
    """The boxes of a region that have values related as the rules say."""
    return tuple(box for box in region if all(_related(log, box) for log in logs))


def _related(log: Explained, box: Box) -> bool:
    """Whether a box has values of the parameters that are related as the rules say."""
    if log.walker is None or log.space is None or not log.walker.core.relations:
        return True
    return log.walker.relations.broken(list(log.space.put(log.space.start, box))) is None


def _clashing(logs: Sequence[Explained], full: Mapping[Place, tuple[int, int]]) -> tuple[
        tuple[tuple[str, ...], ...], bool]:
    """The minimal sets of logs that no setting explains, smallest first; whether these are all."""
    found: list[frozenset[int]] = []
    standing: dict[tuple[int, ...], Region] = {(): EVERYTHING}
    looked = 0
    while standing:
        larger: dict[tuple[int, ...], Region] = {}
        for chosen, region in standing.items():
            for index in range(chosen[-1] + 1 if chosen else 0, len(logs)):
                if any(known <= {*chosen, index} for known in found):
                    continue
                looked += 1
                try:
                    both = _related_of(common(region, logs[index].region or (), full), logs)
                except TooManyBoxes:
                    looked = MOST_SETS + 1
                if looked > MOST_SETS:
                    return _named(found or [_shrunk(logs, full)], logs), False
                if both:
                    larger[*chosen, index] = both
                else:
                    found.append(frozenset((*chosen, index)))
        standing = larger
    return _named(found, logs), True


def _shrunk(logs: Sequence[Explained], full: Mapping[Place, tuple[int, int]]) -> frozenset[int]:
    """One minimal set, by leaving out log after log."""
    kept = list(range(len(logs)))
    for index in range(len(logs)):
        without = [other for other in kept if other != index]
        if not met_by([logs[other] for other in without], full):
            kept = without
    return frozenset(kept)


def _named(sets: Sequence[frozenset[int]], logs: Sequence[Explained]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(logs[index].path for index in sorted(one)) for one in sets)


# --- what stands against a value


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


def against(logs: Sequence[Explained], place: Place, piece: tuple[int, int], load: Loader, *, blind: bool) -> Excluded:
    """The log that excludes these values of an entry by itself, if there is one."""
    for log in logs:
        if log.region is None or place not in log.full:
            continue
        if not any(_has(box, place, piece, log.full[place]) for box in log.region):
            again = explain(log.path, load, settled_at(place, piece), blind=blind)
            if again.verdict.outcome is Outcome.ILLEGAL:
                return Excluded(place, piece, again.verdict)
    return Excluded(place, piece, None)


def _has(box: Box, place: Place, piece: tuple[int, int], full: tuple[int, int]) -> bool:
    lo, hi = next(((one.lo, one.hi) for one in box if one.place == place), full)
    return lo <= piece[1] and piece[0] <= hi


# --- rulings


def rulings(inference: Inference, load: Loader, *, blind: bool) -> Iterator[Fixed]:
    """For each unspecified point of which some log leaves the ruling out: which choices explain all logs."""
    for point in sorted({point for log in inference.logs for point in log.ruled}):
        tried: dict[str, Value] = {}
        for log in inference.logs:
            if log.walker is not None and log.judge is not None:
                kind = Signatures.of(log.walker.core).rulings.get(point)
                tried |= {log.judge.names.value(value, kind): value for value in _choices(kind)} if kind else {}
        fits = [name for name, value in tried.items() if _explains(inference, load, point, value, blind=blind)]
        yield Fixed(point, tuple(tried), tuple(fits))


def _choices(kind: Scalar) -> Iterator[Value]:
    if size(kind) <= MOST_CHOICES:
        yield from range(kind.lo, kind.hi + 1)


def _explains(inference: Inference, load: Loader, point: str, value: Value, *, blind: bool) -> bool:
    def change(_: Walker, setting: Setting) -> Setting:
        return replace(setting, rulings={**setting.rulings, point: value})

    again = [explain(log.path, load, change, blind=blind) if point in log.ruled else log for log in inference.logs]
    return bool(infer(again).region)
