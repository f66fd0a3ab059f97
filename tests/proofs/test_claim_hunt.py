"""Games by lot that are to break a claim: all engines find the same claims broken, and the reference engine agrees."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.walker import Walker
from referee.native.engine_names import AUTO, ENGINES, GENERATED, NATIVE
from referee.proofs import claim_hunt
from referee.proofs.claim_hunt import ClaimHunt
from referee.proofs.counterexamples import breaks
from referee.proofs.proof_claims import claims_of
from referee.proofs.proof_outcomes import ProofOutcome
from referee.proofs.prover import ProofBudget, prove
from tests.proofs.test_prove_sound import PLAYERS, loaded

LONG = """game "Long" for 2 players first and second

counters
  steps: 0..99
  high: 0..99

play
  turns from first, to the left
    turn player must take one of step, leap

action step
  raise steps by 1
  if steps + high >= 60: nobody wins

action leap
  raise high by 1
  if steps + high >= 60: nobody wins

always {claims}
"""
"""Sixty events, each by lot."""
LATE = "seldom: high < 42"
AT_THE_END = "before_the_end: steps + high < 60"
KEPT = "both: steps + high <= 60"
DECLARED = "declared, expected refuted: steps + high < 50"


def hunted(flow: Flow, engine_name: str, seconds: float) -> tuple[ClaimHunt, dict[str, int]]:
    """What an engine finds broken, and in how many events, each confirmed by the reference engine."""
    walker = Walker(flow)

    def broken(step: Step) -> Sequence[str]:
        state = step.state if isinstance(step, Ended) else step
        assert isinstance(state, State)
        declared = [one.name for one in flow.core.refutable if not walker.evaluate(state, one.guard.cond)]
        return [*(one.name for one in walker.broken(state)), *declared]

    hunt = ClaimHunt(flow, Setting(PLAYERS), broken, engine_name)
    found = hunt.broken(seconds, 400, 0)
    for name, game in found.items():
        assert breaks(walker, game.setting, game.events, name, broken) == list(game.events)
    return hunt, {name: len(game.events) for name, game in found.items()}


@pytest.mark.parametrize("engine_name", ENGINES)
@pytest.mark.parametrize(("claim", "least"), [(AT_THE_END, 60), (DECLARED, 50)])
def test_what_breaks_late_is_found_by_every_engine(engine_name: str, claim: str, least: int) -> None:
    _, found = hunted(loaded(LONG.format(claims=claim)), engine_name, 0.6)
    assert list(found.values()) == [least]


def test_what_seldom_breaks_is_found_by_machine_code() -> None:
    hunt, found = hunted(loaded(LONG.format(claims=LATE)), NATIVE, 4.0)
    assert found["seldom"] >= 42
    assert hunt.played is not None
    assert hunt.played.engine == "by machine code"


def test_what_holds_is_not_broken() -> None:
    for engine_name in (GENERATED, NATIVE):
        hunt, found = hunted(loaded(LONG.format(claims=KEPT)), engine_name, 0.4)
        assert not found
        assert hunt.played is not None
        assert hunt.played.events == 60 * hunt.played.games > 0


def test_machine_code_is_made_where_that_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = loaded(LONG.format(claims=KEPT))
    monkeypatch.setattr(claim_hunt, "TO_BEGIN", 1_000.0)
    hunt, _ = hunted(flow, AUTO, 0.1)
    assert hunt.played is not None
    assert hunt.played.engine == "by generated code"


def test_without_the_library_generated_code_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("referee.native.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    hunt, _ = hunted(loaded(LONG.format(claims=KEPT)), NATIVE, 0.1)
    assert hunt.played is not None
    assert hunt.played.engine == "by generated code: llvmlite is not installed: pip install 'referee[native]'"


def test_the_report_says_what_played() -> None:
    flow = loaded(LONG.format(claims=AT_THE_END))
    found, = prove(flow, Setting(PLAYERS), claims_of(flow.core), ProofBudget(10.0, 0.4, 0.0, NATIVE))
    assert found.outcome is ProofOutcome.REFUTED
    assert found.played is not None
    assert found.played.told.startswith(f"{found.played.games:,} games by lot, {found.played.events:,} events (by ")
