"""Where settings lie in positions: what a position has settled, and positions that differ in nothing else made one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from referee.core.ruleset import Role
from referee.game.state import Ended, Failed, Layout, Open, State, Step, Stopped
from referee.judge.open_settings.setting_sets import Choices, united
from referee.judge.open_settings.value_ranges import Box, Place, Stretch
from referee.judge.partial.possible_worlds import PossibleState
from referee.system.deadline import NEVER, Deadline

MOST_FOLLOWED = 1_024
"""Positions of one log followed at once, at most; the settings of others are left for another time."""
FEW_FOLLOWED = 4
"""The same once half the time is over: so of some settings at least it is found out."""


class SettingSpace:
    """The entries of one ruleset and shape that a header may leave open, and where they lie in its positions.

    `full`: the range of each; `inferred`: those that are the same for all logs, readings and parameters, no givens;
    `stated`: what a header settles of them, `start`: the entries of a game that begins with that.
    """

    def __init__(self, layout: Layout, slots: Sequence[Any], begun: Sequence[Any]) -> None:
        """`slots`: the entries of a game of which as much is open as may be; `begun`: of the one that is followed."""
        self.full: dict[Place, tuple[int, int]] = {}
        self.inferred: set[Place] = set()
        self.start = tuple(begun)
        self._at: dict[int, Place] = {}
        stated: list[Stretch] = []
        for name, var in layout.defs.items():
            if not layout.may_be_open(name):
                continue
            entries = layout.vars[name]
            for at, key in enumerate(entries.keys(), entries.base):
                if isinstance(value := slots[at], Open):
                    place = name, key
                    self.full[place] = value.lo, value.hi
                    if isinstance(begun[at], Open):
                        self._at[at] = place
                    if begun[at] != value:
                        stated.append(_stretch(place, begun[at]))
                    if var.role is not Role.GIVEN:
                        self.inferred.add(place)
        self.stated: Box = tuple(sorted(stated))
        self._runs = _gaps(sorted(self._at), len(slots))

    @property
    def every(self) -> Choices:
        """Every setting."""
        return Choices(self.full)

    def box(self, slots: Sequence[Any]) -> Box:
        """What a position has settled of what was open."""
        start = self.start
        return tuple(sorted(_stretch(place, slots[at]) for at, place in self._at.items()
                            if slots[at] is not start[at] and slots[at] != start[at]))

    def rest(self, slots: tuple[Any, ...]) -> tuple[Any, ...]:
        """All else that a position holds."""
        return tuple(slots[lo:hi] for lo, hi in self._runs)

    def around(self, several: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
        """A position that may be any of several that differ in nothing but what they settled."""
        first = several[0]
        found = list(first)
        differing = {at for slots in several[1:] for at in self._at
                     if slots[at] is not first[at] and slots[at] != first[at]}
        for at in differing:
            edges = [edges_of(slots[at]) for slots in several]
            lo, hi = min(lo for lo, _ in edges), max(hi for _, hi in edges)
            found[at] = self.start[at] if edges_of(self.start[at]) == (lo, hi) else Open(lo, hi)
        return tuple(found)

    def shared(self, choices: Choices) -> Choices:
        """Settings without what holds for one game only. Raises `TooManyNodes`."""
        return choices.among(place for place in choices.places if place in self.inferred)


def edges_of(value: Any) -> tuple[int, int]:
    """From where to where what an entry holds can be."""
    return (value.lo, value.hi) if isinstance(value, Open) else (int(value), int(value))


def _stretch(place: Place, value: Any) -> Stretch:
    return Stretch(place, *edges_of(value))


def _gaps(taken: Sequence[int], size: int) -> tuple[tuple[int, int], ...]:
    """The stretches (from, to) of 0..size-1 between the numbers taken."""
    edges = [-1, *taken, size]
    return tuple((low + 1, high) for low, high in pairwise(edges) if low + 1 < high)


class Rejoin:
    """Makes candidates one that differ only in what they settled of what was open; each knows its settings.

    So a value that was looked at but made no difference is open again, and what is followed does not grow with it.
    `ruled` collects the unspecified points at which a ruling was left out; `why`: why settings were left out, if there
    is a reason to tell. `worlds` are not kept.
    """

    def __init__(self, space: SettingSpace, deadline: Deadline = NEVER) -> None:
        """`deadline`: by then as many settings as can be should have been followed to the end."""
        self.ruled: set[str] = set()
        self._deadline = deadline
        self._left_out: dict[Choices, None] = {}
        self.why = ""
        self.space = space

    def choices(self, here: PossibleState) -> Choices:
        """The settings with which a game may stand at a candidate. Raises `TooManyNodes`."""
        if here.choices is not None:
            return here.choices
        state = state_of(here.step)
        return self.space.every if state is None else Choices(self.space.full, box=self.space.box(state.slots))

    def leave_out(self, candidates: Iterable[PossibleState], why: str = "") -> None:
        """Notes the settings of candidates that are not followed on, and why. Raises `TooManyNodes`."""
        for one in candidates:
            self.why = self.why or why
            self._left_out[self.space.shared(self.choices(one))] = None

    @property
    def left_out(self) -> Choices:
        """The settings that were too much to follow. Raises `TooManyNodes`."""
        self._left_out = {united(list(self._left_out)): None}
        return next(iter(self._left_out))

    @property
    def most(self) -> int:
        """So many positions are followed at once."""
        return FEW_FOLLOWED if self._deadline.late else MOST_FOLLOWED

    def __call__(self, candidates: list[PossibleState]) -> list[PossibleState]:
        """The same states under the same settings, in fewer candidates; no more than are followed at once.

        Raises `TooManyNodes`.
        """
        self._note(candidates)
        groups: dict[object, list[PossibleState]] = {}
        for one in candidates:
            state = state_of(one.step)
            key = one.step if state is None else (kind_of(one.step), state.at, self.space.rest(state.slots))
            groups.setdefault(key, []).append(one)
        found = [one for group in groups.values() if (one := self.one(group)).choices]
        most = self.most
        self.leave_out(found[most:])
        return found[:most]

    def _note(self, candidates: Iterable[PossibleState]) -> None:
        for one in candidates:
            for world in one.worlds:
                self.ruled.update(made.name for made in world if made.open == "ruling")

    def one(self, group: Sequence[PossibleState]) -> PossibleState:
        """Candidates that differ in nothing but what they settled made one. Raises `TooManyNodes`."""
        first, arrived = group[0], all(one.arrived for one in group)
        choices = united([self.choices(one) for one in group])
        states = [state for one in group if (state := state_of(one.step)) is not None]
        step = with_slots(first.step, self.space.around([state.slots for state in states])) if states else first.step
        return PossibleState(step, arrived=arrived, choices=choices)


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
        case State():
            return "state"


def with_slots(step: Step, slots: tuple[Any, ...]) -> Step:
    match step:
        case State(at):
            return State(at, slots)
        case Ended(state, winners):
            return Ended(State(state.at, slots), winners)
        case Stopped(state, point, why):
            return Stopped(State(state.at, slots), point, why)
        case Failed(state=state):
            return replace(step, state=None if state is None else State(state.at, slots))
