"""Slices: whatever is kept of a position, the slice of what the walker comes to is among what a step on it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from referee.core.flow import Flow
from referee.core.ruleset import Role
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Layout, State, Step
from referee.interpreter.course import FlowCourse
from referee.interpreter.walker import Walker
from referee.proofs.slice_visits import END, PassedNodes, cuts_of
from referee.proofs.sliced_steps import Steps
from referee.proofs.step_questions import AskedStep
from referee.smt import term
from referee.smt.abstraction import kept_spots, slices
from referee.smt.abstraction.class_groups import Groups, admitted
from referee.smt.abstraction.slices import Slice
from referee.smt.solver import Answer
from referee.smt.value import Unencodable
from tests.conformance.known import name_of
from tests.proofs.test_slices import same


class Passed:
    """A walker that tells of every position that it passes."""

    def __init__(self, flow: Flow) -> None:
        self.walker = Walker(flow)
        self._passed = PassedNodes(cuts_of(flow))
        self.walker.course = FlowCourse(flow, self._passed)

    def steps(self, state: State, event: Event) -> tuple[Step, list[tuple[State, State]]]:
        """The step after a legal event, and each position on the way with the one after it."""
        self._passed.states.clear()
        after = self.walker.advance(state, event)
        end = [after] if isinstance(after, State) else []
        if isinstance(after, Ended):
            end = [State(END, after.state.slots)]
        return after, list(pairwise([state, *self._passed.states, *end]))


class Sliced:
    """The kinds of steps of a flow on one slice."""

    def __init__(self, flow: Flow, slice_: Slice, setting: Setting) -> None:
        self.slice = slice_
        steps = Steps(flow, slice_, setting)
        self._kinds = [AskedStep(kind, steps) for kind in steps.kinds()]
        self.unencoded: list[str] = []
        """What the solver could not encode, or did not answer in time."""
        self._registers = {name for name, var in flow.vars.items() if var.role is Role.REGISTER}

    def differs(self, pairs: Sequence[tuple[State, State]]) -> Iterator[str]:
        """Steps of the walker that no kind of step on the slice takes."""
        for before, after in pairs:
            first, last = slices.of_state(self.slice, before), slices.of_state(self.slice, after)
            self.slice.true.clear()
            kinds = [one for one in self._kinds if one.kind.start == before.at and after.at in one.kind.targets]
            if not any(self._leads(one, same(one.steps.before, first), last, after.at) for one in kinds):
                kept = sorted({name_of(self.slice.layout, index) for part in self.slice.plan for index in (
                    one[0] if isinstance(one, tuple) else one for one in part)} - self._registers)
                yield f"sliced: from {before.at} to {after.at} with {kept} (spots {sorted(self.slice.placed)})"

    def _leads(self, asked: AskedStep, here: term.Cond, last: slices.Sliced, place: int) -> bool:
        try:
            step, _, solver = asked.made
        except Unencodable as why:
            self.unencoded.append(str(why))
            return True
        solver.push()
        solver.add(here, same(step.after, last), asked.reached(place))
        found = solver.ask()
        solver.pop()
        if found is Answer.UNKNOWN:  # of a step that the solver does not find it is not said that there is none
            self.unencoded.append(f"whether {asked.kind.text} leads to {place} is not found in time")
        return found is not Answer.NO


def some_slice(flow: Flow, layout: Layout, random: Random, keep: float) -> Slice:
    """A slice that keeps each variable and zone by lot, and of some zones what lies on each spot."""
    core = flow.core
    variables = frozenset(name for name in layout.defs if random.random() < keep)
    zones = frozenset(name for name in core.zones if random.random() < keep)
    masks = [frozenset(c for c in range(len(core.components)) if random.random() < 0.5)
             for _ in range(random.randint(0, 2))]
    placed = frozenset(name for name in zones if kept_spots.has_spots(core.zones[name]) and random.random() < 0.5)
    alone = [frozenset((c,)) for name in placed for c in admitted(core, core.zones[name])]
    return Slice(layout, Groups(core, [*masks, *alone]), variables, zones, placed)
