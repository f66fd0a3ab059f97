"""Lemmas pulled back through a step: where they hold before it, what they were pulled from holds after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.proofs.induction_rounds import Rounds
from referee.proofs.lemmas.lemma import Lemma, lemmas_of
from referee.proofs.lemmas.precondition_lemmas import MOST_STEPS, pulled_back
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import ProofOutcome
from referee.proofs.slice_vocabulary import slice_for
from referee.proofs.sliced_steps import Steps
from referee.proofs.step_questions import AskedStep, said
from referee.smt import term
from referee.smt.abstraction import slices
from referee.smt.abstraction.known_slices import part_of
from referee.smt.abstraction.relevance import TermUnknowns
from referee.smt.abstraction.slices import Sliced
from referee.smt.abstraction.weakest_precondition import PositionBefore
from tests.heap import HEAP
from tests.proofs.drawn_spots import PLAYERS, rules
from tests.proofs.test_slices import steps_of_games
from tests.sample_sizes import FULL, drawn

ROOT = Path(__file__).parent.parent.parent
SETTING = Setting(PLAYERS)
EVENTS = 25
MARKET = """game "Market" for 2 players first and second

kind Card is RED, BLUE

components
  8 RED in deck
  8 BLUE in deck

zones
  deck: pile of Card, face down
  row: line of Card, open, at most 3
  hand of player: bag of Card, open, at most 2
  gone: bag of Card, open

setup
  shuffle deck
  for each n in 1..3: deal 1 from deck to row

play
  turns from first, to the left, until deck is empty
    turn player must take one of take, drop

action take(place: 1..3 where it <= number of row)
  needs "there is room": number of hand of me < 2, when row at place is RED
  let card = row at place
  if card is RED: move row at place to hand of me
  else: move row at place to gone
  deal 1 from deck to row at 1

action drop(card: Card in hand of me)
  move card to gone
"""


class Pulling:
    """The parts of a claim, pulled back through the kinds of steps of a flow on a slice."""

    def __init__(self, flow: Flow, claim: Claim, level: int) -> None:
        self.slice = slice_for(flow, Walker(flow).layout, claim, level)
        kinds = [one.kind for one in claim.instances if one.kind is not None]
        self.classes = sorted({c for kind in kinds for c in range(kind.lo, kind.hi + 1)})
        steps, unknowns = Steps(flow, self.slice, SETTING), TermUnknowns()
        self.before = PositionBefore(steps.before, unknowns)
        self._kinds = [AskedStep(kind, steps) for kind in steps.kinds()]
        self._parts = lemmas_of(claim)
        self._made: dict[tuple[int, int], list[tuple[Lemma, Lemma | None]]] = {}

    def leading(self, start: int, end: int) -> list[tuple[Lemma, Lemma | None]]:
        """The parts with what they are before the only kind of step from one place to another; none if several do."""
        if (start, end) not in self._made:
            kinds = [one for one in self._kinds if one.kind.start == start and end in one.kind.targets]
            self._made[start, end] = list(self._pulled(kinds[0], end)) if len(kinds) == 1 else []
        return self._made[start, end]

    def _pulled(self, asked: AskedStep, place: int) -> Iterator[tuple[Lemma, Lemma | None]]:
        step, _, _ = asked.made
        for part in self._parts:
            cond, true = said(part, step.after)
            bad = term.conj((step.possible, *step.true, asked.reached(place), term.no(cond), *true))
            yield part, pulled_back(part, f"{asked.kind.start} to {place}", bad, self.before)

    def sliced(self, random: Random, *states: State) -> list[Sliced]:
        focus = self.slice.groups.focus
        slice_ = self.slice if focus is None else self.slice.at(random.choice(self.classes))
        return [slices.of_state(slice_, state) for state in states]


def pulled_in_games(flow: Flow, claims: list[Claim], levels: tuple[int, ...], seeds: range) -> tuple[int, int]:
    """How often a lemma that was pulled back held before a step, and how often it did not."""
    made, random = [Pulling(flow, claim, level) for claim in claims for level in levels], Random(1)
    held = not_held = 0
    for start, end in steps_of_games(flow, seeds, EVENTS):
        for one in made:
            for part, exact in one.leading(start.at, end.at):
                if exact is None:
                    continue
                first, last = one.sliced(random, start, end)
                before = exact.holds(first)
                assert isinstance(before, bool)
                if before:
                    assert part.holds(last) is True, (start.at, end.at, exact.name)
                held, not_held = held + before, not_held + (not before)
    return held, not_held


@settings(max_examples=drawn(3, of=12), deadline=None, suppress_health_check=list(HealthCheck))
@given(rules(), st.integers(0, 1_000))
def test_what_holds_before_a_step_keeps_it_from_breaking_the_claim(text: str, seed: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "spots.rules"
        path.write_text(text, encoding="utf-8")
        flow = load_flow(path)
    pulled_in_games(flow, claims_of(flow.core), (1, 3), range(seed, seed + 3))


@pytest.mark.parametrize(("where", "claim", "level"), [
    ("king_of_the_pitch", "limit of hand", 2), ("king_of_the_pitch", "only_players_in_hands", 2),
    ("king_of_the_pitch", "a_captain_has_one_place", 2),
])
def test_it_is_known_of_positions_of_games(where: str, claim: str, level: int) -> None:
    flow = load_flow(ROOT / "rulesets" / where, 2)
    held, _ = pulled_in_games(flow, [one for one in claims_of(flow.core) if one.name == claim], (level,), range(1, 3))
    assert held > 10


@pytest.fixture(scope="module")
def heap(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path = tmp_path_factory.mktemp("heap") / "heap.rules"
    path.write_text(HEAP.format(stones=4, most=5), encoding="utf-8")
    return load_flow(path)


def test_it_reads_what_it_speaks_of_and_nothing_else(heap: Flow) -> None:
    slice_ = slice_for(heap, Walker(heap).layout, claims_of(heap.core)[0], 3)
    store = slices.unknown(slice_)
    before = PositionBefore(store, TermUnknowns())
    taken, other = store.entries[slice_.layout.vars["taken"].base], term.unknown_number("other")
    assert isinstance(taken, z3.ArithRef)
    small = term.less(taken, 2)
    found = before.excluding(term.both(small, term.less(other, 3)))
    assert found is not None
    assert before.names(found) == {"taken"}
    assert before.excluding(term.both(small, term.less(other, taken))) is None  # it hangs on more than the position
    walker = Walker(heap)
    states = [state for _, state in steps_of_games(heap, range(3), EVENTS)]
    read, answers = before.reader(found), dict[object, bool]()
    for state in states:
        one = slices.of_state(slice_, state)
        holds = read(one)
        assert holds is (state.slots[walker.layout.vars["taken"].base] >= 2)  # type: ignore[operator]
        assert answers.setdefault(part_of(one, frozenset({"taken"})), holds) is holds
    assert set(answers.values()) == {True, False}


def test_through_loops_it_is_not_pulled_for_ever(heap: Flow) -> None:
    slice_ = slice_for(heap, Walker(heap).layout, claims_of(heap.core)[0], 3)
    store = slices.unknown(slice_)
    taken = store.entries[slice_.layout.vars["taken"].base]
    assert isinstance(taken, z3.ArithRef)
    shown: Lemma | None = lemmas_of(claims_of(heap.core)[0])[0]
    before, number = PositionBefore(store, TermUnknowns()), 0
    while shown is not None:
        shown, number = pulled_back(shown, "again", term.less(taken, 2), before), number + 1
    assert number == MOST_STEPS + 1


@pytest.mark.skipif(not FULL, reason="takes a quarter of a minute")
def test_what_was_allowed_to_be_taken_is_what_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "market.rules"
    path.write_text(MARKET, encoding="utf-8")
    flow = load_flow(path)
    claims = [one for one in claims_of(flow.core) if one.name == "limit of hand"]
    made = Rounds(flow, SETTING, claims, 60.0, lambda _: None, lambda _: None)
    assert [proof.outcome for proof in made.run()] == [ProofOutcome.PROVED]
