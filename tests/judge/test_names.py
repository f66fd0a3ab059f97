"""Players may have any name: how claims, positions, scenarios and reports name them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.core.naming import LANGUAGE, written
from referee.core.types import COMPONENT, Elem
from referee.frontend import load
from referee.frontend.names.symbol_table import RESERVED
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.game.log.log_reader import Log
from referee.game.value_codec import called, decode_value
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.rule_tests.scenario_runs import run_scenario
from referee.syntax.lr_parser import machine
from referee.views.redaction import redacted
from tests.judge.playing import does

GAME = """game "Named" for 2..3 players

kind Card is LOW < MID < HIGH

zones
  hand of player: bag of Card, seen by owner

components
  1 of each Card for each player in hand of owner

counters
  points of player: 0..9 starts 0

given starter: player

play
  turns from starter, to the left
    turn player must score

action score(to: players)
  raise points of to by 1
"""
HOSTILE = ("Ben", "ana maria", "p-1", "me", "1", 'a "b" \\ c', "points", "hand of x", "e\u0301", "\u00e9", "x" * 100,
           "two\nlines", "\u202eabc", "LOW", "(", "a, b", "\U0001f600", "starter", "of", "Élodie", "Анна")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "named.rules"
    path.write_text(GAME, "utf-8")
    return path


def log_of(rules: Path, players: list[str], *lines: dict[str, Any], **entries: Any) -> Log:
    head = {"schema": "referee/log/1", "ruleset": rules.stem, "players": players, "given": {"starter": players[0]},
            **entries}
    return Log(io.StringIO("".join(f"{json.dumps(line)}\n" for line in (head, *lines))), "named.jsonl")


def judged(rules: Path, players: list[str], *lines: dict[str, Any], **entries: Any) -> LogVerdict:
    return judge_log(log_of(rules, players, *lines, **entries), Rules(str(rules)))


def fault(rules: Path, players: list[str], claim: str) -> tuple[str, str, str | None]:
    verdict = judged(rules, players, {"assert": {claim: 0}})
    assert verdict.outcome is LogOutcome.UNREADABLE, verdict
    found = verdict.diagnostics[-1]
    return found.code, found.message, found.hint


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_any_name_may_be_claimed_of(rules: Path, name: str) -> None:
    core = load(rules, 2)
    quoted = json.dumps(name, ensure_ascii=False) if "\n" not in name else f'"{name}"'
    said = written(core, ("zoe", name), 1)
    for text in {quoted, said}:
        for value, outcome in ((1, LogOutcome.LEGAL), (0, LogOutcome.ILLEGAL)):
            verdict = judged(rules, ["zoe", name], does("zoe", "score", to=name),
                             {"assert": {f"points of {text}": value, f"number of hand of {text}": 3}},
                             does(name, "score", to="zoe"))
            assert verdict.outcome is outcome, verdict
    start = {"place": {f"hand of {said}": {"LOW": 1}, "hand of zoe": {"HIGH": 2, "MID": 2, "LOW": 1}},
             "set": {f"points of {said}": 4}, "turn": name}
    verdict = judged(rules, ["zoe", name], {"assert": {f"points of {said} = 4": True}}, state=start)
    assert verdict.outcome is LogOutcome.LEGAL, verdict


@pytest.mark.parametrize("name", ["Ben", "ana maria", "Ana Maria Zed", "anabel", "Élodie", "Анна", "e\u0301", "_",
                                  "Zoe2"])
def test_a_name_stands_as_it_is(rules: Path, name: str) -> None:
    core = load(rules, 2)
    assert written(core, ("ana", name), 1) == name
    verdict = judged(rules, ["ana", name], does("ana", "score", to=name), {"assert": {
        f"points of {name}": 1, "points of ana": 0, f"points of {name} > points of ana and {name} = {name}": True}})
    assert verdict.outcome is LogOutcome.LEGAL, verdict


def test_the_longest_name_comes_first(rules: Path) -> None:
    players = ["ana", "ana maria", "ana maria zed"]
    core = load(rules, 3)
    assert [written(core, players, seat) for seat in range(3)] == players
    lines = [does("ana", "score", to="ana maria"), does("ana maria", "score", to="ana maria"),
             {"assert": {"points of ana maria": 2, "points of ana": 0, "points of ana maria zed": 0}}]
    assert judged(rules, players, *lines).outcome is LogOutcome.LEGAL


@pytest.mark.parametrize("name", ["me", "1", "p-1", "points", "LOW", "of", 'a"b', "a, b", "the starter", "x(y)",
                                  "ana  b"])
def test_a_name_that_could_be_more_needs_quotes(rules: Path, name: str) -> None:
    assert written(load(rules, 2), ("ana", name), 1) == json.dumps(name)
    code, _, hint = fault(rules, ["ana", name], f"points of {name} +")
    assert (code, hint) == ("LG33", f"if the player is meant, write {json.dumps(name)}")


def test_a_word_of_the_rules_stays_one_whoever_plays(rules: Path) -> None:
    claim = {"assert": {'number of LOW in hand of "LOW"': 1, "points of starter": 0, 'points of "starter"': 1}}
    assert judged(rules, ["LOW", "starter"], does("LOW", "score", to="starter"), claim).outcome is LogOutcome.LEGAL


def test_a_role_is_not_the_player_who_took_its_name() -> None:
    lines = [{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["o", "x"]},
             {"assert": {'turn player = "o"': True, "turn player = x": True, 'turn player = "x"': False}}]
    log = Log(io.StringIO("".join(f"{json.dumps(line)}\n" for line in lines)), "named.jsonl")
    assert judge_log(log, Rules()).outcome is LogOutcome.LEGAL


def test_wrong_quotes_are_a_fault(rules: Path) -> None:
    assert fault(rules, ["ana", "ben"], 'points of "anna"')[1:] == (
        r'"points of \"anna\"" is no expression: nobody is called "anna"', "did you mean ana?")
    assert fault(rules, ["ana", "ben"], 'points of "ana')[0] == "LG33"
    assert fault(rules, ["Anna", "ben"], "points of Ana")[2] == "did you mean `Anna`?"
    verdict = judged(rules, ["p-1", "ben"], state={"set": {"points of p-1": 3}})
    found = verdict.diagnostics[-1]
    assert (verdict.outcome, found.code, found.hint) == (
        LogOutcome.UNREADABLE, "LG26", 'if the player is meant, write "p-1"')


def test_components_of_players_under_any_name() -> None:
    core = load("breakthrough")
    size = len(core.components)
    for players in (("Piece of x", "x"), ("b of c", "c"), ("o", "x"), ("1", "Piece"), ("of", " of "), (
            "black", "white"), ('"x"', "x")):
        for index in range(size):
            label = called(core, players, COMPONENT, index)
            assert decode_value(core, players, Elem(COMPONENT, 0, size - 1), label) == index, (players, label)


def test_a_position_is_redacted_in_words_that_can_be_read(rules: Path) -> None:
    players = ["p-1", "Ana Maria"]
    state = {"place": {'hand of "p-1"': {"LOW": 2}, "hand of Ana Maria": {"MID": 2, "HIGH": 2}},
             "set": {'points of "p-1"': 2}, "turn": "p-1"}
    for viewer in (*players, "public"):
        texts = list(redacted(log_of(rules, players, state=state), viewer, Rules(str(rules))))
        place = json.loads(texts[0])["state"]["place"]
        assert list(place) == ['hand of "p-1"', "hand of Ana Maria"]
        again = judge_log(Log(io.StringIO("\n".join(texts) + "\n"), "view.jsonl"), Rules(str(rules)))
        assert again.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE), again


SCENARIOS = GAME + r'''
scenario "any name"
  players Ben, "ana maria", "p \"1\" \\"
  with starter is Ben
  Ben score "ana maria"
  "ana maria" score to "p \"1\" \\"
  expect points of "ana maria" = 1; points of "p \"1\" \\" = 1; points of Ben = 0
  Ben knows that Ben score "ana maria"
  "ana maria" knows that Ben score "ana maria"

scenario "a position"
  players Ben, "ana maria"
  with starter is "ana maria"
  given hand of Ben: LOW; hand of "ana maria": LOW, {2 MID}, {2 HIGH}
  given points of Ben is 3
  turn of "ana maria"
  "ana maria" score Ben
  expect points of Ben = 4
'''


def test_scenarios_name_players_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "named.rules"
    path.write_text(SCENARIOS, "utf-8")
    for scenario in load_scenarios(path).found:
        assert run_scenario(scenario).failures == (), scenario.title


@pytest.mark.parametrize("players", [["", "ben"], ["  ", "ben"], ["x" * 101, "ben"]])
def test_names_that_are_none(rules: Path, players: list[str]) -> None:
    with pytest.raises(Exception, match="cannot be the name of a player"):
        judged(rules, players)


def test_two_of_one_name(rules: Path) -> None:
    with pytest.raises(Exception, match="two players have the name"):
        judged(rules, ["Ben", "Ben"])


def test_no_word_of_the_language_stands_for_a_player() -> None:
    known = machine().vocabulary.words
    assert len(known) > 100
    assert (known | RESERVED) - LANGUAGE == {"a"}  # only before `row` and `text`, which are words


def test_a_quoted_name_inside_a_filter(rules: Path) -> None:
    claim = {'number of p in players where p is not "p-1"': 1, 'some player p where p = "p-1"': True}
    assert judged(rules, ["p-1", "ben"], {"assert": claim}).outcome is LogOutcome.LEGAL


def test_a_claim_may_give_a_name_of_its_own(rules: Path) -> None:
    claim = {"every ben in players: points of ben = 0": True}
    assert judged(rules, ["ana", "ben"], {"assert": claim}).outcome is LogOutcome.LEGAL
