"""An engine whose answers are Z3's: what is legal, what becomes of it, what holds; for a second opinion on a log.

Why a line is refused is told in the words of the reference engine, after the solver has refused it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar, assert_never

from referee.core.expr import Const, Expr
from referee.core.flow import Ask, Draw, Flow, Gather, Rule, is_rest
from referee.core.stmt import Guard, Origin
from referee.core.types import Bool, Value
from referee.game.event import CHOICE, TABLE, Event
from referee.game.setting import Setting
from referee.game.start_position import BadPosition
from referee.game.state import Failed, State, Step
from referee.interpreter.event_explanation import explain
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import (
    BAD_ARGUMENT,
    GUARD,
    UNKNOWN_EVENT,
    WRONG_PLAYER,
    ArgumentProblem,
    BrokenInvariant,
    Refusal,
    Tested,
)
from referee.interpreter.walker import Walker
from referee.smt.concolic.position_answers import Answers, NoValue, Taking
from referee.smt.concolic.position_conditions import KindPlaces, Test, holds, within
from referee.smt.solver import VERSION
from referee.smt.undecided import Undecided, Unstated
from referee.system.deadline import Deadline

_T = TypeVar("_T")


class Solved(Walker):
    """Answers as `Walker` does, by the solver. Raises `Undecided` where that has no answer in the time given.

    What it leaves to the walker is listed in its test, and so a new question that is not answered here is noticed.
    """

    note = f"judged by the solver (z3 {VERSION})"
    asked_step_by_step = True

    def __init__(self, flow: Flow, seconds: float) -> None:
        super().__init__(flow)
        self.answers = Answers(flow, self.layout)
        self._seconds = seconds
        self._legal: tuple[State, Event, Taking] | None = None
        self._conditions: list[tuple[str, Guard, bool, Test | KindPlaces]] | None = None

    def begin_log(self) -> None:
        """Another log is judged: its time begins."""
        self.answers.until = Deadline(self._seconds)

    def _told(self, question: Callable[[], _T]) -> _T:
        """An answer; what interrupts it as other engines say it."""
        try:
            return question()
        except Unstated as open_:
            raise self._unsettled(open_) from None
        except NoValue as error:
            raise Fault(error.failure.code, str(error), error.failure.span) from None

    def _unsettled(self, open_: Unstated) -> Unsettled:
        for name, entries in self.layout.vars.items():
            if entries.base <= open_.entry < entries.base + entries.count:
                key = next(key for key in entries.keys() if entries.find(key) == open_.entry)
                return Unsettled(name, key, open_.pieces)
        raise Undecided("something that nobody stated decides, and has no name")

    # ------------------------------------------------------------------ a game
    def begin(self, setting: Setting, *, test_arrival: bool = True) -> Step:
        """The first point of a game."""
        try:
            if setting.position is not None:
                state = self.begin_at(setting, setting.position)
                over = self.over(state)
                if over is not None:
                    return over
                return self._told(lambda: self.answers.go_on(state, None))
            slots = self.entries(setting)
        except BadPosition as bad:
            return Failed(bad.code, bad.message, None, None)
        except Fault as fault:
            return fault.step(None)
        return self._told(lambda: self.answers.begin(slots, test_arrival))

    def advance(self, state: State, event: Event, *, test_arrival: bool = True) -> Step:
        """The next point after an event that `check` accepts; `ValueError` for one that it refuses."""
        known, self._legal = self._legal, None
        taking = known[2] if known is not None and known[0] is state and known[1] is event else self._told(
            lambda: self.answers.legal(state, event))
        if taking is None:
            raise ValueError(f"{event} is not legal here")
        return self._told(lambda: self.answers.after(state, event, taking, test_arrival))

    def arrive(self, state: State) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        return self._told(lambda: self.answers.arrive(state))

    # ------------------------------------------------------------------ what is possible
    def who(self, state: State) -> frozenset[int]:
        """Who can act at a position."""
        return self._told(lambda: self.answers.who(state))

    def legal(self, state: State) -> Iterator[Event]:
        """Every ruling that is possible; of other events those that the reference engine knows, for hints only."""
        node = self.course.point(state.at)
        match node:
            case Ask() | Gather() | Draw():
                yield from super().legal(state)
            case Rule():
                for choice in self._told(lambda: self.answers.candidates(state)):
                    yield Event(TABLE, node.point.name, ((CHOICE, choice),))
            case _:
                assert_never(node)

    def silent(self, state: State) -> Event | None:
        """The legal event that a log may leave out here, if there is one."""
        return self._told(lambda: self.answers.silent(state))

    def check(self, state: State, event: Event) -> Refusal | None:
        """None if an event is legal, else why it is not."""
        taking = self._told(lambda: self.answers.legal(state, event))
        if taking is None:
            return self._refused(state, event)
        self._legal = (state, event, taking)
        return None

    def _refused(self, state: State, event: Event) -> Refusal:
        """Why an event is refused. Who is asked for what is the solver's answer, the words are the engine's."""
        by, node = self.who(state), self.course.point(state.at)
        match node:
            case Rule():
                return self._no_ruling(state, node, event, by)
            case Ask() | Gather() | Draw():
                return self._not_offered(state, event, by)
            case _:
                assert_never(node)

    def _not_offered(self, state: State, event: Event, by: frozenset[int]) -> Refusal:
        asked = event.by if event.by in by else min(by, default=TABLE)
        labels = tuple(dict.fromkeys(self._told(lambda: self.answers.labels(state, asked))))
        if event.by not in by:
            return Refusal(WRONG_PLAYER, by, labels)
        if event.label not in labels:
            return Refusal(UNKNOWN_EVENT, by, labels)
        frame = self.course.frame(state)
        try:
            return explain(event, self.course.offers(state.at, event.by, frame), by, labels, frame)
        except (Fault, ValueError):
            return Refusal(GUARD, by, labels)

    def _no_ruling(self, state: State, node: Rule, event: Event, by: frozenset[int]) -> Refusal:
        labels, given = (node.point.name,), dict(event.args)
        if event.by not in by:
            return Refusal(WRONG_PLAYER, by, labels)
        if event.label != node.point.name:
            return Refusal(UNKNOWN_EVENT, by, labels)
        found = self._told(lambda: self.answers.candidates(state))
        why = "not allowed" if CHOICE in given else "missing"
        problem = ArgumentProblem(CHOICE, why, given.get(CHOICE), None, found)
        return Refusal(BAD_ARGUMENT, by, labels, None, node.point.origin, arguments=(problem,))

    # ------------------------------------------------------------------ what holds
    def broken(self, state: State) -> tuple[BrokenInvariant, ...]:
        """What does not hold at a rest point or at the end: invariants, limits, that every component is somewhere."""
        if not is_rest(self.flow.nodes[state.at]):
            return ()
        if self._conditions is None:
            self._conditions = list(self._all_conditions())
        return tuple(self._in_words(state, name, guard, limit) for name, guard, limit, test in self._conditions
                     if not self._told(lambda test=test: self._holds(state, test)))  # type: ignore[misc]

    def _holds(self, state: State, test: Test | KindPlaces) -> bool:
        return self.answers.all_there(state, test) if isinstance(test, KindPlaces) else self.answers.holds(state, test)

    def _all_conditions(self) -> Iterator[tuple[str, Guard, bool, Test | KindPlaces]]:
        for one in self.core.invariants:
            yield one.name, one.guard, one.is_limit, holds(one.guard.cond)
        for zone in self.core.zones.values():
            if zone.limit is not None:
                guard = Guard("no more than the limit", zone.limit, zone.origin)
                for key in self.layout.zones[zone.name].keys():
                    yield f"limit of {zone.name}", guard, True, within(zone.name, key)
        for kind in dict.fromkeys(one.kind for one in self.core.components):
            guard = Guard(f"every {kind} lies somewhere once", Const(True, Bool()), Origin(self.core.origin))
            yield "conservation", guard, False, KindPlaces(self.core, self.layout, kind)

    def _in_words(self, state: State, name: str, guard: Guard, is_limit: bool) -> BrokenInvariant:
        """A broken condition with the values that the reference engine reads, where it finds it broken too."""
        try:
            told = next((one for one in Walker.broken(self, state) if one.name == name), None)
        except (Fault, Unsettled):
            told = None
        return replace(told, is_limit=is_limit) if told else BrokenInvariant(name, Tested(guard, ()), is_limit)

    def scores(self, state: State) -> dict[int, int] | None:
        """The score of each player at the end of a game; None if the rules have none, or cannot compute one."""
        score = self.core.score
        if score is None:
            return None
        players = range(self.core.seats.number)
        try:
            found = [self._told(lambda p=p: self.answers.value(state, score.value, {score.player: p}))  # type: ignore[misc]
                     for p in players]
        except Fault:
            return None
        return {player: one for player, one in zip(players, found, strict=True) if isinstance(one, int)}

    def evaluate(self, state: State, expr: Expr) -> Value:
        """The value of an expression at a position. Raises `Fault` if it has none."""
        return self._told(lambda: self.answers.value(state, expr))
