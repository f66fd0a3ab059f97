"""Reasons in logs with holes: those of one world that is left, which is said to be one of several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import referee as command
from referee.judge.line_explanation import moment
from referee.judge.log_run import Options, judge_log
from referee.judge.partial import enumeration, told_world
from referee.judge.verdict import FailedLine
from tests.judge.filling import read
from tests.judge.playing import does, ends, judged
from tests.judge.test_holes import PASSED, deals
from tests.judge.test_redact import walker_of
from tests.judge.test_undo import back, claims, core

SEVERAL = "as in one of"
KEPT = Path(__file__).resolve().parents[2] / "rulesets" / "adrenalyn_xl" / "logs" / "illegal" / "035.jsonl"


def wrong(lines: list[dict[str, Any]], viewer: str | None = None) -> FailedLine:
    found = judge_log(read(lines), lambda _: walker_of("kuhn_poker"), Options(viewer)).wrong
    assert found is not None
    return found


def said(found: FailedLine) -> list[tuple[int | None, str]]:
    return [(one.line, one.text) for one in found.because]


def test_of_a_wrong_result_the_reasons_of_one_world_are_told() -> None:
    found = wrong([*deals(ana="J"), *PASSED, ends("ana")])
    assert SEVERAL in found.message
    assert said(found) == said(wrong([*deals(ana="J", ben="Q"), *PASSED, ends("ana")]))
    assert (5, "who has won: none -> ben, by play") in said(found)


def test_where_one_world_is_left_it_is_told_without_that() -> None:
    found = wrong([*deals(ana="Q", ben={"in": ["Q", "K"]}), *PASSED, ends("ana")])
    assert SEVERAL not in found.message
    assert (5, "who has won: none -> ben, by play") in said(found)


def test_a_player_is_told_nothing_of_a_world_that_may_not_be() -> None:
    assert wrong([*deals(ana="J"), *PASSED, ends("ana")], "ana").because == ()


def test_the_claim_is_told_as_it_is_in_a_world_that_is_left() -> None:
    """In the first world ana holds the jack; that is given up when ben gets it."""
    head, ana, ben = deals(ana={"in": ["J", "K"]}, ben="J")
    one = wrong([head, ana, {"assert": {"number of deck": 3}}, ben, *PASSED]).because[0]
    assert (one.line, one.text) == (2, "deck: - K, by setup")


@pytest.mark.parametrize("branches", [enumeration.FEW_BRANCHES, 1])
def test_both_ways_to_follow_a_log_tell_the_same(branches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "FEW_BRANCHES", branches)
    found = wrong([*deals(ana="J"), *PASSED, ends("ana")])
    assert (5, "who has won: none -> ben, by play") in said(found)


def test_events_taken_back_are_no_part_of_a_world() -> None:
    lines = [does("ana", "wait"), does("ben", "take", number="?"), does("ana", "take", number=1), back(1),
             does("ana", "take", number=2), does("ben", "take", number=3), back(1)]
    found = judged(core(), *lines, claims(number_of_bank=9)).wrong
    assert found is not None
    assert SEVERAL in found.message
    assert {one.line for one in found.because} == {6, 3, None}  # what the bank held at first is no line's
    all_of_it = judged(core(), *lines, back(2), claims(number_of_bank=8)).wrong
    assert all_of_it is not None
    assert [one.text for one in all_of_it.because] == ["bank: 9, as the game began; only take changes it"]


def test_a_line_with_holes_that_nothing_makes_legal_has_near_lines() -> None:
    lines = [does("ana", "take", number="?"), does("ben", "take", number={"in": [7, 8]})]
    found = judged(core(), *lines).wrong
    assert found is not None
    assert [one.text for one in found.nearest] == ["take number 1", "take number 2", "take number 3"]


def test_too_long_a_way_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_world, "MOST_KEPT", 1)
    assert wrong([*deals(ana="J"), *PASSED, ends("ana")]).because == ()


def test_what_a_line_with_holes_did_is_told_of_one_world() -> None:
    found = moment(read([*deals(), *PASSED]), 3, lambda _: walker_of("kuhn_poker"), Options())
    assert found.trace is not None
    assert found.trace.courses == 6
    assert [one.text for one in found.trace.lines][1:] == ["deck: - Q, by setup", "hand of ben: + Q, by setup"]


def test_defaults_are_named_of_a_log_with_holes(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]
    lines[0]["viewpoint"] = "public"
    lines[2]["with"]["cards"][0] = "?"
    log = tmp_path / "game.jsonl"
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    plain, holed = (json.loads(CliRunner().invoke(command, ["judge", str(path), "--format", "json"]).output)
                    for path in (KEPT, log))
    (one,), (other,) = plain["verdicts"], holed["verdicts"]
    assert one["wrong"]["because"] == other["wrong"]["because"] != []
    assert one["defaults"] == other["defaults"]
