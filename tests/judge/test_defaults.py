"""What a verdict says of defaults: which were looked at on the way to a wrong line, and what others would change."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.frontend.loading.loader import load_flow
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.defaults import default_trials
from referee.judge.log_run import Options, judge_log, judge_path
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.data.verdict_data import as_data
from referee.report.text.verdict_text import text_of
from tests.judge.playing import does, ends, sound, wrong

RULES = """
game "Market" for 2 players ana and ben

kind Card is RED, BLUE

components
  3 RED in deck
  3 BLUE in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner, at most 4

counters
  coins of player: 0..40
  bought of player: 0..40
  waited of player: 0..40

option level: plain or hard "how one plays"
option colours: one or two "how many colours"
parameter price of 1..3: 0..9 default 2 "the prices are lost"
parameter income: 1..6 default 3 "the income is lost"
parameter most: 1..9 default 4 "how much one may spend is lost"
parameter never: 1..9 default 5 "nothing asks for it"
reading order "does income come first?"
  default after "income comes after buying"
  alternative before "income comes before buying"
reading again "may one buy twice?"
  default once "one may not"
  alternative twice "one may"

play
  turns from ana, to the left, until coins of ben >= 30
    if order is before: raise coins of turn player by income
    turn player must take one of buy, wait
    if order is after: raise coins of turn player by income
  if again is twice: ana wins
  else: ben wins

action buy(n: 1..3)
  needs "it can be paid": price(n) <= coins of me
  needs "not too much": price(n) <= most
  needs "not twice": again is twice or bought of me = 0
  needs "n is small": level is plain or n = 1
  lower coins of me by price(n)
  raise bought of me by 1

action wait
  raise waited of me by 1
"""


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried does not hang on how busy the machine is."""
    monkeypatch.setattr(default_trials, "LEAST_SECONDS", 60.0)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where: Path = tmp_path_factory.mktemp("rules") / "market.rules"
    where.write_text(RULES, "utf-8")
    return where


@cache
def walker(where: Path, options: tuple[tuple[str, str], ...]) -> Walker:
    return Walker(load_flow(where, 2, dict(options)))


def judged(where: Path, *lines: dict[str, Any], under: bool = False, viewer: str | None = None,
           **entries: Any) -> LogVerdict:
    head = {"schema": "referee/log/1", "ruleset": "market", "players": ["ana", "ben"], **entries}
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *lines))

    def load(header: Header) -> Walker:
        return walker(where, tuple((name, str(value)) for name, value in sorted(header.options.items())))

    return sound(judge_log(Log(io.StringIO(text), "game.jsonl"), load, Options(under=under, viewer=viewer)))


def named(verdict: LogVerdict) -> list[str]:
    return [f"{one.kind.value} {one}" for one in verdict.defaults]


def own(verdict: LogVerdict) -> list[str]:
    return [f"{one.kind.value} {one}" for one in verdict.set_by_log]


def tried(verdict: LogVerdict) -> list[tuple[str, int | None]]:
    assert verdict.trials is not None
    return [(" and ".join(map(str, one.settings)), one.line) for one in verdict.trials.found]


def buys(by: str, n: int = 1) -> dict[str, Any]:
    return does(by, "buy", n=n)


WAIT = [does("ana", "wait"), does("ben", "wait")]


# --- what was looked at

def test_what_decides_the_failing_condition_is_named(rules: Path) -> None:
    """Line 2: the price of the second is 2 by default, and there are no coins. That it is not too much, and the first
    that is bought, was looked at too, and has no bearing."""
    verdict = judged(rules, buys("ana", 2))
    assert wrong(verdict)[:2] == (2, "illegal move")
    assert named(verdict) == ["parameter price(2) = 2", "option level = plain"]
    assert "  under     parameter price(2) = 2, option level = plain (by default)" in text_of(verdict).splitlines()


def test_what_steps_before_it_read_is_named_if_it_has_a_bearing(rules: Path) -> None:
    """Line 4: an income of three does not pay for a thing of five; one of five would."""
    verdict = judged(rules, *WAIT, buys("ana", 3), parameters={"price": {"3": 5}})
    assert wrong(verdict)[:2] == (4, "illegal move")
    assert named(verdict) == ["parameter income = 3", "parameter most = 4", "option level = plain"]


def test_what_was_read_without_a_bearing_is_not_named(rules: Path) -> None:
    """Line 3: after Ana waited, the reading and the income had their say, but it is the turn of Ben anyway."""
    verdict = judged(rules, does("ana", "wait"), does("ana", "wait"))
    assert wrong(verdict)[:2] == (3, "wrong player")
    assert named(verdict) == []
    verdict = judged(rules, *WAIT, buys("ana"), does("ana", "wait"))
    assert wrong(verdict)[:2] == (5, "wrong player")
    assert named(verdict) == ["option level = plain"]  # no options are tried without being asked for


def test_what_the_header_names_is_no_default(rules: Path) -> None:
    verdict = judged(rules, buys("ana", 2), parameters={"price": {"2": 2}, "most": "?"}, readings={"again": "once"},
                     options={"level": "plain"})
    assert named(verdict) == []
    verdict = judged(rules, buys("ana", 2), parameters={"price": {"1": 2}, "most": 4})
    assert named(verdict) == ["parameter price(2) = 2", "option level = plain"]


def test_what_makes_a_claimed_value_and_a_result_is_named(rules: Path) -> None:
    assert named(judged(rules, {"assert": {"price(3) + income": 9}})) == ["parameter price(3) = 2",
                                                                         "parameter income = 3"]
    lines = [turn for _ in range(9) for turn in WAIT]
    verdict = judged(rules, *lines, *WAIT, ends("ana"))
    assert wrong(verdict) == (22, "wrong result", "the winner is ben, not ana")
    assert named(verdict) == ["parameter income = 3", "reading again = once"]


# --- what the log set itself

def test_what_the_log_set_and_the_line_is_tested_by_is_told(rules: Path) -> None:
    """With the values of the defaults, too; what is left open, or was not looked at, is not told."""
    verdict = judged(rules, buys("ana", 2), parameters={"price": {"1": 5, "2": 2}, "most": "?", "income": 2},
                     readings={"again": "twice"}, options={"level": "plain", "colours": "two"})
    assert own(verdict) == ["parameter price(2) = 2", "reading again = twice", "option level = plain"]
    assert "  set by this log: parameter price(2) = 2, reading again = twice, option level = plain" \
           in text_of(verdict).splitlines()
    told = as_data(verdict)
    assert told["set_by_log"][1] == {"kind": "reading", "name": "again", "value": "twice"}
    assert (told["more_set_by_log"], told["defaults"]) == (0, [])


def test_what_the_log_set_is_told_of_the_steps_before_if_it_has_a_bearing(rules: Path) -> None:
    parameters = {"price": {"3": 5}, "income": 4}
    assert own(judged(rules, *WAIT, buys("ana", 3), parameters=parameters)) == [
        "parameter price(3) = 5", "parameter income = 4"]
    assert own(judged(rules, *WAIT, does("ben", "wait"), parameters=parameters)) == []


def test_a_player_is_told_what_the_log_set_of_the_conditions_that_he_is_told(rules: Path) -> None:
    settings: dict[str, Any] = {"parameters": {"most": 1, "income": 2}, "readings": {"order": "before"}}
    assert own(judged(rules, *WAIT, buys("ana", 2), viewer="ben", **settings)) == ["parameter most = 1"]


def test_a_legal_log_names_none(rules: Path) -> None:
    verdict = judged(rules, *WAIT)
    assert (verdict.outcome, verdict.defaults, verdict.trials) == (LogOutcome.LEGAL, (), None)


# --- what others would change

def test_one_default_alone_makes_a_line_legal(rules: Path) -> None:
    """Without coins the second can be bought for nothing, or if there is income first."""
    verdict = judged(rules, buys("ana", 2), under=True)
    assert tried(verdict) == [("price(2) = 0", None), ("order = before", None)]
    assert verdict.trials is not None
    assert (verdict.trials.alone, verdict.trials.alone_done) == (8, 8)
    assert verdict.trials.unread == 2  # the income, and what nothing asks for
    lines = text_of(verdict).splitlines()
    assert "  tried     with price(2) = 0 it is legal" in lines
    assert lines[-1].startswith("  tried     8 of 8 defaults and ")


def test_the_next_wrong_line_is_told(rules: Path) -> None:
    verdict = judged(rules, buys("ana"), buys("ben"), under=True, readings={"order": "after"})
    assert tried(verdict)[0] == ("price(1) = 0", None)
    verdict = judged(rules, buys("ana", 1), buys("ben", 2), under=True)
    assert tried(verdict)[0] == ("price(1) = 0", 3)
    assert "  tried     with price(1) = 0 line 2 is legal, and line 3 illegal" in text_of(verdict).splitlines()


def test_two_defaults_together_make_a_line_legal(rules: Path) -> None:
    """Six coins for a thing of five: the price is stated, the income too small and the most that is spent as well."""
    lines = [*WAIT, buys("ana", 3)]
    verdict = judged(rules, *lines, under=True, parameters={"price": {"3": 5}})
    assert wrong(verdict)[0] == 4
    assert ("income = 5..6 and most = 5..9", None) in tried(verdict)
    assert all(" and " in settings for settings, _ in tried(verdict))
    assert verdict.trials is not None
    assert verdict.trials.pairs == verdict.trials.pairs_done == 15
    assert ("most = 5..9 and order = before", None) in tried(verdict)


def test_an_option_is_tried_by_other_rules(rules: Path) -> None:
    verdict = judged(rules, *WAIT, buys("ana", 2), under=True)
    assert ("level = hard", 4) in tried(verdict)
    verdict = judged(rules, *WAIT, buys("ana", 2), under=True, options={"level": "plain"})
    assert not any("level" in settings for settings, _ in tried(verdict))


def test_what_would_make_a_legal_log_illegal_is_told(rules: Path) -> None:
    verdict = judged(rules, *WAIT, buys("ana", 2), under=True)
    assert verdict.outcome is LogOutcome.LEGAL
    assert dict(tried(verdict)) == {"price(2) = 4..9": 4, "most = 1": 4, "income = 1": 4, "level = hard": 4}
    assert "  tried     with most = 1 line 4 is illegal" in text_of(verdict).splitlines()


def test_a_log_with_holes_is_tried_value_by_value(rules: Path) -> None:
    verdict = judged(rules, {"by": "ana", "do": "buy", "with": {"n": "?"}}, under=True, viewpoint="ben")
    assert wrong(verdict)[0] == 2
    assert verdict.trials is not None
    assert verdict.trials.unread is None
    assert ("order = before", None) in tried(verdict)
    assert ("price(3) = 0", None) in tried(verdict)


def test_nothing_is_tried_for_a_player(rules: Path) -> None:
    verdict = judged(rules, buys("ana", 2), under=True, viewer="ben")
    assert verdict.trials is None


# --- many

def test_three_hundred_defaults_are_tried_as_far_as_time_allows(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_trials, "LEAST_SECONDS", 1.0)
    where = tmp_path / "many.rules"
    where.write_text('''
game "Many" for 2 players ana and ben

counters
  total: 0..5000

parameter worth of 1..300: 1..9 default 2 "all is lost"

play
  turns from ana, to the left, until total >= 4000
    turn player must add
  nobody wins

action add(n: 1..9)
  needs "it is a lot": n = 1 or (sum of worth(it) in 1..300) >= 700
  raise total by n
''', "utf-8")
    verdict = judged(where, does("ana", "add", n=2), under=True)
    assert wrong(verdict)[0] == 2
    assert len(verdict.defaults) == 100
    assert 0 < verdict.more_defaults < 200  # those that were tried had no bearing
    assert f" and {92 + verdict.more_defaults} more (by default)" in text_of(verdict)
    assert verdict.trials is not None
    assert (verdict.trials.alone, verdict.trials.pairs, verdict.trials.unread) == (300, 44_850, 0)
    assert 0 < verdict.trials.alone_done <= 300
    assert verdict.trials.found == ()  # none brings 99 more by itself


# --- bundled logs

def test_a_price_that_is_a_default_is_named_and_tried(project: Path) -> None:
    """Line 2: the VAR card costs a bronze cube by default (KP-19), and he has none."""
    log = project / "rulesets/king_of_the_pitch/logs/illegal/003.jsonl"
    verdict = judge_path(str(log), Rules(), Options(under=True))
    assert verdict.wrong is not None
    assert (verdict.wrong.line, verdict.wrong.rule) == (2, "take")
    assert "KP-19" in verdict.wrong.cites
    assert "parameter bronze_price(var_card) = 1" in named(verdict)
    assert ("bronze_price(var_card) = 0", None) in tried(verdict)
