"""Claims decided by looking at every position: as the reference engine sees them, with the shortest games."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.proofs import explicit_search
from referee.proofs.explicit_search import Exploration, explored
from referee.proofs.proof_claims import claims_of
from referee.proofs.proof_outcomes import ProofOutcome, ProofWay
from referee.report.data.schemas import SCHEMAS
from referee.report.proof_report import ShapeProofs, as_data, summary_of
from tests.proofs.test_prove_sound import PLAYERS, loaded, rules
from tests.proofs.walked_positions import broken_at, walked
from tests.sample_sizes import FULL, drawn

GRID = """game "Grid" for 2 players first and second

board grid: columns 1..3, rows 1..2

kind Disc is WHITE

components
  3 WHITE in supply

zones
  supply: bag of Disc, open
  cells: slots of Disc on grid, open

counters
  laid: 0..6

play
  turns from first, to the left
    turn player must lay

action lay(cell: grid)
  needs "free": cells at cell is empty
  move Disc from supply to cells at cell
  raise laid by 1
  if laid = 3: nobody wins

always counted: number of cells = laid
always few, expected refuted: laid <= 2
"""


def by(flow: Flow, monkeypatch: pytest.MonkeyPatch, first: int) -> Exploration:
    """What is found, if so many positions are looked at before machine code is made."""
    monkeypatch.setattr(explicit_search, "FIRST", first)
    return explored(flow, Setting(PLAYERS), 60.0)


@settings(max_examples=drawn(2, of=30), deadline=None, suppress_health_check=list(HealthCheck))
@given(rules())
def test_what_is_broken_and_how_soon_is_what_the_reference_engine_finds(text: str) -> None:
    flow = loaded(text)
    positions, broken = walked(flow, Setting(PLAYERS))
    for first in (3_000, 1) if FULL else (3_000,):
        with pytest.MonkeyPatch.context() as patch:
            found = by(flow, patch, first)
        assert found.space is not None
        assert found.space.whole
        assert found.space.positions >= positions
        assert {name: len(game.events) for name, game in found.broken.items()} == broken
        confirmed(flow, found)


def confirmed(flow: Flow, found: Exploration) -> None:
    """Each game is legal, and breaks its claim with its last event, by the reference engine."""
    for name, game in found.broken.items():
        walker = Walker(flow)
        step = walker.begin(game.setting)
        for event in game.events:
            assert isinstance(step, State)
            assert walker.check(step, event) is None
            step = walker.advance(step, event)
        assert name in broken_at(walker, step)


@pytest.mark.parametrize("first", [3_000, 1])
def test_what_is_declared_to_be_broken_is_looked_for_too(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    flow = loaded(GRID)
    found = by(flow, monkeypatch, first)
    assert {proof.name: (proof.outcome, proof.way) for proof in found.decided(claims_of(flow.core))} == {
        "counted": (ProofOutcome.PROVED, ProofWay.POSITIONS), "few": (ProofOutcome.REFUTED, ProofWay.POSITIONS)}
    assert len(found.broken["few"].events) == 3


def test_without_room_for_all_it_is_said_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explicit_search, "FIRST", 1)
    found = explored(loaded(GRID), Setting(PLAYERS), 60.0, most_bytes=1_000)
    assert found.space is not None
    assert not found.space.whole
    assert "no room" in found.space.told
    assert not list(found.decided(claims_of(loaded(GRID).core)))


def test_the_report_says_which_way_decided_and_how_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = loaded(GRID)
    shape = ShapeProofs(flow.core, tuple(by(flow, monkeypatch, 3_000).decided(claims_of(flow.core))), {})
    told = as_data([shape])
    Draft202012Validator(SCHEMAS["proofs"]).validate(told)
    positions = told["shapes"][0]["positions"]
    assert {claim["way"] for claim in told["shapes"][0]["claims"]} == {"positions"}
    assert positions["whole"]
    assert positions["per_second"] > 0
    assert summary_of(shape).endswith(
        f"every one of 42 positions reached was looked at (by generated code, {positions['per_second']:,} a second)")
