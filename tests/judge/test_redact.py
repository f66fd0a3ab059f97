"""Views of games: what a player saw stays, what he did not see is a hole, and no view contradicts the rules."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.frontend import load_flow
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from referee.views.redaction import RedactionRefused, redacted
from tests.judge.playing import does

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
PLAYERS = ("ana", "ben")
POKER: list[dict[str, Any]] = [
    {"schema": "referee/log/1", "ruleset": "kuhn_poker", "players": list(PLAYERS), "note": "a secret"},
    does("fate", "deal", to="ana", card="K"), does("fate", "deal", to="ben", card="Q") | {"note": "a secret"},
    {"assert": {"stake of ana": 1, "number of K in hand of ana": 1}},
    does("ana", "pass"), does("ben", "pass"), {"end": {"winner": "ana", "scores": {"ana": 1, "ben": -1}}},
]
GOOF: list[dict[str, Any]] = [
    {"schema": "referee/log/1", "ruleset": "goofspiel", "players": list(PLAYERS)},
    does("ana", "bid", card=3), does("ben", "bid", card=1), does("ana", "bid", card=2),
]


def walker_of(name: str) -> Walker:
    path = CONSTRUCTS / f"{name}.rules"
    return engine(load_flow(path if path.exists() else name, 2, {}))


def read(lines: list[Any]) -> Log:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return Log(io.StringIO("".join(f"{text}\n" for text in texts)), "game.jsonl")


def view(walker: Walker, lines: list[Any], player: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in redacted(read(lines), player, lambda header: walker)]


def verdict(walker: Walker, lines: list[Any]) -> LogVerdict:
    def load(_: Header) -> Walker:
        return walker

    return judge_log(read(lines), load)


@pytest.mark.parametrize(("player", "hands"), [("ana", ["K", "?"]), ("ben", ["?", "Q"]), ("public", ["?", "?"])])
def test_a_hand_is_known_to_its_owner(player: str, hands: list[str]) -> None:
    found = view(walker_of("kuhn_poker"), POKER, player)
    assert found[0] == {"schema": "referee/log/1", "ruleset": "kuhn_poker", "players": ["ana", "ben"],
                        "viewpoint": player}
    assert [line["with"]["card"] for line in found[1:3]] == hands
    assert found[4:] == [{"by": "ana", "do": "pass"}, {"by": "ben", "do": "pass"}, POKER[6]]
    assert "secret" not in json.dumps(found)


def test_an_assert_keeps_what_can_be_known() -> None:
    walker = walker_of("kuhn_poker")
    assert view(walker, POKER, "ana")[3] == POKER[3]
    assert view(walker, POKER, "ben")[3] == {"assert": {"stake of ana": 1}}
    assert view(walker, POKER, "public")[3] == {"assert": {"stake of ana": 1}}


def test_a_secret_choice_is_known_once_all_have_chosen() -> None:
    walker = walker_of("goofspiel")
    assert [line["with"]["card"] for line in view(walker, GOOF, "ben")[1:]] == [3, 1, "?"]
    assert [line["with"]["card"] for line in view(walker, GOOF, "ana")[1:]] == [3, 1, 2]


def test_no_view_of_an_illegal_log() -> None:
    with pytest.raises(RedactionRefused) as refused:
        view(walker_of("goofspiel"), [*GOOF[:2], does("ben", "bid", card=9)], "ana")
    assert refused.value.verdict.wrong is not None
    assert refused.value.verdict.wrong.line == 3


def test_no_view_of_a_view() -> None:
    with pytest.raises(RedactionRefused) as refused:
        view(walker_of("goofspiel"), [*GOOF[:3], does("ana", "bid", card="?")], "ana")
    assert (refused.value.verdict.outcome, refused.value.verdict.at) == (LogOutcome.UNKNOWN, 4)


def games(walker: Walker, number: int, longest: int) -> list[list[Any]]:
    """Games played at random, cut off after so many events."""
    found = []
    for seed in range(number):
        game = play_out(walker, Setting(PLAYERS), seed, longest)
        found.append(list(Recorder(walker, {}).lines(game.setting, game.events, game.last, ())))
    return found


@pytest.mark.parametrize(("name", "number", "longest"), [
    ("kuhn_poker", 15, 100), ("goofspiel", 15, 100), ("tic_tac_toe", 3, 100), ("undoes", 5, 30),
    ("commits", 8, 100), ("piles", 5, 30),
])
def test_a_view_of_a_legal_game_is_legal_or_possible(name: str, number: int, longest: int) -> None:
    walker = walker_of(name)
    for lines in games(walker, number, longest):
        for player in (*PLAYERS, "public"):
            found = verdict(walker, view(walker, lines, player))
            assert found.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.STOPPED), (player, lines, found)


@pytest.mark.parametrize(("name", "longest"), [("go_goal", 20), ("adrenalyn_xl", 20), ("secrets", 100)])
def test_a_view_of_a_large_game_is_never_illegal(name: str, longest: int) -> None:
    walker = walker_of(name)
    seen: Counter[LogOutcome] = Counter()
    for lines in games(walker, 2, longest):
        for player in (*PLAYERS, "public"):
            found = verdict(walker, view(walker, lines, player))
            assert found.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.UNKNOWN), (player, found.wrong)
            seen[found.outcome] += 1
    print(name, {outcome.value: number for outcome, number in seen.items()})
