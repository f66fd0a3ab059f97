"""What rules assume, from the declaration to what each command says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import referee
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from tests.changed_text import changed

RULES = """game "Take" for 2 players first and second

assume all_shown "the number is said aloud, so everybody knows it"
assume no_more "whoever asks for more than is left has made no move, and asks again"  [T-2]

kind Stone

components
  7 Stone in heap

zones
  heap: bag of Stone, open
  gone: bag of Stone, open

play
  turns from first, to the left                                [inferred]
    turn player must take

action take(number: 1..3)                                      [T-1 all_shown]
  needs "so many are left": number <= number of heap           [T-2 no_more]
  needs "not two": number != 2                                 [T-3]
  for each n in 1..number: move Stone from heap to gone
  if heap is empty: me wins                                    [T-3]
"""
STATEMENTS = """
[statement.T-1]
text = "Take one to three stones."
[statement.T-2]
text = "Take what is there."
[statement.T-3]
text = "Whoever takes the last stone wins."
"""
HEADER = {"schema": "referee/log/1", "ruleset": "take", "players": ["Ana", "Ben"]}
TOO_MANY = [("Ana", 3), ("Ben", 3), ("Ana", 3)]
TWO = [("Ana", 2)]
ASSUMED = [
    {"name": "no_more", "text": "whoever asks for more than is left has made no move, and asks again",
     "statements": ["T-2"]},
]


@pytest.fixture(autouse=True)
def take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with two assumptions and a bare mark, in the current folder."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "take"
    folder.mkdir()
    (folder / "take.rules").write_text(RULES, encoding="utf-8")
    (folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    return folder


def log_of(events: list[tuple[str, int]]) -> str:
    lines = [HEADER | {"ruleset": "take"}, *({"by": by, "do": "take", "with": {"number": n}} for by, n in events)]
    Path("game.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return "game.jsonl"


def said(*args: str, capsys: pytest.CaptureFixture[str], ends: Exit = Exit.GOOD) -> str:
    assert run(list(args)) == ends
    return capsys.readouterr().out


def test_a_verdict_says_what_was_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    out = said("judge", "--ruleset", "take", log_of(TOO_MANY), capsys=capsys, ends=Exit.NEGATIVE)
    lines = out.splitlines()
    assert lines[0] == "game.jsonl:4: illegal  take  [T-2 T-1]"
    assert [line for line in lines if "assumed" in line] == [
        "  assumed: whoever asks for more than is left has made no move, and asks again  [T-2]",
    ]


def test_a_verdict_names_no_assumption_of_a_condition_that_held_nor_of_the_action(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = said("judge", "--ruleset", "take", "--format", "json", log_of(TWO), capsys=capsys, ends=Exit.NEGATIVE)
    wrong = json.loads(out)["verdicts"][0]["wrong"]
    assert wrong["assumed"] == []
    assert {fact["text"]: fact["assumed"] for fact in wrong["held"]} == {"so many are left": ["no_more"]}


def test_programs_and_other_tools_are_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    path = log_of(TOO_MANY)
    out = said("judge", "--ruleset", "take", "--format", "json", path, capsys=capsys, ends=Exit.NEGATIVE)
    wrong = json.loads(out)["verdicts"][0]["wrong"]
    assert (wrong["statements"], wrong["assumed"]) == (["T-2", "T-1"], ASSUMED)
    assert [(fact["statements"], fact["assumed"]) for fact in wrong["failed"]] == [(["T-2"], ["no_more"])]
    out = said("judge", "--ruleset", "take", "--format", "sarif", path, capsys=capsys, ends=Exit.NEGATIVE)
    message = json.loads(out)["runs"][0]["results"][0]["message"]["text"]
    assert f"(assumed: {ASSUMED[0]['text']})" in message
    verdict = referee.load("take").judge(path)
    assert verdict.wrong is not None
    assert verdict.wrong.assumed[0] == referee.RulesAssumption("no_more", str(ASSUMED[0]["text"]), ("T-2",))


def test_a_proof_cites_statements_and_says_what_is_assumed(take: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = take / "take.rules"
    rules.write_text(RULES + "\nalways few: number of gone <= 7    [T-2 no_more]\n", encoding="utf-8")
    lines = said("prove", "take", capsys=capsys).splitlines()
    few = next(number for number, line in enumerate(lines) if line.startswith("proved  few"))
    assert lines[few].endswith("  [T-2]")
    assert lines[few + 1] == "    assumed: whoever asks for more than is left has made no move, and asks again"
    claim = json.loads(said("prove", "take", "--format", "json", capsys=capsys))["shapes"][0]["claims"][0]
    assert (claim["cites"], claim["assumed"]) == (["T-2"], ["no_more"])


def test_a_legal_line_is_explained_with_what_it_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    out = said("explain", f"{log_of([('Ana', 3)])}:2", "--ruleset", "take", capsys=capsys)
    assert out.count("  assumed: ") == 2
    found = referee.load("take").explain("game.jsonl", 2)
    assert [one.name for one in found.assumed] == ["no_more", "all_shown"]
    assert list(found.statements) == ["T-2", "T-1"]


def test_coverage_lists_assumptions_and_the_lines_that_rest_on_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert said("coverage", "take", capsys=capsys).splitlines()[-6:] == [
        "T-2  encoded     take.rules:20; assumed: no_more",
        "T-3  encoded     take.rules:21, take.rules:23",
        "all_shown  assumed     1 line: the number is said aloud, so everybody knows it",
        "no_more  assumed     1 line: whoever asks for more than is left has made no move, and asks again",
        "3 statements: 3 encoded; 100 %",
        "2 assumptions, 1 line marked [inferred]",
    ]
    assert said("coverage", "--answers", "take", capsys=capsys).splitlines() == [
        "all_shown  the number is said aloud, so everybody knows it",
        "  1 line: take.rules:19",
        "no_more  whoever asks for more than is left has made no move, and asks again  [T-2]",
        "  1 line: take.rules:20",
        "take.rules:16  turns  [inferred]",
        "2 assumptions, 1 line marked [inferred]",
    ]


def test_a_statement_that_only_an_assumption_is_about_is_open(take: Path) -> None:
    text = changed(RULES, {"[T-2 no_more]": "[no_more]"})
    (take / "take.rules").write_text(text, encoding="utf-8")
    found = {one.id: one for one in referee.load("take").coverage().statements}
    assert (found["T-2"].state, found["T-2"].places, found["T-2"].assumptions) == ("open", (), ("no_more",))


def test_check_counts_bare_marks_and_warns_of_what_no_line_cites(
    take: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = said("check", "take", capsys=capsys)
    assert out.splitlines() == [
        "take: nothing is wrong (2 players, 1 shape)",
        "1 line marked [inferred]: say what is assumed (`assume`), and cite it there",
    ]
    assert referee.load("take").check().inferred == 1
    (take / "take.rules").write_text(changed(RULES, {"[T-1 all_shown]": "[T-1]"}), encoding="utf-8")
    assert run(["check", "take"]) == Exit.RULES
    assert "warning[AS04]: no line rests on the assumption all_shown" in capsys.readouterr().err


def test_a_review_knows_the_names_and_accepts_what_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    out = said("review", "take", "--questions", "--games", "4", "--format", "json", capsys=capsys)
    found = {one["id"]: one for one in json.loads(out)["findings"]}
    guard = "question/take.needs-so-many-are-left-number-<=-number-of-heap/guard.absent"
    assert found[guard]["accepted"] is None  # whether it answers that, too, is asked
    assert f'settled "{guard}" by [no_more]' in found[guard]["lines"]
    shown = found["question/all_shown/granted.not_so"]
    turns = found["question/play.turns-from-first-to-the-left/turn_order.the_next_begins"]  # asks of the mark, too
    assert shown["accepted"] == "the number is said aloud, so everybody knows it"
    assert [place["line"] for place in shown["places"]] == [3, 19]
    assert turns["accepted"] is None
    assert all(one["game"] is not None for one in (shown, turns))


def test_the_core_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    out = said("show", "take", capsys=capsys)
    assert 'assume no_more "whoever asks for more than is left has made no move, and asks again"' in out
