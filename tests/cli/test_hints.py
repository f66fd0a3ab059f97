"""What is said to somebody who names the wrong thing: the code stays, and a hint says what to name."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

GOOFSPIEL = Path("rulesets/classics/goofspiel.rules").resolve()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    found = capsys.readouterr()
    return found.out + found.err


@pytest.mark.parametrize(("content", "code", "hint"), [
    (b"", "LG03", 'a log begins with {"schema": "referee/log/1"'),
    (b"\n\n", "LG03", 'a log begins with {"schema": "referee/log/1"'),
    (b"\x89PNG\r\n", "LG02", "a log is text, UTF-8: a JSON object on each line"),
    (b"{\0}\n", "LG02", "a log is text, UTF-8: a JSON object on each line"),
])
def test_what_is_no_log(here: Path, content: bytes, code: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "game.jsonl").write_bytes(content)
    assert run(["judge", "game.jsonl"]) == Exit.LOG
    told = said(capsys)
    assert f"error[{code}]" in told
    assert f"= hint: {hint}" in told


def test_a_log_that_there_is_not_and_a_folder_without_logs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "game.jsonl").write_text("")
    assert run(["judge", "gane.jsonl"]) == Exit.LOG
    assert "= hint: did you mean game.jsonl?" in said(capsys)
    assert run(["judge", "else.json"]) == Exit.LOG
    assert "hint" not in said(capsys)
    (here / "folder").mkdir()
    assert run(["judge", "folder"]) == Exit.LOG
    assert "= hint: name a log, or a folder with logs in it: files *.jsonl" in said(capsys)


def test_rules_that_there_are_not(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty.rules").write_text("# nothing yet\n")
    (here / "games" / "cards").mkdir(parents=True)
    (here / "game.jsonl").write_text("{}\n")
    for name, code, hint in [
        ("empty.rules", "SY03", 'rules begin with a line such as  game "Sticks" for 2 players'),
        ("empti.rules", "RS01", "did you mean empty.rules?"),
        ("tictactoe", "RS01", "did you mean tic_tac_toe?"),
        ("unheard_of", "RS01", "name a file *.rules, a folder with such files, or one of adrenaline, "),
        ("game.jsonl", "RS01", "judge it: referee judge game.jsonl; look at it: referee show game.jsonl --html "),
        ("games", "RS02", "name the folder in which the files *.rules of a game lie, or such a file"),
    ]:
        assert run(["check", name]) == Exit.RULES
        told = said(capsys)
        assert f"error[{code}]" in told, name
        assert f"= hint: {hint}" in told, name
    (here / "games" / "cards" / "cards.rules").write_text("")
    assert run(["check", "games"]) == Exit.RULES
    assert f"= hint: name a folder in which rules lie: {Path('games') / 'cards'}" in said(capsys)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_what_cannot_be_read_is_not_what_was_meant(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(here / "odd.rules")
    assert run(["check", "odd.rules"]) == Exit.RULES
    assert "did you mean odd.rules?" not in said(capsys)
    (here / "round.jsonl").symlink_to("round.jsonl")
    assert run(["judge", "round.jsonl"]) == Exit.LOG
    assert "did you mean round.jsonl?" not in said(capsys)


def test_a_log_judged_by_other_rules_than_it_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.rules").write_text(GOOFSPIEL.read_text("utf-8") + "\n# mine\n", "utf-8")
    header = {"schema": "referee/log/1", "ruleset": "goofspiel", "players": ["ana", "ben"]}
    (here / "game.jsonl").write_text(json.dumps(header) + "\n")
    assert run(["judge", "game.jsonl", "--ruleset", "mine.rules"]) == Exit.GOOD
    told = said(capsys)
    assert told.startswith("game.jsonl: legal so far")
    assert '  note      the log names the ruleset "goofspiel"; it was judged by mine\n' in told
    for rules in ("goofspiel", str(GOOFSPIEL)):
        assert run(["judge", "game.jsonl", "--ruleset", rules]) == Exit.GOOD
        assert "names the ruleset" not in said(capsys)


def test_infer_by_other_rules_than_a_log_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = {"schema": "referee/log/1", "ruleset": "kuhn_poker", "players": ["ana", "ben"]}
    bid = {"by": "ana", "do": "bet", "with": {}}
    (here / "game.jsonl").write_text(f"{json.dumps(header)}\n{json.dumps(bid)}\n")
    assert run(["infer", "goofspiel", "game.jsonl"]) == Exit.NEGATIVE
    assert '  note      the log names the ruleset "kuhn_poker"; it was judged by goofspiel\n' in said(capsys)


def test_help_says_when_random_games_end_with_5(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--help"]) == Exit.GOOD
    assert "Ends with 5 if a game was cut" in " ".join(said(capsys).split())
    assert run(["play", "tic_tac_toe", "--random", "1", "--max-events", "2"]) == Exit.OPEN
    assert "1 cut at 2 events" in said(capsys)


def test_a_command_that_is_none_is_told_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reveiw", "good"]) == Exit.USAGE
    assert "Error: No such command 'reveiw': did you mean review?" in said(capsys)
    assert run(["zzz"]) == Exit.USAGE
    assert "Error: No such command 'zzz'." in said(capsys)


def test_rules_without_defaults_are_said_to_have_none(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = {"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}
    (here / "game.jsonl").write_text(json.dumps(header) + '\n{"by": "o", "do": "mark", "with": {"cell": "a1"}}\n')
    assert run(["judge", "game.jsonl", "--under"]) == Exit.NEGATIVE
    assert "  tried     nothing: the rules have no defaults\n" in said(capsys)
