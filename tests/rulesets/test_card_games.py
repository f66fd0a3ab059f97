"""Card games among the classics: a whole game is legal; with one line damaged it is illegal there, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.judge.log_run import judge_all
from referee.judge.verdict import LogOutcome, LogVerdict

HERE = Path(__file__).parent / "cards"
GAMES = sorted(path.stem for path in HERE.glob("*.jsonl"))
RULES = Rules(None)
Line = dict[str, Any]


def lays(card: str) -> Callable[[Line], Line]:
    """The same player lays another card."""
    return lambda line: {**line, "with": {"card": card}}


def says(name: str, value: object) -> Callable[[Line], Line]:
    """The same with another argument."""
    return lambda line: {**line, "with": {**line["with"], name: value}}


def does(what: str) -> Callable[[Line], Line]:
    """The same player does something else."""
    return lambda line: {"by": line["by"], "do": what}


def by(player: str) -> Callable[[Line], Line]:
    """Another player does it."""
    return lambda line: {**line, "by": player}


def scores(points: dict[str, int]) -> Callable[[Line], Line]:
    """Another result."""
    return lambda line: {"end": {**line["end"], "scores": points}}


@dataclass(frozen=True)
class Damage:
    """What is done to which line (1 is the header) of the game, and words that the verdict on it must have."""

    game: str
    line: int
    change: Callable[[Line], Line]
    words: str

    def __str__(self) -> str:
        return f"{self.game} {self.line} {self.words}"


DAMAGES = (
    Damage("hearts", 6, says("card", "2-clubs"), "card cannot be 2-clubs"),
    Damage("hearts", 55, says("cards", ["2-spades", "ace-diamonds", "king-hearts"]), "cards cannot be"),
    Damage("hearts", 58, lays("king-clubs"), "the two of clubs leads first"),
    Damage("hearts", 59, lays("7-spades"), "suit is followed"),
    Damage("hearts", 59, by("cleo"), "ben"),
    Damage("hearts", 62, by("ana"), "ben"),
    Damage("hearts", 62, lays("3-hearts"), "hearts are not broken"),
    Damage("hearts", 66, lays("ace-spades"), "card cannot be ace-spades"),
    Damage("hearts", 110, scores({"ana": -3, "ben": 0, "cleo": -22, "dan": -1}), "cleo"),
    Damage("spades", 54, says("tricks", 14), "14"),
    Damage("spades", 56, by("south"), "west"),
    Damage("spades", 58, lays("2-spades"), "spades are not broken"),
    Damage("spades", 59, lays("3-spades"), "suit is followed"),
    Damage("spades", 66, by("south"), "north"),
    Damage("spades", 110, scores({"north": -160, "east": 90, "south": -160, "west": 90}), "east"),
    Damage("euchre", 23, does("name_suit"), "name_suit"),
    Damage("euchre", 26, lays("king-clubs"), "card cannot be king-clubs"),
    Damage("euchre", 28, lays("ace-spades"), "suit is followed"),
    Damage("euchre", 34, by("west"), "north"),
    Damage("euchre", 36, lays("jack-diamonds"), "suit is followed"),
    Damage("euchre", 47, scores({"north": 2, "east": 0, "south": 2, "west": 0}), "north"),
    Damage("crazy_eights", 18, lays("king-clubs"), "same suit, same rank, or an eight"),
    Damage("crazy_eights", 22, by("ben"), "ana"),
    Damage("crazy_eights", 23, lays("4-clubs"), "same suit, same rank, or an eight"),
    Damage("crazy_eights", 28, does("pass"), "the most were drawn, or there are none"),
    Damage("crazy_eights", 51, does("draw"), "no more are drawn in a turn"),
)


def lines_of(game: str) -> list[str]:
    return (HERE / f"{game}.jsonl").read_text("utf-8").splitlines()


def judged(path: Path) -> LogVerdict:
    return next(iter(judge_all([str(path)], RULES)))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_legal_and_its_result_is_found(game: str) -> None:
    verdict = judged(HERE / f"{game}.jsonl")
    end = json.loads(lines_of(game)[-1])["end"]
    assert (verdict.outcome, verdict.finished) == (LogOutcome.LEGAL, True), verdict
    assert set(verdict.winners or ()) == set([end["winner"]] if isinstance(end["winner"], str) else end["winner"])


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_a_damaged_line_is_illegal_and_the_verdict_says_why(damage: Damage, tmp_path: Path) -> None:
    lines = lines_of(damage.game)
    lines[damage.line - 1] = json.dumps(damage.change(json.loads(lines[damage.line - 1])))
    path = tmp_path / f"{damage.game}.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    verdict = judged(path)
    assert verdict.outcome is LogOutcome.ILLEGAL, verdict
    assert verdict.wrong is not None
    assert verdict.wrong.line == damage.line, verdict.wrong
    assert damage.words in f"{verdict.wrong.message} {verdict.wrong.failed}", verdict.wrong
