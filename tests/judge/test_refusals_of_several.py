"""What is said of several components that cannot be taken together: which of them are too many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.frontend import load_flow
from referee.judge.log_run import Options, judge_path
from referee.native.engine_names import engine

RULES = """game "Deal" for 2 players ana and ben

kind Card is A, B, C

components
  2 A in deck
  2 B in deck
  1 C in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  heap: bag of Card, open

setup
  shuffle deck
  for each p in players: deal 2 from deck to hand of p

play
  ana must lay
  nobody wins

action lay(cards: up to 2 Card in my hand)
  move cards to heap
"""


@pytest.mark.parametrize(("second", "laid", "line", "message"), [
    (["A", "A"], [], 3, "cards cannot be A x2 here: not so many A"),
    (["B", "C"], ["B", "C"], 4, "cards cannot be B, C here: C cannot be among them"),
    (["B", "C"], ["A", "A"], 4, "cards cannot be A x2 here: not so many A"),
    (["A", "A", "B"], [], 3, "cards cannot be A x2, B here: not so many A"),
    (["A", "B"], ["A", "B", "B"], 4, "cards cannot be A, B x2 here: not so many B"),
    (["C", "C"], [], 3, "cards cannot be C x2 here: not so many C"),
    (["B"], [], 3, "2 cards must be dealt to ben from deck here, not 1"),
])
def test_what_is_too_much(tmp_path: Path, second: list[str], laid: list[str], line: int, message: str) -> None:
    rules, log = tmp_path / "deal.rules", tmp_path / "game.jsonl"
    rules.write_text(RULES, encoding="utf-8")
    lines = [{"schema": "referee/log/1", "ruleset": "deal", "players": ["ana", "ben"]},
             {"by": "fate", "do": "deal", "with": {"to": "ana", "cards": ["A", "B"]}},
             {"by": "fate", "do": "deal", "with": {"to": "ben", "cards": second}},
             {"by": "ana", "do": "lay", "with": {"cards": laid}}]
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    walker = engine(load_flow(rules))
    found = judge_path(str(log), lambda _: walker, Options())
    assert found.wrong is not None
    assert (found.wrong.line, found.wrong.message) == (line, message)


NEAR = """game "Near" for 2 players ana and ben

kind Card is A, B, C, D, E, F

components
  9 of each Card in heap

zones
  heap: bag of Card, open
  taken: bag of Card, open

play
  ana must take one of grab, throw
  nobody wins

action grab(cards: exactly 5 Card in heap, number: 1..9)
  needs "few": number <= 4
  move cards to taken

action throw(one: 1..6, other: 1..6)
  needs "both are even": (one is 2 or one is 4 or one is 6) and (other is 2 or other is 4 or other is 6)
"""


@pytest.mark.parametrize(("do", "args", "near"), [
    ("grab", {"cards": ["B", "C", "C", "D"], "number": 2}, [
        "grab cards A, B, C x2, D number 2", "grab cards B x2, C x2, D number 2", "grab cards B, C x3, D number 2"]),
    ("grab", {"cards": ["B", "C", "C", "D", "D"], "number": 9}, [
        f"grab cards B, C x2, D x2 number {number}" for number in (4, 3, 2)]),
    ("grab", {"cards": ["B", "C", "D", "D"], "number": 7}, [
        "grab cards A, B, C, D x2 number 4", "grab cards B x2, C, D x2 number 4", "grab cards B, C x2, D x2 number 4"]),
    ("throw", {"one": 6, "other": 5}, ["throw one 6 other 4", "throw one 6 other 6", "throw one 6 other 2"]),
    ("throw", {"one": 5, "other": 5}, ["throw one 4 other 4", "throw one 4 other 6", "throw one 6 other 4"]),
])
def test_the_nearest_lines_change_as_little_as_can_be(
    tmp_path: Path, do: str, args: dict[str, object], near: list[str],
) -> None:
    rules, log = tmp_path / "near.rules", tmp_path / "game.jsonl"
    rules.write_text(NEAR, encoding="utf-8")
    lines = [{"schema": "referee/log/1", "ruleset": "near", "players": ["ana", "ben"]},
             {"by": "ana", "do": do, "with": args}]
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    walker = engine(load_flow(rules))
    found = judge_path(str(log), lambda _: walker, Options())
    assert found.wrong is not None, found
    assert [one.text for one in found.wrong.nearest] == near


PASS = """game "Passed" for 2 players ana and ben

kind Card is A, B

components
  9 of each Card in heap

zones
  heap: bag of Card, open
  taken: bag of Card, open

play
  window
    ask ben
    may answer
    until one answers
  ana must take one of shoot
  nobody wins

action answer
  nothing

action shoot(card: Card in heap)                                            [P-1]
  move card to taken
"""


@pytest.mark.parametrize(("by", "do", "near"), [
    ("ana", "shoot", ["shoot card A", "shoot card B"]), ("ben", "shoot", ["answer", "pass"]),
])
def test_what_is_none_is_near_to_what_he_could_do_after_a_pass_that_need_not_be_stated(
    tmp_path: Path, by: str, do: str, near: list[str],
) -> None:
    rules, log = tmp_path / "passed.rules", tmp_path / "game.jsonl"
    rules.write_text(PASS, encoding="utf-8")
    lines = [{"schema": "referee/log/1", "ruleset": "passed", "players": ["ana", "ben"]},
             {"by": by, "do": do, "with": {"card": "C"}}]
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    walker = engine(load_flow(rules))
    found = judge_path(str(log), lambda _: walker, Options())
    assert found.wrong is not None, found
    assert [one.text for one in found.wrong.nearest] == near
