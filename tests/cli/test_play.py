"""`referee play`: random games and games in the terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import terminal_session
from referee.cli.main import referee, run
from referee.diagnostics.exit_codes import Exit
from referee.frontend import names
from tests.changed_text import changed
from tests.sample_sizes import in_turn

GAMES = sorted(names())
OPEN_RULES = """game "Tie" for 2 players a and b

parameter length: 1..3 unknown "the number is lost"

counters
  steps of player: 0..3 starts 0

play
  turns from a, to the left
    turn player must step

action step
  raise steps of me by 1
  if steps of me = length: unspecified "and now?"
"""


ROW = """game "Row" for 2 players ana and ben

kind Card is RED < BLUE

components
  2 RED in deck
  1 BLUE in deck

zones
  deck: pile of Card, face down
  row: bag of Card, open

setup
  shuffle deck
  deal 3 from deck to row

play
  ana must stop

action stop
  nobody wins
"""


MANY_SETS = """\
game "Many" for 2 players ana and ben

kind Card is 1..12

components
  1 of each Card in hand of ana

zones
  hand of player: bag of Card, open
  heap: bag of Card, open

play
  turns from ana, to the left, until hand of ana is empty
    ana may lay

action lay(cards: any number of Card in my hand)
  needs "nearly all are laid": number of cards > 10
  move cards to heap
"""


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("game", in_turn(GAMES, "play"))
def test_random_games_are_judged_legal(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", game, "--random", "3", "--seed", "5", "--out", str(tmp_path)]) == Exit.GOOD
    assert capsys.readouterr().out.startswith("3 games, ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000.jsonl", "001.jsonl", "002.jsonl"]
    assert all("end" in lines(path)[-1] for path in tmp_path.iterdir())
    assert run(["judge", "--quiet", str(tmp_path)]) == Exit.GOOD
    assert capsys.readouterr().out == "3 logs: 3 legal\n"


def test_the_same_seed_plays_the_same_games_and_another_others(tmp_path: Path) -> None:
    texts = []
    for folder, seed in (("one", "7"), ("two", "7"), ("three", "8")):
        run(["play", "tic_tac_toe", "--random", "3", "--seed", seed, "--out", str(tmp_path / folder)])
        texts.append([path.read_text() for path in sorted((tmp_path / folder).iterdir())])
    assert texts[0] == texts[1]
    assert not set(texts[0]) & set(texts[2])


def test_a_ruleset_behind_random_is_told_where_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--random", "tic_tac_toe"]) == Exit.USAGE
    assert "'tic_tac_toe' is no number of games: RULESET stands before --random" in capsys.readouterr().err


def test_one_random_game_is_played_where_no_number_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "tic_tac_toe", "--random", "--seed", "3"]) == Exit.GOOD
    assert capsys.readouterr().out.startswith("1 game, ")


def test_games_that_are_there_are_overwritten_only_by_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["play", "tic_tac_toe", "--random", "2", "--out", str(tmp_path)]
    (tmp_path / "001.jsonl").write_text("older")
    assert run(words) == Exit.USAGE
    assert f"{tmp_path / '001.jsonl'} is there already" in capsys.readouterr().err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["older"]
    assert run([*words, "--force"]) == Exit.GOOD
    assert "end" in lines(tmp_path / "001.jsonl")[-1]
    (tmp_path / "001.jsonl").unlink()
    assert run([*words[:3], "1", *words[4:]]) == Exit.USAGE


def test_a_cut_game_has_no_end_and_is_legal_so_far(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "breakthrough", "--random", "2", "--max-events", "4", "--out", str(tmp_path)]
    assert run(words) == Exit.OPEN
    assert capsys.readouterr().out == "2 games, 8 events: 0 ended, 2 cut at 4 events\n"
    assert [len(lines(path)) for path in tmp_path.iterdir()] == [5, 5]
    assert run(["judge", str(tmp_path)]) == Exit.GOOD
    assert "legal so far, not finished (4 events)" in capsys.readouterr().out


def test_a_game_that_the_rules_do_not_finish_stops_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "tie.rules"
    rules.write_text(OPEN_RULES)
    words = ["play", str(rules), "--random", "2", "--out", str(tmp_path), "--parameter", "length=2"]
    assert run(words) == Exit.OPEN
    assert "2 stopped at " in capsys.readouterr().out
    assert lines(tmp_path / "000.jsonl")[0]["parameters"] == {"length": 2}
    assert run(["judge", str(tmp_path / "000.jsonl"), "--ruleset", str(rules)]) == Exit.OPEN
    assert "legal up to " in capsys.readouterr().out


def test_what_was_drawn_by_lot_is_marked_in_the_header(tmp_path: Path) -> None:
    rules = tmp_path / "tie.rules"
    rules.write_text(OPEN_RULES)
    run(["play", str(rules), "--random", "1", "--out", str(tmp_path)])
    header = lines(tmp_path / "000.jsonl")[0]
    assert header["parameters"]["length"] in {1, 2, 3}
    assert header["note"] == "length: chosen for this game"


@pytest.mark.parametrize(
    ("words", "told"),
    [(["--parameter", "x=1"], '"x" in `parameters`'), (["--reading", "x=1"], '"x" in `readings`'),
     (["--rule", "x=1"], '"x" in `rulings`'), (["--given", "x=1"], '"x" in `given`')],
)
def test_what_a_ruleset_does_not_have_cannot_be_fixed(words: list[str], told: str,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "tic_tac_toe", "--random", "1", *words]) == Exit.USAGE
    assert told in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert run(["play", "tic_tac_toe", "--random", "1", "--out", str(tmp_path / "file" / "x")]) == Exit.USAGE


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_leaves_whole_logs_only_and_ends_with_130(tmp_path: Path, project: Path) -> None:
    words = [sys.executable, "-m", "referee", "play", "breakthrough", "--random", "100000", "--out", str(tmp_path)]
    with subprocess.Popen(words, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as playing:
        while len(list(tmp_path.glob("*.jsonl"))) < 2 and playing.poll() is None:
            time.sleep(0.05)
        os.kill(playing.pid, signal.SIGINT)
        out, err = playing.communicate()
    assert (playing.returncode, err.strip()) == (Exit.INTERRUPTED, "interrupted")
    assert " ended" in out
    left = sorted(tmp_path.iterdir())
    assert [path.suffix for path in left] == [".jsonl"] * len(left)
    assert all("end" in lines(path)[-1] for path in left)


def typed(*words: str, text: str) -> Result:
    return CliRunner().invoke(referee, ["play", *words], input=text, standalone_mode=False)


def test_a_game_in_the_terminal_by_numbers_and_typed_moves(tmp_path: Path) -> None:
    done = typed("tic_tac_toe", "--out", str(tmp_path), text="1\nmark b1\nmark cell=a2\nmark b2\nmark a3\n")
    assert done.return_value == Exit.GOOD
    assert "the game is over: x wins" in done.output
    played = lines(tmp_path / "000.jsonl")
    assert [(line["by"], line["with"]["cell"]) for line in played[1:-1]] == [
        ("x", "a1"), ("o", "b1"), ("x", "a2"), ("o", "b2"), ("x", "a3")]
    assert played[-1]["end"]["winner"] == "x"


@pytest.mark.parametrize(
    ("move", "told"),
    [("mark a1", ("o may not mark cell a1", "failed  the cell is free", "nearest")), ("mark z9", ('"z9" is no ',)),
     ("mrk a2", ("mrk is no move here: did you mean mark?",)), ("99", ("there is no number 99: 1 to 8",)),
     ("0", ("there is no number 0",)), ("mark", ("cell is missing",)), ("?", ("take the move with this number",))],
)
def test_a_move_that_is_refused_is_answered_with_the_reason(move: str, told: tuple[str, ...]) -> None:
    output = typed("tic_tac_toe", text=f"mark a1\n{move}\nquit\n").output
    assert all(part in output for part in told), output


def test_rules_that_fail_end_the_game_and_its_log_has_the_line_that_showed_it(tmp_path: Path) -> None:
    rules = tmp_path / "tie.rules"
    rules.write_text(changed(OPEN_RULES, {"parameter length: 1..3 unknown \"the number is lost\"\n": "",
                                          "  if steps of me = length: unspecified \"and now?\"\n": ""}))
    done = typed(str(rules), "--out", str(tmp_path), text="1\n" * 7)
    assert done.return_value == Exit.NEGATIVE
    assert f"the rules fail: RT01 steps cannot become 4, which is 0..3 ({rules}:" in done.output
    assert len(lines(tmp_path / "000.jsonl")) == 1 + 7


@pytest.mark.parametrize("game", ["hearts", "checkers"])
def test_a_move_may_be_typed_as_it_is_listed(game: str) -> None:
    listed = typed(game, "--seed", "4", text="quit\n").output.split("\n   1  ")[1].split("\n")[0]
    taken = typed(game, "--seed", "4", text=f"{listed}\nundo\nquit\n").output
    assert " may not " not in taken
    assert "nothing was decided yet" not in taken


def test_sets_that_are_too_many_to_look_at_are_listed_as_far_as_the_time_goes(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_session, "LISTING", 0.0)
    rules = tmp_path / "many.rules"
    rules.write_text(MANY_SETS)
    output = typed(str(rules), text="3\nlay [1, 2]\nlay [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\nquit\n").output
    assert "      and maybe more: there are too many sets to look at them all" in output
    assert "there is no number 3: type a move" in output
    assert output.count("nearly all are laid") == 1
    assert "ana | hand: 12" in output


def test_undo_takes_back_a_decision_with_what_fate_did_after_it(tmp_path: Path) -> None:
    done = typed("kuhn_poker", "--out", str(tmp_path), text="undo\nbet\nundo\npass\npass\n")
    assert "nothing was decided yet" in done.output
    assert [line.get("do") for line in lines(tmp_path / "000.jsonl")] == [None, "deal", "deal", "pass", "pass", None]


def test_at_the_end_the_table_is_shown_once_more() -> None:
    done = typed("tic_tac_toe", text="mark a1\nmark b1\nmark a2\nmark b2\nmark a3\n")
    shown = done.output.split("o> ")[-1].split("x> ")[-1]
    assert "  3  x . .\n  2  x o .\n  1  x o .\n" in shown
    assert shown.rstrip().endswith("the game is over: x wins")


def test_what_fate_deals_is_told_as_moves_are(tmp_path: Path) -> None:
    rules = tmp_path / "row.rules"
    rules.write_text(ROW, encoding="utf-8")
    assert "fate: deal cards RED x2, BLUE\n" in typed(str(rules), text="quit\n").output


def test_a_second_game_gets_the_next_free_name(tmp_path: Path) -> None:
    for _ in range(2):
        typed("tic_tac_toe", "--out", str(tmp_path), text="1\nquit\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000.jsonl", "001.jsonl"]


def test_the_terminal_shows_a_player_no_card_that_he_cannot_see() -> None:
    output = typed("kuhn_poker", "--seed", "4", text="quit\n").output
    assert "fate: deal to first card ?" in output
    assert "second | hand: 1 hidden" in output
    assert "first | hand: 1 hidden" not in output


def test_the_terminal_tells_each_player_his_own_secret_dice() -> None:
    rules = Path(__file__).resolve().parents[1] / "language" / "constructs" / "secret_dice.rules"
    before, after = typed(str(rules), "--players", "2", "--seed", "3", text="2\n2\n").output.split("ana>", 1)
    assert "fate: roll for ana d ?" in before
    assert "only some know: fate: roll for ana d 2" in before
    assert "only some know: fate: roll for ben d 1" in after
    assert "only some know: fate: roll for ana d" not in after
    assert "roll for ben d 1" not in before


def test_a_long_table_of_a_parameter_is_one_entry() -> None:
    shown = typed("go_goal", "--seed", "2", text="").output
    assert "may_score: 3240 x yes" in shown
    assert "may_score(" not in shown


def test_the_end_of_the_input_is_the_end_of_the_session() -> None:
    done = typed("tic_tac_toe", text="1\n")
    assert done.return_value == Exit.GOOD
    assert done.output.endswith("\nthe game is not over\n")
