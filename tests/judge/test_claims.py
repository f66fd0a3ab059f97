"""Claims about the state, in the language of the rules, with the names of the players."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from referee.engine.walker import Walker
from referee.game.log import Log
from referee.judge.run import Options, judge_log
from referee.judge.verdict import Outcome, Verdict
from referee.meaning import load
from referee.meaning.flow import lower
from tests.judge.playing import PLAIN, does, ends, header, wrong

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
BIDS = [does("ana", "bid", card=5), does("ben", "bid", card=1)]


@lru_cache
def walker() -> Walker:
    return Walker(lower(load("goofspiel")))


def judged(*lines: dict[str, Any], options: Options = PLAIN) -> Verdict:
    text = "".join(f"{json.dumps(line)}\n" for line in (header(), *lines))
    return judge_log(Log(io.StringIO(text), "game.jsonl"), lambda _: walker(), options)


def claims(**entries: Any) -> dict[str, Any]:
    return {"assert": {text.replace("_", " "): value for text, value in entries.items()}}


def test_a_claim_where_an_option_is_for_other_numbers_of_players() -> None:
    rules = Walker(lower(load(CONSTRUCTS / "numbers_of_players.rules", 2)))
    lines = [{"schema": "referee/log/1", "ruleset": "numbers_of_players", "players": ["ana", "ben"],
              "given": {"starter": "ana"}}, does("ana", "step", far=2), claims(steps_of_ana=2)]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    verdict = judge_log(Log(io.StringIO(text), "game.jsonl"), lambda _: rules, PLAIN)
    assert (verdict.outcome, verdict.wrong, verdict.events) == (Outcome.LEGAL, None, 1)


def test_claims_that_hold() -> None:
    lines = [claims(points_of_ana=0), *BIDS, claims(points_of_ana=5, points_of_ben=0), claims(number_of_hand_of_ben=4)]
    verdict = judged(*lines)
    assert (verdict.outcome, verdict.events) == (Outcome.LEGAL, 2)


def test_a_claim_that_does_not() -> None:
    verdict = judged(*BIDS, claims(points_of_ana=5, points_of_ben=1))
    assert wrong(verdict) == (4, "broken claim", "points of ben is 0, not 1")
    assert wrong(judged(claims(points_of_ana=-1)))[1] == "broken claim"


@pytest.mark.parametrize("entry", [
    {"points of zed": 0}, {"points of": 0}, {"": 0}, {"points of ana": "many"}, {"points of ana": None},
    {"points of ana": True}, {"points of ana": [1]}, {"(" * 5000: 0}, {"ana": 3},
])
def test_claims_that_claim_nothing(entry: dict[str, Any]) -> None:
    assert wrong(judged(*BIDS, {"assert": entry}))[:2] == (4, "broken claim")


def test_what_a_player_cannot_see_is_not_told_him() -> None:
    claim = {"assert": {"number of hand of ben": 3}}
    assert wrong(judged(*BIDS, claim))[2] == "number of hand of ben is 4, not 3"
    assert wrong(judged(*BIDS, claim, options=Options(viewer="ben")))[2] == "number of hand of ben is 4, not 3"
    assert wrong(judged(*BIDS, claim, options=Options(viewer="ana")))[2] == "number of hand of ben is hidden, not 3"


def test_a_claim_may_need_a_table_that_the_rules_do_not() -> None:
    marks = Walker(lower(load("tic_tac_toe")))
    for claimed in (True, False):
        text = f'{json.dumps(header(ruleset="tic_tac_toe"))}\n' + json.dumps(
            {"assert": {"every c in square: row of c <= 3": claimed}})
        verdict = judge_log(Log(io.StringIO(text), "game.jsonl"), lambda _: marks)
        assert (verdict.outcome is Outcome.LEGAL) is claimed


def test_claims_after_the_end() -> None:
    rest = [does(by, "bid", card=card) for first, second in ((4, 2), (3, 3), (2, 4)) for by, card in
            (("ana", first), ("ben", second))]
    verdict = judged(*BIDS, *rest, ends("ana"), claims(points_of_ana=9))
    assert verdict.outcome is Outcome.LEGAL
