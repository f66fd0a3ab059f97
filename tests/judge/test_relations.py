"""Parameters that are related: at the header, in play-outs, in what the judge assumes."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.interpreter.playouts import FAILED, complete, play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.changed_text import changed
from tests.judge.playing import PLAIN, does, wrong

RULES = Path(__file__).parent.parent / "language" / "constructs" / "relations.rules"
SEATS = ("ana", "ben")


@lru_cache
def walker() -> Walker:
    return Walker(lower(load(RULES)))


def judged(parameters: dict[str, Any], *lines: dict[str, Any]) -> LogVerdict:
    head = {"schema": "referee/log/1", "ruleset": "relations", "players": list(SEATS), "parameters": parameters}
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *lines))
    return judge_log(Log(io.StringIO(text), "game.jsonl"), lambda _: walker(), PLAIN)


@pytest.mark.parametrize(("parameters", "fits"), [
    ({}, True), ({"silver_from": 3, "gold_from": 5}, True), ({"silver_from": 3, "gold_from": 4}, False),
    ({"silver_from": 9, "gold_from": 5}, False), ({"silver_from": 22}, True), ({"silver_from": 23}, False),
    ({"gold_from": 2}, False), ({"worth": {"WEAK": 5, "STRONG": 4}}, False), ({"worth": {"WEAK": 9}}, True),
    ({"worth": "all_alike"}, True),
])
def test_a_header_keeps_to_them(parameters: dict[str, Any], fits: bool) -> None:
    verdict = judged(parameters)
    assert [found.code for found in verdict.diagnostics] == ([] if fits else ["LG31"])
    assert verdict.outcome is (LogOutcome.LEGAL if fits else LogOutcome.UNREADABLE)


def test_a_world_that_breaks_one_is_not_followed() -> None:
    """Gold from 10 on means that silver begins at 8 at most: who claims it with 8 needs to assume nothing."""
    verdict = judged({"gold_from": 24}, does("ana", "claim_silver", number=23))
    assert verdict.outcome is LogOutcome.LEGAL
    assert [[str(made) for made in world] for world in verdict.under] == []
    verdict = judged({"gold_from": 10}, does("ana", "claim_silver", number=8))
    assert verdict.under == ()
    verdict = judged({"gold_from": 10}, does("ana", "claim_silver", number=7))
    assert [[str(made) for made in world] for world in verdict.under] == [["silver_from = 1..7"]]


def test_what_no_related_values_allow_is_illegal() -> None:
    assert judged({}, does("ana", "claim_gold", number=3)).outcome is LogOutcome.LEGAL
    assert wrong(judged({}, does("ana", "claim_gold", number=2)))[:2] == (2, "illegal move")
    assert wrong(judged({"silver_from": 5}, does("ana", "claim_gold", number=6)))[:2] == (2, "illegal move")


def test_play_outs_keep_to_them() -> None:
    drawn = {tuple(complete(walker(), Setting(SEATS), Random(seed)).parameters[name][()]
                   for name in ("silver_from", "gold_from")) for seed in range(60)}
    assert len(drawn) > 10
    for silver, gold in drawn:
        assert isinstance(silver, int)
        assert isinstance(gold, int)
        assert silver + 2 <= gold


def test_play_outs_without_values_that_fit_fail() -> None:
    game = play_out(walker(), Setting(SEATS, parameters={"gold_from": {(): 2}}), 1)
    assert game.outcome == FAILED


def test_the_header_of_a_play_out_calls_the_values_by_their_name() -> None:
    game = play_out(walker(), Setting(SEATS), 1)
    lines = list(Recorder(walker(), {}).lines(game.setting, game.events, game.last, ("worth",)))
    head = json.loads(lines[0])
    assert head["parameters"]["worth"] == "all_alike"
    verdict = judge_log(Log(io.StringIO("".join(f"{line}\n" for line in lines)), "game.jsonl"), lambda _: walker(),
                        PLAIN)
    assert verdict.outcome is LogOutcome.LEGAL


def test_a_relation_speaks_of_parameters_only(tmp_path: Path) -> None:
    text = changed(RULES.read_text("utf-8"), {"silver_from < gold_from": "silver_from < points of first"})
    path = tmp_path / "wrong.rules"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Problems) as raised:
        load(path)
    assert [(found.code, found.span.line) for found in raised.value.diagnostics] == [("PM01", 16)]
