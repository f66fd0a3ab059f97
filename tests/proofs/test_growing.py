"""Slices that grow by what steps read that kept nothing; what was shown for one claim is known for others."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.proofs.induction import Induction
from referee.proofs.induction_rounds import FOLLOWS, GROWN, ClaimAttempt, Rounds
from referee.proofs.lemmas.lemma import Clause, Lemma, Literal, lemma, lemmas_of, portable
from referee.proofs.lemmas.lemma_templates import Feature, features_of, together
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import NotShown, ShortOf
from referee.proofs.slice_visits import Seen, any_setting
from referee.proofs.slice_vocabulary import LEVELS, slice_for
from referee.proofs.sliced_steps import Steps
from referee.proofs.step_questions import AskedStep
from referee.smt import term
from referee.smt.abstraction.slices import SPOTS, of_state
from referee.smt.solver import Answer
from referee.system.deadline import NEVER

RULES = """game "Shields" for 2 players first and second

kind Stone is RED, BLUE

components
  20 of each Stone in heap

zones
  heap: bag of Stone, open
  row: line of Stone, open, at most 4, at every moment

counters
  hits of player: 0..3
  shield of player: yes or no
  weather of player: 0..3

parameter low: 1..20 default 2
parameter high: 1..20 default 9, such that low < high

setup
  for each p in players: set shield of p to yes
  move RED from heap to row
  move BLUE from heap to row

play
  turns from first, to the left
    turn player must take one of hit, wait, rest

action hit(q: another player)
  needs "a shield": shield of q
  raise hits of q by 1
  set shield of q to no

action wait
  if row at 1 is RED: move row at 2 to heap
  else: move RED from heap to row
  move BLUE from heap to row

action rest
  set weather of me to 3 - weather of me

always hit_once: every player p: hits of p <= 1
always no_more_red: number of RED in row <= 1
always in_this_order: low < high
"""
PLAYERS = Setting(("first", "second"))


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path = tmp_path_factory.mktemp("shields") / "shields.rules"
    path.write_text(RULES, encoding="utf-8")
    return load_flow(path)


@pytest.fixture(scope="module")
def seen(flow: Flow) -> Seen:
    found = Seen(Walker(flow), PLAYERS, 60)
    found.play(1.0)
    return found


def claim(flow: Flow, name: str) -> Claim:
    return next(one for one in claims_of(flow.core) if one.name == name)


def tried(flow: Flow, seen: Seen, name: str, more: frozenset[str] = frozenset()) -> Induction:
    asked = claim(flow, name)
    steps = Steps(flow, slice_for(flow, Walker(flow).layout, asked, min(LEVELS), more), PLAYERS)
    return Induction(flow, steps, asked, NEVER, seen.states, [])


def test_what_a_step_read_that_kept_nothing_is_missed(flow: Flow, seen: Seen) -> None:
    made = tried(flow, seen, "hit_once")
    assert not made.run()
    assert made.steps.slice.lacks(made.missed) == {"shield"}


def test_with_what_was_missed_it_is_proved_without_the_rest(flow: Flow, seen: Seen) -> None:
    made = tried(flow, seen, "hit_once", frozenset({"shield"}))
    assert made.run()
    assert made.steps.slice.lacks(["weather", "shield", "hits"]) == {"weather"}


def test_spots_are_missed_when_nothing_else_is(flow: Flow, seen: Seen) -> None:
    made = tried(flow, seen, "no_more_red")
    assert not made.run()
    missed = made.steps.slice.lacks(made.missed)
    assert missed == {f"row{SPOTS}"}
    assert tried(flow, seen, "no_more_red", missed).steps.slice.placed == {"row"}


def test_what_is_missed_is_tried_as_if_new(flow: Flow) -> None:
    one = ClaimAttempt(claim(flow, "hit_once"))
    assert GROWN not in one.sizes
    one.misses(frozenset({"shield"}))
    assert one.sizes[0] == GROWN
    one.why[GROWN], one.failed[GROWN], one.wrong[GROWN] = NotShown(ShortOf.LEMMAS, "not kept by hit"), 5, 7
    one.misses(frozenset({"shield"}))
    assert GROWN not in one.sizes
    one.misses(frozenset({"weather"}))
    assert GROWN in one.sizes
    assert one.missed == {"shield", "weather"}


def values(walker: Walker, setting: Setting, seed: int) -> tuple[object, object]:
    """The values of both parameters in a game."""
    begun = walker.begin(any_setting(walker, setting, Random(seed)))
    assert isinstance(begun, State)
    low, high = (walker.layout.vars[name].base for name in ("low", "high"))
    return begun.slots[low], begun.slots[high]


def test_games_are_played_with_any_parameters_that_are_related_as_the_rules_say(flow: Flow) -> None:
    pairs = {values(Walker(flow), PLAYERS, seed) for seed in range(60)}
    assert len(pairs) > 10
    assert all(isinstance(low, int) and isinstance(high, int) and low < high for low, high in pairs)


def test_what_is_stated_of_parameters_is_not_drawn(flow: Flow) -> None:
    stated = Setting(PLAYERS.players, parameters={"low": {(): 7}})
    assert {values(Walker(flow), stated, seed)[0] for seed in range(20)} == {7}


def test_how_parameters_are_related_is_known_of_every_position(flow: Flow, seen: Seen) -> None:
    assert tried(flow, seen, "in_this_order").by_type()


# ---------------------------------------------------------------------- what was shown for other claims
def test_what_was_shown_holds_of_every_position_on_any_slice(flow: Flow, seen: Seen) -> None:
    made = tried(flow, seen, "hit_once", frozenset({"shield"}))
    assert made.run()
    wide = slice_for(flow, Walker(flow).layout, claim(flow, "no_more_red"), max(LEVELS))
    number = 0
    for place, lemmas in made.facts.items():
        for state in seen.states.get(place, ()):
            store = of_state(wide, state)
            assert all(one.holds(store) is True for one in lemmas), (place, [one.name for one in lemmas])
            number += len(lemmas)
    assert number > 100


def test_what_is_counted_by_groups_is_not_said_of_other_slices(flow: Flow) -> None:
    slice_ = slice_for(flow, Walker(flow).layout, claim(flow, "no_more_red"), max(LEVELS))
    features = {one.name: one for one in features_of(slice_)}
    counts, all_, hits = (features[name] for name in ("row counts RED", "row all", "hits[0]"))

    def said(*some: Feature) -> Lemma:
        return lemma([Clause((), Literal(one, hi=1)).side() for one in some])

    assert [portable(said(one)) for one in (counts, all_, hits)] == [False, True, True]
    assert not portable(said(hits, counts))
    assert not portable(said(together(all_, counts)))
    assert portable(said(together(all_, hits)))


def test_steps_start_from_positions_of_which_what_was_shown_holds(flow: Flow, seen: Seen) -> None:
    made = tried(flow, seen, "hit_once", frozenset({"shield"}))
    assert made.run()
    layout = Walker(flow).layout
    for name, more, knows in (("hit_once", frozenset({"shield"}), True), ("no_more_red", frozenset[str](), False)):
        steps = Steps(flow, slice_for(flow, layout, claim(flow, name), 1, more), PLAYERS, None, made.facts)
        hit = next(AskedStep(kind, steps) for kind in steps.kinds() if kind.text.startswith("hit"))
        _, _, solver = hit.made
        assert hit.kind.start is not None
        assert any(one.claim == "hit_once" for one in made.facts[hit.kind.start])
        if knows:
            solver.add(term.disj(term.no(part.holds(steps.before)) for part in lemmas_of(claim(flow, name))))
        assert solver.ask() is (Answer.NO if knows else Answer.YES)


LAID = """game "Laid" for 2 players first and second

kind Stone is RED, BLUE

components
  9 of each Stone in heap

zones
  heap: bag of Stone, open
  hand_stone: bag of Stone, open
  away: bag of Stone, open

play
  turns from first, to the left, until number of heap <= 2
    turn player must take one of lay, wait
  nobody wins

action lay(stone: Stone in heap)
  move stone to hand_stone
  turn player may wait
  move all hand_stone to away

action wait
  nothing

always nothing_is_held: hand_stone is empty
always none_is_lost: number of heap + number of away = 18
always red_is_not_lost: number of RED in heap + number of RED in away = 9
"""


def test_a_claim_that_follows_from_others_by_conservation_needs_no_lemma(tmp_path: Path) -> None:
    path = tmp_path / "laid.rules"
    path.write_text(LAID, encoding="utf-8")
    laid = load_flow(path)
    made = Rounds(laid, PLAYERS, claims_of(laid.core), 30.0, lambda _: None, lambda _: None)
    found = {proof.name: proof for proof in made.run()}
    assert found["nothing_is_held"].how.startswith("by induction, with")
    for name in ("none_is_lost", "red_is_not_lost"):
        assert (found[name].how, found[name].lemmas) == (FOLLOWS, ())
