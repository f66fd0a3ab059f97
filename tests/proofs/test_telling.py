"""Proofs of what says nothing: a premise that never comes about, a part that is not needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.analysis.rule_places import Places
from referee.core.flow import Flow
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.loader import load_flow
from referee.frontend.loading.ruleset_files import find
from referee.game.setting import Setting
from referee.proofs import vacuity
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from referee.proofs.prover import ProofBudget
from referee.proofs.strengthening import stronger
from referee.proofs.vacuity import prove_telling

RULES = """game "Lamp" for 2..3 players

kind Lamp

components
  1 Lamp in shed

zones
  shed: bag of Lamp, open
  tower: bag of Lamp, open

given starter: player "who begins"

counters
  steps of player: 0..5

play
  turns from starter, to the left
    turn player must take one of walk, light

action walk
  needs "not the last step in the dark": steps of me < 2 or tower has 1
  raise steps of me by 1
  if steps of me = 3: me wins

action light
  needs "no lamp is lit": tower is empty
  move Lamp from shed to tower

"""
NO_STEP = "always no_step_too_many: every player p where steps of p > 3: tower has 1"
THREE = "always lit_at_last: every player p where steps of p = 3: tower has 1"
NEEDLESS = "always lamps: shed has at most 1 or tower has 2"
SHAPE = "always more_than_two: number of players = 2 or tower has at most 1"
INSIDE = "always lamps_inside, at every moment: shed has at most 1 or tower has 2"
BY_INDUCTION = ProofBudget(30.0, chance=0.5, positions=0.0)
BY_LOOKING = ProofBudget(30.0, chance=0.5)


def written(tmp_path: Path, *claims: str) -> Path:
    path = tmp_path / "lamp.rules"
    path.write_text(RULES + "\n".join(claims) + "\n", encoding="utf-8")
    return path


def flow_of(path: Path, players: int = 2) -> Flow:
    return load_flow(path, players)


def told(path: Path, budget: ProofBudget, players: int = 2) -> dict[str, Proof]:
    setting = Setting(("ana", "ben", "cleo")[:players])
    text = Places(parsed(find(str(path)))).text
    return {proof.name: proof for proof in prove_telling(flow_of(path, players), setting, budget, text)}


@pytest.mark.parametrize("budget", [BY_LOOKING, BY_INDUCTION])
def test_a_premise_that_never_comes_about_is_vacuous(tmp_path: Path, budget: ProofBudget) -> None:
    found = told(written(tmp_path, NO_STEP, THREE), budget)
    assert {name: proof.outcome for name, proof in found.items()} == {
        "no_step_too_many": ProofOutcome.VACUOUS, "lit_at_last": ProofOutcome.PROVED,
    }
    assert found["no_step_too_many"].how == "what it speaks of never comes about: steps of p > 3"
    assert found["no_step_too_many"].exit is Exit.NEGATIVE


@pytest.mark.parametrize("budget", [BY_LOOKING, BY_INDUCTION])
def test_a_part_that_is_not_needed_makes_it_vacuous(tmp_path: Path, budget: ProofBudget) -> None:
    found = told(written(tmp_path, NEEDLESS, INSIDE), budget)
    for name in ("lamps", "lamps_inside"):
        assert (found[name].outcome, found[name].how) == (
            ProofOutcome.VACUOUS, "it holds without a part of it: tower has 2")


def test_what_a_game_needs_is_told_as_soon_as_it_is_proved(tmp_path: Path) -> None:
    names = list(told(written(tmp_path, NEEDLESS, THREE), BY_LOOKING))
    assert names == ["lit_at_last", "lamps"]


def test_what_the_number_of_players_decides_is_said_on_purpose(tmp_path: Path) -> None:
    path = written(tmp_path, SHAPE)
    assert [told(path, BY_LOOKING, players)["more_than_two"].outcome for players in (2, 3)] == [ProofOutcome.PROVED] * 2
    parts = [[one.name for one in stronger(flow_of(path, n).core.invariants[0])] for n in (2, 3)]
    assert parts == [[], ["more_than_two without 2"]]


def test_where_it_is_not_known_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacuity, "LEAST", 1_000.0)
    found = told(written(tmp_path, NEEDLESS), BY_LOOKING)["lamps"]
    assert found.outcome is ProofOutcome.PROVED
    assert found.how.endswith('; no game was seen that needs "tower has 2"')


def test_an_interruption_does_not_lose_what_was_proved(tmp_path: Path) -> None:
    def interrupt(doing: str) -> None:
        if doing.startswith("is a part needed"):
            raise KeyboardInterrupt

    path = written(tmp_path, NEEDLESS, THREE)
    proofs = prove_telling(flow_of(path), Setting(("ana", "ben")), BY_LOOKING, str, interrupt)
    assert [next(proofs).name, next(proofs).name] == ["lit_at_last", "lamps"]
    with pytest.raises(KeyboardInterrupt):
        next(proofs)



def test_numbers_of_parts_do_not_depend_on_what_is_decided(tmp_path: Path) -> None:
    claim = "always both: (number of players = 2 or shed has at most 1 or tower has 2) and (shed has 1 or tower has 1)"
    path = written(tmp_path, claim)
    found = [[one.name for one in stronger(flow_of(path, n).core.invariants[0])] for n in (2, 3)]
    assert found == [["both without 4", "both without 5"],
                     ["both without 2", "both without 3", "both without 4", "both without 5"]]
