"""`referee convert pgn`, where python-chess is installed; and that it is asked for where it is not."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from tests.changed_text import changed

needed = pytest.mark.skipif(find_spec("chess") is None, reason="python-chess is not installed")
MATE = '[White "A"]\n[Result "0-1"]\n\n1. f3 {opens [%clk 0:05:00]} e5 (1... d5 2. e4 (2. d4)) 2. g4?? Qh4# 0-1\n\n'


def converted(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: Exit = Exit.GOOD) -> tuple[
        list[list[dict[str, object]]], str]:
    path = tmp_path / "games.pgn"
    path.write_text(text, "utf-8")
    assert run(["convert", "pgn", str(path), "--ruleset", "chess", "--out", str(tmp_path), "--force"]) == code
    logs = sorted(tmp_path.glob("games*.jsonl"), key=lambda one: (len(one.name), one.name))
    return [[json.loads(line) for line in log.read_text("utf-8").splitlines()] for log in logs], capsys.readouterr().err


def test_the_library_is_asked_for(
        tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.convert.format_readers.find_spec", lambda _: None)
    (tmp_path / "games.pgn").write_text(MATE, "utf-8")
    assert run(["convert", "pgn", str(tmp_path / "games.pgn"), "--ruleset", "chess"]) == Exit.USAGE
    assert "pip install 'referee[convert]'" in capsys.readouterr().err


@needed
def test_the_main_line_with_clocks_and_remarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (log,), _ = converted(tmp_path, capsys, MATE)
    assert log[1] == {"by": "white", "do": "move", "with": {"from": "f2", "to": "f3"}, "at": "0:05:00", "note": "opens"}
    assert (len(log), log[-1]) == (6, {"end": {"winner": "black"}})
    assert run(["judge", str(tmp_path / "games.jsonl")]) == Exit.GOOD


@needed
def test_positions_castling_promotion_and_giving_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 3 10"]\n[Result "1-0"]\n\n1. a8=Q+ Kd7 2. O-O 1-0\n\n'
    (first, second), _ = converted(tmp_path, capsys, text + changed(text, {"1-0": "1/2-1/2"}))
    assert [line.get("with") for line in first[1:4]] == [
        {"from": "a7", "to": "a8", "promote": "queen"}, {"from": "e8", "to": "d7"}, {"side": "king_side"}]
    assert first[4:] == [{"by": "black", "do": "concede"}, {"end": {"winner": "white"}}]
    assert second[-1]["do"] == "stop"
    assert run(["judge", str(tmp_path / "games.jsonl")]) == Exit.GOOD


@needed
@pytest.mark.parametrize(("text", "code"), [
    ("1. e4 e5 2. Ke3 *\n", "CV07"), ('[Variant "Atomic"]\n\n1. e4 *\n', "CV06"), ("1. e4 " + "{" * 70_000, "CV04"),
    ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n', "CV07"), ("1. e4 " + "(" * 60_000 + " zz", "CV13"),
    ("1. e4 {" + "\n" * 10, "CV13"), ("1. e4 {" + "a line\n" * 700_000, "CV04"),
    ("1. e4 $" + "9" * 6_000 + " e5 *\n", "CV07"),
    ('[FEN "' + "k" * 60_000 + '"]\n\n1. e4 *\n', "CV06"),
])
def test_junk_is_bounded_and_told(text: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told = converted(tmp_path, capsys, text, Exit.LOG if code else Exit.GOOD)
    assert not code or f"[{code}]" in told


@needed
@pytest.mark.parametrize("text", ["", "\n\n", "hello\n", "\x00\x01" * 9 + "\n"])
def test_a_file_without_a_game_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, told = converted(tmp_path, capsys, text, Exit.LOG)
    assert logs == []
    assert "[CV05]: the file holds no game" in told


@needed
def test_what_is_no_game_between_games_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, told = converted(tmp_path, capsys, f"hello\n\n{MATE}more to come\n\n[White \"A\"]\n\n*\n\nthe end\n")
    assert ([len(log) for log in logs], told) == ([6, 1], "")


@needed
@pytest.mark.parametrize(("text", "line", "events"), [
    ("1. e4 e5\n2. Nf3 {a remark\n\n1. d4 d5 *\n", 2, 3),
    ("1. e4 {closed} e5 ; { none\n2. Nf3 Nc6 {\n", 2, 4),
    ("1. e4 {one\nand on} e5\n2. Nf3 *\n\n1. d4 d5\n2. c4 {} {two\n*\n", 6, 3),
    ("1. e4 e5\n2. Nf3 (2. f4 (2. d4)\n2... Nc6 *\n", 2, 3),
    ("1. e4 (1. d4 {)} *\n", 1, 1),
])
def test_what_is_opened_and_not_closed_is_told_at_its_line(
        text: str, line: int, events: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, told = converted(tmp_path, capsys, text, Exit.LOG)
    assert (len(logs[-1]), "end" in logs[-1][-1]) == (1 + events, False)
    assert f"games.pgn:{line}" in told
    assert told.count("[CV13]") == 1


@needed
@pytest.mark.parametrize(("text", "line"), [
    ('[White "A"]\n\n(1. d4 d5)\n1. e4 e5 *\n', 3), ('[White "A"]\n\n{a (b} ; (\n1. ( 1. d4 1. e4 *\n', 4),
    ('[White "A"]\n\n( not a move ) *\n', 3), ("1. e4 *\n\n(a) 1. d4 *\n", 3),
])
def test_a_variation_before_the_first_move_is_told(
        text: str, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, told = converted(tmp_path, capsys, text, Exit.LOG)
    assert f"games.pgn:{line}" in told
    assert told.count("[CV14]") == 1
    assert len(logs[-1]) == 1


@needed
def test_brackets_that_are_no_variation_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "(nothing played)\n\n" + changed(MATE, {"1. f3": "{ (1. e4) } 1. f3 (1. e4)"})
    (log,), told = converted(tmp_path, capsys, text)
    assert (len(log), told) == (6, "")


@needed
def test_braces_in_tags_and_behind_semicolons_open_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[Event "a { b"]\n\n% { not read\n; { nor this\n1. e4 {a { in a remark} e5 ; {\n2. Nf3 (2. f4 ; (\n) *\n'
    (log,), told = converted(tmp_path, capsys, text)
    assert (len(log), told) == (4, "")
