"""Lemmas of slices: clauses, sides, what positions agree with them, and guesses that exclude a position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.proofs.lemmas.lemma import Clause, Literal, lemma, lemmas_of
from referee.proofs.lemmas.lemma_candidates import Guess, Guesser
from referee.proofs.lemmas.lemma_templates import Feature, alike, difference, features_of, picked, together
from referee.proofs.lemmas.position_samples import Samples
from referee.proofs.proof_claims import claims_of
from referee.proofs.slice_visits import END, Seen
from referee.proofs.slice_vocabulary import slice_for
from referee.smt.abstraction import slices
from referee.smt.abstraction.slices import Sliced

RULES = """game "Two heaps" for 2 players first and second

kind Stone

components
  6 Stone in heap

zones
  heap: bag of Stone, open
  kept_by of player: bag of Stone, open

counters
  taken of player: 0..6
  last: player

play
  turns from first, to the left
    turn player must take

action take
  move Stone from heap to kept_by of me
  raise taken of me by 1
  set last to me
  if heap is empty: me wins

always counted: every player p: taken of p = number of kept_by of p
"""
ROOT = Path(__file__).parent.parent.parent
PLAYERS = Setting(("first", "second"))


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path = tmp_path_factory.mktemp("heaps") / "heaps.rules"
    path.write_text(RULES, encoding="utf-8")
    return load_flow(path)


@pytest.fixture(scope="module")
def stores(flow: Flow) -> list[Sliced]:
    walker = Walker(flow)
    slice_ = slice_for(flow, walker.layout, claims_of(flow.core)[0], 3)
    seen = Seen(walker, PLAYERS, 40)
    seen.play(0.2)
    assert END in seen.states
    return [slices.of_state(slice_, state) for some in seen.states.values() for state in some]


@pytest.fixture(scope="module")
def features(flow: Flow, stores: list[Sliced]) -> list[Feature]:
    return list(features_of(stores[0].slice, claims_of(flow.core)[0]))


def named(features: Sequence[Feature], name: str) -> Feature:
    return next(one for one in features if one.name == name)


def test_features_are_numbers_of_positions(features: list[Feature], stores: list[Sliced]) -> None:
    heap, mine, other = (named(features, name) for name in ("heap all", "kept_by[0] all", "kept_by[1] all"))
    assert {together(heap, mine, other).at(store) for store in stores} == {6}
    assert {difference(mine, named(features, "taken[0]")).at(store) for store in stores} <= {-1, 0, 1}
    assert {alike(named(features, "last"), named(features, "last")).at(store) for store in stores} == {1}


def test_a_feature_is_the_same_put_together_or_read(features: list[Feature], stores: list[Sliced]) -> None:
    members = {one.player: one for one in features if one.family == "taken[]"}
    assert set(members) == {0, 1}
    for made in (picked(named(features, "last"), members), difference(members[0], members[1])):
        samples = Samples(stores)
        assert samples.of(made) == [made.at(store) for store in samples.stores]
        assert [made.at(store) for store in stores] == [made.read(store) for store in stores]


def test_literals_hold_of_what_they_say(features: list[Feature]) -> None:
    heap = named(features, "heap all")
    assert [Literal(heap, 2, 4).of(v) for v in (1, 2, 4, 5, None)] == [False, True, True, False, True]
    assert [Literal(heap, among=frozenset({1, 5})).of(v) for v in (1, 2, 5)] == [True, False, True]
    assert Literal(heap, 2, 2).name == "heap all = 2"
    assert Literal(heap, hi=3).name == "heap all <= 3"


@given(st.integers(0, 6), st.integers(0, 6))
def test_a_clause_of_features_is_the_clause_of_slices(
    features: list[Feature], stores: list[Sliced], low: int, high: int
) -> None:
    clause = Clause((Literal(named(features, "heap all"), lo=low),), Literal(named(features, "taken[0]"), hi=high))
    samples = Samples(stores)
    outside = samples.outside([clause.side()])
    assert outside == [i for i, store in enumerate(samples.stores) if clause.holds(store) is False]
    assert samples.violates(lemma([clause.side()])) == bool(outside)


def test_samples_know_positions_that_come_later(features: list[Feature], stores: list[Sliced]) -> None:
    samples = Samples(stores[:1])
    heap = named(features, "heap all")
    first = list(samples.of(heap))
    samples.add(stores[-1])
    assert samples.of(heap) == [*first, heap.at(stores[-1])]


def test_a_part_of_a_claim_is_a_lemma_with_its_sides(flow: Flow, stores: list[Sliced]) -> None:
    claim = claims_of(flow.core)[0]
    parts = lemmas_of(claim)
    assert [part.name for part in parts] == ["counted p=0 part 1", "counted p=1 part 2"]
    assert parts[0].reads == {"taken", "kept_by"}
    assert parts[0].claim == "counted"


@pytest.mark.parametrize("where", sorted(p.name for p in (ROOT / "rulesets").iterdir() if (p / "README.md").exists()))
def test_each_part_of_a_claim_has_a_name_of_its_own(where: str) -> None:
    """Lemmas are told apart by their names: two parts of one name would be shown as one."""
    for claim in claims_of(load_flow(ROOT / "rulesets" / where).core):
        names = [part.name for part in lemmas_of(claim)]
        assert len(set(names)) == len(names) == len(claim.instances), claim.name
        sides = [side.name for part in lemmas_of(claim) for side in part.sides]
        assert len(set(sides)) == len(sides), claim.name


def test_guesses_exclude_a_position_and_agree_with_those_that_were_seen(
    flow: Flow, features: list[Feature], stores: list[Sliced]
) -> None:
    asked = [store for store in stores if named(features, "heap all").at(store) == 3]
    others = Samples([store for store in stores if store not in asked])
    guesses = [one for one in Guesser(features).excluding(asked[0], features, others, range(len(others.stores)))
               if isinstance(one, Guess)]
    assert guesses
    for guess in guesses:
        assert guess.clause.holds(asked[0]) is False, guess.clause.name
        assert not others.outside([guess.clause.side()]), guess.clause.name


def test_where_nothing_was_seen_it_is_guessed_that_nothing_leads_there(
    features: list[Feature], stores: list[Sliced]
) -> None:
    found = [one for one in Guesser(features).excluding(stores[0], features, Samples([]), []) if one is not None]
    assert found[-1].clause.name == "never"


def test_every_feature_says_what_it_reads(flow: Flow, features: list[Feature], stores: list[Sliced]) -> None:
    """Other values of what a feature does not read leave it as it is: no step that writes these need be asked."""
    layout = stores[0].slice.layout
    spans = {name: range(spread.base, spread.base + spread.count) for name, spread in layout.vars.items()}
    zones = {name: range(spread.base, spread.base + spread.count) for name, spread in layout.zones.items()}
    for one, other in pairwise(stores):
        for feature in features:
            mixed = one.copy()
            for name, span in spans.items():
                for index in span if name not in feature.reads else ():
                    mixed.entries[index] = other.entries[index]
            for name, span in zones.items():
                for index in span if name not in feature.reads else ():
                    mixed.tallies[index] = other.tallies[index]
            assert feature.at(mixed) == feature.at(one), feature.name
