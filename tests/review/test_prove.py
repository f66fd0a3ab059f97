"""Invariants proved over all games, refuted by a game, or known from the types alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.walker import Walker
from referee.game.state import State
from referee.meaning import load_flow
from referee.review.prove import Outcome, prove

PLAYERS = ("ana", "ben")

HEAP = """game "Heap" for 2 players first and second

kind Stone

components
  5 Stone in heap

zones
  heap: bag of Stone, open
  taken_by of player: bag of Stone, open

counters
  taken: 0..9

play
  turns from first, to the left
    turn player must take

action take
  move Stone from heap to taken_by of me
  raise taken by 1
  if heap is empty: me wins

always taken_are_counted: taken + number of heap = 5
always few_are_taken: taken <= 3
always stones_stay: number of heap <= 5
"""


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    path = tmp_path / "heap.rules"
    path.write_text(HEAP, encoding="utf-8")
    return path


def test_an_invariant_is_proved_refuted_or_by_type(heap: Path) -> None:
    found = {p.name: p.outcome for p in prove(load_flow(heap), PLAYERS, 60.0)}
    assert found == {
        "taken_are_counted": Outcome.PROVED, "few_are_taken": Outcome.REFUTED, "stones_stay": Outcome.BY_TYPE,
    }


def test_a_refutation_is_a_game_that_breaks_the_invariant(heap: Path) -> None:
    flow = load_flow(heap)
    proof = next(p for p in prove(flow, PLAYERS, 60.0) if p.name == "few_are_taken")
    assert proof.setting is not None
    walker = Walker(flow)
    step = walker.begin(proof.setting)
    for event in proof.game:
        assert isinstance(step, State)
        step = walker.advance(step, event)
    assert isinstance(step, State)
    assert [b.name for b in walker.broken(step)] == ["few_are_taken"]


def test_a_proof_may_need_what_was_seen_in_games() -> None:
    found = {p.name: p.outcome for p in prove(load_flow("kuhn_poker"), PLAYERS, 60.0)}
    assert found == {"one_card_each": Outcome.PROVED}
