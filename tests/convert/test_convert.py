"""`referee convert openspiel`: logs that the judge takes, and what cannot be converted, told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.convert import foreign_game
from referee.diagnostics.exit_codes import Exit
from tests.changed_text import changed

WON = ["tic_tac_toe()", "# in the middle", "x(1,1)", "o(0,1)", "x(0,0)", "o(0,2)", "x(2,2)", "returns: 1.0, -1.0"]


def converted(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], ruleset: str = "tic_tac_toe",
              code: Exit = Exit.GOOD) -> tuple[list[dict[str, object]], str]:
    """The lines of the log of a file, and what was told."""
    path = tmp_path / "game.txt"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert run(["convert", "openspiel", str(path), "--ruleset", ruleset]) == code
    told = capsys.readouterr()
    return [json.loads(line) for line in told.out.splitlines()], told.err


def judged(tmp_path: Path, log: list[dict[str, object]]) -> int:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in log), "utf-8")
    return run(["judge", str(path)])


def test_a_game_becomes_a_log_that_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, WON)
    assert log[1] == {"by": "x", "do": "mark", "with": {"cell": "b2"}, "note": "in the middle"}
    assert log[-1] == {"end": {"winner": "x", "scores": {"x": 1, "o": -1}}}
    assert judged(tmp_path, log) == Exit.GOOD


def test_a_wrong_result_is_left_for_the_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, [*WON[:-1], "returns: 0, 0"])
    assert log[-1] == {"end": {"winner": None, "scores": {"x": 0, "o": 0}}}
    assert judged(tmp_path, log) == Exit.NEGATIVE


def test_steps_that_are_parts_of_one_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, ["amazons(board_size=10)", "X From (10, 4)", "X To (4, 4)", "X Shoot: (2, 6)"],
                       "amazons")
    assert log[1:] == [{"by": "white", "do": "move", "with": {"from": "d1", "to": "d7"}},
                       {"by": "white", "do": "shoot", "with": {"target": "f9"}}]


def test_what_the_step_leaves_out_follows_from_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, ["leduc_poker()", "Chance outcome:0", "Chance outcome:5", "Raise", "Fold",
                                          "returns: 1, -1"], "leduc_poker")
    assert log[1]["with"] == {"to": "first", "card": "J"}
    assert judged(tmp_path, log) == Exit.GOOD


def test_what_the_format_does_not_tell_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, ["liars_dice()", "Roll 2", "Roll 5", "2-5", "Liar", "returns: -1, 1"],
                       "liars_dice")
    assert [line.get("do") for line in log] == [None, "choose", "roll", "roll", "bid", "doubt", "show", "show", None]
    assert log[-2] == {"by": "ben", "do": "show", "with": {"dice": 1}}
    assert log[-1] == {"end": {"winner": "ben"}}
    assert judged(tmp_path, log) == Exit.GOOD


def test_several_steps_alike_are_one_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, ["blackjack()", "HQ", "C9", "SQ", "C5", "Stand", "CT", "returns: 1.0"],
                       "blackjack")
    assert log[2]["with"] == {"to": "ana", "cards": ["9-clubs", "queen-hearts"]}
    assert log[3]["with"] == {"card": "queen-spades"}
    assert log[-1] == {"end": {"winner": "ana", "scores": {"ana": 1}}}
    assert judged(tmp_path, log) == Exit.GOOD


def test_a_mapping_may_give_facts_from_outside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, _ = converted(tmp_path, capsys, ["bridge(dealer=3,use_double_dummy_result=False)", "♠2"], "bridge")
    assert log[0]["given"] == {"dealer": "west", "danger": "neither"}
    assert log[1] == {"by": "fate", "do": "deal", "with": {"to": "north", "card": "2-spades"}}


def test_events_at_the_beginning_that_the_rules_do_not_allow_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping = tmp_path / "pig.toml"
    text = Path("rulesets/classics/pig.mapping.toml").read_text("utf-8")
    mapping.write_text(changed(text, {'starter = "ana"': 'starter = "cleo"'}), "utf-8")
    game = tmp_path / "game.txt"
    game.write_text("pig()\nroll\n", "utf-8")
    assert run(["convert", "openspiel", str(game), "--ruleset", "pig", "--mapping", str(mapping)]) == Exit.LOG
    assert "CV06" in capsys.readouterr().err


@pytest.mark.parametrize(("lines", "code", "line", "events"), [
    (["nothing here"], "CV05", 1, 0), ([], "CV05", 1, 0), (["connect_four()"], "CV06", 1, 0),
    (["tic_tac_toe(size=4)"], "CV06", 1, 0),
    ([*WON[:3], "o(7,7)"], "CV07", 4, 1), ([*WON[:3], "O" * 500], "CV07", 4, 1),
    ([*WON[:3], "o(1,1)", "x(0,0)"], "CV09", 4, 2), ([*WON[:-1], "o(2,1)"], "CV10", 8, 5),
    ([*WON[:-1], "returns: 1, x"], "CV10", 8, 5), ([*WON[:-1], "returns: 1, 1e999"], "CV11", 8, 0),
])
def test_what_cannot_be_converted_is_told_with_its_line(
    lines: list[str], code: str, line: int, events: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, told = converted(tmp_path, capsys, lines, code=Exit.LOG)
    assert f"[{code}]" in told
    assert f"game.txt:{line}:" in told
    assert len(log[1:]) == events


def test_large_files_are_bounded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, told = converted(tmp_path, capsys, [WON[0], "x" * 70_000], code=Exit.LOG)
    assert "[CV04]" in told
    monkeypatch.setattr(foreign_game, "MOST_GAME", 1_000)
    _, told = converted(tmp_path, capsys, [WON[0], *["# remark"] * 200], code=Exit.LOG)
    assert "[CV04]" in told


def test_games_go_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("\n".join(WON), "utf-8")
    words = ["convert", "openspiel", str(tmp_path / "one.txt"), str(tmp_path / "two.txt"), "--ruleset", "tic_tac_toe"]
    assert run(words) == Exit.USAGE
    assert "--out" in capsys.readouterr().err
    assert run([*words, "--out", str(tmp_path / "logs")]) == Exit.GOOD
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["one.jsonl", "two.jsonl"]
    assert run([*words, "--out", str(tmp_path / "logs")]) == Exit.USAGE
    assert run([*words, "--out", str(tmp_path / "logs"), "--force"]) == Exit.GOOD
    assert run(["convert", "openspiel", str(tmp_path / "three.txt"), "--ruleset", "tic_tac_toe"]) == Exit.LOG
    assert "[CV03]" in capsys.readouterr().err
