"""Claims about the state, in the language of the rules, with the names of the players."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from referee.core.types import Bool
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend import load
from referee.frontend.loading.outside_expressions import expression
from referee.frontend.names import symbol_table
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge.playing import PLAIN, does, ends, header, wrong

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
BIDS = [does("ana", "bid", card=5), does("ben", "bid", card=1)]


@lru_cache
def walker() -> Walker:
    return Walker(lower(load("goofspiel")))


def judged(*lines: dict[str, Any], options: Options = PLAIN) -> LogVerdict:
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
    assert (verdict.outcome, verdict.wrong, verdict.events) == (LogOutcome.LEGAL, None, 1)


def test_claims_that_hold() -> None:
    lines = [claims(points_of_ana=0), *BIDS, claims(points_of_ana=5, points_of_ben=0), claims(number_of_hand_of_ben=4)]
    verdict = judged(*lines)
    assert (verdict.outcome, verdict.events) == (LogOutcome.LEGAL, 2)


def test_a_claim_that_does_not() -> None:
    verdict = judged(*BIDS, claims(points_of_ana=5, points_of_ben=1))
    assert wrong(verdict) == (4, "broken claim", "points of ben is 0, not 1")
    assert wrong(judged(claims(points_of_ana=-1)))[1] == "broken claim"


def refused(*lines: dict[str, Any]) -> tuple[str, int, int, str, str | None]:
    """Code, line, column, message and hint of a log that cannot be read."""
    verdict = judged(*lines)
    assert verdict.outcome is LogOutcome.UNREADABLE, verdict
    found = verdict.diagnostics[-1]
    return found.code, found.span.line, found.span.column, found.message, found.hint


@pytest.mark.parametrize(("entry", "code", "column"), [
    ({"points of zed": 0}, "LG33", 11), ({"points of": 0}, "LG33", 10), ({"": 0}, "LG33", 1),
    ({"number of hnd of ana": 4}, "LG33", 11), ({"hand of ana": 4}, "LG33", 1), ({"points of ana >": True}, "LG33", 16),
    ({"(" * 5000: 0}, "LG33", 2001), ({"points of \"ana": 0}, "LG33", 11), ({"points of \"zed\"": 0}, "LG33", 11),
    ({"points of ana": "many"}, "LG34", 0), ({"points of ana": None}, "LG34", 0), ({"points of ana": True}, "LG34", 0),
    ({"points of ana": [1]}, "LG34", 0), ({"ana": 3}, "LG34", 0), ({"ana": "zed"}, "LG34", 0),
])
def test_a_claim_that_claims_nothing_is_a_fault_of_the_log(entry: dict[str, Any], code: str, column: int) -> None:
    line = {"assert": entry}
    found = refused(*BIDS, line)
    raw = json.dumps(next(iter(entry)))
    quotes = raw[1:column].count("\\")  # each stands before a sign that it escapes
    assert found[:3] == (code, 4, json.dumps(line).index(raw) + 1 + column + quotes), found


def test_a_wrong_claim_says_what_was_meant() -> None:
    assert refused({"assert": {"pionts of ana": 0}})[4] == "did you mean `points`?"
    assert refused({"assert": {"points of anna": 0}})[4] == "did you mean `ana`?"


def test_a_claim_that_is_too_long_is_not_told_to_go_on_in_the_next_line() -> None:
    code, *_, message, hint = refused({"assert": {"points of ana + " * 200 + "0": 0}})
    assert code == "LG33"
    assert message.endswith("it has 3201 characters, and at most 2000 are read")
    assert hint == "take it apart: each entry says one thing"


def test_a_claim_on_what_nobody_has_is_a_fault_of_the_log() -> None:
    """In no position has it a value; one that has none at this moment is a wrong claim."""
    for said in ("nobody", "none"):
        code, *_, message, hint = refused({"assert": {f"points of {said}": 0}})
        assert (code, hint) == ("LG33", None)
        assert message.endswith(f"expected a player, and `{said}` is never one")
    verdict = judged({"assert": {"points of turn player": 0}})
    assert wrong(verdict)[2].startswith("points of turn player is without a value")


def test_what_came_before_a_claim_that_claims_nothing_is_judged() -> None:
    verdict = judged(does("ana", "bid", card=99), {"assert": {"points of zed": 0}})
    assert (verdict.outcome, verdict.at) == (LogOutcome.ILLEGAL, 2)
    assert [found.code for found in verdict.diagnostics] == ["LG33"]


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
        assert (verdict.outcome is LogOutcome.LEGAL) is claimed


def test_claims_after_the_end() -> None:
    rest = [does(by, "bid", card=card) for first, second in ((4, 2), (3, 3), (2, 4)) for by, card in
            (("ana", first), ("ben", second))]
    verdict = judged(*BIDS, *rest, ends("ana"), claims(points_of_ana=9))
    assert verdict.outcome is LogOutcome.LEGAL


def test_any_number_of_claims_use_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one claim takes of the room for definitions is there again for the next."""
    monkeypatch.setattr(symbol_table, "MOST_WRITTEN", 200)
    core = load("go_goal")
    for n in range(50):
        assert expression(core, f"actions_of of ana = {n}", ("ana", "ben")).type == Bool()
    with pytest.raises(Problems, match="DF02"):
        expression(core, " + ".join(["actions_of of ana"] * 50), ("ana", "ben"))
