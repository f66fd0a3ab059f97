"""Invariants and limits: proved over all games, refuted by a game up to the break, or neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.flow import Flow
from referee.engine.walker import Walker
from referee.game.setting import Setting
from referee.game.state import State
from referee.meaning import load_flow
from referee.review.outcomes import Outcome, Proof
from referee.review.prove import Budget, prove

HEAP = """game "Heap" for 2 players first and second

kind Stone

components
  {stones} Stone in heap

zones
  heap: bag of Stone, open
  taken_by of player: bag of Stone, open

counters
  taken: 0..{most}

play
  turns from first, to the left
    turn player must take

action take
  move Stone from heap to taken_by of me
  raise taken by 1
  if heap is empty: me wins

always taken_are_counted: taken + number of heap = {stones}
always few_are_taken: taken <= 3
always stones_stay: number of heap <= {stones}
"""
BY_INDUCTION = Budget(20.0, chance=0.5, positions=0.0)
"""Without looking at every position."""


def written(tmp_path: Path, text: str) -> Flow:
    path = tmp_path / "heap.rules"
    path.write_text(text, encoding="utf-8")
    return load_flow(path)


@pytest.fixture
def heap(tmp_path: Path) -> Flow:
    return written(tmp_path, HEAP.format(stones=5, most=9))


def proofs(flow: Flow, budget: Budget | None = None) -> dict[str, Proof]:
    setting = Setting(flow.core.seats.roles or ("ana", "ben", "cleo", "dan", "eve", "fay")[:flow.core.seats.number])
    return {proof.name: proof for proof in prove(flow, setting, None, budget)}


@pytest.mark.parametrize("budget", [Budget(20.0), BY_INDUCTION])
def test_an_invariant_is_proved_or_refuted(heap: Flow, budget: Budget) -> None:
    found = {name: proof.outcome for name, proof in proofs(heap, budget).items()}
    assert found == {
        "taken_are_counted": Outcome.PROVED, "few_are_taken": Outcome.REFUTED, "stones_stay": Outcome.PROVED,
    }


def test_what_follows_from_types_is_said_to(heap: Flow) -> None:
    found = proofs(heap, BY_INDUCTION)
    assert found["stones_stay"].how == "by types and conservation"
    assert found["taken_are_counted"].how.startswith("by induction")


@pytest.mark.parametrize("budget", [Budget(20.0), BY_INDUCTION])
def test_a_refutation_is_a_game_that_breaks_the_invariant_at_its_end(heap: Flow, budget: Budget) -> None:
    game = proofs(heap, budget)["few_are_taken"].game
    assert game is not None
    assert len(game.events) == 4
    walker = Walker(heap)
    step = walker.begin(game.setting)
    for event in game.events:
        assert isinstance(step, State)
        assert walker.broken(step) == ()
        assert walker.check(step, event) is None
        step = walker.advance(step, event)
    assert isinstance(step, State)
    assert [b.name for b in walker.broken(step)] == ["few_are_taken"]


def test_a_game_is_called_shortest_only_after_every_position_was_looked_at(heap: Flow) -> None:
    assert proofs(heap)["few_are_taken"].game.shortest  # type: ignore[union-attr]
    assert not proofs(heap, BY_INDUCTION)["few_are_taken"].game.shortest  # type: ignore[union-attr]


def test_few_positions_are_all_looked_at() -> None:
    assert proofs(load_flow("kuhn_poker"))["one_card_each"].how.startswith("all ")


def test_a_large_game_is_proved_on_a_slice() -> None:
    flow = load_flow("go_goal", 2)
    names = ("nothing_is_in_play", "a_card_marks_each_goal")
    from referee.review.claims import claims_of

    claims = [claim for claim in claims_of(flow.core) if claim.name in names]
    found = list(prove(flow, Setting(("ana", "ben")), claims, Budget(40.0, chance=2.0, positions=0.1)))
    assert [(proof.name, proof.outcome) for proof in found] == [(name, Outcome.PROVED) for name in names]
