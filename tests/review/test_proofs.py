"""What no game carries out is proved where it can be; what some game carries out never is."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.reviewed import load_for
from referee.api.rules_source import RulesSource
from referee.base.deadline import Clock
from referee.meaning.assemble import parsed
from referee.meaning.find import find
from referee.meaning.shape import Shape
from referee.review.covering import Marked, coverage, never
from referee.review.finding import Outcome
from referee.review.proofs import hold_always
from referee.review.subject import Effort, Subject
from tests.review.flawed import FLAWS, reviewed

FEW = Effort(games=6, events=100, positions=0, proofs=True)


def subject_of(path: Path, effort: Effort) -> Subject:
    flow, players = load_for(RulesSource(str(path)))(Shape())
    return Subject(parsed(find(path)), flow, players, effort, Clock(None))


def test_a_dead_action_is_proved_dead_without_all_positions() -> None:
    (found,) = reviewed(FLAWS / "dead" / "flaw.rules", "dead", effort=FEW).of("dead")
    assert (found.id, found.outcome) == ("dead/action.leap", Outcome.FOUND)


def test_without_proofs_it_is_a_candidate() -> None:
    effort = Effort(games=6, events=100, positions=0)
    (found,) = reviewed(FLAWS / "dead" / "flaw.rules", "dead", effort=effort).of("dead")
    assert found.outcome is Outcome.CANDIDATE


@pytest.mark.parametrize("code", ["dead", "gap-case", "gap-supply"])
def test_what_a_game_carries_out_is_never_proved_dead(code: str) -> None:
    """In two of them a part stops the game, or makes it fail, before anybody is asked again."""
    path = FLAWS / code / "flaw.rules"
    done = coverage(subject_of(path, Effort(positions=3_000)))
    assert done.whole
    subject = subject_of(path, FEW)
    parts = range(len(Marked(subject.core).parts))
    assert {int(name) for name in hold_always(subject, *never(subject.core, parts))} == set(parts) - done.done


def test_invariants_are_proved_where_not_all_positions_are_known() -> None:
    found = reviewed(FLAWS / "contradiction" / "twin.rules", "contradiction", effort=FEW).found.findings
    assert [(one.outcome, one.message) for one in found] == [
        (Outcome.ABSENT, "1 invariants and limits, by induction")
    ]
