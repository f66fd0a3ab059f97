"""What made the values of broken claims, wrong results and broken invariants."""

from __future__ import annotations

import json
from typing import Any

import pytest

import referee
from tests.changed_text import changed
from tests.reasons.test_turning_points import ROOT, kept

RULES = """
game "Marks" for 2 players

counters
  marks of player: 0..19
  fines of player: 0..9

given first: player

play
  turns from first, to the left
    turn player must mark

action mark(many: 1..3)
  raise marks of me by many
  if many = 3: raise fines of me by 1

end as soon as some player p where marks of p >= 5
  the q in players with the most (fines of it) wins

always few: for_all

score of player p = marks of p - fines of p
"""


def moves(*many: int, **claimed: Any) -> list[dict[str, Any]]:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "marks", "players": ["ana", "ben"],
                            "given": {"first": "ana"}}
    lines = [{"by": ("ana", "ben")[turn % 2], "do": "mark", "with": {"many": one}} for turn, one in enumerate(many)]
    return [head, *lines, *([claimed] if claimed else [])]


def rules(limit: int = 9) -> referee.Ruleset:
    always = f"always few: no p in players where fines of p > {limit}"
    return referee.loads(changed(RULES, {"always few: for_all": always if limit < 9 else ""}), "marks")


@pytest.mark.parametrize(("name", "line", "text", "cited"), [
    ("go_goal/043", 9, "goals of ana: 0 -> 1, by attack", "RO-30"),
    ("adrenalyn_xl/060", 18, "att of Wisthaler: 3 -> 1, by attack", "AX-35"),
    ("king_of_the_pitch/069", 14, "cubes of ana: - SILVER_CUBE, by pay", "KP-19"),
    ("king_of_the_pitch/072", None, "cubes of cleo: + BRONZE_CUBE x2, by setup", "KP-10"),
    ("il_mister/057", 5, "goal_cards of ana: + DRIBBLE_RIGHT, by action_card", "IT-71"),
])
def test_the_last_write_of_what_a_claim_reads(name: str, line: int | None, text: str, cited: str) -> None:
    found = kept(name)
    assert (found.because[0].line, found.because[0].text) == (line, text)
    assert cited in found.cites


def test_what_kept_a_write_away() -> None:
    found = kept("go_goal/060")
    assert [one.text for one in found.because] == [
        "goals of ana: 0, as the game began; only attack and penalty change it",
        "same_symbol(shot of ana, save of ben): yes"]
    assert "RO-39" in found.cites


@pytest.mark.parametrize(("name", "line", "text", "cited"), [
    ("go_goal/044", 10, "in_play has 1 Goal_card: no", "RO-29"),
    ("il_mister/059", 5, "passed: no", "IT-77"),
])
def test_what_kept_just_the_write_away_that_is_claimed(name: str, line: int, text: str, cited: str) -> None:
    found = kept(name)
    assert (found.because[1].line, found.because[1].text) == (line, text)
    assert cited in found.cites


def test_what_made_the_values_of_the_condition_that_kept_it_away() -> None:
    shot = kept("il_mister/059").because[2]
    assert shot.text == "a of left_central against g of keeper, by at least 1: no"


def test_under_which_condition_a_value_was_written() -> None:
    found = kept("king_of_the_pitch/071")
    assert found.because[0].text == "king: ben -> ana, by is_won"
    assert (found.because[1].text, found.because[1].cites) == ("highest is winner: yes", ("KP-42",))


def test_what_ended_the_game_and_under_which_condition() -> None:
    found = kept("go_goal/064")
    assert [(one.line, one.text) for one in found.because[:2]] == [
        (21, "who has won: none -> ana, by end as soon as some player p where goals of p >= 3"),
        (21, "some player p where goals of p >= 3: yes")]
    assert dict(found.because[1].shows) == {"goals of ana": "3"}
    assert found.cites == ("RO-07", "RO-46")


def test_every_write_is_told_with_its_line_the_last_first() -> None:
    wrong = rules().judge(moves(3, 1, 1, **{"assert": {"marks of ana": 9}})).wrong
    assert wrong is not None
    assert [(one.line, one.text) for one in wrong.because] == [
        (4, "marks of ana: 3 -> 4, by mark"), (2, "marks of ana: 0 -> 3, by mark")]


def test_a_value_that_nothing_has_changed() -> None:
    wrong = rules().judge(moves(1, 1, **{"assert": {"fines of ben": 1}})).wrong
    assert wrong is not None
    assert [one.text for one in wrong.because] == [
        "fines of ben: 0, as the game began; only mark changes it", "many = 3: no"]
    assert dict(wrong.because[1].values) == {"many": "1"}
    wrong = rules().judge(moves(**{"assert": {"fines of ben": 1}})).wrong
    assert wrong is not None
    assert [(one.line, one.text) for one in wrong.because] == [
        (None, "fines of ben: 0, as the game began; only mark changes it")]


def test_a_value_that_the_header_states_and_nothing_has_changed() -> None:
    head, line = moves(**{"assert": {"marks of ana": 1}})
    wrong = rules().judge([{**head, "state": {"turn": "ana", "set": {"marks of ana": 3}}}, line]).wrong
    assert wrong is not None
    assert [one.text for one in wrong.because] == [
        "marks of ana: 3, as the position in the header has it; only mark changes it"]


@pytest.mark.parametrize(("name", "line", "claim", "text", "cited"), [
    ("go_goal/044", 4, "goals of ben", "goals of ben: 0, as the game began; only attack and penalty change it",
     ("RO-30", "RO-40")),
    ("adrenaline/080", 2, "skulls_left", "skulls_left: 0, as the position in the header has it; only bury changes it",
     ("AD-122",)),
    ("adrenalyn_xl/061", 3, "att of Wisthaler", "att of Wisthaler: 3, as the game began", ("AX-33",)),
])
def test_what_declares_a_value_that_nothing_has_changed_and_what_alone_changes_it(
        name: str, line: int, claim: str, text: str, cited: tuple[str, ...]) -> None:
    found = claimed(name, line, claim, 9)
    assert (found.because[0].text, found.statements) == (text, cited)


@pytest.mark.parametrize(("name", "line", "claim", "text", "values", "cited"), [
    ("adrenalyn_xl/061", 15, "strength(ben)", "strength(ben): 4", {}, ("AX-49", "AX-13")),
    ("adrenaline/080", 2, "moves_to_grab(ana) + 1", "moves_to_grab(ana): 3", {"one_action_a_turn": "yes"}, (
        "AD-128", "AD-127")),
    ("adrenaline/080", 2, "room_for(ana, BLUE)", "room_for(ana, BLUE): 0",
     {"most_cubes": "3", "number of BLUE in ammo of ana": "3"}, ("AD-105",)),
])
def test_of_a_definition_its_parts_and_its_statements(
        name: str, line: int, claim: str, text: str, values: dict[str, str], cited: tuple[str, ...]) -> None:
    found = claimed(name, line, claim, 9)
    assert (found.because[0].text, dict(found.because[0].values), found.statements) == (text, values, cited)
    assert len(found.because) > 1


def claimed(name: str, line: int, claim: str, value: int) -> referee.WrongLine:
    """What is said of a claim after so many lines of a kept log."""
    game, _, number = name.partition("/")
    lines = (ROOT / game / "logs" / "illegal" / f"{number}.jsonl").read_text(encoding="utf-8").splitlines()[:line]
    found = referee.load(str(ROOT / game)).judge([*map(json.loads, lines), {"assert": {claim: value}}]).wrong
    assert found is not None
    return found


def test_of_a_condition_that_was_stored_the_values_that_it_compared() -> None:
    found = kept("adrenalyn_xl/061")
    assert found.because[0].text == "shield of Yrjolan: no -> yes, by take_role"
    assert dict(found.because[0].shows) == {"def of Yrjolan": "2", "att of Yrjolan": "2"}


def test_who_got_instead_what_is_claimed() -> None:
    wrong = rules().judge(moves(2, **{"assert": {"marks of ben": 2}})).wrong
    assert wrong is not None
    assert [(one.line, one.text) for one in wrong.because] == [
        (None, "marks of ben: 0, as the game began; only mark changes it"), (2, "marks of ana: 0 -> 2, by mark")]


def test_what_made_a_score_that_is_claimed_wrongly_comes_first() -> None:
    wrong = rules().judge(moves(3, 1, 2, end={"winner": ["ana"], "scores": {"ana": 4, "ben": 2}})).wrong
    assert wrong is not None
    assert wrong.message == "the score of ben is 1, not 2"
    assert (wrong.because[0].line, wrong.because[0].text) == (3, "marks of ben: 0 -> 1, by mark")


def test_the_parts_of_a_score() -> None:
    wrong = rules().judge(moves(3, 1, 2, end={"winner": ["ben"]}))
    assert wrong.wrong is not None
    assert wrong.wrong.message == "the winner is ana, not ben"
    assert [one.text for one in wrong.wrong.because][-2:] == ["score of ana: 4", "score of ben: 1"]


def test_while_a_tie_is_open_every_winner_is_named() -> None:
    wrong = rules().judge(moves(1, 1, 2, 1, 2, end={"winner": ["ana", "ben"]})).wrong
    assert wrong is not None
    assert "the winner is ana, not ana and ben" in wrong.message
    assert "the winner is ben, not ana and ben" in wrong.message


def test_a_broken_invariant_names_the_last_writes() -> None:
    wrong = rules(0).judge(moves(1, 3)).wrong
    assert wrong is not None
    assert wrong.kind == "broken invariant"
    assert [(one.line, one.text) for one in wrong.because] == [(3, "fines of ben: 0 -> 1, by mark")]
