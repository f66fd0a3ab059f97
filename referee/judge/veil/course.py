"""The course of a game in which something is hidden, from point to point; what an event makes of a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, PointNode, Rule, Run
from referee.core.stmt import Block
from referee.engine.course import MAX_NODES, Course
from referee.engine.faults import TOO_LONG, Fault
from referee.engine.perform import Act, block
from referee.engine.zones import amount
from referee.game.event import CHOICE, FATE, TABLE
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.judge.pattern import Pattern, fits
from referee.judge.veil.evaluate import View
from referee.judge.veil.hidden import Bag, Token, Veiled
from referee.judge.veil.offers import Offering, Said
from referee.judge.veil.perform import perform
from referee.judge.veil.trial import Trial

MOST_STEPS = 64
"""So many passes and rulings that a log may leave out are looked at for one line."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an event: the step after it, None where it is refused; `sound`: the invariants hold there.

    `at`: where it was refused, or the game had no answer; `tokens`: those that stand for its holes.
    """

    step: Step | None
    sound: bool
    at: Step
    ruled: bool = False
    tokens: tuple[int, ...] = ()


class Rules:
    """A flow, with what is made of it once for all positions."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.core = flow.core
        self.course = Course(flow)
        self.layout = self.course.layout
        self.watched = tuple(one for one in flow.core.invariants if one.everywhere)
        self.acts: dict[int, Act] = {}
        self._runs: dict[int, Act] = {}

    def view(self, state: State, trial: Trial) -> View:
        """A position, to be carried on."""
        return View(self.course.code, self.acts, list(state.slots), trial)

    def run(self, at: int, body: Block) -> Act:
        """The statements of a node as the reference engine carries them out."""
        known = self._runs.get(at)
        if known is None:
            known = self._runs[at] = block(body, self.course.code, self.watched)
        return known


class Passage:
    """One way through a line: `view` is changed in place."""

    def __init__(self, rules: Rules, start: Step, trial: Trial) -> None:
        state = start if isinstance(start, State) else start.state
        assert state is not None
        self._rules = rules
        self._flow = rules.flow
        self._layout = rules.layout
        self._start = start
        self.view = rules.view(state, trial)
        self.trial = trial
        self._met: tuple[int, ...] = ()

    # --- an event

    def attempt(self, patterns: tuple[Pattern, ...], *, only_ask: bool, to_stop: bool = False) -> Outcome:
        """An event at the position, or after what a log may leave out. `only_ask`: whether it can be carried out at all,
        however its holes are filled. `to_stop`: of an event that is refused it is found out whether the game stopped."""
        here: Step = self._start
        arrived = ruled = False
        for _ in range(MOST_STEPS):
            if not isinstance(here, State):
                return Outcome(None, True, here, ruled)
            after = self._taken(here, patterns, only_ask)
            if after is not None:
                return Outcome(after, only_ask or self.sound(after), here, ruled, self._met)
            if not arrived and (to_stop or self._passes_by(here)):
                here, arrived = self.arrive(here), True
                continue
            onward = self._onward(here, patterns)
            if onward is None:
                return Outcome(None, True, here, ruled)
            ruled |= isinstance(self._flow.nodes[here.at], Rule)
            if not self.sound(onward):
                return Outcome(None, True, here, ruled)
            here, arrived = onward, False
        return Outcome(None, True, here, ruled)

    def _passes_by(self, here: State) -> bool:
        """Whether the game may go on from a point without an event there."""
        node = self._flow.nodes[here.at]
        return isinstance(node, Ask) and (node.otherwise is not None or node.point.automatic)

    def _taken(self, here: State, patterns: tuple[Pattern, ...], only_ask: bool) -> Step | None:
        node = self._point(here.at)
        if isinstance(node, Rule):
            return self._ruling(here, node, patterns)
        by = patterns[0].by if patterns else TABLE
        if by not in self._who(node) or not patterns:
            return None
        said = Said(patterns[0].known, patterns[0].holes)
        found = [one for one in self._alternatives(node, by) if one.label == patterns[0].label]
        if only_ask:
            return here if any(Offering(self.view, one, by).possible(said) for one in found) else None
        at = self.trial.choose(len(found)) if len(found) > 1 and said.holes else 0
        for index, one in enumerate(found):
            if said.holes and index != at:
                continue
            if Offering(self.view, one, by).take(said):
                env = self.view.env
                if said.holes and any(self._also(other, by, said, env, one) for other in found[:index]):
                    return None
                self.view.env = env
                self._met = tuple(token for param in one.params if param.arg in said.holes
                                  for token in _tokens(env[param.name]))
                return self._carried(here, node, one, by)
        return None

    def _also(self, other: Alternative, by: int, said: Said, env: dict[Any, Any], one: Alternative) -> bool:
        """Whether an event could be taken as an earlier alternative: then it is that one."""
        values = {param.arg: env[param.name] for param in one.params if param.arg is not None}
        return Offering(self.view, other, by).take(Said(values, {}))

    def _ruling(self, here: State, node: Rule, patterns: tuple[Pattern, ...]) -> Step | None:
        fitting = [one for one in patterns if one.by == TABLE and one.label == node.point.name]
        candidates = self._candidates(node)
        if not fitting:
            return None
        hole = fitting[0].holes.get(CHOICE)
        if hole is None:
            choices = [one for one in candidates if one == fitting[0].known.get(CHOICE)]
        else:
            choices = [one for one in candidates if fits(hole, one)]
        if not choices:
            return None
        return self._ruled(here, node, choices[self.trial.choose(len(choices))] if len(choices) > 1 else choices[0])

    def _ruled(self, here: State, node: Rule, choice: int) -> Step:
        if node.into is not None:
            self.view.slots[self._layout.vars[node.into].base] = choice
        return self.go(node.next, here)

    def _carried(self, here: State, node: PointNode, one: Alternative, by: int) -> Step:
        try:
            after = self._carry(node, one, by)
        except Fault as fault:
            return Failed(fault.code, str(fault), fault.span, here)
        return self._state(here.at) if after is None else self.go(after, here)

    def _carry(self, node: PointNode, one: Alternative, by: int) -> int | None:
        view = self.view
        key = (by,) if isinstance(node, Gather) else ()
        for register, local in one.stores:
            view.slots[self._layout.vars[register].find(key)] = view.env[local]
        if isinstance(node, Gather):
            pending = self._layout.vars[node.pending].base
            view.slots[pending] = view.slots[pending] - {by}
            return None if view.slots[pending] else node.next
        return one.next

    def _onward(self, here: State, patterns: tuple[Pattern, ...]) -> Step | None:
        """Where the game goes on if a ruling or a pass was left out of the log."""
        node = self._point(here.at)
        if isinstance(node, Rule):
            if patterns and patterns[0].by == TABLE:
                return None
            found = self._candidates(node)
            return self._ruled(here, node, found[self.trial.choose(len(found))]) if found else None
        if isinstance(node, Ask):
            by = self._actor(node)
            for one in node.alternatives:
                if one.silent and Offering(self.view, one, by).take(Said({}, {})):
                    return self._carried(here, node, one, by)
        return None

    # --- from node to node

    def _state(self, at: int) -> State:
        return State(at, tuple(self.view.slots))

    def _point(self, at: int) -> PointNode:
        node = self._flow.nodes[at]
        if isinstance(node, Run | Fork):
            raise TypeError(f"nobody is asked at node {at}")
        return node

    def _actor(self, node: Ask) -> int:
        self.view.env = {}
        return int(self.view.plain(node.actor))

    def _who(self, node: PointNode) -> frozenset[int]:
        match node:
            case Ask():
                return frozenset((self._actor(node),))
            case Gather():
                pending: frozenset[int] = self.view.slots[self._layout.vars[node.pending].base]
                return pending
            case Draw():
                return frozenset((FATE,))
            case _:
                return frozenset((TABLE,))

    def who(self, state: State) -> frozenset[int]:
        """Who can act at the position."""
        return self._who(self._point(state.at))

    def labels(self, state: State, by: int) -> tuple[str, ...]:
        """What somebody is offered at the position."""
        node = self._point(state.at)
        if isinstance(node, Rule):
            return (node.point.name,)
        return tuple(dict.fromkeys(one.label for one in self._alternatives(node, by)))

    def _alternatives(self, node: PointNode, by: int) -> list[Alternative]:
        match node:
            case Ask():
                return list(node.alternatives)
            case Gather():
                self.view.env = {}
                return [one for actors, one in node.parts if by in self.view.plain(actors)]
            case Draw():
                return [node.alternative]
            case _:
                return []

    def _candidates(self, node: Rule) -> list[int]:
        if node.candidates is None:
            return []
        self.view.env = {}
        gone = self.view.gone(node.candidates)
        plain = gone if isinstance(gone, list) else gone.plain(self.trial)
        return list(dict.fromkeys(plain))

    def arrive(self, here: Step) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        if not isinstance(here, State) or not isinstance(self._flow.nodes[here.at], Ask):
            return here
        return self.go(here.at, here, test=True)

    def go(self, at: int, since: State, *, test: bool = False) -> Step:
        """From a node to the next point at which somebody is asked, or the end."""
        view = self.view
        view.env = {}
        try:
            for _ in range(MAX_NODES):
                node = self._flow.nodes[at]
                match node:
                    case Run():
                        winners = self._run(at, node)
                        if winners is not None:
                            return Ended(self._state(at), winners)
                        at = node.next
                    case Fork():
                        at = node.yes if view.truth(node.cond) else node.no
                    case _:
                        after = self._arrive(at, node, test)
                        if not isinstance(after, int):
                            return after
                        at, view.env = after, {}
            raise Fault(TOO_LONG, "the game goes on without asking anybody", None)
        except Fault as fault:
            return Failed(fault.code, str(fault), fault.span, since)

    def _run(self, at: int, node: Run) -> frozenset[int] | None:
        view = self.view
        slots, env = list(view.slots), dict(view.env)
        try:
            return self._rules.run(at, node.body)(view.slots, view.env)
        except Veiled:
            view.slots, view.env = slots, env
        return perform(view, node.body, self._rules.watched)

    def _arrive(self, at: int, node: PointNode, test: bool) -> Step | int:
        match node:
            case Ask():
                return self._arrive_ask(at, node, test)
            case Gather():
                return self._arrive_gather(at, node)
            case Draw():
                return self._arrive_draw(at, node)
            case Rule():
                found = self._candidates(node)
                if not found:
                    return self._stop(at, node, node.question)
                ruled = self.view.slots[self._layout.rulings[node.point.name]]
                chosen = found[0] if len(found) == 1 else ruled if ruled in found else None
                if chosen is None:
                    return self._state(at)
                if node.into is not None:
                    self.view.slots[self._layout.vars[node.into].base] = chosen
                return node.next
            case _:
                raise TypeError(type(node).__name__)

    def _arrive_ask(self, at: int, node: Ask, test: bool) -> Step | int:
        if not test and node.otherwise is None and not node.point.automatic:
            return self._state(at)
        by = self._actor(node)
        if not self._possible(node, by):
            if node.otherwise is not None:
                return node.otherwise
            return self._stop(at, node, "nothing is possible, and the rules do not say what then")
        if node.point.automatic:
            return self._automatic(at, node, [by])
        return self._state(at)

    def _arrive_gather(self, at: int, node: Gather) -> Step | int:
        view = self.view
        pending: frozenset[int] = frozenset().union(*(view.plain(actors) for actors, _ in node.parts))
        view.slots[self._layout.vars[node.pending].base] = pending
        if not pending:
            return node.next
        if not all(self._possible(node, by) for by in sorted(pending)):
            return self._stop(at, node, "nothing is possible for a player, and the rules do not say what then")
        return self._automatic(at, node, sorted(pending)) if node.point.automatic else self._state(at)

    def _arrive_draw(self, at: int, node: Draw) -> Step | int:
        if not self._possible(node, FATE):
            return self._stop(at, node, "fate has nothing to choose from")
        return self._automatic(at, node, [FATE]) if node.point.automatic else self._state(at)

    def _possible(self, node: PointNode, by: int) -> bool:
        return any(Offering(self.view, one, by).possible() for one in self._alternatives(node, by))

    def _automatic(self, at: int, node: PointNode, players: list[int]) -> Step | int:
        """Goes on if nobody has a choice: an automatic point follows from open facts, so nothing hidden decides it."""
        by_player = [[(one, env) for one in self._alternatives(node, by)
                      for env in Offering(self.view, one, by).ways(2)] for by in players]
        if any(len(ways) != 1 for ways in by_player):
            return self._state(at)
        after: int | None = None
        for by, ((one, env),) in zip(players, by_player, strict=True):
            self.view.env = env
            after = self._carry(node, one, by)
        assert after is not None
        return after

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

    def scores(self) -> dict[int, int] | None:
        """The score of each player at the end of the game; None if the rules have none, or cannot compute one."""
        score = self._rules.core.score
        if score is None:
            return None
        made = {}
        try:
            for player in range(self._rules.core.seats.number):
                self.view.env = {score.player: player}
                made[player] = int(self.view.plain(score.value))
        except Fault:
            return None
        return made

    def _stop(self, at: int, node: PointNode, why: str) -> Stopped:
        return Stopped(self._state(at), node.point, why)

    # --- what holds

    def sound(self, step: Step) -> bool:
        """Whether all invariants and limits hold where they are to hold. One in error does not."""
        state = step.state if isinstance(step, Ended) else step
        if not isinstance(state, State):
            return True
        node = self._flow.nodes[state.at]
        if not isinstance(node, Run | Fork) and not node.point.rest:
            return True
        view = self._rules.view(state, self.trial)
        try:
            return all(view.truth(one.guard.cond) for one in self._rules.core.invariants) and all(self._within(view))
        except Fault:
            return False

    def _within(self, view: View) -> Iterator[bool]:
        for zone in self._rules.core.zones.values():
            if zone.limit is None:
                continue
            entries = self._layout.zones[zone.name]
            for key in entries.keys():
                view.env = {}
                yield amount(zone, view.slots[entries.find(key)]) <= view.plain(zone.limit)


def _tokens(value: Any) -> tuple[int, ...]:
    """The tokens that stand for a hole, not those that were there before."""
    if isinstance(value, Token):
        return (value.id,)
    return tuple(value.tokens) if isinstance(value, Bag) and all(sign > 0 for sign in value.tokens.values()) else ()
