"""`referee convert phh`: hands that become logs, and what cannot be converted, told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

HEAD = ["variant = 'NT'", "antes = [0, 0, 0]", "blinds_or_straddles = [5, 10, 0]", "min_bet = 10",
        "starting_stacks = [60, 200, 120]", "actions = ["]
DEALT = ["  'd dh p1 AcAd',", "  'd dh p2 KcKd',", "  'd dh p3 QcQd',"]
PLAYED = ["  'p3 cbr 120 # all of it',", "  'p1 cc',", "  'p2 cc',", "  'd db 2h7s9c',", '  "d db 3h", "d db 4s",',
          "  'p2 sm KcKd', 'p3 sm',", "  'p1 sm AcAd',", "]"]
AFTER = ["players = ['Ada', 'Bo', 'Cy']", "finishing_stacks = [180, 200, 0]", "year = 2026"]
HAND = [*HEAD, *DEALT, *PLAYED, *AFTER]
Log = list[dict[str, object]]


def converted(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], code: Exit = Exit.GOOD) -> tuple[
        list[Log], str]:
    path = tmp_path / "hands.phh"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert run(["convert", "phh", str(path), "--ruleset", "holdem", "--out", str(tmp_path), "--force"]) == code
    logs = sorted(tmp_path.glob("hands*.jsonl"), key=lambda one: (len(one.name), one.name))
    return [[json.loads(line) for line in log.read_text("utf-8").splitlines()] for log in logs], capsys.readouterr().err


def judged(path: Path, capsys: pytest.CaptureFixture[str], code: Exit = Exit.GOOD) -> str:
    assert run(["judge", str(path)]) == code
    return capsys.readouterr().out


def test_a_hand_with_a_side_pot_becomes_a_legal_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (log,), _ = converted(tmp_path, capsys, HAND)
    assert log[0]["parameters"] == {"chips": {"p1": 60, "p2": 200, "p3": 120}, "small": 5, "big": 10, "ante": 0}
    assert log[0]["given"] == {"dealer": "p3"}
    assert log[0]["note"] == {"p1": "Ada", "p2": "Bo", "p3": "Cy", "year": "2026"}
    assert log[1] == {"by": "fate", "do": "deal", "with": {"to": "p1", "cards": ["ace-clubs", "ace-diamonds"]}}
    assert log[4] == {"by": "p3", "do": "raise", "with": {"to": 120}, "note": "all of it"}
    assert log[-2] == {"by": "fate", "do": "deal", "with": {"cards": ["4-spades"]}}
    assert log[-1] == {"end": {"winner": "p1", "scores": {"p1": 120, "p2": 0, "p3": -120}}}
    assert "legal, won by p1" in judged(tmp_path / "hands.jsonl", capsys)


def test_a_wrong_result_is_left_for_the_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    converted(tmp_path, capsys, [*HAND[:-2], "finishing_stacks = [0, 380, 0]"])
    assert ":11: illegal" in judged(tmp_path / "hands.jsonl", capsys, Exit.NEGATIVE)


def test_who_is_out_of_turn_is_left_for_the_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (log,), told = converted(tmp_path, capsys, [*HEAD, *DEALT, "  'p1 cc',", "]"], Exit.LOG)
    assert "hands.phh:10:" in told
    assert log[-1] == {"by": "p1", "do": "call"}
    assert "wrong player" in judged(tmp_path / "hands.jsonl", capsys, Exit.NEGATIVE)


def test_two_seats_amounts_with_parts_and_cards_that_nobody_showed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log,), _ = converted(tmp_path, capsys, [
        "variant = 'NT'", "antes = [0, 0]", "blinds_or_straddles = [0.25, 0.50]", "min_bet = 0.50",
        "starting_stacks = [20.00, '35.5']", "actions = ['d dh p1 ????', 'd dh p2 AhTh', 'p2 cc', 'p1 cc',",
        "  'd db 2h2s2c', 'p1 cc', 'p2 cbr 1.25', 'p1 f']", "finishing_stacks = [19.50, 36]"])
    assert log[0]["parameters"] == {"chips": {"p1": 2000, "p2": 3550}, "small": 25, "big": 50, "ante": 0}
    assert (log[0]["viewpoint"], log[0]["note"]) == ("p2", {"amounts": "in hundredths"})
    assert log[1] == {"by": "fate", "do": "deal", "with": {"to": "p1", "cards": "?"}}
    assert [line.get("do") for line in log[3:5]] == ["call", "check"]
    assert log[-1] == {"end": {"winner": "p2", "scores": {"p1": -50, "p2": 50}}}
    assert "nothing in it contradicts the rules" in judged(tmp_path / "hands.jsonl", capsys)


def test_several_hands_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = [line.replace("'NT'", "'PO'") for line in HAND]
    logs, told = converted(tmp_path, capsys, ["# hands", "[1]", *HAND, "", "[2]", *other, "[3] # so", *HAND], Exit.LOG)
    assert [len(log) for log in logs] == [11, 11]
    assert f"hands.phh:{len(HAND) + 4}:" in told
    assert "the mapping is for NT, not for PO" in told


@pytest.mark.parametrize(("old", "new", "code", "line", "said"), [
    ("variant = 'NT'", "", "CV06", 1, "no `variant`"),
    ("antes = [0, 0, 0]", "antes = [0, 0, 5]", "CV06", 1, "antes"),
    ("[5, 10, 0]", "[5, 10, 20]", "CV06", 1, "blinds"), ("[5, 10, 0]", "[-5, 10, 0]", "CV06", 1, "'-5'"),
    ("min_bet = 10", "min_bet = 20", "CV06", 1, "least bet"), ("60, 200", "60, inf", "CV06", 1, "'inf'"),
    ("60, 200", "60.001, 200", "CV06", 1, "hundredths"), ("60, 200", "true, 200", "CV06", 1, "'True'"),
    ("actions = [", "actions = [ 3,", "CV06", 1, "list of texts"),
    ("[180, 200, 0]", "[180, 200]", "CV06", 1, "finishing_stacks"),
    ("min_bet = 10", "min_bet = ", "CV05", 4, "no TOML"),
    ("'d dh p3 QcQd'", "'d dh p3 Qc'", "CV07", 9, "nothing in the mapping"),
    ("'d dh p3 QcQd'", "'d dh p3 QcQx'", "CV07", 9, "nothing is known"),
    ("'d dh p3 QcQd'", "'d dh p3 AcQd'", "CV09", 9, "do not allow"),
    ("'d db 2h7s9c'", "'d db 2h7s'", "CV07", 13, "nothing in the mapping"),
    ("'p1 cc'", "'p9 cc'", "CV07", 11, "p9 does not play"), ("cbr 120", "cbr 12", "CV09", 10, "do not allow"),
    ("'p1 cc'", "'p1 shrugs'", "CV07", 11, "nothing in the mapping"),
    ("'p1 sm AcAd'", "'p1 sm AcKh'", "CV07", 16, "other cards"),
    ("'p1 sm AcAd'", "'p1 cc'", "CV10", 16, "the game is over"),
])
def test_what_cannot_be_converted_is_told_with_its_line(
    old: str, new: str, code: str, line: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [one.replace(old, new) for one in HAND]
    assert lines != HAND
    _, told = converted(tmp_path, capsys, lines, Exit.LOG)
    assert (f"[{code}]" in told, f"hands.phh:{line}:" in told, said in told) == (True, True, True), told


@pytest.mark.parametrize("lines", [
    [], ["# nothing"], ["x = " + "[" * 5_000], ["a" + ".a" * 20_000 + " = 1"], ["a." * 4_000 + "b = 1"] * 40,
    ["x = 1" + "0" * 5_000], [*HEAD, *["  'p1 cc',"] * 20_000, "]"], ["[[x]]", "[y"], ["\x00"],
    [*HAND[:4], "starting_stacks = [" + "1," * 3_000 + "]", *HAND[5:]], [*HEAD, *["  'd dh p1 ????',"] * 900, "]"],
    [line.replace("60", "1e999999999") for line in HAND], [line.replace("120 #", "9" * 300 + " #") for line in HAND],
])
def test_hostile_hands_are_bounded(lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told = converted(tmp_path, capsys, lines, Exit.LOG)
    assert "error[CV" in told
