"""What is said of a log with holes besides its lines is true: how many values are open, which lines conflict."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from tests.judge.filling import holed, read
from tests.judge.playing import does
from tests.judge.test_facts_exact import TRICKS

HEADER: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "cup", "players": ["ana", "ben"], "viewpoint": "ana"}
CUP = """game "Cup" for 2 players ana and ben

kind Card is A, B, C

components
  2 A in deck
  1 B in deck
  1 C in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  heap: bag of Card, open

setup
  shuffle deck
  for each p in players: deal 2 from deck to hand of p
  fate rolls 1..6 as d, seen by nobody

play
  turns from ana, to the left, until heap has 4
    turn player must lay
  nobody wins

action lay(card: Card in my hand)
  move card to heap
"""


def walker_of(text: str, tmp_path: Path) -> Walker:
    path = tmp_path / "cup.rules"
    path.write_text(text, encoding="utf-8")
    return engine(load_flow(path))


def told(walker: Walker, lines: list[dict[str, Any]]) -> LogVerdict:
    return judge_log(read(lines), lambda _: walker, Options(facts=True))


def deals(ana: Any, ben: Any) -> list[dict[str, Any]]:
    return [HEADER, does("fate", "deal", to="ana", cards=ana), does("fate", "deal", to="ben", cards=ben)]


@pytest.mark.parametrize(("lines", "number"), [
    ([*deals(["A", "A"], ["B", "C"]), does("fate", "roll", d={"in": [1, 2]})], 1),
    (deals(["?", "A"], "?"), 3),
    ([*deals(["B", "A"], "?"), does("fate", "roll", d="?")], 1),
    ([*deals(["B", "A"], "?"), does("fate", "roll", d=3)], 0),
    ([*deals("?", "?"), does("fate", "roll", d=3), does("ana", "lay", card="B"), does("ben", "lay", card="C")], 0),
])
def test_open_values_are_those_that_are_not_the_same_in_every_way(
    lines: list[dict[str, Any]], number: int, tmp_path: Path,
) -> None:
    assert told(walker_of(CUP, tmp_path), lines).open_holes == number


@pytest.mark.parametrize(("lines", "conflict"), [
    ([*deals("?", "?"), does("fate", "roll", d="?"), *(does(who, "lay", card="B") for who in ("ana", "ben"))], (5, 6)),
    ([*deals(["A", "A"], "?"), does("fate", "roll", d="?"), does("ana", "lay", card="B")], (2, 5)),
    (deals(["A", "A"], ["?", "A"]), (2, 3)),
    (deals({"in": [["B", "B"]]}, "?")[:2], ()),
])
def test_a_conflict_is_of_lines_that_cannot_all_be_true(
    lines: list[dict[str, Any]], conflict: tuple[int, ...], tmp_path: Path,
) -> None:
    found = told(walker_of(CUP, tmp_path), lines)
    assert (found.outcome, found.conflict) == (LogOutcome.ILLEGAL, conflict)


def test_a_claim_that_fails_in_all_ways_says_so(tmp_path: Path) -> None:
    lines = [*deals(["A", "B"], "?"), does("fate", "roll", d="?")]
    found = told(walker_of(CUP, tmp_path), [*lines, {"assert": {"number of hand of ana": 3}}])
    assert found.wrong is not None
    assert found.wrong.message == (
        "number of hand of ana is 2, not 3 (as in one of 6 ways to fill the holes; it is wrong in every one)")
    other = told(walker_of(CUP, tmp_path), [
        *deals(["A", "?"], "?"), does("fate", "roll", d=1),
        {"assert": {"number of B in hand of ana": 1}}, {"assert": {"number of B in hand of ben": 1}}])
    assert other.wrong is not None
    assert other.wrong.message.endswith("in every one this or a claim before it is wrong)")


def blank(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "with": dict.fromkeys(line["with"], "?")} if line.get("with") else line


def test_no_line_of_a_conflict_can_be_left_out(tmp_path: Path) -> None:
    walker = walker_of(TRICKS.format(dealt=2, left=1), tmp_path)
    seen = 0
    for seed in range(40):
        random = Random(seed)
        game = play_out(walker, Setting(("ana", "ben")), seed, 60, rule=True)
        made = [json.loads(line) for line in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]
        lines = holed(random, [made[0], *(one for one in made if "do" in one)], walker.core, ("ana", "ben"), 0.5,
                      damage=False)
        stated = [one for one in lines if isinstance(one.get("with", {}).get("card"), str)]
        for one in random.sample(stated, min(1, len(stated))):
            one["with"]["card"] = random.choice(["A1", "A2", "B1", "B2", "C1"])
        found = told(walker, lines)
        if found.outcome is not LogOutcome.ILLEGAL or not found.holes or found.wrong is None:
            continue
        kept = {1, *found.conflict, found.wrong.line}
        rest = [line if at in kept else blank(line) for at, line in enumerate(lines[:found.wrong.line], 1)]
        assert told(walker, rest).outcome is LogOutcome.ILLEGAL
        for number in found.conflict[:-1]:
            without = [blank(line) if at == number else line for at, line in enumerate(rest, 1)]
            assert told(walker, without).outcome is not LogOutcome.ILLEGAL
        seen += len(found.conflict) > 1
    assert seen > 5
