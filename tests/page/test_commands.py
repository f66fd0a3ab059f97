"""The commands that write pages: the file, what they say, how they end, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.cli.main import run
from tests.page.drawn import FITS, ROOT, parts

HEAD = {"schema": "referee/log/1", "ruleset": "pig", "players": ["Ana", "Ben"]}
START = {"by": "fate", "do": "choose", "with": {"starter": "Ana"}}


def written(folder: Path, *lines: object) -> str:
    path = folder / "game.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return str(path)


def test_show_writes_the_page_of_a_log_and_ends_as_its_verdict(tmp_path: Path,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    log, out = written(tmp_path, HEAD, START, {"by": "Ben", "do": "roll"}), tmp_path / "out.html"
    assert run(["show", log, "--html", str(out), "--for", "Ben"]) == 1
    assert "illegal, 3 steps" in capsys.readouterr().out
    page = json.loads(parts(out.read_text("utf-8"))[0])
    FITS.validate(page)
    assert (page["viewer"], page["verdict"]["wrong"]["line"]) == ("Ben", 3)
    assert str(tmp_path) not in out.read_text("utf-8")


@pytest.mark.parametrize("words", [
    ["show", "LOG", "--html", "LOG"], ["show", "LOG", "--html", "out.txt"], ["show", "pig", "--for", "Ana"],
    ["show", "LOG", "--html", "out.html", "--flow"], ["show", "pig", "--html", "out.html"],
    ["show", "nothing.jsonl", "--html", "out.html"], ["show", "mine.rules", "--html", "out.html"],
    ["show", ".", "--html", "out.html"],
])  # fmt: skip
def test_what_makes_no_page_is_refused_and_nothing_is_lost(words: list[str], tmp_path: Path,
                                                           monkeypatch: pytest.MonkeyPatch,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.rules").write_text("", encoding="utf-8")
    log = written(tmp_path, HEAD, START)
    assert run([log if word == "LOG" else word for word in words]) == 2
    assert capsys.readouterr().err
    assert not (tmp_path / "out.html").exists()
    assert json.loads(Path(log).read_text("utf-8").splitlines()[0]) == HEAD


@pytest.mark.parametrize("command", [["show", "LOG", "--html", "out.html"], ["infer", "pig", "LOG"]])
def test_what_can_be_read_once_is_refused_where_a_log_is_read_twice(command: list[str], tmp_path: Path,
                                                                    monkeypatch: pytest.MonkeyPatch,
                                                                    capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for log in ("-", "/dev/null"):
        assert run([log if word == "LOG" else word for word in command]) == 2
        assert "the standard input, pipes and devices cannot be" in " ".join(capsys.readouterr().err.split())
    assert not Path("out.html").exists()


def test_a_player_who_is_not_there_has_no_page(tmp_path: Path) -> None:
    """The page has the verdict, that the log cannot be read for him."""
    out = tmp_path / "out.html"
    assert run(["show", written(tmp_path, HEAD, START), "--html", str(out), "--for", "Cleo"]) != 0
    assert json.loads(parts(out.read_text("utf-8"))[0])["steps"] == []


def page_in(out: Path) -> dict[str, Any]:
    page: dict[str, Any] = json.loads(parts(out.read_text("utf-8"))[0])
    FITS.validate(page)
    return page


def test_judge_writes_a_page_of_all_its_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, HEAD, START)
    (tmp_path / "other.jsonl").write_text("nothing\n", encoding="utf-8")
    out = tmp_path / "out.html"
    code = run(["judge", str(tmp_path), "--html", str(out)])
    assert code != 0
    assert "2 logs" in capsys.readouterr().out
    assert [one["outcome"] for one in page_in(out)["verdicts"]] == ["legal", "unreadable"]


def test_the_page_of_a_rulebook_counts_how_often_logs_used_it(tmp_path: Path) -> None:
    """Each event of a game of sums is legal by the statements that its action cites, and does what others say."""
    rules = tmp_path / "sum"
    rules.mkdir()
    (rules / "sum.rules").write_text(SUM, encoding="utf-8")
    (rules / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    head = {"schema": "referee/log/1", "ruleset": "sum", "players": ["Ana", "Ben"]}
    logs = tmp_path / "logs"
    logs.mkdir()
    for name, numbers in (("one", (3, 2)), ("two", (3,)), ("wrong", (9,))):
        lines = [head, *({"by": "Ana", "do": "add", "with": {"number": one}} for one in numbers)]
        (logs / f"{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    out = tmp_path / "out.html"
    run(["coverage", str(rules), "--html", str(out), "--logs", str(logs)])
    page = page_in(out)
    used = {one["id"]: (one["events"], one["logs"]) for one in page["statements"]}
    assert (page["logs"], [Path(one).name for one in page["unread"]]) == (2, ["wrong.jsonl"])
    assert used == {"S-1": (3, 2), "S-2": (2, 2), "S-3": (0, 0)}
    assert {one["id"]: one["scenarios"] for one in page["statements"]}["S-1"] == ["a number is added"]


SUM = '''# Ana adds numbers up to three.

game "Sum" for 2 players first and second

counters
  total: 0..11
  threes: 0..4

play
  repeat until total > 8
    first must add

action add(number: 1..3)               [S-1]
  raise total by number
  if number = 3: raise threes by 1                   [S-2]

scenario "a number is added"                 [S-1]
  first add 2
  expect total = 2
'''
STATEMENTS = '''
[statement.S-1]
status = "encoded"
text = "One adds a number up to three."
[statement.S-2]
status = "encoded"
text = "Threes are counted."
[statement.S-3]
text = "It is fun."
status = "not a rule"
reason = "flavour"
'''


def test_a_question_is_drawn_both_ways(tmp_path: Path) -> None:
    """Something is done at once, or at the end of a turn: what is there by then is not the same. What the other answer
    remembers until then is in neither drawing."""
    row = ROOT / "tests" / "review" / "questions" / "when_end_of_turn"
    rules, out = tmp_path / "late", tmp_path / "out.html"
    rules.mkdir()
    (rules / "game.rules").write_text((row / "game.rules").read_text("utf-8"), encoding="utf-8")
    (rules / "statements.toml").write_text((row / "open.toml").read_text("utf-8"), encoding="utf-8")
    run(["review", str(rules), "--questions", "--games", "4", "--events", "20", "--html", str(out)])
    page = page_in(out)
    ways = [after for one, after in zip(page["report"]["findings"], page["after"], strict=True)
            if one["id"] == (row / "question.txt").read_text("utf-8").strip()]
    now, then, *_ = ways[0]
    drawn = referee.load(rules).new_game(["a", "b"]).scene("a")
    assert names_in(now) == names_in(then) == names_in(drawn)
    assert (now["zones"], now["values"]) != (then["zones"], then["values"])


def names_in(scene: Mapping[str, Any]) -> list[str]:
    return [one["name"] for one in (*scene["zones"], *scene["values"])]
