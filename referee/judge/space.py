"""Settings as boxes: a stretch of values for each reading, parameter and given that nobody stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.core.ruleset import Key, Role
from referee.game.state import Ended, Failed, Layout, Open, State, Step, Stopped
from referee.judge.deadline import NEVER, Deadline
from referee.judge.worlds import Candidate

MOST_BOXES = 4_096
"""Boxes of a region, at most."""

Place = tuple[str, Key]
"""An entry of a setting: the variable, and its key."""


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """The values lo..hi of one entry (of a Bool 0..1, of a reading the indices of its choices)."""

    place: Place
    lo: int
    hi: int


Box = tuple[Stretch, ...]
"""Stretches in order of their places; an entry that has none may have any value. Its settings are all combinations."""
Region = tuple[Box, ...]
"""Settings: those of any of the boxes. No box: no setting; the empty box: every setting."""
EVERYTHING: Region = ((),)


class TooManyBoxes(Exception):
    """A region has more boxes than are kept."""


def met(one: Box, other: Box) -> Box | None:
    """The settings in both boxes, None if there are none."""
    if not one or not other:
        return one or other
    found = {stretch.place: stretch for stretch in one}
    for stretch in other:
        known = found.get(stretch.place, stretch)
        lo, hi = max(known.lo, stretch.lo), min(known.hi, stretch.hi)
        if lo > hi:
            return None
        found[stretch.place] = Stretch(stretch.place, lo, hi)
    return tuple(sorted(found.values()))


def common(one: Region, other: Region, full: Mapping[Place, tuple[int, int]]) -> Region:
    """The settings in both regions. Raises `TooManyBoxes`."""
    if len(one) * len(other) > MOST_BOXES * 16:
        raise TooManyBoxes
    boxes = (met(a, b) for a in one for b in other)
    found = joined([box for box in boxes if box is not None], full)
    if len(found) > MOST_BOXES:
        raise TooManyBoxes
    return found


def without(one: Region, other: Region, full: Mapping[Place, tuple[int, int]]) -> Region:
    """The settings in the first region that are not in the other. Raises `TooManyBoxes`."""
    found = list(one)
    for gone in other:
        found = [part for box in found for part in _cut(box, gone, full)]
        if len(found) > MOST_BOXES:
            raise TooManyBoxes
    return joined(found, full)


def _cut(box: Box, gone: Box, full: Mapping[Place, tuple[int, int]]) -> Iterator[Box]:
    """A box without another, in parts that have no setting in common."""
    if met(box, gone) is None:
        yield box
        return
    known = {stretch.place: stretch for stretch in box}
    for stretch in gone:
        own = known.get(stretch.place, Stretch(stretch.place, *full[stretch.place]))
        lo, hi = max(own.lo, stretch.lo), min(own.hi, stretch.hi)
        for low, high in ((own.lo, lo - 1), (hi + 1, own.hi)):
            if low <= high:
                yield tuple(sorted({**known, stretch.place: Stretch(stretch.place, low, high)}.values()))
        known[stretch.place] = Stretch(stretch.place, lo, hi)


def joined(boxes: Sequence[Box], full: Mapping[Place, tuple[int, int]], deadline: Deadline = NEVER) -> Region:
    """The same settings in fewer boxes: two that differ in one place, and lie side by side there, are one.

    Raises `OutOfTime`.
    """
    found = list(dict.fromkeys(boxes))
    while len(found) > 1:
        before = len(found)
        for place in dict.fromkeys(stretch.place for box in found for stretch in box):
            deadline.check()
            found = _joined_at(place, found, full.get(place))
        if len(found) == before:
            break
    return tuple(found)


def _joined_at(place: Place, boxes: Sequence[Box], full: tuple[int, int] | None) -> list[Box]:
    """Boxes that are alike everywhere else made one where their stretches touch."""
    groups: dict[Box, list[tuple[int, int] | None]] = {}
    for box in boxes:
        rest = tuple(stretch for stretch in box if stretch.place != place)
        own = next(((stretch.lo, stretch.hi) for stretch in box if stretch.place == place), None)
        groups.setdefault(rest, []).append(own)
    return [box for rest, own in groups.items() for box in _rejoined(rest, place, own, full)]


def _rejoined(rest: Box, place: Place, own: Sequence[tuple[int, int] | None],
              full: tuple[int, int] | None) -> Iterator[Box]:
    if None in own:
        yield rest
        return
    for lo, hi in touching(piece for piece in own if piece is not None):
        if (lo, hi) == full:
            yield rest
        else:
            yield tuple(sorted((*rest, Stretch(place, lo, hi))))


def touching(pieces: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same numbers in as few stretches as can be, in order."""
    found: list[tuple[int, int]] = []
    for lo, hi in sorted(pieces):
        if found and lo <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], hi))
        else:
            found.append((lo, hi))
    return found


def values_at(region: Region, place: Place, full: tuple[int, int]) -> list[tuple[int, int]]:
    """The values of one entry in any setting of a region, as stretches."""
    pieces = [next(((one.lo, one.hi) for one in box if one.place == place), full) for box in region]
    return touching(pieces)


class Space:
    """The entries of one ruleset and shape that a header may leave open, and where they lie in its positions.

    `start`: the entries of a game without them settled; `full`: the range of each; `inferred`: those that are the same
    for all logs, readings and parameters, no givens.
    """

    def __init__(self, layout: Layout, slots: Sequence[Any]) -> None:
        """`slots`: the entries of a game of which as much is open as may be."""
        self.full: dict[Place, tuple[int, int]] = {}
        self.inferred: set[Place] = set()
        self._at: dict[int, Place] = {}
        self.start = tuple(slots)
        for name, var in layout.defs.items():
            if not layout.may_be_open(name):
                continue
            entries = layout.vars[name]
            for at, key in enumerate(entries.keys(), entries.base):
                if isinstance(value := slots[at], Open):
                    self._at[at], self.full[name, key] = (name, key), (value.lo, value.hi)
                    if var.role is not Role.GIVEN:
                        self.inferred.add((name, key))
        self._runs = _gaps(sorted(self._at), len(slots))

    def box(self, slots: Sequence[Any]) -> Box:
        """What a position has settled of what was open."""
        start = self.start
        return tuple(sorted(_stretch(place, slots[at]) for at, place in self._at.items()
                            if slots[at] is not start[at] and slots[at] != start[at]))

    def rest(self, slots: tuple[Any, ...]) -> tuple[Any, ...]:
        """All else that a position holds."""
        return tuple(slots[lo:hi] for lo, hi in self._runs)

    def put(self, slots: Sequence[Any], box: Box) -> tuple[Any, ...]:
        """A position with what a box settles in place of what was settled there."""
        found = list(slots)
        settled = {stretch.place: stretch for stretch in box}
        for at, place in self._at.items():
            known = settled.get(place)
            found[at] = self.start[at] if known is None else self._value(at, known)
        return tuple(found)

    def _value(self, at: int, known: Stretch) -> Any:
        return Open(known.lo, known.hi) if known.lo < known.hi else known.lo

    def shared(self, box: Box) -> Box:
        """A box without what holds for one game only."""
        return tuple(stretch for stretch in box if stretch.place in self.inferred)


def _stretch(place: Place, value: Any) -> Stretch:
    return Stretch(place, value.lo, value.hi) if isinstance(value, Open) else Stretch(place, int(value), int(value))


def _gaps(taken: Sequence[int], size: int) -> tuple[tuple[int, int], ...]:
    """The stretches (from, to) of 0..size-1 between the numbers taken."""
    edges = [-1, *taken, size]
    return tuple((low + 1, high) for low, high in pairwise(edges) if low + 1 < high)


class Rejoin:
    """Makes candidates one that differ only in what they settled of what was open, wherever one box holds it all.

    So a value that was looked at but made no difference is open again, and what is followed does not grow with it.
    `ruled` collects the unspecified points at which a ruling was left out, `left_out` the settings of what was too much
    to follow (`why`, if there is a reason to tell); `worlds` are not kept.
    """

    def __init__(self, space: Space) -> None:
        self.ruled: set[str] = set()
        self.left_out: dict[Box, None] = {}
        self.why = ""
        self.space = space

    def leave_out(self, positions: Iterable[Sequence[Any]], why: str = "") -> None:
        """Notes the settings of positions that are not followed on, and why."""
        self.why = self.why or why
        found = (self.space.shared(self.space.box(slots)) for slots in positions)
        self.left_out.update(dict.fromkeys(found))

    def __call__(self, candidates: list[Candidate]) -> list[Candidate]:
        """The same states under the same settings, in fewer candidates."""
        self._note(candidates)
        if len(candidates) < 2:
            return [Candidate(one.step, arrived=one.arrived) for one in candidates]
        groups: dict[object, list[Candidate]] = {}
        for one in candidates:
            state = state_of(one.step)
            key = one.step if state is None else (kind_of(one.step), state.at, self.space.rest(state.slots))
            groups.setdefault(key, []).append(one)
        return [one for group in groups.values() for one in self._one(group)]

    def _note(self, candidates: Iterable[Candidate]) -> None:
        for one in candidates:
            for world in one.worlds:
                self.ruled.update(made.name for made in world if made.open == "ruling")

    def _one(self, group: Sequence[Candidate]) -> Iterator[Candidate]:
        first = group[0]
        state, arrived = state_of(first.step), all(one.arrived for one in group)
        if state is None or len(group) == 1:
            yield Candidate(first.step, arrived=arrived)
            return
        states = [state_of(one.step) for one in group]
        boxes = joined([self.space.box(one.slots) for one in states if one is not None], self.space.full)
        for box in boxes:
            yield Candidate(with_slots(first.step, self.space.put(state.slots, box)), arrived=arrived)


def state_of(step: Step) -> State | None:
    """The position of a step, if it has one."""
    return step if isinstance(step, State) else step.state


def kind_of(step: Step) -> object:
    match step:
        case Ended(_, winners):
            return "end", winners
        case Stopped(_, point, why):
            return "stop", point.name, why
        case Failed(code, message):
            return "failed", code, message
        case _:
            return "state"


def with_slots(step: Step, slots: tuple[Any, ...]) -> Step:
    match step:
        case State(at):
            return State(at, slots)
        case Ended(state, winners):
            return Ended(State(state.at, slots), winners)
        case Stopped(state, point, why):
            return Stopped(State(state.at, slots), point, why)
        case Failed(code, message, span, state):
            return Failed(code, message, span, None if state is None else State(state.at, slots))
