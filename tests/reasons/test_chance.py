"""What chance has to decide is told by for whom and how many, and why; to get it wrong is a fault of the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import FailedLine

RULES = """game "Luck" for 2 players ana and ben

kind Card is A, B, C
kind Gem is RUBY, PEARL

components
  9 of each Card in deck
  2 of each Gem in sack

zones
  deck: pile of Card, face down
  sack: bag of Gem, open
  shown: bag of Card, open
  jewels: bag of Gem, open
  hand of player: bag of Card, seen by owner

counters
  wounds of player: 0..9 starts 0
  in_draw of player: yes or no starts yes
  played: 0..9 starts 0

setup
  shuffle deck
  for each n in 1..3: deal 1 from deck to shown, logged as lay(thing: card)  [S-1]
  for each n in 1..2: deal 1 from sack to jewels, logged as lay(thing: card)   [S-2]

play
  repeat until played = 2
    for each p in players, in order from ana                                [S-3]
      carry out one_turn(p)
    raise played by 1
    if played = 1: carry out pause_in_the_middle                            [S-5]
  repeat until not in_draw of ana
    for each p in players where in_draw of it, in order from ana                               [S-9]
      p rolls 1..6 as die                                                   [S-10]
      if die = 1: set in_draw of rival(p) to no                      [S-11]
  nobody wins

procedure one_turn(p: player)
  p draws 1 from deck to hand of p                                          [S-4]
  p must take one of hit, rest                                              [S-6]
  if wounds of p > 0
    let number_of_dice = dice_of(p)
    p rolls number_of_dice dice 1..6 as dice                                [S-7]

procedure pause_in_the_middle
  for each p in players, in order from ana: p draws 2 from deck to hand of p                [S-5]

define dice_of of player p: 1..3                                            [S-8]
  when wounds of p >= 4: 3
  when wounds of p >= 2: 2
  otherwise: 1

define rival of player p: player = if p is ana then ben else ana

action hit(by: 1..3)
  raise wounds of me by by

action rest
  raise wounds of me by 0
"""
STATEMENTS = "".join(f'[statement.S-{number}]\nline = 1\nstatus = "encoded"\ntext = "statement {number}"\n'
                     for number in range(1, 12))
Line = dict[str, Any]
LAID: list[tuple[str, str, Line]] = [("fate", "lay", {"thing": one}) for one in ("A", "A", "B", "RUBY", "PEARL")]
FIRST = [("fate", "draw", {"to": "ana", "card": "A"}), ("ana", "rest", {}),
         ("fate", "draw", {"to": "ben", "card": "B"})]
ROUND = [*FIRST, ("ben", "rest", {})]
ROLLS = [("fate", "roll", {"for": "ana", "die": 1}), ("fate", "roll", {"for": "ben", "die": 4})]
PAUSE = [("fate", "draw", {"to": who, "cards": ["A", "C"]}) for who in ("ana", "ben")]


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    folder = tmp_path_factory.mktemp("luck")
    (folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    (folder / "luck.rules").write_text(RULES, encoding="utf-8")
    return load_flow(folder)


def refused(flow: Flow, folder: Path, events: list[tuple[str, str, Line]], viewer: str | None = None) -> FailedLine:
    lines: list[Line] = [{"schema": "referee/log/1", "ruleset": "luck", "players": ["ana", "ben"]}]
    lines += [{"end": {}} if do == "end" else {"by": by, "do": do, "with": args} for by, do, args in events]
    log = folder / "game.jsonl"
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    verdict = judge_path(str(log), lambda _: Walker(flow), Options(viewer=viewer))
    assert verdict.wrong is not None, verdict
    assert verdict.wrong.line == len(lines)
    return verdict.wrong


def told(wrong: FailedLine) -> list[tuple[int | None, str]]:
    return [(reason.line, reason.text) for reason in wrong.because]


@pytest.mark.parametrize(("events", "kind", "message", "because", "cited"), [
    ([*LAID, ("ana", "rest", {})], "missing event", "ana must draw 1 card from deck first",
     [(None, "rest is asked for only here: p must take one of hit, rest"), (None, "the game is at one_turn(ana)")],
     ["S-4", "S-6"]),
    ([*LAID, *FIRST[:2], ("ben", "rest", {})], "missing event", "ben must draw 1 card from deck first",
     [(None, "rest is asked for only here: p must take one of hit, rest"), (None, "the game is at one_turn(ben)"),
      (8, "ana: rest")], ["S-4", "S-6"]),
    ([*LAID, *ROUND, ("fate", "draw", {"to": "ana", "card": "B"})], "illegal move",
     "ana must draw 2 cards from deck here, not 1",
     [(10, "for each p in players, in order from ana: ana"), (10, "played = 1: yes"), (10, "ben: rest")], ["S-5"]),
    ([*LAID, *ROUND, PAUSE[0], ("fate", "draw", {"to": "ana", "card": "B"})], "illegal move",
     "ben must draw 2 cards from deck here, not 1 for ana",
     [(11, "for each p in players, in order from ana: ben"), (10, "played = 1: yes"), (10, "ben: rest"),
      (11, "draw to ana cards A, C")], ["S-5"]),
    ([*LAID, *FIRST[:1], ("ana", "hit", {"by": 3}), ("fate", "roll", {"for": "ana", "dice": [1, 2, 3]})],
     "illegal move", "ana must roll 2 dice 1..6 (dice) here, not 3", [(None, "number_of_dice: 2")], ["S-8", "S-7"]),
    ([*LAID, *FIRST[:1], ("ana", "hit", {"by": 1}), ("fate", "roll", {"for": "ana", "dice": [1, 2]})],
     "illegal move", "ana must roll 1 die 1..6 (dice) here, not 2", [(None, "number_of_dice: 1")], ["S-8", "S-7"]),
    ([*LAID, *FIRST[:1], ("ana", "hit", {"by": 1}), ("fate", "roll", {"for": "ana", "die": 2})],
     "illegal move", "ana must roll 1 die 1..6 (dice) here, not die", [(None, "number_of_dice: 1")], ["S-8", "S-7"]),
    ([*LAID, *FIRST[:1], ("ana", "hit", {"by": 1}), ("ana", "rest", {})], "missing event",
     "ana must roll 1 die 1..6 (dice) first",
     [(8, "ana chose hit instead"), (None, "the game is at one_turn(ana)"), (8, "wounds of ana > 0: yes")], ["S-7"]),
    ([*LAID[:3], ("fate", "lay", {"thing": "C"})], "illegal move", "lay: 1 thing from sack must come here, not C",
     [(4, "lay came 3 times, lines 2 to 4")], ["S-1"]),
    ([*LAID, *ROUND, *PAUSE, *ROUND, *ROLLS, ("fate", "roll", {"for": "ben", "die": 4})], "illegal move",
     "ana must roll a die 1..6 (die) here, not ben",
     [(None, "in_draw of ben: no"), (17, "in_draw of ben: yes -> no, by play")], ["S-9", "S-10"]),
    ([*LAID, ("", "end", {})], "early end", "the game is not over: ana must draw 1 card from deck first",
     [(None, "played = 2: no")], []),
])
def test_what_chance_has_to_decide(
    flow: Flow, tmp_path: Path, events: list[tuple[str, str, Line]], kind: str, message: str,
    because: list[tuple[int | None, str]], cited: list[str],
) -> None:
    wrong = refused(flow, tmp_path, events)
    assert (wrong.kind.value, wrong.message, told(wrong)) == (kind, message, because)
    assert set(cited) <= set(wrong.cites)


def test_where_the_number_of_dice_comes_from(flow: Flow, tmp_path: Path) -> None:
    events = [*LAID, *FIRST[:1], ("ana", "hit", {"by": 3}), ("fate", "roll", {"for": "ana", "dice": [1, 2, 3]})]
    assert dict(refused(flow, tmp_path, events).because[0].shows) == {"dice_of(ana)": "2", "wounds of ana": "3"}


def test_a_number_that_nobody_has_stays_a_fault_of_the_log(flow: Flow, tmp_path: Path) -> None:
    given: tuple[Line, ...] = ({"to": "ana"}, {"to": "ana", "card": "A", "pack": "B"})
    for args in given:
        event: tuple[str, str, Line] = ("fate", "draw", args)
        wrong = refused(flow, tmp_path, [*LAID, event])
        assert wrong.kind.value == "bad argument"


def test_a_player_is_told_who_draws_and_nothing_of_what_was_drawn(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, [*LAID, *FIRST[:2], ("ben", "rest", {})], viewer="ben")
    assert wrong.message == "ben must draw 1 card from deck first"
    wrong = refused(flow, tmp_path, [*LAID, ("fate", "draw", {"to": "ana", "cards": ["A", "A"]})], viewer="ben")
    assert "A" not in wrong.message
