"""What no game carries out is proved where it can be; what some game carries out never is."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review.covered_parts import Marked, coverage, never
from referee.review.finding import FindingOutcome
from referee.review.proved_checks import hold_always
from referee.review.subject import ReviewEffort, Subject
from referee.system.deadline import Clock
from tests.review.flawed import FLAWS, reviewed

FEW = ReviewEffort(games=6, events=100, positions=0, proofs=True)


def subject_of(path: Path, effort: ReviewEffort) -> Subject:
    flow, players = load_for(RulesSource(str(path)))(Shape())
    return Subject(parsed(find(path)), flow, players, effort, Clock(None))


def test_a_dead_action_is_proved_dead_without_all_positions() -> None:
    (found,) = reviewed(FLAWS / "dead" / "flaw.rules", "dead", effort=FEW).of("dead")
    assert (found.id, found.outcome) == ("dead/action.leap", FindingOutcome.FOUND)


def test_without_proofs_it_is_a_candidate() -> None:
    effort = ReviewEffort(games=6, events=100, positions=0)
    (found,) = reviewed(FLAWS / "dead" / "flaw.rules", "dead", effort=effort).of("dead")
    assert found.outcome is FindingOutcome.CANDIDATE


@pytest.mark.parametrize("code", ["dead", "gap-case", "gap-supply"])
def test_what_a_game_carries_out_is_never_proved_dead(code: str) -> None:
    """In two of them a part stops the game, or makes it fail, before anybody is asked again."""
    path = FLAWS / code / "flaw.rules"
    done = coverage(subject_of(path, ReviewEffort(positions=3_000)))
    assert done.whole
    subject = subject_of(path, FEW)
    parts = range(len(Marked(subject.core).parts))
    assert {int(name) for name in hold_always(subject, *never(subject.core, parts))} == set(parts) - done.done


def test_invariants_are_proved_where_not_all_positions_are_known() -> None:
    found = reviewed(FLAWS / "contradiction" / "twin.rules", "contradiction", effort=FEW).found.findings
    assert [(one.outcome, one.message) for one in found] == [
        (FindingOutcome.ABSENT, "1 invariants and limits, by induction")
    ]
