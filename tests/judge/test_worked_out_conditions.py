"""What is told of a wrong line where values are worked out: on maps, through definitions, over many members."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import FailedLine
from referee.native.engine_names import engine

RULES = """game "House" for 2 players ana and ben

map house: columns a..c, rows 1..3
  room hall: a1 b1 a2 b2
  room cellar: c1 c2
  wall between b1 and b2
  door between b2 and c2

kind Man is TALL, LONG, SHORT, WIDE, SMALL, SLIM

components
  1 of each Man in pitch
  1 of each Man in bench

zones
  pitch: bag of Man, open
  bench: bag of Man, open
  stand: bag of Man, open

table height of Man: 1..9
  TALL | 7
  LONG | 6
  SHORT | 2
  WIDE | 3
  SMALL | 1
  SLIM | 5

reading tired "may the tired run?"
  default slower "they go one cell less"
  alternative as_ever "they go as far as ever"

counters
  cell of player: house starts b1
  hurt of player: 0..9 starts 4
  rested of player: yes or no starts no

play
  turns from ana, to the left, until hurt of ana = 9
    turn player must take one of walk, look, run, jump, lean, seat, wear, rest
  nobody wins

define steps of player p: 0..9
  when hurt of p >= 6: 3
  when tired is as_ever: 2
  otherwise: 1

define reach of player p and Man man = height of man + steps(p)             [S-2]

action walk(to: house)
  needs "it is not too far": distance between cell of me and to <= steps(me)  [S-1]
  set cell of me to to

action look(to: house)
  needs "it is seen": cell of me sees to
  set cell of me to to

action run(way: Direction)
  needs "there is a cell that way": step(cell of me, way) is not none
  set cell of me to step(cell of me, way)

action rest
  needs "he is not rested": not rested of me                                  [S-1]
  set rested of me to yes                                                     [S-2]

action jump(over: 1..9)
  needs "somebody is tall enough": some man in pitch where height of man >= over
  set hurt of me to 0

action lean(man: Man)
  needs "he reaches it": reach(me, man) > 6
  set hurt of me to 0

action seat(man: Man)
  needs "somebody sits there": not stand is empty
  needs "the bench is there": bench has at least 1
  set hurt of me to 0

action wear(man: Man)
  needs "it fits": man is SHORT or man is SLIM
  needs "the tired go slower": tired is slower
  needs "it is not yours": every p in players: p is ana or cell of p is b1
  needs "somebody sits there": not stand is empty
  set hurt of me to 0
"""
STATEMENTS = "".join(f'[statement.S-{number}]\nline = 1\nstatus = "encoded"\ntext = "statement {number}"\n'
                     for number in (1, 2))


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    folder = tmp_path_factory.mktemp("house")
    (folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    (folder / "house.rules").write_text(RULES, encoding="utf-8")
    return load_flow(folder)


def refused(flow: Flow, folder: Path, do: str, **args: object) -> FailedLine:
    lines = [{"schema": "referee/log/1", "ruleset": "house", "players": ["ana", "ben"]},
             {"by": "ana", "do": do, "with": args}]
    log = folder / "game.jsonl"
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    verdict = judge_path(str(log), lambda _: engine(flow), Options())
    assert verdict.wrong is not None, verdict
    return verdict.wrong


def failed(flow: Flow, folder: Path, do: str, **args: object) -> dict[str, str]:
    (fact,) = refused(flow, folder, do, **args).failed
    return dict(fact.shows)


def test_a_way_that_is_too_long_is_told_with_what_stands_between(flow: Flow, tmp_path: Path) -> None:
    told = failed(flow, tmp_path, "walk", to="b2")
    assert told["distance between cell of ana and b2"] == (
        "3 (a wall is between b1 and b2; by b1 a1 a2 b2), at most 1 is needed")
    assert told["cell of ana"] == "b1"
    assert failed(flow, tmp_path, "walk", to="c2")["distance between cell of ana and c2"] == (
        "4 (by b1 a1 a2 b2 c2), at most 1 is needed")


def test_a_limit_is_told_with_the_case_that_made_it(flow: Flow, tmp_path: Path) -> None:
    told = failed(flow, tmp_path, "walk", to="a2")
    assert (told["steps(ana)"], told["hurt of ana"]) == ("1", "4, not at least 6")
    assert "tired" not in told  # that case does not apply


def test_what_is_not_seen_is_told_by_the_door_that_is_missing(flow: Flow, tmp_path: Path) -> None:
    assert failed(flow, tmp_path, "look", to="c1") == {
        "cell of ana sees c1": "no (no door of b1 leads into the room cellar)", "cell of ana": "b1"}


@pytest.mark.parametrize(("way", "why"), [
    ("north", "a wall is between b1 and b2"), ("south", "the map ends at b1"), ("east", "no door is between b1 and c1"),
])
def test_of_a_step_it_is_told_what_is_in_the_way(flow: Flow, tmp_path: Path, way: str, why: str) -> None:
    told = failed(flow, tmp_path, "run", way=way)
    assert told[f"step(cell of ana, {way})"] == f"nothing ({why}), something is needed"


def test_of_many_members_of_which_none_is_right_the_closest_is_told(flow: Flow, tmp_path: Path) -> None:
    assert failed(flow, tmp_path, "jump", over=9) == {
        "closest man": "TALL", "height of TALL": "7, at least 9 is needed", "over": "9"}


def test_a_value_is_told_with_what_its_definition_made_it_from(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "lean", man="SLIM")
    assert dict(wrong.failed[0].shows) == {
        "reach(ana, SLIM)": "6, more than 6 is needed", "height of SLIM": "5", "steps(ana)": "1"}
    assert wrong.cites == ("S-2",)


def test_of_a_test_whether_something_is_there_the_number_is_told(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "seat", man="TALL")
    assert [dict(fact.shows) for fact in (*wrong.failed, *wrong.held)] == [
        {"number of stand": "0, at least 1 is needed"}, {"number of bench": "6"}]


def test_what_only_says_the_line_again_or_how_settings_are_is_not_told_as_held(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "wear", man="SHORT")
    assert [fact.text for fact in wrong.failed] == ["somebody sits there"]
    assert [fact.text for fact in wrong.held] == ["it is not yours"]


def test_what_was_done_before_so_that_a_flag_forbids_the_line_is_told(flow: Flow, tmp_path: Path) -> None:
    lines = [{"schema": "referee/log/1", "ruleset": "house", "players": ["ana", "ben"]},
             {"by": "ana", "do": "rest"}, {"by": "ben", "do": "rest"}, {"by": "ana", "do": "rest"}]
    log = tmp_path / "game.jsonl"
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    wrong = judge_path(str(log), lambda _: engine(flow), Options()).wrong
    assert wrong is not None
    assert [dict(fact.shows) for fact in wrong.failed] == [{"rested of ana": "yes"}]
    assert [(one.line, one.text, one.cites) for one in wrong.because] == [
        (2, "rested of ana: no -> yes, by rest", ("S-2",))]
    assert wrong.cites == ("S-1",)
