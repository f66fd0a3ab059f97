"""The games that scenarios tell are games of a review; those that begin in the middle only show that a part is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.scenario_examples import told_in
from referee.api.runs.witness_games import load_for
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.native.engine_names import engine
from referee.review.checks.dead_rules import dead
from referee.review.checks.stuck_games import GAP_CASE, stops
from referee.review.detectors import Detector
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import carry_out
from referee.review.subject import ReviewEffort, Subject
from referee.simulation.game_samples import Plays
from referee.simulation.shrinking import replayed
from referee.system.deadline import Clock
from tests.changed_text import changed

RULES = """game "Vault" for 2 players ana and ben

counters
  opened: 0..3

play
  turns from ana, to the left, until opened = 3
    window
      ask players where it is not turn player, in order from ana
      may knock
      until one answers
    turn player must take one of turn_key, force, pick
  ana wins

action turn_key
  raise opened by 1

action force
  unspecified "the door is forced: does the alarm ring?"

action pick
  unspecified "the lock is picked: does it open?", one of
    it_opens: raise opened by 1
    it_jams: set opened to 0

action knock
  nothing

scenario "two doors are opened, nobody knocks"
  ana turn_key; ben turn_key
  expect opened = 2

scenario "this one goes wrong in its second event"
  ben turn_key
"""
FROM_THE_BEGINNING = """
scenario "a door is forced"
  ana turn_key; ben force
"""
OPEN = """
scenario "the table says that it opens"
  ana turn_key; ben pick
  table rule pick.unspecified it_opens
"""
IN_THE_MIDDLE = """
scenario "the last door is forced"
  given opened is 2
  turn of ben
  ben force
"""


def subject_of(folder: Path, scenarios: str) -> Subject:
    """The rules with some scenarios more, and nothing to look at but what scenarios tell."""
    path = folder / "vault.rules"
    path.write_text(RULES + scenarios, encoding="utf-8")
    flow, _ = load_for(RulesSource(str(path)))(Shape())
    effort = ReviewEffort(games=0, positions=0, told=told_in(RulesSource(str(path))))
    return Subject(parsed(find(path)), flow, ("ana", "ben"), effort, Clock(None))


def test_a_game_that_is_told_is_played_with_the_passes_left_out_and_as_far_as_it_is_legal(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "")
    first, second = subject.plays.games
    assert [event.label for event in first.events] == ["pass", "turn_key", "pass", "turn_key"]
    assert second.events == ()
    assert subject.seen == "0 games"


def test_it_shows_what_any_game_shows(tmp_path: Path) -> None:
    assert not [one for one in stops(GAP_CASE)(subject_of(tmp_path, "")) if one.outcome.is_flaw]
    subject = subject_of(tmp_path, FROM_THE_BEGINNING)
    (found,) = stops(GAP_CASE)(subject)
    assert found.place == "force.unspecified"
    assert found.witness is not None
    assert replayed(subject.reference, found.witness.setting, found.witness.events) is not None


def test_what_is_told_from_the_middle_is_no_game_and_shows_candidates(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, IN_THE_MIDDLE)
    assert [len(game.events) for game in subject.plays.placed] == [1]
    assert len(subject.plays.games) == 2
    found: list[Finding] = []
    carry_out(Detector(GAP_CASE, "", stops(GAP_CASE)), subject, found)
    assert [(one.outcome, one.place) for one in found] == [(FindingOutcome.CANDIDATE, "force.unspecified")]
    witness = found[0].witness
    assert witness is not None
    assert witness.tale is not None
    assert witness.tale.state == {"turn": "ben", "set": {"opened": 2}}
    assert replayed(subject.reference, witness.setting, witness.events) is not None


def test_where_a_game_shows_it_too_the_game_is_told(tmp_path: Path) -> None:
    (found,) = stops(GAP_CASE)(subject_of(tmp_path, IN_THE_MIDDLE + FROM_THE_BEGINNING))
    assert found.witness is not None
    assert found.witness.tale is None


@pytest.mark.parametrize(("scenarios", "places"), [
    ("", {"action.force", "action.pick", "action.knock"}),
    (IN_THE_MIDDLE, {"action.pick", "action.knock"}),
])
def test_what_a_scenario_carries_out_is_not_dead(tmp_path: Path, scenarios: str, places: set[str]) -> None:
    found = list(dead(subject_of(tmp_path, scenarios)))
    assert {one.place for one in found if one.place.startswith("action.")} == places


def test_what_only_the_middle_shows_is_not_said_to_be_in_games(tmp_path: Path) -> None:
    middle = changed(IN_THE_MIDDLE, {"is 2": "is 1", "ben force": "ben turn_key; ben knock"})
    (found,) = dead(subject_of(tmp_path, FROM_THE_BEGINNING + OPEN + middle))
    assert found.outcome is FindingOutcome.BOUNDED
    assert found.message.startswith("1 of the ")



def test_that_a_game_comes_to_an_open_point_is_enough_for_each_ruling(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, OPEN)
    assert {one.place for one in dead(subject)} == {"action.force", "action.knock"}


def test_a_scenario_more_does_not_change_the_games_that_are_played(tmp_path: Path) -> None:
    path = tmp_path / "vault.rules"
    path.write_text(RULES, encoding="utf-8")
    flow, _ = load_for(RulesSource(str(path)))(Shape())
    walker, tales = engine(flow), told_in(RulesSource(str(path)))(flow.core)
    with_tales, without = (Plays(walker, ("ana", "ben"), 7, 5, 50, Clock(None), told) for told in (tales, ()))
    assert with_tales.told == len(tales) > 0
    assert with_tales.games[with_tales.told :] == without.games
