"""Which readings, rulings and parameters explain every one of several logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.core.types import Scalar, Value, size
from referee.engine.walker import Walker
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.judge.explain import Explained, explain, settled_at
from referee.judge.names import Names
from referee.judge.run import Loader
from referee.judge.space import EVERYTHING, Box, Place, Region, TooManyBoxes, common, without
from referee.judge.verdict import Outcome, Verdict

MOST_CHOICES = 64
"""Choices of an unspecified point that are tried, at most."""
MOST_SETS = 10_000
"""Sets of logs looked at for a contradiction, at most."""


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
    """What several logs say together. `region`: the settings that no log refutes of which it can be told under which
    settings it stands, None if there are too many to keep apart; `untold`: those of them of which it is not known that
    they explain all these logs; `clashing`: minimal sets of logs that no setting explains together; `complete`: there
    are no others."""

    logs: tuple[Explained, ...]
    region: Region | None
    clashing: tuple[tuple[str, ...], ...] = ()
    complete: bool = True
    untold: Region = ()

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
        untold = _untold(known, region, full)
    except TooManyBoxes:
        return Inference(tuple(logs), None)
    if region:
        return Inference(tuple(logs), region, untold=untold)
    sets, complete = _clashing(known, full)
    return Inference(tuple(logs), (), sets, complete)


def met_by(logs: Sequence[Explained], full: Mapping[Place, tuple[int, int]]) -> Region:
    """The settings that none of these logs refutes. Raises `TooManyBoxes`."""
    region = EVERYTHING
    for log in logs:
        region = common(region, log.left, full)
    return _related_of(region, logs)


def _untold(logs: Sequence[Explained], region: Region, full: Mapping[Place, tuple[int, int]]) -> Region:
    """The settings of a region of which some log does not tell. Raises `TooManyBoxes`."""
    unsure = [box for log in logs if log.untold for box in common(region, log.untold, full)]
    return without(tuple(unsure), (), full)


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
                    both = _related_of(common(region, logs[index].left, full), logs)
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


def against(logs: Sequence[Explained], place: Place, piece: tuple[int, int], load: Loader, *, blind: bool) -> Excluded:
    """The log that excludes these values of an entry by itself, if there is one."""
    for log in logs:
        if log.region is None or place not in log.full:
            continue
        if not any(_has(box, place, piece, log.full[place]) for box in log.left):
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
