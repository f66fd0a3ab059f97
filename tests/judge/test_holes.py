"""Verdicts on logs with holes, and what is said where there are too many ways to fill them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import referee
from referee.diagnostics.exit_codes import Exit
from referee.game.log.log_header import Header
from referee.judge.log_run import judge_log
from referee.judge.partial import enumeration
from referee.judge.partial.lifted import filling_tracker
from referee.judge.partial.lifted.sampled import sampled_ways
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge.filling import read
from tests.judge.playing import does, ends, sound, wrong
from tests.judge.test_redact import walker_of

HEAD = {"schema": "referee/log/1", "ruleset": "kuhn_poker", "players": ["ana", "ben"], "viewpoint": "public"}


def deals(ana: Any = "?", ben: Any = "?") -> list[dict[str, Any]]:
    return [HEAD, does("fate", "deal", to="ana", card=ana), does("fate", "deal", to="ben", card=ben)]


PASSED = [does("ana", "pass"), does("ben", "pass")]


def told(lines: list[Any]) -> LogVerdict:
    walker = walker_of("kuhn_poker")

    def load(_: Header) -> Any:
        return walker

    return sound(judge_log(read(lines), load))


def test_a_public_game_is_legal_as_long_as_every_way_goes_on() -> None:
    found = told([*deals(), *PASSED])
    assert (found.outcome, found.ways, found.narrowing, found.finished, found.winners) == (
        LogOutcome.LEGAL, 6, (), True, None)


def test_what_was_seen_narrows_what_was_not() -> None:
    found = told(deals(ben="K"))
    assert (found.outcome, found.ways, found.narrowing) == (LogOutcome.POSSIBLE, 2, (3,))


def test_a_result_that_only_some_ways_give_may_be_broken() -> None:
    found = told([*deals(), *PASSED, ends("ana")])
    assert (found.outcome, found.ways, found.narrowing) == (LogOutcome.POSSIBLE, 6, (6,))


def test_a_result_that_no_way_gives_is_wrong() -> None:
    found = told([*deals(ana="J"), *PASSED, ends("ana")])
    said = "the winner is ben, not ana (as in one of 2 ways to fill the holes; it is wrong in every one)"
    assert wrong(found) == (6, "wrong result", said)


def test_claims_that_cannot_hold_together_are_wrong() -> None:
    claims = [{"assert": {"number of K in hand of ana": 1}}, {"assert": {"number of K in hand of ben": 1}}]
    assert told([*deals(), claims[0]]).outcome is LogOutcome.POSSIBLE
    assert told([*deals(), claims[1]]).outcome is LogOutcome.POSSIBLE
    assert wrong(told([*deals(), *claims]))[:2] == (5, "broken claim")


@pytest.mark.parametrize(("card", "message"), [
    ({"in": []}, "fate may not deal: nothing that card could be makes it legal"),
    ({"in": ["Z", 3]}, "fate may not deal: nothing that card could be makes it legal"),
])
def test_a_hole_that_nothing_fills(card: Any, message: str) -> None:
    assert wrong(told(deals(ana=card))) == (2, "illegal move", message)


def test_a_wrong_player_is_one_whatever_the_hole_holds() -> None:
    again = does("fate", "deal", to="ana", card="?")
    assert wrong(told([*deals(), again]))[:2] == (4, "wrong player")
    assert wrong(told([*deals(), *PASSED, again]))[:2] == (6, "event after the end")


def test_an_argument_that_no_such_event_has() -> None:
    assert wrong(told([HEAD, does("fate", "deal", to="ana", card="J", price="?")]))[:2] == (2, "bad argument")


def test_too_many_ways_are_not_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 4)
    found = told([*deals(), *PASSED])
    assert (found.outcome, found.ways) == (LogOutcome.LEGAL, 6)


def test_too_much_work_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST_WORK_IN_ALL", 20)
    monkeypatch.setattr(filling_tracker, "MOST_CONSTRAINED", 0)
    found = told([*deals(), *PASSED])  # one way stands, and all others may
    assert found.outcome is LogOutcome.UNKNOWN
    assert "nothing contradicts the rules" in found.reason
    monkeypatch.setattr(sampled_ways, "MOST_SECONDS_SAMPLED", 0.0)
    found = told([*deals(), *PASSED])
    assert found.outcome is LogOutcome.UNKNOWN
    assert "too many possibilities" in found.reason


def test_ten_thousand_holes() -> None:
    assert wrong(told([HEAD, *[does("fate", "deal", to="?", card="?")] * 10_000]))[0] == 4


@pytest.mark.parametrize(("lines", "plain", "strict"), [
    (deals(), 0, 0), (deals(ben="K"), 0, 5), ([*deals(), does("ben", "pass")], 1, 1),
])
def test_exit_codes(tmp_path: Path, lines: list[Any], plain: int, strict: int) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    for words, code in ([], plain), (["--strict"], strict):
        found = CliRunner().invoke(referee, ["judge", str(path), *words], standalone_mode=False)
        assert found.return_value == code, found.output


def test_redact_at_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    lines = [{**HEAD, "viewpoint": "all"}, *deals("J", "K")[1:], *PASSED]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    found = CliRunner().invoke(referee, ["redact", str(path), "--for", "ben"], standalone_mode=False)
    assert found.return_value == 0
    assert [json.loads(line).get("with", {}).get("card") for line in found.output.splitlines()[1:3]] == ["?", "K"]


def test_redact_refuses_an_illegal_log(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    lines = [{**HEAD, "viewpoint": "all"}, *deals("J", "J")[1:]]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    found = CliRunner().invoke(referee, ["redact", str(path), "--for", "ben"], standalone_mode=False)
    assert found.return_value == 1
    assert f"{path}:3: illegal" in found.output


def test_some_ways_to_fill_the_holes_stop_where_the_rules_have_no_answer() -> None:
    """The end tells that it was not one of these: nothing contradicts the rules."""
    walker = walker_of("ties")
    head = {**HEAD, "ruleset": "ties", "given": {"starter": "ben"}}
    gathered = [does("ben", "gather", amount="?"), does("ana", "gather", amount=2), does("ben", "gather", amount="?"),
                does("ana", "gather", amount="?")]
    found = sound(judge_log(read([head, *gathered, {"end": {"winner": "ana"}}]), lambda _: walker))
    assert (found.outcome, found.narrowing) == (LogOutcome.POSSIBLE, (6,))


def test_time_is_of_computing_unless_somebody_has_said_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.judge.partial.hole_judging.MOST_SECONDS", -1)
    found = told([*deals(), *PASSED])
    assert (found.outcome, found.exit) == (LogOutcome.UNKNOWN, Exit.OPEN)
    assert found.reason is not None
    assert found.reason.endswith(" s of computing")
