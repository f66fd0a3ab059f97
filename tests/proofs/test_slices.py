"""A slice takes every step that a position takes: steps of random games are possible from the slices of positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.course import FlowCourse
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.proofs.induction_rounds import GROWN
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.slice_visits import END, PassedNodes, any_setting, cuts_of
from referee.proofs.slice_vocabulary import slice_for
from referee.proofs.sliced_steps import Steps
from referee.proofs.step_questions import AskedStep
from referee.smt import term, value
from referee.smt.abstraction import slices
from referee.smt.abstraction.slices import SPOTS, Sliced
from referee.smt.solver import Answer
from referee.smt.term import Cond
from tests.proofs.drawn_spots import PLAYERS, rules
from tests.sample_sizes import drawn

ROOT = Path(__file__).parent.parent.parent
SETTING = Setting(PLAYERS)
EVENTS = 25
GROWN_BY = frozenset({"points", f"row{SPOTS}"})
"""What is kept besides at the size that grows."""


def steps_of_games(flow: Flow, seeds: Sequence[int], events: int) -> Iterator[tuple[State, State]]:
    """Positions of random games, each with the one after it: at points, before statements, at the end."""
    walker = Walker(flow)
    passed = PassedNodes(cuts_of(flow))
    walker.course = FlowCourse(flow, passed)
    for seed in seeds:
        random = Random(seed)
        step: Step = walker.begin(any_setting(walker, SETTING, random))
        for _ in range(events):
            if not isinstance(step, State):
                break
            passed.states.clear()
            before, step = step, walker.advance(step, choose(walker, step, random))
            end = [step] if isinstance(step, State) else []
            if isinstance(step, Ended):
                end = [State(END, step.state.slots)]
            if end:
                yield from pairwise([before, *passed.states, *end])


def same(one: Sliced, other: Sliced) -> Cond:
    """Whether a slice says the same as another one."""
    entries = [value.equal(a, b) for a, b in zip(one.entries, other.entries, strict=True)
               if a is not None and b is not None]
    for index, there in one.tallies.items():
        pairs = [*zip(there.counts, other.tallies[index].counts, strict=True),
                 *zip(there.spots or (), other.tallies[index].spots or (), strict=True)]
        entries.extend(value.equal(a, b) for a, b in pairs)
    focus = one.slice.groups.focus
    return term.conj([*entries, True if focus is None else term.equal(focus, other.slice.groups.focus or 0)])


class Slicing:
    """The kinds of steps of a flow on the slice of a claim."""

    def __init__(self, flow: Flow, walker: Walker, claim: Claim, level: int) -> None:
        more = GROWN_BY if level == GROWN else frozenset()
        self.slice = slice_for(flow, walker.layout, claim, level or 1, more)
        kinds = [one.kind for one in claim.instances if one.kind is not None]
        self.classes = sorted({c for kind in kinds for c in range(kind.lo, kind.hi + 1)})
        steps = Steps(flow, self.slice, SETTING)
        self._kinds = [AskedStep(kind, steps) for kind in steps.kinds()]

    def takes(self, before: State, after: State, random: Random) -> bool:
        """Whether some kind of step leads from the slice of a position to that of another one."""
        focus = self.slice.groups.focus
        slice_ = self.slice if focus is None else self.slice.at(random.choice(self.classes))
        first, last = slices.of_state(slice_, before), slices.of_state(slice_, after)
        slice_.true.clear()
        kinds = [one for one in self._kinds if one.kind.start == before.at and after.at in one.kind.targets]
        return any(self._leads(one, first, last, after.at) for one in kinds)

    def _leads(self, asked: AskedStep, first: Sliced, last: Sliced, place: int) -> bool:
        step, _, solver = asked.made
        solver.push()
        solver.add(same(asked.steps.before, first), same(step.after, last), asked.reached(place))
        found = solver.ask()
        solver.pop()
        return found is not Answer.NO  # what is not found in time may be there


def taken(flow: Flow, claims: Sequence[Claim], levels: Sequence[int], seeds: Sequence[int], events: int) -> int:
    """How many steps were looked at; each is one that every slice takes."""
    walker, random = Walker(flow), Random(1)
    made = [Slicing(flow, walker, claim, level) for claim in claims for level in levels]
    number = 0
    for before, after in steps_of_games(flow, seeds, events):
        for one in made:
            assert one.takes(before, after, random), (before.at, flow.nodes[before.at], sorted(one.slice.placed))
            number += 1
    return number


@settings(max_examples=drawn(3, of=12), deadline=None, suppress_health_check=list(HealthCheck))
@given(rules(), st.integers(0, 1_000))
def test_spots_change_on_a_slice_as_in_a_game(text: str, seed: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "spots.rules"
        path.write_text(text, encoding="utf-8")
        flow = load_flow(path)
    taken(flow, claims_of(flow.core)[:2], (GROWN, 1, 3), range(seed, seed + 3), EVENTS)


@pytest.mark.parametrize(("where", "claim", "level"), [
    ("king_of_the_pitch", "a_captain_has_one_place", 1), ("king_of_the_pitch", "only_players_in_hands", 2),
    ("il_mister", "goalkeepers_stay", 2),
])
def test_games_are_games_of_slices(where: str, claim: str, level: int) -> None:
    flow = load_flow(ROOT / "rulesets" / where, 2)
    some = [one for one in claims_of(flow.core) if one.name == claim]
    assert len(some) == 1
    assert taken(flow, some, (level,), (1,), EVENTS) > 50
