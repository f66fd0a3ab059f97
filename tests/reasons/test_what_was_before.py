"""What a value was before the changes that are told, what was done instead, and what concerns another player."""

from __future__ import annotations

from typing import Any

import referee

RULES = """
game "Piles" for 2 players

kind Stone is PEBBLE, ROCK, GEM

components
  3 PEBBLE in heap
  1 ROCK in heap
  2 GEM in rim

zones
  heap: bag of Stone, open
  rim: bag of Stone, open
  hand of player: bag of Stone, open

counters
  marks of player: 0..19
  stars of player: 0..19
  feats of player: 0..9

given first: player

play
  turns from first, to the left
    turn player must take one of mark, fetch, jump

action mark
  raise marks of me by 1

action fetch(stone: Stone in heap)
  if stone is ROCK: move stone to rim
  else: move stone to hand of me

action jump
  raise stars of me by 1
  if stars of me > 1: raise feats of me by 1

score of player p = marks of p
"""


def because(*lines: dict[str, Any], **claims: Any) -> list[tuple[int | None, str]]:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "piles", "players": ["ana", "ben"],
                            "given": {"first": "ana"}}
    said = {name.replace("__", " "): value for name, value in claims.items()}
    wrong = referee.loads(RULES, "piles").judge([head, *lines, {"assert": said}]).wrong
    assert wrong is not None
    return [(one.line, one.text) for one in wrong.because]


def turns(*labels: str, **args: str) -> list[dict[str, Any]]:
    return [{"by": ("ana", "ben")[turn % 2], "do": label, **({"with": dict(args)} if label == "fetch" else {})}
            for turn, label in enumerate(labels)]


def test_changes_that_are_not_told_are_counted() -> None:
    found = because(*turns(*["mark"] * 9), marks__of__ana=3)
    assert found == [(10, "marks of ana: 4 -> 5, by mark"), (8, "marks of ana: 3 -> 4, by mark"),
                     (6, "marks of ana: 2 -> 3, by mark"),
                     (None, "marks of ana: 0 as the game began, then 2 earlier changes, in lines 2, 4")]


def test_where_all_changes_are_told_the_first_one_says_what_was_before() -> None:
    assert because(*turns("mark"), marks__of__ana=3) == [(2, "marks of ana: 0 -> 1, by mark")]


def test_of_a_place_that_was_not_empty_it_is_told_how_much_it_held() -> None:
    found = because(*turns("fetch", stone="ROCK"), number__of__rim=2)
    assert found[0] == (2, "rim: + ROCK, by fetch")
    assert found[-1] == (None, "rim held 2 as the game began")


def test_where_something_went_instead() -> None:
    found = because(*turns("mark", "fetch", stone="PEBBLE"), number__of__rim=3)
    assert (3, "hand of ben: + PEBBLE, by fetch, and not to rim") in found


def test_what_another_player_missed_is_no_reason() -> None:
    found = because(*turns("mark", "jump"), feats__of__ana=1)
    assert [text.partition(";")[0] for _, text in found] == ["feats of ana: 0, as the game began"]
    assert because(*turns("mark", "jump"), feats__of__ben=1)[1] == (3, "stars of ben > 1: no")
