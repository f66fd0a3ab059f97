"""What is told of the conditions of a wrong line: the parts that decide, with values, bounds and statements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import Fact, FailedLine
from referee.judge.visibility import HIDDEN
from referee.native.engine_names import engine

RULES = """game "Shop" for 2 players ana and ben

kind Square is s1, s2, s3
kind Ware is CHEAP, DEAR, HOLY

components
  3 of each Ware in shelf
  4 of each Ware in box

zones
  shelf: bag of Ware, open
  box: bag of Ware, open
  hand of player: bag of Ware, seen by owner

counters
  purse of player: 0..9 starts 2
  square of player: Square starts s1
  partner: player or none starts none

table price of Ware: 1..3
  CHEAP | 1
  DEAR | 3
  HOLY | 2

setup
  for each p in players: move CHEAP from box to hand of p
  move 2 DEAR from box to hand of ben
  move 2 HOLY from box to hand of ben
  set square of ben to s3

play
  ana must take one of buy, meet, give, keep, wait
  nobody wins

define can_pay of player p and Ware wanted = purse of p >= price of wanted and wanted is not HOLY  [S-2]

define side_by_side of player p and player q = square of p = square of q

action buy(ware: Ware in shelf, place: 1..4)                                [S-1]
  needs "it can be paid": can_pay(me, ware)
  needs "few are held": number of hand of me < 1, when ware is CHEAP          [S-3]
  needs "it stands in front": place is 4 - purse of me                       [S-4]
  needs "nothing dear is left": no w in shelf where price of w > 3
  move ware from shelf to hand of me

action meet(who: another player, some: up to 3 Ware in shelf)
  needs "you stand together": side_by_side(me, who)                              [S-5]
  needs "none is dear": every w in some: price of w < 3
  set partner to who

action keep(ware: Ware in my hand)                                          [S-5]
  move ware from hand of me to box

action wait
  set purse of ben to 1

action give(ware: Ware where price of it < 3)                               [S-4]
  needs "he has at most one of them": number of ware in hand of ben < 2 and purse of ben > 4
  set purse of ben to 0
"""
STATEMENTS = "".join(f'[statement.S-{number}]\nline = 1\nstatus = "encoded"\ntext = "statement {number}"\n'
                     for number in range(1, 6))


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    (folder / "shop.rules").write_text(RULES, encoding="utf-8")
    return load_flow(folder)


def refused(flow: Flow, folder: Path, do: str, viewer: str | None = None, **args: object) -> FailedLine:
    lines = [{"schema": "referee/log/1", "ruleset": "shop", "players": ["ana", "ben"]},
             {"by": "ana", "do": do, "with": args}]
    log = folder / "game.jsonl"
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    verdict = judge_path(str(log), lambda _: engine(flow), Options(viewer=viewer))
    assert verdict.wrong is not None, verdict
    return verdict.wrong


def told(facts: tuple[Fact, ...]) -> list[tuple[str, dict[str, str]]]:
    return [(fact.text, dict(fact.shows)) for fact in facts]


def test_only_the_failing_part_is_told_through_definitions_with_its_bound(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "buy", ware="DEAR", place=2)
    assert told(wrong.failed) == [
        ("it can be paid", {"purse of ana": "2, at least 3 is needed", "price of DEAR": "3"})]
    assert told(refused(flow, tmp_path, "give", ware="HOLY").failed) == [
        ("he has at most one of them", {"number of HOLY in hand of ben": "2, less than 2 is needed"})]
    assert told(refused(flow, tmp_path, "give", ware="CHEAP").failed) == [
        ("he has at most one of them", {"purse of ben": "2, more than 4 is needed"})]


def test_what_is_worked_out_is_told_as_a_number_and_what_a_definition_was_given(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "buy", ware="HOLY", place=3)
    assert told(wrong.failed) == [
        ("it can be paid", {"ware": "HOLY, other than HOLY is needed"}),
        ("it stands in front", {"place": "3, 2 is needed", "4 - purse of ana": "2"})]
    wrong = refused(flow, tmp_path, "meet", who="ben", some=["CHEAP", "DEAR"])
    assert told(wrong.failed) == [
        ("you stand together", {"square of ana": "s1", "square of ben": "s3"}),
        ("none is dear", {"price of DEAR": "3, less than 3 is needed"})]


def test_where_there_is_another_way_to_be_right_it_is_told_what_a_value_is_not(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "buy", ware="CHEAP", place=2)
    assert told(wrong.failed) == [
        ("few are held", {"ware": "CHEAP", "number of hand of ana": "1, not less than 1"})]


def test_what_does_not_apply_is_not_told_as_held(flow: Flow, tmp_path: Path) -> None:
    wrong = refused(flow, tmp_path, "buy", ware="DEAR", place=2)  # few are held: only of what is cheap
    assert [fact.text for fact in wrong.held] == ["it stands in front", "nothing dear is left"]
    wrong = refused(flow, tmp_path, "meet", who="ben", some=[])  # none is dear: there is none
    assert wrong.held == ()
    assert [fact.text for fact in wrong.failed] == ["you stand together"]


def test_the_statements_of_what_failed_stand_first_and_those_of_other_conditions_nowhere(
    flow: Flow, tmp_path: Path,
) -> None:
    assert refused(flow, tmp_path, "buy", ware="DEAR", place=2).cites == ("S-2", "S-1")
    assert refused(flow, tmp_path, "buy", ware="CHEAP", place=2).cites == ("S-3", "S-1")
    assert refused(flow, tmp_path, "buy", ware="HOLY", place=2).cites == ("S-2", "S-1")
    assert refused(flow, tmp_path, "meet", who="ben", some=[]).cites == ("S-5",)


def test_nobody_learns_what_he_does_not_see(flow: Flow, tmp_path: Path) -> None:
    for ware in ("HOLY", "CHEAP"):  # of one there are too many, of the other the purse is too small
        (fact,) = refused(flow, tmp_path, "give", viewer="ana", ware=ware).failed
        assert dict(fact.shows) == {"number of ware in hand of ben": HIDDEN, "purse of ben": "2"}
    (fact, *_) = refused(flow, tmp_path, "buy", viewer="ben", ware="CHEAP", place=2).failed
    assert dict(fact.shows) == {"number of hand of me": HIDDEN}


def reasons(wrong: FailedLine) -> list[tuple[str, dict[str, str], tuple[str, ...]]]:
    return [(one.text, dict(one.shows), one.cites) for one in wrong.because]


def test_of_an_argument_the_condition_is_told_that_refuses_it_or_where_it_lies(flow: Flow, tmp_path: Path) -> None:
    assert reasons(refused(flow, tmp_path, "give", ware="DEAR")) == [
        ("price of DEAR < 3: no", {"price of DEAR": "3, less than 3 is needed"}, ("S-4",))]
    lying = refused(flow, tmp_path, "keep", ware="DEAR")
    assert reasons(lying) == [("DEAR is not in hand of ana, but in shelf, box, hand of ben", {}, ("S-5",))]
    seen = refused(flow, tmp_path, "keep", viewer="ana", ware="DEAR")
    assert seen.because[0].text == "DEAR is not in hand of ana, but in shelf, box"
