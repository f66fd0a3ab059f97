"""Settings taken from a region: one of each two that differ in a single reading or parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice
from random import Random

from referee.core.types import Bool, Value
from referee.game.setting import Setting
from referee.inference.distinguishing_events import DistinguishingGame, apart
from referee.inference.inference import Inference
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.judge.open_settings.setting_sets import Choices
from referee.judge.open_settings.setting_verdicts import Explained
from referee.judge.open_settings.value_ranges import Box, Place

MOST_PAIRS = 40
"""Pairs of settings, at most."""
MOST_BOXES = 1_000
"""Combinations of values looked at for the one that is most usual, at most."""
MOST_VALUES = 6
"""Values of one entry that are set against each other, at most."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two settings that differ in one entry, and whether a game by each is forbidden by the other."""

    log: Explained
    place: Place
    values: tuple[int, int]
    found: tuple[DistinguishingGame, DistinguishingGame]


def pairs(inference: Inference, games: int, seed: int) -> Iterator[Pair]:
    """For each reading and parameter that some log has a say in, every two values that are left. Stops at
    `MOST_PAIRS`."""
    region = inference.region
    if region:
        yield from islice(_pairs(inference, region, games, seed), MOST_PAIRS)


def _pairs(inference: Inference, region: Choices, games: int, seed: int) -> Iterator[Pair]:
    for place in told_apart(inference):
        log = next(one for one in inference.logs if place in one.full and one.walker is not None)
        pieces = region.values(place)
        values = [value for lo, hi in pieces for value in range(lo, min(hi, lo + MOST_VALUES) + 1)]
        for one, other in combinations(values[:MOST_VALUES], 2):
            found = _apart(log, region, place, (one, other), games, seed)
            if found is not None:
                yield Pair(log, place, (one, other), found)


def told_apart(inference: Inference) -> list[Place]:
    """The entries worth telling apart: readings, parameters that are one value, and others of which a log said
    something."""
    named = inference.region.places if inference.region else ()
    return [place for place in inference.inferred if not place[1] or place in named]


def _apart(log: Explained, region: Choices, place: Place, values: tuple[int, int], games: int,
           seed: int) -> tuple[DistinguishingGame, DistinguishingGame] | None:
    walker = log.walker
    if walker is None:
        return None
    one, other = (_setting(log, walker, region, place, value, Random(seed)) for value in values)
    if one is None or other is None:
        return None
    return apart(walker, one, other, games, seed), apart(walker, other, one, games, seed)


def _setting(log: Explained, walker: Walker, region: Choices, place: Place, value: int,
             random: Random) -> Setting | None:
    """A setting of a region with one value given; the rest is at its default where the region has that, else its least,
    and what is left is drawn. None if no such values are related as the rules say."""
    boxes = list(islice(region.within(place, value, value).boxes(), MOST_BOXES))
    if not boxes:
        return None
    usual: dict[Place, int] = {(name, ()): reading.default for name, reading in walker.core.readings.items()}
    box = max(boxes, key=lambda one: sum(_holds(one, at, default) for at, default in usual.items()))
    setting = _stated(walker, box, usual, log.verdict.players)
    try:
        return complete(walker, setting, random)
    except Fault:
        return None


def _holds(box: Box, place: Place, value: int) -> bool:
    return all(one.lo <= value <= one.hi for one in box if one.place == place)


def _stated(walker: Walker, box: Box, usual: Mapping[Place, int], players: tuple[str, ...]) -> Setting:
    setting = Setting(players)
    for stretch in box:
        name, key = stretch.place
        if name in walker.core.readings:
            default = usual[stretch.place]
            index = default if stretch.lo <= default <= stretch.hi else stretch.lo
            setting = replace(setting, readings={**setting.readings, name: index})
        elif name in walker.layout.vars:
            value: Value = bool(stretch.lo) if isinstance(walker.layout.defs[name].type, Bool) else stretch.lo
            known = setting.parameters.get(name, {})
            setting = replace(setting, parameters={**setting.parameters, name: {**known, key: value}})
    return setting
