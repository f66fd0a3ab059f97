"""What lemmas may speak of because rules do: what is looked up by variables, how many rounds of a loop are left."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.core.flow import Flow, Fork
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.proofs.induction_rounds import Rounds
from referee.proofs.lemmas.lemma_templates import Feature, features_of
from referee.proofs.proof_claims import claims_of
from referee.proofs.proof_outcomes import ProofOutcome
from referee.proofs.slice_visits import Seen
from referee.proofs.slice_vocabulary import slice_for
from referee.smt.abstraction import slices
from referee.smt.abstraction.slices import Slice

RULES = """game "Stalls" for 2 players first and second

kind Fruit is APPLE, PEAR

kind Card

components
  5 of each Fruit in orchard
  9 Card in deck

zones
  orchard: bag of Fruit, open
  deck: pile of Card, face down
  gone: bag of Card, open
  stall of Fruit: bag of Card, open, at most 3

map yard: columns a..c, rows 1..2
  room all: a1 b1 c1 a2 b2 c2

counters
  square of player: yard or none starts none
  heading: Direction or none
  days: 0..9

setup
  set square of first to a1
  set square of second to c2
  carry out fill

play
  turns from first, to the left
    turn player must take one of walk, buy
    if days = 9: first wins

action walk(way: Direction)
  needs "there is a square": step(square of me, way) is not none
  set heading to way
  carry out fill
  set square of me to step(square of me, heading)
  set heading to none
  raise days by 1

action buy(fruit: Fruit)
  needs "something is there": not stall of fruit is empty
  let one = the c in Card where c is in stall of fruit
  move one from stall of fruit to gone
  carry out fill
  raise days by 1

procedure fill
  for each fruit in Fruit, as listed
    for each n in 1..3 - number of stall of fruit
      if not deck is empty: deal 1 from deck to stall of fruit

always somewhere: every player p: square of p is not none
"""
PLAYERS = Setting(("first", "second"))


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path = tmp_path_factory.mktemp("stalls") / "stalls.rules"
    path.write_text(RULES, encoding="utf-8")
    return load_flow(path)


@pytest.fixture(scope="module")
def seen(flow: Flow) -> Sequence[State]:
    games = Seen(Walker(flow), PLAYERS, 40)
    games.play(0.5)
    return [state for some in games.states.values() for state in some]


def whole(flow: Flow) -> Slice:
    return slice_for(flow, Walker(flow).layout, claims_of(flow.core)[0], 3)


def named(flow: Flow, part: str) -> Feature:
    return next(one for one in features_of(whole(flow)) if part in one.name)


def test_how_many_rounds_are_left_is_compared_with_what_they_were_counted_by(flow: Flow, seen: Sequence[State]) -> None:
    left = named(flow, "number of stall")
    slice_ = whole(flow)
    loop = next(at for at, node in enumerate(flow.nodes) if isinstance(node, Fork) and "n rest" in repr(node.cond))
    there = {left.at(slices.of_state(slice_, state)) for state in seen if state.at == loop}
    assert max(one for one in there if one is not None) == 0  # less, once there is no card left to be dealt


def test_what_is_looked_up_by_variables_is_there_or_not(flow: Flow, seen: Sequence[State]) -> None:
    found = named(flow, "step on yard[square[walk.me], heading] is some")
    values = {found.at(slices.of_state(whole(flow), state)) for state in seen}
    assert values <= {0, 1}
    assert 1 in values


def test_a_loop_that_fills_something_up_keeps_its_limit(flow: Flow) -> None:
    claims = [one for one in claims_of(flow.core) if one.name == "limit of stall"]
    proofs = list(Rounds(flow, PLAYERS, claims, 60.0, lambda _: None, lambda _: None).run())
    assert [one.outcome for one in proofs] == [ProofOutcome.PROVED]
