"""Which readings, rulings and parameters explain every one of several logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.core.types import Scalar, Value, size
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.judgement_summary import Loader
from referee.judge.open_settings.decision_diagrams import TooManyNodes
from referee.judge.open_settings.setting_relations import Related
from referee.judge.open_settings.setting_sets import NOTHING, Choices
from referee.judge.open_settings.setting_verdicts import Explained, explain, settled_at
from referee.judge.open_settings.value_ranges import Place
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.system.deadline import NEVER, Deadline

MOST_CHOICES = 64
"""Choices of an unspecified point that are tried, at most."""
MOST_SETS = 10_000
"""Sets of logs looked at for a contradiction, at most."""


@dataclass(frozen=True, slots=True)
class FixedRuling:
    """One unspecified point whose ruling logs leave out: the choices, by name, that explain all logs if always made."""

    point: str
    tried: tuple[str, ...]
    explaining: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A choice or value that no setting left has. `verdict`: the log that speaks against it alone, at its first wrong
    line; None if only several logs, or several values, do so together, or it was not looked at in time (`looked`)."""

    place: Place
    piece: tuple[int, int]
    verdict: LogVerdict | None
    looked: bool = True


@dataclass(frozen=True, slots=True)
class Inference:
    """What several logs say together. `region`: the settings that no log refutes of which it can be told under which
    settings it stands, None if there are too many to keep apart; `untold`: those of them of which it is not known that
    they explain all these logs; `clashing`: minimal sets of logs that no setting explains together; `complete`: there
    are no others."""

    logs: tuple[Explained, ...]
    region: Choices | None
    clashing: tuple[tuple[str, ...], ...] = ()
    complete: bool = True
    untold: Choices = NOTHING

    @property
    def sure(self) -> Choices:
        """The settings of which it is known that they explain these logs. Raises `TooManyNodes`."""
        return (self.region or NOTHING).less(self.untold)

    @property
    def full(self) -> dict[Place, tuple[int, int]]:
        """The range of every entry of every shape that may be open."""
        return {place: edges for log in self.logs for place, edges in log.full.items()}

    @property
    def inferred(self) -> list[Place]:
        """The readings and parameters, in the order of the rules."""
        return list(dict.fromkeys(place for log in self.logs if log.space is not None
                                  for place in log.full if place in log.space.inferred))

    @property
    def told_of(self) -> list[Place]:
        """The readings and parameters that are one value, and the entries of others of which some log says something
        that the headers do not."""
        spoken = self.region.places - self.stated if self.region else set()
        return [place for place in self.inferred if not place[1] or place in spoken]

    @property
    def stated(self) -> set[Place]:
        """The entries that the header of each log states which has them."""
        spaces = [log.space for log in self.logs if log.space is not None]
        open_ = {place for space in spaces for place in space.full.keys() - {one.place for one in space.stated}}
        return {place for space in spaces for place in space.full} - open_

    @property
    def product(self) -> bool:
        """Whether the values left go together in every combination in which they are related as the rules say."""
        region = self.region
        if not region or region.number_of_boxes < 2:
            return True
        try:
            return not _related(region.spread(), self.logs).less(region)
        except TooManyNodes:
            return False

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
    every = Choices({place: edges for log in logs for place, edges in log.full.items()})
    try:
        region = met_by(known).both(every)
        untold = _untold(known, region)
        if region:
            return Inference(tuple(logs), region, untold=untold)
        sets, complete = _clashing(known)
    except TooManyNodes:
        return Inference(tuple(logs), None)
    return Inference(tuple(logs), region, sets, complete)


def met_by(logs: Sequence[Explained]) -> Choices:
    """The settings that none of these logs refutes. Raises `TooManyNodes`."""
    region = Choices({place: edges for log in logs for place, edges in log.full.items()})
    for log in logs:
        region = region.both(log.left)
    return _related(region, logs)


def _related(region: Choices, logs: Sequence[Explained]) -> Choices:
    """Without combinations of values that are not related as the rules say. Raises `TooManyNodes`."""
    for log in logs:
        if log.walker is not None and log.space is not None and log.walker.core.relations:
            region = Related(log.walker).part(region, log.space.start)
    return region


def _untold(logs: Sequence[Explained], region: Choices) -> Choices:
    """The settings of a region of which some log does not tell. Raises `TooManyNodes`."""
    found = NOTHING
    for log in logs:
        found = found.either(region.both(log.untold))
    return found


def _clashing(logs: Sequence[Explained]) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """The minimal sets of logs that no setting explains, smallest first; whether these are all. Raises
    `TooManyNodes`."""
    found: list[frozenset[int]] = []
    standing: dict[tuple[int, ...], Choices] = {(): met_by(())}
    looked = 0
    while standing:
        larger: dict[tuple[int, ...], Choices] = {}
        for chosen, region in standing.items():
            for index in range(chosen[-1] + 1 if chosen else 0, len(logs)):
                if any(known <= {*chosen, index} for known in found):
                    continue
                looked += 1
                if looked > MOST_SETS:
                    return _named(found or [_shrunk(logs)], logs), False
                both = _related(region.both(logs[index].left), logs)
                if both:
                    larger[*chosen, index] = both
                else:
                    found.append(frozenset((*chosen, index)))
        standing = larger
    return _named(found, logs), True


def _shrunk(logs: Sequence[Explained]) -> frozenset[int]:
    """One minimal set, by leaving out log after log. Raises `TooManyNodes`."""
    kept = list(range(len(logs)))
    for index in range(len(logs)):
        without = [other for other in kept if other != index]
        if not met_by([logs[other] for other in without]):
            kept = without
    return frozenset(kept)


def _named(sets: Sequence[frozenset[int]], logs: Sequence[Explained]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(logs[index].path for index in sorted(one)) for one in sets)


# --- what stands against a value


def against(logs: Sequence[Explained], place: Place, piece: tuple[int, int], load: Loader, *, blind: bool,
            deadline: Deadline = NEVER) -> Excluded:
    """The log that excludes these values of an entry by itself, if there is one and it is found in time."""
    looked = True
    for log in logs:
        if log.region is None or place not in log.full or log.left.within(place, *piece):
            continue
        if deadline.passed:
            return Excluded(place, piece, None, looked=False)
        again = explain(log.path, load, settled_at(place, piece), blind=blind, seconds=deadline.as_timeout)
        if again.verdict.outcome is LogOutcome.ILLEGAL:
            return Excluded(place, piece, again.verdict)
        looked &= not again.untold and again.region is not None
    return Excluded(place, piece, None, looked)


# --- rulings


def rulings(inference: Inference, load: Loader, *, blind: bool, deadline: Deadline = NEVER) -> Iterator[FixedRuling]:
    """For each unspecified point of which some log leaves the ruling out: which choices explain all logs, of those
    that could be tried in time."""
    for point in sorted({point for log in inference.logs for point in log.ruled}):
        named: dict[str, Value] = {}
        for log in inference.logs:
            if log.walker is not None and log.judge is not None:
                kind = Signatures.of(log.walker.core).rulings.get(point)
                named |= {log.judge.names.value(value, kind): value for value in _choices(kind)} if kind else {}
        found = {name: _explains(inference, load, point, value, blind, deadline) for name, value in named.items()}
        tried = [name for name, fits in found.items() if fits is not None]
        yield FixedRuling(point, tuple(tried), tuple(name for name in tried if found[name]))


def _choices(kind: Scalar) -> Iterator[Value]:
    if size(kind) <= MOST_CHOICES:
        yield from range(kind.lo, kind.hi + 1)


def _explains(inference: Inference, load: Loader, point: str, value: Value, blind: bool,
              deadline: Deadline) -> bool | None:
    """Whether all logs are explained if the table always rules so; None if that was not told in time."""
    def change(_: Walker, setting: Setting) -> Setting:
        return replace(setting, rulings={**setting.rulings, point: value})

    if deadline.passed:
        return None
    again = infer([
        explain(log.path, load, change, blind=blind, seconds=deadline.as_timeout) if point in log.ruled else log
        for log in inference.logs])
    if again.region is None or (again.region and not again.sure):
        return None
    return bool(again.region)
