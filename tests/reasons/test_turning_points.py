"""Why the game asks for something else: the fork that kept it away, with its values, its statements and its line."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.archives.log_opening import open_log
from referee.frontend.loading.loader import load_flow
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_log
from referee.judge.verdict import FailedLine, Reason

ROOT = Path(__file__).resolve().parents[2] / "rulesets"


@cache
def walker(name: str, players: int, options: tuple[tuple[str, str], ...]) -> Walker:
    return Walker(load_flow(name, players, dict(options)))


def rules(header: Header) -> Walker:
    return walker(header.ruleset, len(header.players), tuple(sorted(header.options.items())))


def wrong(log: Log, viewer: str | None = None) -> FailedLine:
    found = judge_log(log, rules, Options(viewer)).wrong
    assert found is not None
    return found


def kept(name: str, viewer: str | None = None) -> FailedLine:
    game, _, number = name.partition("/")
    with open_log(str(ROOT / game / "logs" / "illegal" / f"{number}.jsonl")) as log:
        return wrong(log, viewer)


def said(reason: Reason) -> tuple[int | None, str, dict[str, str]]:
    return reason.line, reason.text, dict(reason.shows)


@pytest.mark.parametrize(("name", "line", "text", "values", "cited"), [
    ("il_mister/031", 3, "e of right_wide against c of left_back: no",
     {"e of right_wide": "7, more than 9 is needed", "c of left_back": "9"}, "IT-76"),
    ("il_mister/036", 3, "some man in pitch of ana where attacker_points(man, e, ana) >= 8: no",
     {"closest man": "VASTENTI", "attacker_points(VASTENTI, e, ana)": "7, at least 8 is needed"}, "IT-C07a"),
    ("go_goal/022", 20, "number of team of ana > 5: yes", {"number of team of ana": "6"}, "RO-18"),
    ("go_goal/025", 8, "number of team of ana > 5: no", {"number of team of ana": "4"}, "RO-18"),
    ("king_of_the_pitch/043", 23, "highest is winner: no", {}, "KP-42"),
    ("king_of_the_pitch/046", 15, "captain of ben is not empty: yes", {"number of captain of ben": "1"}, "KP-67"),
])
def test_the_fork_that_kept_the_game_away(name: str, line: int, text: str, values: dict[str, str], cited: str) -> None:
    found = kept(name)
    first = found.because[0]
    assert said(first)[:2] == (line, text)
    assert values.items() <= dict(first.shows).items()
    assert cited in first.cites
    assert found.cites[:len(first.cites)] == first.cites


def test_what_made_the_values_of_the_fork_is_told() -> None:
    found = kept("go_goal/022")
    assert said(found.because[1]) == (20, "team of ana: + DEFENDER, by play_footballer", {})
    assert found.because[1].cites == ("RO-17",)


def test_whose_turn_it_is_comes_from_what_was_written_last() -> None:
    first, second = kept("adrenalyn_xl/027").because
    assert (first.line, first.text) == (8, "starting_gamer: nothing -> ben, by toss_the_coin")
    assert first.cites == ("AX-06",)
    assert (second.line, second.text) == (None, "the game is at one_turn(ben)")
    assert second.cites == ("AX-03", "AX-45")


def test_a_player_is_told_no_reason_that_he_could_learn_from() -> None:
    assert kept("il_mister/031").because
    assert kept("il_mister/031", "ben").because == ()


@pytest.mark.parametrize(("name", "told"), [
    ("king_of_the_pitch/043", (1, 2)), ("go_goal/025", (0,)), ("adrenalyn_xl/027", (0,))])
def test_a_player_is_told_of_what_lies_open(name: str, told: tuple[int, ...]) -> None:
    whole, own = kept(name), kept(name, "ben")
    assert own.because == tuple(whole.because[number] for number in told)


def test_a_line_that_was_left_for_another_choice() -> None:
    lines: list[dict[str, Any]] = [json.loads(line) for line in
                                   (ROOT / "adrenalyn_xl/logs/illegal/027.jsonl").read_text().splitlines()]
    ends = {"by": "ben", "do": "end_turn"}
    lines[9:] = [ends, {"by": "fate", "do": "draw", "with": {"to": "ana", "card": "Cerveno"}}, ends]
    found = wrong(Log(io.StringIO("".join(f"{json.dumps(line)}\n" for line in lines)), "game.jsonl"))
    assert (found.line, found.kind.value) == (12, "wrong player")
    assert said(found.because[0])[:2] == (10, "turn_over: yes")
    assert said(found.because[1])[:2] == (10, "turn_over: no -> yes, by end_turn")
    assert found.because[1].cites == ("AX-16",)
