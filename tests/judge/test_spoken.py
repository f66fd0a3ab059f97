"""What is remembered of lines never says anything else than reading them would."""

from __future__ import annotations

import io
import json
from functools import cache

import pytest

from referee.api.game_record import Recorder
from referee.api.runs.log_engines import Rules
from referee.frontend import load_flow
from referee.game.log.log_lines import EventLine
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.value_codec import decode_event
from referee.interpreter.playouts import PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.judge.line_cache import Sayings
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine

NAMES = (("ana", "ben"), ("GOAL", "to"), ("ben", "ana"), ("by", "DEFENDER"), ('a "b"', "c\\d"), ("é", "1"),
         ("do", "JOKER"))
MARK = {"by": "ana", "do": "choose_team", "with": {"cards": ["MIDFIELDER", "ATTACKER"]}}


@cache
def walker() -> Walker:
    return engine(load_flow("go_goal", 2, {}))


@cache
def game() -> PlayedGame:
    return play_out(walker(), Setting(("ana", "ben")), 3)


def texts(players: tuple[str, ...], ascii_only: bool) -> list[str]:
    """The same game as others would have written it down."""
    setting = Setting(players, game().setting.givens, parameters=game().setting.parameters)
    written = Recorder(walker(), {}).lines(setting, game().events, game().last, ())
    return [json.dumps(json.loads(text), ensure_ascii=ascii_only) + "\n" for text in written]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_game_is_the_same_whatever_the_players_are_called(ascii_only: bool) -> None:
    for players in (*NAMES, *NAMES):
        lines = texts(players, ascii_only)
        verdict = judge_log(Log(io.StringIO("".join(lines)), "game.jsonl"), Rules(None))
        assert (verdict.outcome, verdict.events) == (LogOutcome.LEGAL, len(game().events)), players
        sayings, setting = Sayings(walker().core, Setting(players)), Setting(players)
        for text, event in zip(lines[1:], game().events, strict=False):
            known = sayings.known(text)
            assert known is None or known[0] == event == decode_event(walker().core, setting, json.loads(text))


def line(data: object) -> EventLine:
    text = json.dumps(data) + "\n"
    parsed = json.loads(text)
    return EventLine(2, parsed["by"], parsed["do"], parsed.get("with", {}), (), text)


def test_what_names_nobody_is_known_whoever_sits_there() -> None:
    first = Sayings(walker().core, Setting(("ana", "ben")))
    said = first.event(line(MARK))
    others = Sayings(walker().core, Setting(("zoe", "yan")))
    known = others.known(json.dumps({**MARK, "by": "zoe"}) + "\n")
    assert known is not None
    assert known[0] == said
    assert others.known(json.dumps({**MARK, "by": "yan"}) + "\n") is None
    assert others.known(json.dumps({**MARK, "by": "ana"}) + "\n") is None


@pytest.mark.parametrize("players", [("zoe", "MIDFIELDER"), ("ATTACKER", "zoe")])
def test_what_may_name_somebody_is_read(players: tuple[str, str]) -> None:
    Sayings(walker().core, Setting(("ana", "ben"))).event(line(MARK))
    by = players[0]
    assert Sayings(walker().core, Setting(players)).known(json.dumps({**MARK, "by": by}) + "\n") is None


def test_a_draw_for_somebody_is_not_taken_for_one_for_another() -> None:
    draw = {"by": "fate", "do": "draw", "with": {"to": "ana", "card": "GOAL"}}
    first = Sayings(walker().core, Setting(("ana", "ben"))).event(line(draw))
    second = Sayings(walker().core, Setting(("ben", "ana")))
    text = json.dumps(draw) + "\n"
    assert second.known(text) is None
    assert second.event(line(draw)) != first
