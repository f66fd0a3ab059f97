"""Invariants and limits: proved over all games, refuted by a game up to the break, or neither."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.core.flow import Flow
from referee.diagnostics.exit_codes import Exit
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.proofs.proof_claims import claims_of
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from referee.proofs.prover import ProofBudget, prove
from tests.changed_text import changed
from tests.heap import HEAP as TAKEN

ROOT = Path(__file__).parents[2]
HEAP = TAKEN + "always stones_stay: number of heap <= {stones}\n"
BY_INDUCTION = ProofBudget(20.0, chance=0.5, positions=0.0)
"""Without looking at every position."""
GONE = """game "Gone" for 2 players first and second

kind Stone is RED, BLUE, GREEN

components
  1 RED in heap
  1 BLUE in heap
  1 GREEN in heap

zones
  heap: bag of Stone, open
  gone: bag of Stone, open

counters
  seen: yes or no

play
  turns from first, to the left
    turn player must take one of give, rest

action give(stone: Stone in heap)
  needs "not red": not stone is RED
  move stone from heap to gone
  set seen to yes

action rest
  nothing

always asked: {claim}
"""
"""Where RED never goes."""


def written(tmp_path: Path, text: str) -> Flow:
    path = tmp_path / "heap.rules"
    path.write_text(text, encoding="utf-8")
    return load_flow(path)


@pytest.fixture
def heap(tmp_path: Path) -> Flow:
    return written(tmp_path, HEAP.format(stones=5, most=9))


def proofs(flow: Flow, budget: ProofBudget | None = None) -> dict[str, Proof]:
    setting = Setting(flow.core.seats.roles or ("ana", "ben", "cleo", "dan", "eve", "fay")[:flow.core.seats.number])
    return {proof.name: proof for proof in prove(flow, setting, None, budget)}


@pytest.mark.parametrize("budget", [ProofBudget(20.0), BY_INDUCTION])
def test_an_invariant_is_proved_or_refuted(heap: Flow, budget: ProofBudget) -> None:
    found = {name: proof.outcome for name, proof in proofs(heap, budget).items()}
    assert found == {
        "taken_are_counted": ProofOutcome.PROVED,
        "few_are_taken": ProofOutcome.REFUTED,
        "stones_stay": ProofOutcome.PROVED,
    }


def test_what_follows_from_types_is_said_to(heap: Flow) -> None:
    found = proofs(heap, BY_INDUCTION)
    assert found["stones_stay"].how == "by types and conservation"
    assert found["taken_are_counted"].how.startswith("by induction")


@pytest.mark.parametrize("budget", [ProofBudget(20.0), BY_INDUCTION])
def test_a_refutation_is_a_game_that_breaks_the_invariant_at_its_end(heap: Flow, budget: ProofBudget) -> None:
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
    assert proofs(load_flow("kuhn_poker"))["one_card_each"].how.startswith("every one of ")


def test_a_large_game_is_proved_on_a_slice() -> None:
    flow = load_flow("go_goal", 2)
    names = ("a_card_marks_each_goal",)
    claims = [claim for claim in claims_of(flow.core) if claim.name in names]
    found = list(prove(flow, Setting(("ana", "ben")), claims, ProofBudget(40.0, chance=1.0, positions=0.1)))
    assert [(proof.name, proof.outcome) for proof in found] == [(name, ProofOutcome.PROVED) for name in names]


INSIDE = """game "Inside" for 2 players first and second

kind Stone

components
  5 Stone in heap

zones
  heap: bag of Stone, open
  taken_by of player: bag of Stone, open

counters
  taken: 0..9
  free: yes or no

play
  turns from first, to the left
    turn player must take one of take, wait

action take
  needs "there is one": heap has at least 1
  raise taken by 1
  move Stone from heap to taken_by of me
  if heap is empty: me wins

action wait
  nothing

always counted: taken + number of heap = 5
always counted_inside, at every moment: taken + number of heap = 5
always not_over, at every moment: taken + number of heap <= 6
"""


@pytest.mark.parametrize("budget", [ProofBudget(20.0), BY_INDUCTION])
def test_what_holds_inside_actions_is_asked_after_every_statement(tmp_path: Path, budget: ProofBudget) -> None:
    found = proofs(written(tmp_path, INSIDE), budget)
    assert found["counted_inside"].outcome is ProofOutcome.REFUTED
    assert found["not_over"].outcome is ProofOutcome.PROVED
    assert found["counted_inside"].game is not None
    assert [event.label for event in found["counted_inside"].game.events] == ["take"]


@pytest.mark.parametrize("budget", [ProofBudget(20.0), BY_INDUCTION])
def test_what_is_expected_to_be_refuted_is_as_declared_when_it_is(tmp_path: Path, budget: ProofBudget) -> None:
    text = changed(HEAP.format(stones=5, most=9), {"always few_are_taken:": "always few_are_taken, expected refuted:"})
    flow = written(tmp_path, changed(text, {"stones_stay:": "stones_stay, expected refuted:"}))
    found = proofs(flow, budget)
    assert (found["few_are_taken"].outcome, found["few_are_taken"].exit) == (ProofOutcome.REFUTED, Exit.GOOD)
    assert (found["stones_stay"].outcome, found["stones_stay"].exit) == (ProofOutcome.PROVED, Exit.NEGATIVE)
    assert found["taken_are_counted"].exit is Exit.GOOD


def test_what_is_expected_to_be_refuted_is_not_asked_of_games(tmp_path: Path) -> None:
    text = changed(HEAP.format(stones=5, most=9), {"always few_are_taken:": "always few_are_taken, expected refuted:"})
    walker = Walker(written(tmp_path, text))
    step = walker.begin(Setting(("first", "second")))
    for _ in range(4):
        assert isinstance(step, State)
        step = walker.advance(step, next(iter(walker.legal(step))))
    assert isinstance(step, State)
    assert walker.broken(step) == ()


def test_a_broken_copy_of_a_large_game_is_refuted_by_a_game(tmp_path: Path) -> None:
    copy = tmp_path / "go_goal"
    shutil.copytree(ROOT / "rulesets" / "go_goal", copy, ignore=shutil.ignore_patterns("scenarios.rules", "logs"))
    cards = copy / "cards.rules"
    text = cards.read_text(encoding="utf-8")
    assert text.count("if number of team of me > 5:") == 1
    cards.write_text(changed(text, {"number of team of me > 5": "number of team of me > 6"}), encoding="utf-8")
    flow = load_flow(copy, 2)
    claims = [claim for claim in claims_of(flow.core) if claim.name == "limit of team"]
    (found,) = prove(flow, Setting(("ana", "ben")), claims, ProofBudget(10.0, chance=2.0, positions=0.0))
    assert (found.outcome, found.exit) == (ProofOutcome.REFUTED, Exit.NEGATIVE)
    assert found.game is not None
    walker = Walker(flow)
    step = walker.begin(found.game.setting)
    for event in found.game.events:
        assert isinstance(step, State)
        assert walker.broken(step) == ()
        assert walker.check(step, event) is None
        step = walker.advance(step, event)
    assert isinstance(step, State)
    assert "limit of team" in [b.name for b in walker.broken(step)]


@pytest.mark.parametrize(("claim", "outcome"), [
    ("not RED is in gone", ProofOutcome.PROVED),
    ("not GREEN is in gone", ProofOutcome.REFUTED),
])
def test_whether_one_of_a_kind_lies_in_a_zone_is_known_if_it_is_asked_for(
    tmp_path: Path, claim: str, outcome: ProofOutcome
) -> None:
    flow = written(tmp_path, GONE.format(claim=claim))
    assert proofs(flow, BY_INDUCTION)["asked"].outcome is outcome


HILL = """game "Hill" for 2 players first and second

kind Flag of player

components
  1 Flag of each player in beside of owner

zones
  hill: bag of Flag, open
  beside of player: bag of Flag, open

counters
  holder: player or none

play
  turns from first, to the left
    turn player must take one of climb, rest

action climb
  needs "somebody else holds it": me is not holder
  if holder is not none: move Flag of holder from hill to beside of holder
  move Flag of me from beside of me to hill
  set holder to me

action rest
  nothing

always his_flag_is_there: (holder is none and hill is empty) or
  (holder is not none and hill has 1 and hill has only Flag of holder)
"""


def test_where_one_class_is_asked_for_that_a_position_names_each_is_told_from_the_others(tmp_path: Path) -> None:
    assert proofs(written(tmp_path, HILL), BY_INDUCTION)["his_flag_is_there"].outcome is ProofOutcome.PROVED
