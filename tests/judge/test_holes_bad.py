"""Logs with holes that ask too much: an answer in the vocabulary within the time given, never legal by default."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import referee
from referee.frontend import load_flow
from referee.game.log.log_header import Header
from referee.judge.log_run import Options, judge_log, judge_path
from referee.judge.partial.constraints import constraint_store
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from tests.judge.filling import read
from tests.judge.playing import does, sound

HEAD = {"schema": "referee/log/1", "ruleset": "go_goal", "players": ["ana", "ben"], "viewpoint": "public",
        "given": {"starter": "ana"}, "parameters": {"may_score": "all_yes", "same_symbol": "all_alike"}}
DEALS = [does("fate", "deal", to=player, cards="?") for player in ("ana", "ana", "ben", "ben")]
TEAMS = [does(player, "choose_team", cards="?") for player in ("ana", "ben")]


def told(*lines: dict[str, Any], **options: Any) -> LogVerdict:
    walker = engine(load_flow("go_goal", 2, {}))

    def load(_: Header) -> Any:
        return walker

    return sound(judge_log(read([HEAD, *lines]), load, Options(**options)))


def turns(number: int) -> list[dict[str, Any]]:
    """Everybody plays a footballer, takes one out and draws one: what they are nobody says."""
    made: list[dict[str, Any]] = []
    for index in range(number):
        player = ("ana", "ben")[index % 2]
        made += [does(player, "play_footballer", card="?"), *([does(player, "remove", card="?")] if index > 3 else []),
                 does(player, "draw_from", pack="footballers"), does("fate", "draw", to=player, card="?")]
    return made


def test_nothing_is_stated() -> None:
    """Every card that is played is a hole: the verdict comes in time, whatever it is."""
    found = told(*DEALS, *TEAMS, *turns(4), timeout=3)
    assert found.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.UNKNOWN)


def test_ten_thousand_holes() -> None:
    found = told(*DEALS, *TEAMS, *turns(3_300), timeout=5)
    assert found.outcome is LogOutcome.UNKNOWN
    assert found.reason


FAILING = """game "Failing" for 2 players ana and ben

counters
  steps: 0..2

setup
  for each n in 1..3: raise steps by 1

play
  ana must say
  ben wins

action say(number: 1..3)
  nothing
"""


def test_a_game_that_fails_before_it_begins(tmp_path: Path) -> None:
    """Nothing can be asked of it, whatever is in the holes."""
    path = tmp_path / "failing.rules"
    path.write_text(FAILING)
    walker = engine(load_flow(path, 2, {}))
    head = {**HEAD, "ruleset": "failing", "given": {}, "parameters": {}}
    found = sound(judge_log(read([head, does("ana", "say", number="?")]), lambda _: walker))
    assert found.outcome is LogOutcome.UNKNOWN
    assert "steps cannot become 3" in found.reason


def test_more_hidden_things_than_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraint_store, "MOST_TOKENS", 10)
    found = told(*DEALS, *TEAMS)
    assert (found.outcome, found.at) == (LogOutcome.UNKNOWN, 4)


@pytest.mark.parametrize(("cards", "outcome"), [
    ([{"in": ["JOKER"]}] * 5, LogOutcome.ILLEGAL),  # there are four
    ([{"in": ["JOKER"]}] * 4 + ["?"], LogOutcome.LEGAL),
    ([{"in": []}, "?", "?", "?", "?"], LogOutcome.ILLEGAL),
    ([{"in": ["GOAL"]}, "?", "?", "?", "?"], LogOutcome.ILLEGAL),
    ([{"in": ["JOKER", "?"]}] * 5, LogOutcome.LEGAL),
    ({"in": [["JOKER"] * 5, ["JOKER"] * 4]}, LogOutcome.ILLEGAL),
])
def test_sets_that_leave_nothing(cards: Any, outcome: LogOutcome) -> None:
    assert told(does("fate", "deal", to="ana", cards=cards)).outcome is outcome


def test_sets_that_contradict_each_other() -> None:
    """Ana's five and Ben's five cannot both have three of the four jokers."""
    three = [{"in": ["JOKER"]}] * 3 + ["?", "?"]
    found = told(does("fate", "deal", to="ana", cards=three), DEALS[1], does("fate", "deal", to="ben", cards=three))
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 4)


def test_a_time_limit_at_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [HEAD, *DEALS, *TEAMS, *turns(3_300)]))
    found = CliRunner().invoke(referee, ["judge", str(path), "--timeout", "1"], standalone_mode=False)
    assert found.return_value == 5
    assert "unknown: " in found.output


def test_facts(tmp_path: Path) -> None:
    """With four jokers on the table the fifth card is none; what is played was in the hand."""
    played = does("ana", "choose_team", cards=["JOKER", "JOKER", "DEFENDER"])
    found = told(does("fate", "deal", to="ana", cards="?"), *DEALS[1:], played, facts=True)
    assert found.facts[0].values == ("DEFENDER", "JOKER", "JOKER")
    assert (found.facts[0].among, found.facts[0].settled, found.facts[0].line) == (True, False, 2)
    assert found.open_holes == 11


def test_a_conflict_names_its_lines() -> None:
    """Five jokers, of which there are four: both cannot be true, whatever the other lines state."""
    first = does("ana", "choose_team", cards=["JOKER", "JOKER", "JOKER"])
    second = does("ben", "choose_team", cards=["JOKER", "JOKER", "DEFENDER"])
    found = told(*DEALS, first, second, facts=True)
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 7)
    assert found.conflict == (6, 7)
    assert found.mends == (6, 7)


def test_once_the_time_is_over_the_rest_is_not_read(tmp_path: Path) -> None:
    """The last line is no JSON: whoever has no time for line 2 does not get there."""
    path = tmp_path / "game.jsonl"
    deal = {"by": "fate", "do": "deal", "with": {"to": "ana", "card": "?"}}
    head = {"schema": "referee/log/1", "ruleset": "kuhn_poker", "players": ["ana", "ben"], "viewpoint": "ben"}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(deal)}\nnonsense\n")
    found = judge_path(str(path), lambda _: engine(load_flow("kuhn_poker", 2, {})), Options(timeout=-1))
    assert (found.outcome, found.at, found.lines) == (LogOutcome.UNKNOWN, 2, 2)
    assert judge_path(str(path), lambda _: engine(load_flow("kuhn_poker", 2, {}))).outcome is LogOutcome.UNREADABLE
