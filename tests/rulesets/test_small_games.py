"""Small games among the classics: a whole game is legal; with one line damaged it is illegal there, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.api.runs.log_engines import Rules
from referee.judge.log_run import judge_all
from referee.judge.verdict import LogOutcome, LogVerdict

HERE = Path(__file__).parent / "small"
GAMES = sorted(path.stem for path in HERE.glob("*.jsonl"))
RULES = Rules(None)

DAMAGED = (
    ("pig", 2, '{"by": "ana", "do": "roll"}', "choose"),
    ("pig", 4, '{"by": "fate", "do": "roll", "with": {"for": "ben", "die": 5}}', "ana"),
    ("pig", 5, '{"by": "ben", "do": "roll"}', "ana"),
    ("pig", 6, '{"by": "ben", "do": "bank"}', "bank"),
    ("pig", 8, '{"by": "ben", "do": "roll"}', "ana"),
    ("pig", 17, '{"by": "fate", "do": "roll", "with": {"for": "ana", "die": 7}}', "die"),
    ("mancala", 3, '{"by": "south", "do": "sow", "with": {"pit": 2}}', "north"),
    ("mancala", 4, '{"by": "north", "do": "sow", "with": {"pit": 2}}', "there are seeds in it"),
    ("mancala", 5, '{"by": "north", "do": "sow", "with": {"pit": 1}}', "south"),
    ("mancala", 7, '{"by": "south", "do": "sow", "with": {"pit": 7}}', "pit"),
    ("oware", 3, '{"by": "south", "do": "sow", "with": {"pit": 3}}', "north"),
    ("oware", 4, '{"by": "south", "do": "sow", "with": {"pit": 6}}', "there are seeds in it"),
    ("dots_and_boxes", 4, '{"by": "first", "do": "draw", "with": {"way": "across", "line": 1, "place": 1}}', "drawn"),
    ("dots_and_boxes", 15, '{"by": "second", "do": "draw", "with": {"way": "across", "line": 1, "place": 2}}', "first"),
    ("dots_and_boxes", 16, '{"by": "first", "do": "draw", "with": {"way": "across", "line": 1, "place": 2}}', "second"),
    ("leduc_poker", 3, '{"by": "fate", "do": "deal", "with": {"to": "first", "card": "Q"}}', "second"),
    ("leduc_poker", 4, '{"by": "first", "do": "fold"}', "there is something to call"),
    ("leduc_poker", 4, '{"by": "second", "do": "call"}', "first"),
    ("side_to_side", 3, '{"by": "x", "do": "place", "with": {"at": "a3"}}', "o"),
    ("side_to_side", 4, '{"by": "x", "do": "place", "with": {"at": "c2"}}', "the cell is free"),
    ("side_to_side", 5, '{"by": "o", "do": "place", "with": {"at": "e6"}}', "e6"),
    ("side_to_side", 16, '{"by": "x", "do": "place", "with": {"at": "a1"}}', "over"),
    ("four_not_three", 5, '{"by": "black", "do": "lay", "with": {"at": "i6"}}', "i6"),
    ("four_not_three", 8, '{"by": "white", "do": "lay", "with": {"at": "e9"}}', "the cell is free"),
    ("four_not_three", 16, '{"by": "black", "do": "lay", "with": {"at": "f5"}}', "white"),
    ("isolation", 2, '{"by": "first", "do": "step", "with": {"to": "d3"}}', "it touches the tile"),
    ("isolation", 3, '{"by": "first", "do": "take", "with": {"tile": "d2"}}', "nobody stands there"),
    ("isolation", 6, '{"by": "first", "do": "step", "with": {"to": "e1"}}', "it was not taken out"),
    ("isolation", 7, '{"by": "second", "do": "step", "with": {"to": "e6"}}', "first"),
)


def judged(path: Path) -> LogVerdict:
    return next(iter(judge_all([str(path)], RULES)))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_legal_and_its_result_is_found(game: str) -> None:
    verdict = judged(HERE / f"{game}.jsonl")
    assert (verdict.outcome, verdict.finished) == (LogOutcome.LEGAL, True), verdict


@pytest.mark.parametrize("game", GAMES)
def test_another_score_is_a_wrong_result(game: str, tmp_path: Path) -> None:
    *lines, last = (HERE / f"{game}.jsonl").read_text("utf-8").splitlines()
    end = json.loads(last)["end"]
    player = min(end["scores"])
    end["scores"][player] += 1
    path = tmp_path / f"{game}.jsonl"
    path.write_text("\n".join([*lines, json.dumps({"end": end})]) + "\n", "utf-8")
    verdict = judged(path)
    assert verdict.outcome is LogOutcome.ILLEGAL
    assert verdict.wrong is not None
    assert verdict.wrong.line == len(lines) + 1


@pytest.mark.parametrize(("game", "line", "instead", "words"), DAMAGED)
def test_a_damaged_line_is_illegal_and_the_verdict_says_why(
    game: str, line: int, instead: str, words: str, tmp_path: Path
) -> None:
    lines = (HERE / f"{game}.jsonl").read_text("utf-8").splitlines()
    lines[line - 1] = instead
    path = tmp_path / f"{game}.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    verdict = judged(path)
    assert verdict.outcome is LogOutcome.ILLEGAL, verdict
    assert verdict.wrong is not None
    assert verdict.wrong.line == line, verdict.wrong
    assert words in f"{verdict.wrong.message} {verdict.wrong.failed}", verdict.wrong
