"""`referee count`: numbers that are known, what a step is, positions of logs, and where there is no number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.report.data.schemas import SCHEMAS
from tests.changed_text import changed

PIECES = {"k": "King", "q": "Queen", "r": "Rook", "b": "Bishop", "n": "Knight", "p": "Pawn"}
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"
TAKING = """\
game "Taking" for 2 players first and second

counters
  left: 0..5 starts 5

play
  turns from first, to the left
    turn player must take
    if left > 0: turn player may again
    if left = 0: turn player wins

action take(stones: 1..2)
  needs "so many are left": stones <= left
  lower left by stones

action again
  needs "something is left": left >= 1
  lower left by 1
"""
ALONE = """\
game "Alone" for 2 players first and second

counters
  step: 0..2 starts 1

play
  repeat until step = 0: first must go

action go(far: 1..2)
  set step to far
"""


@pytest.fixture
def taking(tmp_path: Path) -> str:
    path = tmp_path / "taking.rules"
    path.write_text(TAKING, "utf-8")
    return str(path)


def numbers(capsys: pytest.CaptureFixture[str], *words: str, code: Exit = Exit.GOOD) -> list[int]:
    """What is counted, as JSON that fits its schema."""
    assert run(["count", *words, "--format", "json"]) == code
    told = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["count"]).validate(told)
    found: list[int] = told["numbers"]
    assert (told["why"] is None) == (code == Exit.GOOD)
    return found


@pytest.mark.parametrize(("ruleset", "known"), [
    ("othello", [4, 12, 56, 244, 1396]), ("checkers", [7, 49, 302, 1469]),
    ("connect_four", [7, 49, 343, 2401, 16807]), ("tic_tac_toe", [9, 72, 504, 3024, 15120, 54720])])
def test_numbers_are_those_that_others_have_found(ruleset: str, known: list[int],
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    assert numbers(capsys, ruleset, "--depth", str(len(known))) == known


def test_it_begins_where_a_log_leaves_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = {f"field at {column}{row}": f"{PIECES[one.lower()]} of {'white' if one.isupper() else 'black'}"
             for row, pieces in zip("87654321", KIWIPETE.split("/"), strict=True)
             for column, one in zip("abcdefgh", "".join("." * int(one) if one.isdigit() else one for one in pieces),
                                    strict=True) if one != "."}
    header = {"schema": "referee/log/1", "ruleset": "chess", "players": ["white", "black"],
              "state": {"turn": "white", "place": place}}
    log = tmp_path / "kiwipete.jsonl"
    log.write_text(json.dumps(header) + "\n", "utf-8")
    assert numbers(capsys, "chess", "--depth", "2", "--from", str(log)) == [48, 2039]
    played = {"by": "white", "do": "castle", "with": {"side": "king_side"}}
    log.write_text(f"{json.dumps(header)}\n{json.dumps(played)}\n", "utf-8")
    assert numbers(capsys, "chess", "--depth", "1", "--from", str(log)) == [43]


def test_a_turn_has_all_that_its_player_does_in_it(taking: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From 5: take 1 or 2, and if something is left pass or take one more. One turn leaves 4, 3, 3 or 2."""
    assert numbers(capsys, taking, "--depth", "3") == [4, 15, 22]
    assert numbers(capsys, taking, "--depth", "3", "--by", "event") == [2, 4, 8]
    assert numbers(capsys, taking, "--depth", "3", "--distinct", "results") == [3, 8, 10]
    assert numbers(capsys, taking, "--depth", "3", "--distinct", "positions") == [3, 4, 3]
    assert numbers(capsys, taking, "--depth", "2", "--without", "again") == [2, 4]


def test_several_processes_find_the_same(taking: str, capsys: pytest.CaptureFixture[str]) -> None:
    alone = numbers(capsys, taking, "--depth", "4")
    assert numbers(capsys, taking, "--depth", "4", "--jobs", "2") == alone


def test_once_the_time_is_over_the_numbers_so_far_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "connect_four", "--depth", "30", "--timeout", "0.3", code=Exit.OPEN)
    assert found[:2] == [7, 49]
    assert len(found) < 30


def test_a_turn_without_end_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "alone.rules"
    path.write_text(ALONE, "utf-8")
    assert numbers(capsys, str(path), "--depth", "1", code=Exit.OPEN) == []
    assert numbers(capsys, str(path), "--depth", "3", "--by", "event") == [2, 4, 8]


def test_what_cannot_be_counted_is_refused(taking: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", taking, "--depth", "1", "--without", "fly"]) == Exit.USAGE
    assert "again" in capsys.readouterr().err
    log = tmp_path / "wrong.jsonl"
    log.write_text('{"schema": "referee/log/1", "ruleset": "taking", "players": ["first", "second"]}\n'
                   '{"by": "second", "do": "take", "with": {"stones": 1}}\n', "utf-8")
    assert run(["count", taking, "--depth", "1", "--from", str(log)]) == Exit.NEGATIVE
    assert run(["count", taking, "--depth", "1", "--from", str(log), "--players", "2"]) == Exit.USAGE


def test_what_nobody_stated_is_told_with_how_it_is_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.rules"
    given = changed(TAKING, {"counters": "given starter: player\n\ncounters"})
    path.write_text(changed(given, {"from first": "from starter"}))
    assert run(["count", str(path), "--depth", "1"]) == Exit.USAGE
    assert "nobody stated starter, and the number hangs on it: state it by `--given starter=VALUE`" in " ".join(
        capsys.readouterr().err.split())
    assert run(["count", str(path), "--depth", "1", "--given", "starter=first"]) == Exit.GOOD
