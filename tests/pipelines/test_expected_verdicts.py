"""What `expected.json` says of logs: every entry is compared, whatever cannot be one is told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.api.folders.expected_verdicts import expected_in

RULES = """\
game "Sticks" for 2 players first and second

counters
  taken: 0..7 starts 0

play
  turns from first, to the left
    turn player must take

action take(sticks: 1..3)
  needs "so many are left": taken + sticks <= 7
  raise taken by sticks
  if taken = 7: opponent wins
"""
LINES: list[dict[str, Any]] = [{"schema": "referee/log/1", "ruleset": "sticks", "players": ["ana", "ben"]},
         *({"by": by, "do": "take", "with": {"sticks": number}} for by, number in (("ana", 3), ("ben", 3), ("ana", 2)))]


@pytest.fixture(scope="module")
def illegal() -> referee.Verdict:
    return referee.loads(RULES, "sticks").judge(LINES)


@pytest.fixture(scope="module")
def won() -> referee.Verdict:
    return referee.loads(RULES, "sticks").judge([*LINES[:3], {"by": "ana", "do": "take", "with": {"sticks": 1}}])


def differences(folder: Path, entry: object, verdict: referee.Verdict) -> tuple[str, ...]:
    (folder / "expected.json").write_text(json.dumps({"a.jsonl": entry}))
    return expected_in(folder)["a.jsonl"].differences(verdict)


@pytest.mark.parametrize("entry", [
    {"line": 4}, {"verdict": "illegal"}, {"line": 4, "kind": "illegal move", "rule": "take", "why": "eight"},
    {"line": 4, "says": "may not take sticks 2", "guard": "so many are left"},
    {"line": 4, "says": "ana"},
    {"line": 4, "guards": ["so many are left"], "statements": []},
])
def test_what_is_as_expected(tmp_path: Path, entry: object, illegal: referee.Verdict) -> None:
    assert differences(tmp_path, entry, illegal) == ()


@pytest.mark.parametrize(("entry", "told"), [
    ({"line": 5}, "line: 5 expected, 4 found"),
    ({"verdict": "legal"}, "verdict: legal expected, illegal found"),
    ({"line": 4, "kind": "early end"}, "kind: early end expected, illegal move found"),
    ({"line": 4, "rule": "give"}, "rule: give expected, take found"),
    ({"line": 4, "says": "may give"}, "says: may give expected, ana may not take sticks 2 found"),
    ({"line": 4, "guard": "it is open"}, "guard: it is open expected, so many are left found"),
    ({"line": 4, "guards": ["it is open"]}, "guards: it is open expected, so many are left found"),
    ({"line": 4, "claim": "x\u202e"}, "claim: x\N{REPLACEMENT CHARACTER} expected, so many are left found"),
    ({"line": 4, "statements": ["S-9"]}, "statements: S-9 expected, none found"),
    ({"line": 4, "rule": None}, "rule: none expected, take found"),
    ({"line": 4, "winners": ["ana"]}, "winners: ana expected, none found"),
])
def test_what_is_not_as_expected_is_told(tmp_path: Path, entry: object, told: str, illegal: referee.Verdict) -> None:
    assert differences(tmp_path, entry, illegal) == (told,)


def test_of_a_legal_log_who_won_is_compared(tmp_path: Path, won: referee.Verdict) -> None:
    assert differences(tmp_path, {"verdict": "legal", "winners": ["ben"], "rule": ""}, won) == ()
    assert differences(tmp_path, {"verdict": "legal so far", "winners": []}, won) == (
        "verdict: legal so far expected, legal found", "winners: none expected, ben found")
    assert differences(tmp_path, {"line": 3, "kind": "early end"}, won) == (
        "line: 3 expected, none found", "kind: early end expected, none found",
        "verdict: illegal expected, legal found")


@pytest.mark.parametrize(("text", "code", "told"), [
    ('{"a.jsonl": {"lines": 4}}', "EX02", "an expected verdict has no entry lines"),
    ('{"a.jsonl": {"line": "4"}}', "EX02", "line is a number"),
    ('{"a.jsonl": {"line": true}}', "EX02", "line is a number"),
    ('{"a.jsonl": {"line": 4, "kind": 1}}', "EX02", "kind is a text"),
    ('{"a.jsonl": {"line": 4, "guards": [1]}}', "EX02", "guards is a list of texts"),
    ('{"a.jsonl": {"kind": "early end"}}', "EX02", "says neither a verdict nor the wrong line"),
    ('{"a.jsonl": 4}', "EX02", "an expected verdict is an object"),
    ("[1]", "EX01", "is no object with an entry for each log"), ("{", "EX01", "not JSON"),
    ("[" * 100_000, "EX01", "deep"), ('{"a": 1, "a": 2}', "EX01", "twice"), ("\udcff", "EX01", "is no UTF-8"),
    (" " * 4_000_001, "EX01", "more than 4,000,000 bytes"),
])
def test_whatever_cannot_be_expected_is_told(tmp_path: Path, text: str, code: str, told: str) -> None:
    (tmp_path / "expected.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(referee.ArgumentError, match=told) as error:
        expected_in(tmp_path)
    assert error.value.code == code


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "expected.json")
    with pytest.raises(referee.ArgumentError, match="EX01"):
        expected_in(tmp_path)


def test_where_nothing_is_expected_nothing_is_said(tmp_path: Path) -> None:
    assert expected_in(tmp_path) == {}
