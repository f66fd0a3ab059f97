"""What is proved on slices is never broken: rules made at random, every position of them looked at as the oracle."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.proofs.proof_outcomes import ProofOutcome
from referee.proofs.prover import ProofBudget, prove
from tests.proofs import drawn_spots
from tests.proofs.walked_positions import walked
from tests.sample_sizes import drawn

PLAYERS = ("first", "second")
RULES = """game "Piles" for 2 players first and second

kind Stone is RED, BLUE

components
  {red} RED in heap
  {blue} BLUE in heap

zones
  heap: bag of Stone, open
  kept_by of player: bag of Stone, open{limit}
  gone: bag of Stone, open

counters
  score of player: 0..9
  busy: yes or no
  worn of Stone: yes or no

play
  turns from first, to the left
    turn player must take one of {options}, rest

action take(stone: Stone in heap)
  needs "few": number of kept_by of me {compare} {bound}
  move stone from heap to kept_by of me
  set worn of stone to {worn}
  if score of me < 9: raise score of me by {gain}

action drop(stone: Stone in kept_by of me)
  set busy to {busy}
  move stone from kept_by of me to {target}
  if score of me > 0: lower score of me by 1
  set busy to no

action rest
  nothing

always none_lost: number of heap + (sum of kept in players) = {total}
always few_kept: every player p: number of kept_by of p <= {bound}
always counted: every player p: score of p = number of kept_by of p
always reds: number of RED in heap <= {red} and (busy or number of gone <= {red})
always idle: not busy
always worn_is_out: every s in Stone where worn of s: s is in gone or (some p in players where s is in kept_by of p)
always red_goes_first: number of gone is not 1 or (the Stone in gone) is RED
always red_is_somewhere: RED is in heap or RED is in gone or (some p in players where RED is in kept_by of p)
always idle_inside, at every moment: not busy

define kept of player p = number of kept_by of p
"""


@st.composite
def rules(draw: st.DrawFn) -> str:
    red, blue = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    return RULES.format(
        red=red, blue=blue, total=red + blue, bound=draw(st.integers(1, 3)), compare=draw(st.sampled_from(["<", "<="])),
        options=draw(st.sampled_from(["take", "take, drop"])), gain=draw(st.integers(1, 2)),
        busy=draw(st.sampled_from(["yes", "no"])), target=draw(st.sampled_from(["heap", "gone"])),
        limit=draw(st.sampled_from(["", ", at most 2"])), worn=draw(st.sampled_from(["yes", "no"])),
    )


def loaded(text: str) -> Flow:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "drawn.rules"
        path.write_text(text, encoding="utf-8")
        return load_flow(path)


def proved_but_broken(flow: Flow, seconds: float) -> tuple[set[str], list[str]]:
    """What is proved without a look at positions, and what of that is broken in some position."""
    budget = ProofBudget(seconds, chance=0.0, positions=0.0)
    proved = {p.name for p in prove(flow, Setting(PLAYERS), None, budget) if p.outcome is ProofOutcome.PROVED}
    positions, broken = walked(flow, Setting(PLAYERS))
    assert positions > 1
    return proved, [name for name in broken if name in proved]


@settings(max_examples=drawn(1, of=4), deadline=None, suppress_health_check=list(HealthCheck))
@given(rules())
def test_nothing_that_is_proved_by_induction_is_broken_anywhere(text: str) -> None:
    proved, broken = proved_but_broken(loaded(text), 20.0)
    assert not broken
    if "busy to yes" not in text:
        assert "idle_inside" in proved


@settings(max_examples=drawn(2, of=5), deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn_spots.rules())
def test_nothing_that_is_proved_of_spots_is_broken_anywhere(text: str) -> None:
    _, broken = proved_but_broken(loaded(text), 6.0)
    assert not broken
