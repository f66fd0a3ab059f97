"""`referee infer` as somebody at a terminal sees it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.api.runs import inference_runs
from referee.cli.main import run
from referee.judge.open_settings import setting_verdicts
from referee.report.data.inference_schema import INFERENCE_SCHEMA
from tests.changed_text import changed

RULES = str(Path(__file__).parent.parent / "language" / "constructs" / "readings.rules")
HEAD = '{"schema": "referee/log/1", "ruleset": "readings", "players": ["ana", "ben"]}\n'
MANY = """# Two add; what is over the limit of a column counts one.

game "Limits" for 2 players first and second

parameter limit of 1..6: 0..5 unknown "the table of limits is lost"

counters
  total: 0..999 starts 0

play
  turns from first, to the left
    turn player must add

action add(column: 1..6, number: 0..5)
  if number <= limit(column): raise total by number
  else: raise total by 1
  if total > 900: opponent wins
"""


def strikes(*forces: tuple[str, int]) -> str:
    lines = [{"by": by, "do": "strike", "with": {"force": force}} for by, force in forces]
    return HEAD + "".join(f"{json.dumps(line)}\n" for line in lines)


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_what_explains_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who is struck again after a blow of 3 was not dead: the second blow saw what the first had left."""
    log = written(tmp_path, "one.jsonl", strikes(("ana", 3), ("ben", 1)))
    assert run(["infer", RULES, log, "--apart", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 log, 2 events: explained"
    assert lines[1] == "  reading    exchange  one_by_one"
    assert lines[2].startswith(f"             not at_once: {log} line 3, strike: ")
    assert lines[3] == "  reading    floor     at_zero or anywhere  (open)"
    assert any(line.startswith("  apart      floor: ") for line in lines)


def test_logs_that_contradict_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = written(tmp_path, "one.jsonl", strikes(("ana", 3), ("ben", 1)))
    other = written(tmp_path, "other.jsonl", strikes(("ana", 3)) + '{"end": {"winner": "ana"}}\n')
    assert run(["infer", RULES, one, other]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "2 logs, 3 events: no setting explains them all",
        f"  {one} and {other} contradict each other: reading exchange, one_by_one in one.jsonl; at_once in other.jsonl"]


def test_a_log_that_cannot_be_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, "one.jsonl", strikes(("ana", 3), ("ben", 1)))
    assert run(["infer", RULES, good, written(tmp_path, "bad.jsonl", "nonsense\n")]) == 4
    out = capsys.readouterr().out
    assert "unreadable" in out
    assert "reading    exchange  one_by_one" in out
    assert run(["infer", RULES, "-"]) == 2
    assert run(["infer", "no_such_rules", good]) == 3


def test_a_log_for_which_there_is_no_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is told of it, nothing is excluded, and it is said so."""
    rules = tmp_path / "many.rules"
    rules.write_text(MANY)
    lines = [{"by": by, "do": "add", "with": {"column": column, "number": "?"}} for column in (1, 2, 3, 4, 5, 6) * 5
             for by in ("ana", "ben")]
    head = '{"schema": "referee/log/1", "ruleset": "many", "players": ["ana", "ben"]}\n'
    log = written(tmp_path, "long.jsonl", head + "".join(f"{json.dumps(line)}\n" for line in lines))
    assert run(["infer", str(rules), log, "--timeout", "0.2"]) == 5
    out = capsys.readouterr().out
    assert ": unknown" in out
    assert " not " not in out.replace("(not told", "").replace("not judged within", "").replace("not told", "").replace(
        "not all settings", "").replace("could not be", "")


def test_logs_share_the_time_and_a_log_that_was_not_told_gets_what_others_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first log is told only if it may take more than a third of the time for logs."""
    given: list[tuple[str, float]] = []
    judged = setting_verdicts.explain

    def explained(path: str, *args: Any, seconds: float, **rest: Any) -> setting_verdicts.Explained:
        found = judged(path, *args, **rest)
        if not args[1:]:  # what is told beside is judged with a change
            given.append((Path(path).name, seconds))
        return found if seconds > 300 or "one" not in path else replace(found, region=None)

    monkeypatch.setattr(inference_runs, "explain", explained)
    names = ("one.jsonl", "two.jsonl", "three.jsonl")
    logs = [written(tmp_path, name, strikes(("ana", 3), ("ben", 1))) for name in names]
    assert run(["infer", RULES, *logs, "--timeout", "900"]) == 0
    assert "reading    exchange  one_by_one" in capsys.readouterr().out
    assert [name for name, _ in given] == [*names, names[0]]
    first, second, third, again = (seconds for _, seconds in given)
    assert first <= 210 < second <= 315 < third <= 630
    assert third - 300 < again <= 630


def test_ctrl_c_keeps_what_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    one = written(tmp_path, "one.jsonl", strikes(("ana", 3), ("ben", 1)))
    other = written(tmp_path, "other.jsonl", strikes(("ana", 1)))
    judge = setting_verdicts.explain

    def interrupted(path: str, *args: Any, **known: Any) -> setting_verdicts.Explained:
        if path == other:
            raise KeyboardInterrupt
        return judge(path, *args, **known)

    monkeypatch.setattr(inference_runs, "explain", interrupted)
    assert run(["infer", RULES, one, other]) == 130
    told = capsys.readouterr()
    assert "interrupted: 1 of 2 logs were not judged" in told.err
    assert "reading    exchange  one_by_one" in told.out


def test_as_json_and_games_as_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = written(tmp_path, "one.jsonl", HEAD)
    games = tmp_path / "games"
    assert run(["infer", RULES, log, "--apart", "20", "--out", str(games), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(INFERENCE_SCHEMA).validate(data)
    told = {pair["name"]: [game["file"] for game in pair["games"]] for pair in data["apart"]}
    assert set(told) == {"exchange", "floor"}
    file = next(name for name in told["exchange"] if name)
    assert run(["judge", "--ruleset", RULES, file]) == 0
    words = ["infer", RULES, log, "--apart", "20", "--out", str(games)]
    Path(file).write_text("older")
    assert run(words) == 2
    assert "is there already: name another folder, or say --force" in capsys.readouterr().err
    assert Path(file).read_text() == "older"
    assert run([*words, "--force"]) == 0
    assert Path(file).read_text() != "older"


def test_what_the_header_states_is_not_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stated = changed(HEAD, {'"players"': '"readings": {"exchange": "at_once"}, "players"'})
    text = strikes(("ana", 3), ("ben", 1)).replace(HEAD, stated)
    log = written(tmp_path, "one.jsonl", text)
    assert run(["infer", RULES, log]) == 1
    assert "is explained by no setting" in capsys.readouterr().out
    assert run(["infer", RULES, log, "--blind"]) == 0


def stating(folder: Path, name: str, **readings: str) -> str:
    header = {**json.loads(HEAD), "readings": readings}
    return written(folder, name, json.dumps(header) + "\n" + strikes(("ana", 1)).removeprefix(HEAD))


def test_headers_that_contradict_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What headers state is told value by value, with the logs; with --blind it is not looked at."""
    logs = [stating(tmp_path, "a.jsonl", floor="at_zero"), stating(tmp_path, "b.jsonl", floor="at_zero"),
            stating(tmp_path, "c.jsonl", floor="anywhere"), stating(tmp_path, "d.jsonl")]
    assert run(["infer", RULES, *logs]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "4 logs, 4 events: no setting explains them all",
        "  2 sets of logs contradict each other by what their headers state (--blind does not look at that):",
        "    reading floor: at_zero in a.jsonl, b.jsonl; anywhere in c.jsonl",
        "  together   a.jsonl, b.jsonl, d.jsonl",
        "  together   c.jsonl"]
    assert run(["infer", RULES, *logs, "--blind"]) == 0
    assert capsys.readouterr().out.startswith("4 logs, 4 events: explained\n")


def test_what_one_log_states_and_another_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A blow after one of 3 shows that they came one by one: the header of the other log says otherwise."""
    one = written(tmp_path, "one.jsonl", strikes(("ana", 3), ("ben", 1)))
    other = stating(tmp_path, "other.jsonl", exchange="at_once")
    assert run(["infer", RULES, one, other]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "2 logs, 3 events: no setting explains them all",
        f"  {one} and {other} contradict each other: reading exchange, one_by_one in one.jsonl; at_once in other.jsonl"]
    assert run(["infer", RULES, one, other, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [log["states"] for log in data["logs"]] == [[], ["exchange"]]
    assert (data["headers"], data["by_headers"], data["together"]) == ([], [False], [[one], [other]])
    assert data["apart_at"][0]["values"] == [{"value": "one_by_one", "logs": [one]},
                                             {"value": "at_once", "logs": [other]}]
