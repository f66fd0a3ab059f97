"""What a line makes of a position in which something is hidden: there, or after what a log may leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.expr import Expr
from referee.core.flow import Alternative, Ask, Draw, Gather, OfferNode, Rule, is_rest, silent
from referee.core.ruleset import Zone
from referee.core.types import Value
from referee.game.event import CHOICE, TABLE
from referee.game.state import Ended, State, Step
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.interruptions import Fault
from referee.judge.partial.constraints.hidden_values import UNKNOWN, Bag, Case, Sum, Token, Untold
from referee.judge.partial.constraints.model_counting import Filled
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.lifted_course import Changed, Journey, LiftedRules
from referee.judge.partial.lifted.lifted_evaluation import HiddenView
from referee.judge.partial.lifted.lifted_offers import Offering, Said
from referee.judge.partial.line_patterns import Pattern, fits

Claim = tuple[str, Expr, Value]
"""What is claimed, as it is written; what it compares; with which value."""
MOST_STEPS = 64
"""So many passes and rulings that a log may leave out are looked at for one line."""


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """What became of an event: the step after it, None where it is refused; `sound`: the invariants hold there.

    `at`: where it was refused, or the game had no answer; `filled`: what stands for its holes; `ruled`: the points at
    which the table ruled, and the log left it out; `untested`: invariants that read what is not known; `tested`: the
    position of which they were tested last.
    """

    step: Step | None
    sound: bool
    at: Step
    ruled: tuple[str, ...] = ()
    filled: tuple[Filled, ...] = ()
    untested: tuple[str, ...] = ()
    tested: tuple[Any, ...] | None = None


class Passage:
    """One way through a line, from where the game stands. `ruled`: points at which the table ruled, and the log left it
    out; `untested`: invariants that read what is not known; `tested`: the position of which they were tested last."""

    def __init__(self, rules: LiftedRules, start: Step, trial: Trial, tested: tuple[Any, ...] | None = None) -> None:
        self.trial = trial
        self.tested = tested
        self.ruled: tuple[str, ...] = ()
        self.untested: tuple[str, ...] = ()
        self._rules = rules
        self._start = start
        self._journey = Journey(rules, start, trial)
        self._filled: tuple[Filled, ...] = ()
        self._at_once = False

    @property
    def _view(self) -> HiddenView:
        return self._journey.view

    def arrive(self, here: Step) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        return self._journey.arrive(here)

    def attempt(self, patterns: tuple[Pattern, ...], *, only_ask: bool, to_stop: bool = False,
                at_once: bool = False) -> EventOutcome:
        """An event at the position, or after what a log may leave out.

        `only_ask`: whether it can be carried out at all, however its holes are filled. `to_stop`: of an event that is
        refused it is found out whether the game stopped. `at_once`: ways in which it is refused are not gone if nothing
        can mend that: they are `refused` by the trial.
        """
        here: Step = self._start
        self._at_once = at_once
        arrived = False
        for _ in range(MOST_STEPS):
            if not isinstance(here, State):
                return EventOutcome(None, True, here, self.ruled)
            after = self._taken(here, patterns, only_ask)
            if after is not None:
                sound = only_ask or self.sound(after)
                return EventOutcome(after, sound, here, self.ruled, self._filled, self.untested, self.tested)
            if not arrived and (to_stop or self._passes_by(here)):
                here, arrived = self.arrive(here), True
                continue
            onward = self._onward(here, patterns)
            if onward is None:
                return EventOutcome(None, True, here, self.ruled)
            if not self.sound(onward):
                return EventOutcome(None, True, here, self.ruled)
            here, arrived = onward, False
        return EventOutcome(None, True, here, self.ruled)

    def _passes_by(self, here: State) -> bool:
        """Whether the game may go on from a point without an event there."""
        node = self._journey.point(here.at)
        match node:
            case Ask():
                return node.otherwise is not None or node.point.automatic
            case Gather() | Draw() | Rule():
                return False  # what is possible there was found out on arrival
            case _:
                assert_never(node)

    def _taken(self, here: State, patterns: tuple[Pattern, ...], only_ask: bool) -> Step | None:
        node = self._journey.point(here.at)
        match node:
            case Rule():
                return self._ruling(here, node, patterns)
            case Ask() | Gather() | Draw():
                return self._offered(here, node, patterns, only_ask)
            case _:
                assert_never(node)

    def _offered(self, here: State, node: OfferNode, patterns: tuple[Pattern, ...], only_ask: bool) -> Step | None:
        by = patterns[0].by if patterns else TABLE
        if by not in self._journey.who(node) or not patterns:
            return None
        said = Said(patterns[0].known, patterns[0].holes)
        found = [one for one in self._journey.alternatives(node, by) if one.label == patterns[0].label]
        if only_ask:
            return here if any(Offering(self._view, one, by).possible(said) for one in found) else None
        at = self.trial.choose(range(len(found))) if len(found) > 1 and said.holes else 0
        for index, one in enumerate(found):
            if said.holes and index != at:
                continue
            only = self._at_once and index == len(found) - 1 and self._only_here(here, node)
            if Offering(self._view, one, by).take(said, only=only):
                env = self._view.env
                if said.holes and any(self._also(other, by, env, one) for other in found[:index]):
                    return None
                self._view.env = env
                self._filled = tuple(Filled(self.trial.line, param.arg, param.type, *_filled(env[param.name]))
                                     for param in one.params if param.arg is not None and param.arg in said.holes)
                return self._carried(here, node, one, by)
        return None

    def _only_here(self, here: State, node: OfferNode) -> bool:
        """Whether an event that is refused at a point is refused altogether: then that is what the trial answers."""
        self.trial.refusal = EventOutcome(None, True, here, self.ruled)
        return not self._passes_by(here) and not silent(node)

    def _also(self, other: Alternative, by: int, env: dict[Any, Any], one: Alternative) -> bool:
        """Whether an event could be taken as an earlier alternative: then it is that one."""
        values = {param.arg: env[param.name] for param in one.params if param.arg is not None}
        return Offering(self._view, other, by).take(Said(values, {}))

    def _ruling(self, here: State, node: Rule, patterns: tuple[Pattern, ...]) -> Step | None:
        fitting = [one for one in patterns if one.by == TABLE and one.label == node.point.name]
        candidates = self._journey.candidates(node)
        if not fitting:
            return None
        hole = fitting[0].holes.get(CHOICE)
        if hole is None:
            choices = [one for one in candidates if one == fitting[0].known.get(CHOICE)]
        else:
            choices = [one for one in candidates if fits(hole, one)]
        if not choices:
            return None
        choice = self.trial.choose(choices)
        if hole is not None and node.type is not None:
            self._filled = (Filled(self.trial.line, CHOICE, node.type, choice, ()),)
        return self._ruled(here, node, choice)

    def _ruled(self, here: State, node: Rule, choice: int) -> Step:
        return self._journey.go(self._journey.ruled(node, choice), here)

    def _carried(self, here: State, node: OfferNode, one: Alternative, by: int) -> Step:
        try:
            after = self._journey.carry(node, one, by)
        except Fault as fault:
            return fault.step(here)
        return self._journey.state(here.at) if after is None else self._journey.go(after, here)

    def _onward(self, here: State, patterns: tuple[Pattern, ...]) -> Step | None:
        """Where the game goes on if a ruling or a pass was left out of the log."""
        node = self._journey.point(here.at)
        match node:
            case Rule():
                if patterns and patterns[0].by == TABLE:
                    return None
                found = self._journey.candidates(node)
                self.ruled = (*self.ruled, node.point.name)
                return self._ruled(here, node, self.trial.choose(found)) if found else None
            case Ask():
                by = self._journey.actor(node)
                passed = next((one for one in silent(node) if Offering(self._view, one, by).take(Said({}, {}))), None)
                return None if passed is None else self._carried(here, node, passed, by)
            case Gather() | Draw():
                return None
            case _:
                assert_never(node)

    def claimed(self, claims: Sequence[Claim]) -> tuple[Step, str | None]:
        """Where claims hold, each where the one before it does or after what a log may leave out; else the position,
        and the first that holds nowhere."""
        here = self._start
        for text, expr, value in claims:
            found = self._reaching(here, expr, value)
            if found is None:
                return self._start, text
            here = found
        return here, None

    def _reaching(self, here: Step, expr: Expr, value: Value) -> Step | None:
        """Where something has a value first: at a position, or after what a log may leave out."""
        for _ in range(MOST_STEPS):
            if not isinstance(here, State | Ended):
                return None
            if self._holds(expr, value):
                return here
            onward = self._onward(here, ()) if isinstance(here, State) else None
            if onward is None or not self.sound(onward):
                return None
            here = self.arrive(onward)
        return None

    def _holds(self, expr: Expr, value: Value) -> bool:
        self._view.env = {}
        try:
            found = self._view.plain(expr)
        except Fault:
            return False
        return bool(found == value) and type(found) is type(value)

    def to_end(self) -> Step:
        """The end of the game, if it is reached by what a log may leave out; else where the game stands."""
        here: Step = self._start
        for _ in range(MOST_STEPS):
            if not isinstance(here, State):
                return here
            after = self.arrive(here)
            onward = self._onward(after, ()) if isinstance(after, State) else after
            if onward is None:
                return after
            here = onward
        return here

    def scores(self, claimed: Mapping[int, int]) -> dict[int, int] | None:
        """The score of each player at the end of the game; None if the rules have none, or cannot compute one. One that
        is `claimed` is told as it is in one way, if it can be another; the others are decided."""
        score = self._rules.core.score
        if score is None:
            return None
        made = {}
        try:
            for player in range(self._rules.core.seats.number):
                self._view.env = {score.player: player}
                made[player] = self._score(score.value, claimed.get(player))
        except Fault:
            return None
        return made

    def _score(self, score: Expr, claimed: int | None) -> int:
        value = self._view.value(score)
        if claimed is None or not isinstance(value, Sum):
            return int(self._view.plain(score))
        more = value.plus(-claimed)
        if self.trial.decide(more) and self.trial.decide(more.times(-1)):
            return claimed
        return self.trial.store.value(value)

    def sound(self, step: Step) -> bool:
        """Whether all invariants and limits hold where they are to hold. One in error does not."""
        state = step.state if isinstance(step, Ended) else step
        if not isinstance(state, State):
            return True
        if not is_rest(self._rules.flow.nodes[state.at]):
            return True
        view, changed = self._rules.view(state, self.trial), self._rules.tests.changed(state.slots, self.tested)
        try:
            sound = all(self._told(one.name, lambda one=one: view.truth(one.guard.cond))  # type: ignore[misc]
                        for one in self._rules.tests.invariants(changed)) and all(self._within(view, changed))
        except Fault:
            return False
        if sound:
            self.tested = state.slots
        return sound

    def _told(self, name: str, test: Callable[[], bool]) -> bool:
        """Whether an invariant or limit holds; one that reads what is not known is not tested."""
        try:
            return test()
        except Untold:
            self.untested = (*self.untested, name)
            return True

    def _within(self, view: HiddenView, changed: Changed | None) -> Iterator[bool]:
        for zone, at in self._rules.tests.limits(changed):
            view.env = {}
            content = view.slots[at]
            yield self._told(zone.name, lambda zone=zone, content=content: _fits_in(view, zone, content))  # type: ignore[misc]


def _fits_in(view: HiddenView, zone: Zone, content: Any) -> bool:
    if content is UNKNOWN:
        raise Untold(zone.name)
    assert zone.limit is not None
    return bool(amount(zone, content) <= view.plain(zone.limit))


def _filled(value: Any) -> tuple[Any, tuple[int, ...], tuple[tuple[int, int], ...], Mapping[int, Any] | None]:
    """What stands for a hole: what is known of it, tokens, those of what follows from other holes, and what stands
    there for each class of the token, where that is no component."""
    if isinstance(value, Token):
        return None, (value.id,), (), None
    if isinstance(value, Case):
        return None, (value.token,), (), value.values
    if isinstance(value, Bag):
        known, signed = tuple(sorted(value.known.items())), tuple(value.tokens.items())
        follows = any(sign < 0 for _, sign in signed)
        return known, () if follows else tuple(value.tokens), signed if follows else (), None
    return value, (), (), None
