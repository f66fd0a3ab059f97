"""What hands have hidden is settled once they are gathered in again: what is left of them are points.

Views of a game of several such hands are held against points that are worked out here, for every way to deal.
"""

from __future__ import annotations

import json
from itertools import combinations, product
from random import Random

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import PUBLIC
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.partial.constraints.constraint_search import value
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.derived_search import witness_of
from referee.judge.partial.constraints.derived_tokens import DerivedToken
from referee.judge.partial.constraints.hidden_values import Sum
from referee.judge.partial.constraints.settled_numbers import renamed
from referee.judge.partial.lifted import constraint_tracker
from referee.judge.partial.lifted.constrained_state import ConstrainedState, Follower
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine
from referee.system.deadline import NEVER
from tests.bench.card_views import Lines, judged, view_of
from tests.sample_sizes import FULL, drawn

AIM, RANKS, SUITS = 40, range(1, 4), range(4)
RULES = f"""game "Kitty" for 2 players first and second

kind Card is a pack from ace to 3 in deck

zones
  hand of player: bag of Card, seen by owner, at most 2
  shown: bag of Card, open, at most 1

counters
  points of player: 0..99

play
  repeat until some p in players where points of p >= {AIM}
    for each p in players, as listed
      shuffle deck
      rounds n from 1 to 2: deal 1 from deck to hand of p
      fate draws 1 from deck to shown as cut
      raise points of p by sum of (with_others(it, p)) in hand of p
      move all Card in hand of p to the bottom of deck
      move cut to the bottom of deck

end as soon as some player p where points of p >= {AIM}: p wins

define with_others of Card c and player p = sum of (product(it, c)) in hand of p
define product of Card d and Card c = if d is c then 0 else rank of d * rank of c

score of player p = points of p
"""
PLAYERS = ("first", "second")


def hands(cut: int) -> set[int]:
    """What two cards may bring, if another was turned up."""
    left = [(rank, suit) for rank in RANKS for suit in SUITS if (rank, suit) != (cut, 0)]
    return {2 * one[0] * other[0] for one, other in combinations(left, 2)}


def totals(lines: Lines) -> dict[str, set[int]]:
    """What the points of each may be at the end, if nobody had enough before the last hand."""
    cuts: dict[str, list[int]] = {player: [] for player in PLAYERS}
    owner = ""
    for line in lines:
        if line.get("do") == "deal":
            owner = line["with"]["to"]
        elif line.get("do") == "draw":
            rank = line["with"]["card"].split("-")[0]
            cuts[owner].append(1 if rank == "ace" else int(rank))
    found: dict[str, set[int]] = {}
    for player in PLAYERS:
        may = {0}
        for cut in cuts[player]:
            may = {before + more for before in may if before < AIM for more in hands(cut)}
        found[player] = {one for one in may if (one >= AIM) is (player == owner)}
    return found


@pytest.fixture(scope="module")
def walker(tmp_path_factory: pytest.TempPathFactory) -> Walker:
    path = tmp_path_factory.mktemp("kitty") / "kitty.rules"
    path.write_text(RULES, encoding="utf-8")
    return engine(load_flow(path, 2, {}))


def game(walker: Walker, seed: int) -> Lines:
    played = play_out(walker, Setting(PLAYERS), seed, rule=True)
    return [json.loads(text) for text in Recorder(walker, {}).lines(played.setting, played.events, played.last, ())]


@pytest.mark.parametrize("seed", range(drawn(1, of=8)))
def test_points_are_possible_if_some_hands_bring_them(
        walker: Walker, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraint_tracker, "TIDIED_AFTER", 4)
    view = view_of(game(walker, seed), walker, PUBLIC)
    may, scores = totals(view), view[-1]["end"]["scores"]
    others = range(-8, 9) if FULL else (-2, -1, 4, 8)
    for player, score in product(PLAYERS, others):
        score += scores[player]
        said = judged([*view[:-1], {"end": {**view[-1]["end"], "scores": {**scores, player: score}}}], walker)
        assert said.outcome is (LogOutcome.POSSIBLE if score in may[player] else LogOutcome.ILLEGAL), (player, score)


def test_what_is_put_aside_is_there_in_the_whole(walker: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is told of the world that a position stands for, all conditions hold there, and what follows follows."""
    monkeypatch.setattr(constraint_tracker, "TIDIED_AFTER", 4)
    kept: list[ConstraintStore] = []
    before = ConstraintStore.whole

    def whole(store: ConstraintStore) -> ConstraintStore:
        kept.append(before(store))
        return kept[-1]

    monkeypatch.setattr(ConstraintStore, "whole", whole)
    assert judged(view_of(game(walker, 0), walker, PUBLIC), walker).outcome is LogOutcome.POSSIBLE
    assert kept
    for store in kept:
        assert len(store.domains) > len(store.derived) > 0
        assert all(value(store.witness, total) >= 0 for total in store.conditions.values())
        assert all(one.of(store.witness) == store.witness[token] for token, one in store.derived.items())
        assert all(store.domains[token] >> one & 1 for token, one in store.witness.items())


def test_a_long_log_is_no_slower_by_what_is_over(walker: Walker) -> None:
    """What nothing hangs on any more is not copied at every line: as many tokens are followed as lie hidden."""
    sizes: list[int] = []
    before = Follower.tidied

    def tidied(self: Follower, way: ConstrainedState) -> ConstrainedState:
        after = before(self, way)
        sizes.append(len(after.store.conditions))
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constraint_tracker, "TIDIED_AFTER", 6)
        patch.setattr(Follower, "tidied", tidied)
        judged(view_of(game(walker, 1), walker, PUBLIC), walker)
    assert len(sizes) > 3
    assert max(sizes) <= 40


def test_what_is_alike_in_a_number_need_not_be_so_elsewhere() -> None:
    """The greater of two tokens is the same whichever it is; but one of them may be what the other cannot be."""
    number = DerivedToken((1, 2), max, alike=True)
    domains = {1: 0b110000, 2: 0b001100, 3: 0b111111}
    assert number.listed(domains, 400)
    derived = {3: number}
    wanted = [Sum(-1, {3: {5: 1}})]
    found = witness_of(domains, wanted, {1: 4, 2: 2, 3: 4}, NEVER, wanted, derived)
    assert found is not None
    assert (found[1], found[3]) == (5, 5)


@pytest.mark.parametrize("seed", range(20))
def test_classes_are_exchanged_so_that_tokens_are_of_given_ones(seed: int) -> None:
    random = Random(seed)
    witness = dict(enumerate(random.sample(range(9), 9)))
    base = tuple(random.sample(range(9), 4))
    classes = tuple(random.sample(range(9), 4))
    after = renamed(witness, base, classes)
    assert tuple(after[token] for token in base) == classes
    assert sorted(after.values()) == sorted(witness.values())
