"""`referee explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.codes import CODES
from referee.diagnostics.exit_codes import Exit
from referee.review.class_meanings import MEANINGS
from referee.review.detectors import DETECTORS
from tests.changed_text import changed


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", code.lower()]) == Exit.GOOD
    title, _, rest = capsys.readouterr().out.partition("\n")
    assert title == f"{code}  {CODES[code].title}"
    assert rest.split() == CODES[code].explanation.split()


def test_an_unknown_code_is_a_mistake_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "LG011"]) == Exit.USAGE
    assert "LG011 is neither LOG:LINE nor a code nor a class of findings: did you mean LG" in capsys.readouterr().err


def test_the_class_of_a_finding_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for check in DETECTORS:
        assert run(["explain", check.code.upper()]) == Exit.GOOD
        title, _, rest = capsys.readouterr().out.partition("\n")
        assert title == f"{check.code}  {check.title}"
        assert rest.split() == MEANINGS[check.code].split()
    assert run(["explain", "no-targt"]) == Exit.USAGE
    assert "did you mean no-target?" in capsys.readouterr().err


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "game.jsonl"
    cells = ("b2", "a1", "b2")
    header = {"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}
    events = [{"by": "xo"[index % 2], "do": "mark", "with": {"cell": cell}} for index, cell in enumerate(cells)]
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *events]))
    return str(path)


def test_of_a_log_a_line_is_to_be_named(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", log]) == Exit.USAGE
    assert f"name a line: {log}:2" in capsys.readouterr().err


def test_a_log_of_rules_that_are_not_there_shows_the_line_that_names_them(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(log).write_text(changed(Path(log).read_text("utf-8"), {"tic_tac_toe": "tic_tac"}), encoding="utf-8")
    assert run(["explain", f"{log}:3"]) == Exit.LOG
    told = capsys.readouterr().err
    assert '1 | {"schema": "referee/log/1", "ruleset": "tic_tac", "players": ["x", "o"]}\n' in told
    assert told.endswith("1 error (`referee explain LG22` says more)\n")


@pytest.mark.parametrize("line", [2, 4])
def test_it_is_said_that_a_log_names_other_rules(line: int, log: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(log).write_text(changed(Path(log).read_text("utf-8"), {"tic_tac_toe": "noughts"}), encoding="utf-8")
    run(["explain", f"{log}:{line}", "--ruleset", "tic_tac_toe"])
    assert '  note      the log names the ruleset "noughts"; it was judged by tic_tac_toe\n' in capsys.readouterr().out


@pytest.mark.parametrize(("line", "hint"), [(1, "it is the header"), (5, "it is blank"), (7, "its lines are 1 to 6"),
                                            (0, "its header is line 1")])
def test_a_line_that_is_none_is_told_with_what_is_there(
    line: int, hint: str, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path(log).open("a") as file:
        file.write('\n{"assert": {}}\n')
    assert run(["explain", f"{log}:{line}"]) == Exit.USAGE
    assert f"has no line {line} with an event, a claim or an end: {hint}" in capsys.readouterr().err


def test_lines_count_from_the_beginning_of_the_file(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(log)
    path.write_text(path.read_text() * 2)
    for line, hint in ((2, "its header is line 5, as lines count from the beginning of the file"),
                       (9, "its lines are 5 to 8")):
        assert run(["explain", f"{log}#2:{line}"]) == Exit.USAGE
        assert hint in capsys.readouterr().err


def test_a_legal_line_is_explained_by_its_rule_and_what_else_was_possible(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", f"{log}:3"]) == Exit.GOOD
    shown = capsys.readouterr().out
    assert shown.startswith(f"{log}:3: legal  o: mark cell a1\n")
    assert "held    the cell is free" in shown
    assert "asked     o at " in shown
    assert "possible  mark cell a1, mark cell b1" in shown


def test_a_wrong_line_is_explained_as_the_judge_does(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", f"{log}:4"]) == Exit.NEGATIVE
    shown = capsys.readouterr().out
    assert shown.startswith(f"{log}:4: illegal  mark\n")
    assert "failed  the cell is free" in shown


@pytest.mark.parametrize("number", [0, 1, 99])
def test_a_line_that_is_not_there_is_a_mistake_on_the_command_line(number: int, log: str) -> None:
    assert run(["explain", f"{log}:{number}"]) == Exit.USAGE


@pytest.mark.parametrize(("viewer", "dealt", "bid"), [
    ("second", "fate: deal to first card hidden", "first: bid card hidden"),
    ("public", "fate: deal to first card hidden", "first: bid card hidden"),
    ("first", "fate: deal to first card K", "first: bid card 4"),
])
def test_a_line_is_explained_with_what_the_player_saw_of_it(
    viewer: str, dealt: str, bid: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = {"kuhn_poker": ({"by": "fate", "do": "deal", "with": {"to": "first", "card": "K"}}, dealt),
              "goofspiel": ({"by": "first", "do": "bid", "with": {"card": 4}}, bid)}
    for ruleset, (event, told) in events.items():
        path = tmp_path / f"{ruleset}.jsonl"
        header = {"schema": "referee/log/1", "ruleset": ruleset, "players": ["first", "second"]}
        path.write_text("".join(json.dumps(line) + "\n" for line in (header, event)))
        assert run(["explain", f"{path}:2", "--for", viewer]) == Exit.GOOD
        assert capsys.readouterr().out.startswith(f"{path}:2: legal  {told}\n")


def test_a_log_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    assert run(["explain", f"{tmp_path / 'none.jsonl'}:3"]) == Exit.LOG


def test_a_log_of_unknown_rules_is_drawn_as_a_log_that_does_not_fit(log: str,
                                                                   capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(log)
    path.write_text(changed(path.read_text(), {"tic_tac_toe": "tictactoe"}))
    assert run(["explain", f"{log}:2"]) == Exit.LOG
    assert "LG22" in capsys.readouterr().err
