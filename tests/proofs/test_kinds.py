"""Kinds of steps say what they may change and where they may lead: checked against what random games do."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from referee.core.flow import Flow, Fork
from referee.core.read_write_sets import reads
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.course import FlowCourse
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.proofs.proof_claims import claims_of
from referee.proofs.slice_visits import END, PassedNodes, any_setting, cuts_of
from referee.proofs.slice_vocabulary import slice_for
from referee.proofs.sliced_steps import StepKind, Steps

ROOT = Path(__file__).parent.parent.parent
RULESETS = ("rulesets/go_goal", "rulesets/king_of_the_pitch", "rulesets/adrenalyn_xl")


def kinds_of(flow: Flow, walker: Walker, setting: Setting) -> list[StepKind]:
    return list(Steps(flow, slice_for(flow, walker.layout, claims_of(flow.core)[0], 1), setting).kinds())


@pytest.mark.parametrize("where", RULESETS)
def test_what_a_node_changes_and_where_it_leads_is_what_its_kind_says(where: str) -> None:
    flow = load_flow(ROOT / where, 2)
    setting = Setting(("first", "second"))
    walker = Walker(flow)
    passed = PassedNodes(cuts_of(flow))
    walker.course = FlowCourse(flow, passed)
    kinds = {kind.start: kind for kind in kinds_of(flow, walker, setting) if kind.start in cuts_of(flow)}
    names = {
        index: name
        for spreads in (walker.layout.vars, walker.layout.zones)
        for name, spread in spreads.items()
        for index in range(spread.base, spread.base + spread.count)
    }
    seen = 0
    for seed in range(3):
        random = Random(seed)
        passed.states.clear()
        step: Step = walker.begin(any_setting(walker, setting, random))
        for _ in range(60):
            end = step if isinstance(step, State) else State(END, step.state.slots) if isinstance(step, Ended) else None
            for before, after in pairwise([*passed.states, *([] if end is None else [end])]):
                changed = {names[i] for i, (a, b) in enumerate(zip(before.slots, after.slots, strict=True)) if a != b}
                assert after.at in kinds[before.at].targets, kinds[before.at].text
                assert changed <= kinds[before.at].writes, kinds[before.at].text
                seen += 1
            passed.states.clear()
            if not isinstance(step, State):
                break
            step = walker.advance(step, choose(walker, step, random))
    assert seen > 100


def test_a_fork_at_which_every_game_goes_one_way_leads_there_only() -> None:
    flow = load_flow(ROOT / "rulesets/il_mister", 2)
    walker = Walker(flow)
    kinds = kinds_of(flow, walker, Setting(("first", "second")))
    forks = {index for index, node in enumerate(flow.nodes) if isinstance(node, Fork) and not reads(node.cond)}
    assert [len(kind.targets) for kind in kinds if kind.start in forks] == [1]  # two players play no tournament
    passed = PassedNodes(cuts_of(flow))
    walker.course = FlowCourse(flow, passed)
    step: Step = walker.begin(any_setting(walker, Setting(("first", "second")), Random(1)))
    while isinstance(step, State):
        step = walker.advance(step, choose(walker, step, Random(len(passed.states))))
    assert {state.at for state in passed.states} <= {kind.start for kind in kinds}
    assert len(kinds) < len(flow.nodes) / 2
