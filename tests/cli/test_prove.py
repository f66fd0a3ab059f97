"""`referee prove`: the outcome of each invariant, and what it ends with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.report.data.schemas import SCHEMAS
from tests.heap import HEAP as TAKEN

HEAP = TAKEN.format(stones=5, most=9)


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    path = tmp_path / "heap.rules"
    path.write_text(HEAP, encoding="utf-8")
    return path


def test_outcomes_are_listed_and_all_proved_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "kuhn_poker"]) == Exit.GOOD
    assert "proved  one card each" in capsys.readouterr().out


def test_rules_without_invariants_and_limits_are_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "short.rules"
    rules.write_text('game "Short" for 2 players\n\nplay\n  nobody wins\n', encoding="utf-8")
    assert run(["prove", str(rules)]) == Exit.GOOD
    assert capsys.readouterr().out == (
        "2 players, whatever the readings, parameters and givens: nothing to prove: no invariants, no limits of zones\n"
    )


def test_a_refutation_is_told_and_written_as_a_log_that_the_judge_accepts_up_to_the_break(
    heap: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", str(heap), "--out", str(tmp_path / "games")]) == Exit.NEGATIVE
    told = capsys.readouterr().out
    assert "refuted  few are taken, declared proved" in told
    assert "  4. second: take" in told
    log = tmp_path / "games" / "2_players_few_are_taken.jsonl"
    assert run(["judge", "--ruleset", str(heap), str(log)]) == Exit.NEGATIVE
    judged = capsys.readouterr().out
    assert f"{log}:5: illegal  take" in judged
    assert "broken invariant: few_are_taken" in judged


def test_games_that_are_there_are_overwritten_only_by_force(
    heap: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["prove", str(heap), "--out", str(tmp_path / "games")]
    (tmp_path / "games").mkdir()
    log, another = tmp_path / "games" / "2_players_few_are_taken.jsonl", tmp_path / "games" / "another.jsonl"
    for path in (log, another):
        path.write_text("older")
    assert run(words) == Exit.USAGE
    told = capsys.readouterr()
    assert f"{log} is there already" in told.err
    assert not told.out
    assert log.read_text() == "older"
    assert run([*words, "--force"]) == Exit.NEGATIVE
    assert log.read_text() != "older"
    log.unlink()
    assert run(words) == Exit.NEGATIVE
    assert another.read_text() == "older"


def test_json_is_as_its_schema_says(heap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", str(heap), "--format", "json"]) == Exit.NEGATIVE
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["proofs"]).validate(data)
    claims = {claim["name"]: claim for claim in data["shapes"][0]["claims"]}
    assert claims["taken_are_counted"]["outcome"] == "proved"
    assert [event["by"] for event in claims["few_are_taken"]["game"]["events"]] == ["first", "second"] * 2


def test_sarif_names_what_is_not_as_declared(heap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", str(heap), "--format", "sarif"]) == Exit.NEGATIVE
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [(one["ruleId"], one["level"]) for one in results] == [("refuted", "error")]
    assert results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 25


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for the process that proves in /proc")
def test_ctrl_c_says_what_is_known_and_ends_with_130(project: Path) -> None:
    """As a terminal does it: every process of the command gets the signal."""
    command = [sys.executable, "-m", "referee", "prove", "go_goal", "--players", "2"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        started = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while process.poll() is None and not started.read_text(encoding="ascii").strip():
            time.sleep(0.05)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == Exit.INTERRUPTED
    assert "interrupted before anything was found" in out
    assert err.strip() == "interrupted"


LAMPS = """game "Lamps" for 2..3 players

given starter: player "who begins"

counters
  lit of player: 0..1

play
  turns from starter, to the left
    turn player must take one of light, leave

action light
  needs "three or more are there": number of players > 2
  set lit of me to 1
  me wins

action leave
  me wins

"""


def test_what_says_nothing_is_vacuous_and_no_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "lamps.rules"
    rules.write_text(LAMPS + "always few: every player p where lit of p = 1: lit of p < 2\n", encoding="utf-8")
    assert run(["prove", str(rules), "--players", "2"]) == Exit.NEGATIVE
    assert "vacuous  few, declared proved: what it speaks of never comes about: lit of p = 1" in capsys.readouterr().out


def test_what_says_something_for_some_number_of_players_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "lamps.rules"
    rules.write_text(LAMPS + "always few: every player p where lit of p = 1: lit of p < 2\n", encoding="utf-8")
    assert run(["prove", str(rules)]) == Exit.GOOD
    told = capsys.readouterr().out
    assert "2 players, whatever the readings, parameters and givens: 1 vacuous" in told
    assert "3 players, whatever the readings, parameters and givens: 1 proved" in told
