"""Why logs contradict each other by what their headers state.

An entry of which they leave different values is named; and which logs go together is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.judge.open_settings.setting_verdicts import Explained
from referee.judge.open_settings.value_ranges import Box, Place, met


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An entry of which headers state different values, each with the logs that state it; `more`: so many entries of
    the same table are stated differently as well."""

    place: Place
    values: tuple[tuple[tuple[int, int], tuple[str, ...]], ...]
    more: int = 0


def stated_by(log: Explained) -> tuple[str, ...]:
    """The readings and parameters of which a log's header states something."""
    return tuple(dict.fromkeys(one.place[0] for one in _box(log)))


def _box(log: Explained) -> Box:
    """What a header states of readings and parameters."""
    return () if log.space is None else tuple(one for one in log.space.stated if one.place in log.space.inferred)


def disagreements(logs: Sequence[Explained]) -> list[Disagreement]:
    """Where headers disagree: of each reading and parameter the first entry."""
    found: dict[str, list[Disagreement]] = {}
    stated: dict[Place, dict[tuple[int, int], list[str]]] = {}
    for log in logs:
        for one in _box(log):
            stated.setdefault(one.place, {}).setdefault((one.lo, one.hi), []).append(log.path)
    for place, values in stated.items():
        if len(values) > 1:
            told = tuple((value, tuple(paths)) for value, paths in values.items())
            found.setdefault(place[0], []).append(Disagreement(place, told))
    return [Disagreement(those[0].place, those[0].values, len(those) - 1) for those in found.values()]


def at_odds(logs: Sequence[Explained]) -> bool:
    """Whether headers alone contradict each other."""
    region: Box = ()
    for log in logs:
        both = met(region, _box(log))
        if both is None:
            return True
        region = both
    return False


def apart_at(one: Explained, other: Explained) -> Disagreement | None:
    """The first entry of which two logs leave different values; None if it is not one entry alone. What a header states
    is among what its log leaves."""
    ours, theirs = one.left.settled(), other.left.settled()
    for place in one.full:
        if place in ours and place in theirs and one.space is not None and place in one.space.inferred:
            mine, others = ours[place], theirs[place]
            if not any(max(low, lo) <= min(high, hi) for low, high in mine for lo, hi in others):
                told = ((mine, one.path), (others, other.path))
                return Disagreement(place, tuple((piece, (path,)) for pieces, path in told for piece in pieces))
    return None


def going_together(logs: Sequence[Explained], clashing: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """All logs in groups, none of which has a set of logs in it that contradict each other: each log in the first that
    it goes with. A log that nothing explains is in none."""
    groups: list[list[str]] = []
    sets = [frozenset(one) for one in clashing]
    for path in dict.fromkeys(log.path for log in logs if log.region is not None):
        if frozenset((path,)) in sets:
            continue
        own = next((group for group in groups if not any(one <= {*group, path} for one in sets)), None)
        if own is None:
            groups.append([path])
        else:
            own.append(path)
    return [tuple(group) for group in groups]
