"""A broken claim tells what the value was and became before it tells what kept another one away."""

from __future__ import annotations

from typing import Any

import pytest

import referee

RULES = """
game "Stalls" for 2..6 players

kind Fruit is APPLE, PLUM

components
  60 APPLE in orchard
  60 PLUM in cellar

zones
  orchard: bag of Fruit, open
  cellar: bag of Fruit, open
  basket of player: bag of Fruit, open
  shelf of player: bag of Fruit, open

counters
  prize of player: 0..9
  bells: 0..2

given first: player

define bells_needed = if number of players = 2 then 1 else 2
define is_stocked of player p = number of basket of p >= 3

play
  turns from first, to the left, skipping players where is_stocked(it)
    turn player must take one of pick, ring
  for each p in players: carry out lay_out(p)
  turns from first, to the left, until bells = bells_needed
    turn player must take one of lay, ring
  the p in players with the most prize, ties: all win

procedure lay_out(p: player)
  move APPLE from basket of p to shelf of p

action pick(many: 1..3)
  for each n in 1..many: move APPLE from orchard to basket of me
  if many = 2: raise prize of me by 1

action lay
  needs "there is something to lay": not basket of me is empty
  move APPLE from basket of me to shelf of me

action ring
  if bells < bells_needed: raise bells by 1
  move all shelf of me to orchard
"""
NAMES = ["ana", "ben", "cleo", "dan", "emma", "finn"]


def judged(*lines: dict[str, Any], players: int = 2) -> referee.WrongLine:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "stalls", "players": NAMES[:players],
                            "given": {"first": "ana"}}
    wrong = referee.loads(RULES, "stalls").judge([head, *lines]).wrong
    assert wrong is not None
    return wrong


def picks(*many: int, players: int = 2) -> list[dict[str, Any]]:
    return [{"by": NAMES[turn % players], "do": "pick", "with": {"many": one}} for turn, one in enumerate(many)]


def told(*lines: dict[str, Any], players: int = 2, **claims: Any) -> list[tuple[int | None, str]]:
    said = {name.replace("__", " "): value for name, value in claims.items()}
    return [(one.line, one.text) for one in judged(*lines, {"assert": said}, players=players).because]


def test_what_nothing_has_changed_says_so_before_what_kept_it_away() -> None:
    found = told(*picks(1, 1, 1), number__of__shelf__of__ana=1)
    assert found == [
        (None, "shelf of ana: empty, as the game began; only lay_out and lay put anything there"),
        (4, "players where is_stocked(it): none")]


def test_of_who_is_skipped_the_others_are_told_by_what_they_lack() -> None:
    wrong = judged(*picks(1, 3), {"assert": {"number of shelf of ana": 1}})
    assert wrong.because[1].text == "players where is_stocked(it): only ben"
    assert wrong.because[1].values == {"number of basket of ana": "1, at least 3 is needed"}


def test_of_many_four_are_told() -> None:
    wrong = judged(*picks(*[1] * 6, players=6), {"assert": {"number of shelf of ana": 1}}, players=6)
    assert list(wrong.because[1].values) == [
        *(f"number of basket of {name}" for name in NAMES[:4]), "and more of them"]


def test_writes_come_before_what_kept_one_away_and_those_left_out_are_counted() -> None:
    found = told(*picks(1, 2, 1, 2, 1), prize__of__ben=3)
    assert found[:2] == [(5, "prize of ben: 1 -> 2, by pick"), (3, "prize of ben: 0 -> 1, by pick")]
    found = told(*picks(1, 2, 1, 2), number__of__orchard=50)
    assert found == [(5, "orchard: - APPLE x2, by pick"), (4, "orchard: - APPLE, by pick"),
                     (3, "orchard: - APPLE x2, by pick"),
                     (None, "orchard held 60 as the game began, then 1 earlier change, in line 2")]


def test_a_condition_in_the_turn_of_another_kept_nothing_away() -> None:
    assert told(*picks(2, 2, 1), prize__of__ben=2)[-1] != (4, "many = 2: no")
    assert told(*picks(1), prize__of__ben=1) == [(None, "prize of ben: 0, as the game began; only pick changes it")]


@pytest.mark.parametrize("players", [2, 3])
def test_a_number_behind_a_name_is_told_with_what_it_had_to_be(players: int) -> None:
    wrong = judged(*picks(*[3] * players, players=players), {"by": "ana", "do": "lay"}, {"end": {"winner": ["ana"]}},
                   players=players)
    assert wrong.because[0].text == "bells = bells_needed: no"
    assert wrong.because[0].values == {"bells": f"0, {players - 1} is needed"}
