"""Positions in which something is hidden, each with what is known of it, and how they are carried on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.core.flow import Flow
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Unsettled
from referee.judge.judging_notes import Closed
from referee.judge.partial.constraints.constraint_search import GaveUp
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import HiddenValueAsked, Sum, Untold
from referee.judge.partial.constraints.model_counting import CountingBudget, Filled, TooManyWays, World, worlds
from referee.judge.partial.constraints.world_positions import tokens_of
from referee.judge.partial.enumeration import TooMany
from referee.judge.partial.lifted.choice_points import MOST_FORKS, MOST_NUMBERS, TooManyForks, Trial, forks
from referee.judge.partial.lifted.lifted_course import LiftedRules
from referee.judge.partial.lifted.lifted_offers import TooManyValues
from referee.judge.partial.lifted.line_passage import Passage
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.system.quick_replace import replace

MOST_CONSTRAINED = 256
"""Positions that are followed at once, at most."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ConstrainedState:
    """One position with what is known of what is hidden there. `here.step` has hidden values; `filled`: what stands
    for the holes; `tested`: the position of which its invariants were tested last."""

    here: PossibleState
    store: ConstraintStore
    closed: Closed | None = None
    marks: int = 0
    filled: tuple[Filled, ...] = ()
    tested: tuple[Any, ...] | None = None


class Follower:
    """Carries positions on. `settled`: nothing but what is hidden was open so far; `ruled`: the points at which a
    ruling was left out; `untested`: invariants that read what is not known. `left_out`: in how many places a way was
    not followed of which it was not found out whether it is one; if not `partly`, nothing is (`TooMany`)."""

    def __init__(self, flow: Flow, explorer: Explorer, *, partly: bool = False) -> None:
        self.settled = True
        self.left_out = 0
        self._partly = partly
        self.ruled: set[str] = set()
        self.untested: set[str] = set()
        self._rules = LiftedRules(flow)
        self._explorer = explorer
        self._serial = 0

    def note(self, ruled: Iterable[str]) -> None:
        """Takes down where a ruling was left out."""
        self.ruled.update(ruled)
        self.settled &= not self.ruled

    def next_line(self) -> None:
        """Tokens met from now on have other numbers."""
        self._serial += MOST_NUMBERS

    @property
    def serial(self) -> int:
        """From which number on the tokens of this line are counted."""
        return self._serial

    def at_line(self, serial: int) -> None:
        """Tokens met from now on have the numbers of a line that may have been gone through before."""
        self._serial = serial

    def followed(
        self, way: ConstrainedState, line: int, ask: Callable[[Passage, Step], _T]
    ) -> Iterator[tuple[ConstrainedState, _T]]:
        """What something makes of a position, in every way it may go. Raises `TooMany`."""
        waiting = [way]
        while waiting:
            one = waiting.pop()
            try:
                yield from list(self._answered(one, line, one.here.step, ask))
            except Unsettled as open_:
                self.settled = False
                waiting += self._split(one, open_, line)
                if len(waiting) > MOST_CONSTRAINED:
                    raise TooMany from None

    def one_by_one(
        self, way: ConstrainedState, line: int, ask: Callable[[Passage, Step], _T]
    ) -> Iterator[tuple[ConstrainedState, _T]]:
        """The same, however many ways there are: each is followed when it is asked for. Raises `Unsettled` as well."""
        return self._answered(way, line, way.here.step, ask, None)

    def _split(self, way: ConstrainedState, open_: Unsettled, line: int) -> Iterator[ConstrainedState]:
        """The position for each piece of the range of an open value."""
        step = way.here.step
        state = step.state if isinstance(step, Ended) else step
        if not isinstance(state, State):
            raise TooMany
        for here in self._explorer.split(way.here, state, open_, line):
            if isinstance(step, Ended) and isinstance(here.step, State):
                yield replace(way, here=here.at(Ended(here.step, step.winners), arrived=True))
            else:
                yield replace(way, here=here)

    def _answered(self, way: ConstrainedState, line: int, step: Step, ask: Callable[[Passage, Step], _T],
                  most: int | None = MOST_FORKS) -> Iterator[tuple[ConstrainedState, _T]]:
        def asked(trial: Trial) -> _T:
            return ask(Passage(self._rules, step, trial, way.tested), step)

        try:
            for store, answer in forks(way.store.at_next_line(), self._serial, line, asked,
                                       leave_out=self._leave_out, doubts=self._partly, most=most):
                yield replace(way, store=store), answer
        except (TooManyForks, TooManyValues, GaveUp, HiddenValueAsked) as why:
            raise TooMany from why
        except Untold as zone:
            raise TooMany(f"it hangs on what lies in {zone}, and that is not known") from zone

    def _leave_out(self) -> None:
        if not self._partly:
            raise TooMany
        self.left_out += 1

    def tidied(self, way: ConstrainedState) -> ConstrainedState:
        """The same, with what nothing in the position hangs on any more put aside."""
        step = way.here.step
        if not isinstance(step, State):
            return way
        slots: list[Any] = list(step.slots)
        there = tokens_of(entry for entry in slots if not isinstance(entry, Sum))
        sums, store = [entry for entry in slots if isinstance(entry, Sum)], way.store
        for number in store.settling(there, sums) if sums and self._partly else ():
            store = store.with_number(number)
            slots = [number.in_place(entry) if isinstance(entry, Sum) else entry for entry in slots]
        store = store.retiring(tokens_of(slots))
        return replace(way, here=way.here.at(State(step.at, tuple(slots)), arrived=way.here.arrived), store=store)

    def where(self, way: ConstrainedState, line: int, *, to_end: bool = False) -> Iterator[ConstrainedState]:
        """Where the game really stands; or its end, if that is reached by what a log may leave out."""
        if not isinstance(way.here.step, State) or (way.here.arrived and not to_end):
            yield way
            return
        for after, (step, ruled) in self.followed(
                way, line, lambda passage, here: _arrived(passage, here, to_end=to_end)):
            self.note(ruled)
            yield replace(after, here=after.here.at(step, arrived=True))


def _arrived(passage: Passage, here: Step, *, to_end: bool) -> tuple[Step, tuple[str, ...]]:
    step = passage.to_end() if to_end else passage.arrive(here)
    return step, passage.ruled


def worlds_of(ways: Iterable[ConstrainedState], holes: int | None = None) -> set[World]:
    """The ways to fill the holes, or so many of the holes. Raises `TooManyWays`."""
    budget = CountingBudget()
    return {world for way in ways for world in worlds(way.store, way.filled[:holes], budget)}


def covers(wide: ConstrainedState, narrow: ConstrainedState, holes: int | None = None) -> bool:
    """Whether it is seen at once that one position has every way to fill the holes (or so many of them) that another
    has: the same tokens stand for them, and no more is known of these."""
    if wide.filled[:holes] != narrow.filled[:holes]:
        return False
    one, other = wide.store, narrow.store
    if one.past is not other.past:
        one, other = one.whole(), other.whole()
    there, known = other.domains, other.conditions
    return all(token in there and not there[token] & ~mask for token, mask in one.domains.items()) and all(
        name in known and known[name].key() == total.key() for name, total in one.conditions.items())


def divided(good: Iterable[ConstrainedState], bad: Iterable[ConstrainedState]) -> list[ConstrainedState]:
    """Of the ways to fill the holes with which something is wrong, those with which nothing else that is open mends it.

    Raises `TooMany`.
    """
    right = list(good)
    unseen = [way for way in bad if not any(covers(one, way) for one in right)]
    try:
        mended = worlds_of(right) if unseen else set()
        left: list[ConstrainedState] = []
        for way in unseen:
            own = worlds_of([way])
            if not own <= mended:
                if own & mended:
                    raise TooMany
                left.append(way)
    except TooManyWays as why:
        raise TooMany from why
    return left
