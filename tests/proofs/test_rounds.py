"""Rounds of proofs: which size of slices is tried next, what is left open, and which components are looked at."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.proofs.induction_rounds import TIMES, ClaimAttempt, Rounds
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import LATE, TOO_HARD, NotShown, ProofOutcome, ShortOf
from referee.proofs.slice_visits import Seen
from referee.proofs.slice_vocabulary import LEVELS, slice_for
from referee.proofs.visited_slices import Visited
from referee.system.deadline import NEVER
from tests.heap import HEAP

ROOT = Path(__file__).parents[2]
PLAYERS = Setting(("first", "second"))


@pytest.fixture(scope="module")
def heap(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path = tmp_path_factory.mktemp("heap") / "heap.rules"
    path.write_text(HEAP.format(stones=200, most=300), encoding="utf-8")
    return load_flow(path)


@pytest.fixture
def tried(heap: Flow) -> ClaimAttempt:
    return ClaimAttempt(claims_of(heap.core)[0])


def rounds(flow: Flow, claims: list[Claim], seconds: float = 20.0) -> Rounds:
    return Rounds(flow, PLAYERS, claims, seconds, lambda _: None, lambda _: None)


def test_at_first_narrow_slices_are_tried_first(tried: ClaimAttempt) -> None:
    assert tried.sizes == list(LEVELS)


def test_then_the_size_at_which_the_fewest_lemmas_were_wrong(tried: ClaimAttempt) -> None:
    tried.wrong.update({1: 200, 2: 3, 3: 3})
    assert tried.sizes == [2, 3, 1]


def test_a_size_that_did_not_keep_it_often_is_not_tried_again(tried: ClaimAttempt) -> None:
    tried.failed[1] = TIMES
    assert tried.sizes == [2, 3]


def test_it_is_a_candidate_only_if_no_size_keeps_it(tried: ClaimAttempt) -> None:
    not_kept = NotShown(ShortOf.LEMMAS, "not kept by going on at 3")
    tried.why.update({1: not_kept, 2: not_kept, 3: LATE})
    assert (tried.open.outcome, tried.open.how) == (ProofOutcome.UNKNOWN, TOO_HARD)
    tried.why[3] = NotShown(ShortOf.LEMMAS, "not kept by take at play.take")
    assert (tried.open.outcome, tried.open.how) == (ProofOutcome.CANDIDATE, "not kept by take at play.take")


def test_what_was_never_tried_is_too_hard_in_the_time(tried: ClaimAttempt) -> None:
    assert (tried.open.outcome, tried.open.how) == (ProofOutcome.UNKNOWN, TOO_HARD)


def test_what_is_proved_is_no_longer_open(heap: Flow) -> None:
    made = rounds(heap, claims_of(heap.core)[:1])
    assert [(proof.name, proof.outcome) for proof in made.run()] == [("taken_are_counted", ProofOutcome.PROVED)]
    assert made.open == {}


def test_what_does_not_hold_stays_open_without_using_up_the_time(heap: Flow) -> None:
    (few,) = (claim for claim in claims_of(heap.core) if claim.name == "few_are_taken")
    made = rounds(heap, [few], 40.0)
    assert list(made.run()) == []
    assert made.open["few_are_taken"].open.outcome is ProofOutcome.CANDIDATE


def test_without_time_nothing_is_tried(heap: Flow) -> None:
    made = rounds(heap, claims_of(heap.core), 0.0)
    assert list(made.run()) == []
    assert {one.open.how for one in made.open.values()} == {TOO_HARD}


def test_rare_components_are_looked_at_as_often_as_others() -> None:
    flow = load_flow(ROOT / "rulesets" / "adrenalyn_xl", 2)
    walker = Walker(flow)
    (claim,) = (one for one in claims_of(flow.core) if one.name == "goalkeepers_recover")
    slice_ = slice_for(flow, walker.layout, claim, max(LEVELS))
    seen = Seen(walker, replace(PLAYERS, players=flow.core.seats.roles or PLAYERS.players), 60)
    seen.play(1.0)
    place, states = max(seen.states.items(), key=lambda item: len(item[1]))
    cards = [c for c, one in enumerate(flow.core.components) if one.kind == "Card"]
    looked_at = Visited(slice_, {}, {place: states}, cards, NEVER)[place]
    groups = Counter(slice_.groups.of(store.slice.groups.focus) for store in looked_at.stores)  # type: ignore[arg-type]
    expected = {slice_.groups.of(c) for c in cards}
    assert set(groups) == expected
    assert min(groups.values()) > len(states) / len(expected), groups
