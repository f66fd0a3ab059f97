"""What the bench measures: play-outs and the judge, as the command line runs them, inside this process."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random

from referee.api.game_record import Recorder
from referee.api.runs.log_engines import Rules
from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.event import spoken
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import END, PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_all
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine
from tests.laws.games import NAMES
from tests.logs.checkers import GAMES
from tests.logs.second_opinion import random_game
from tests.twin.interpreter import Twin

RULES = Rules(None)


@cache
def walker(game: str) -> Walker:
    """The walker of a bundled game, loaded once."""
    return engine(lower(load(game)))


def write_games(game: str, folder: Path, number: int) -> None:
    """Random games as logs: made by the checkers, so that they do not depend on what is measured."""
    for seed in range(number):
        lines = random_game(game, Random(seed))
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{seed:04}.jsonl").write_text(text, encoding="utf-8")


def play(game: str, first_seed: int, number: int) -> int:
    """Plays games out and says how many decisions they took."""
    events = 0
    for seed in range(first_seed, first_seed + number):
        played = play_out(walker(game), Setting(GAMES[game][1]), seed)
        if played.outcome != END:
            raise AssertionError(f"{game}, seed {seed}: {played.outcome}")
        events += len(played.events)
    return events


@cache
def played(game: str, number: int) -> tuple[PlayedGame, ...]:
    """Games to be replayed."""
    core = walker(game).core
    setting = Setting(core.seats.roles or NAMES[:core.seats.number])
    return tuple(play_out(walker(game), setting, seed) for seed in range(number))


def replay(carrier: Walker, games: Iterable[PlayedGame]) -> float:
    """Events per second of CPU time: each tested, carried out, and the invariants after it; set-up is not counted."""
    spent, events = 0.0, 0
    for game in games:
        step = carrier.begin(game.setting)
        start = time.process_time()
        for event in game.events:
            if not isinstance(step, State) or carrier.check(step, event) is not None:
                raise AssertionError(f"{event} is refused")
            step = carrier.advance(step, event, test_arrival=False)
            if isinstance(step, State):
                carrier.broken(step)
        spent += time.process_time() - start
        events += len(game.events)
    return events / spent


def follow(carrier: Walker, games: Iterable[PlayedGame]) -> float:
    """The same without a position for each event, as the judge does it."""
    spent, number = 0.0, 0
    for game in games:
        step, events = carrier.begin(game.setting, test_arrival=False), [spoken(event) for event in game.events]
        start = time.process_time()
        done = 0
        while done < len(events):
            if not isinstance(step, State):
                raise AssertionError(f"over before {events[done][0]}")
            more, step = carrier.follow(step, events[done:], tested=True)
            if not more and isinstance(step, State):  # the table rules
                more, step = 1, carrier.advance(step, events[done][0], test_arrival=False)
            done += more
        spent += time.process_time() - start
        number += len(events)
    return number / spent


def walk(core: Core, games: Iterable[PlayedGame]) -> float:
    """Events per second of the interpreter of core that the tests have: it walks the nodes anew for each event, and
    lists what is legal at each point."""
    spent, number = 0.0, 0
    for game in games:
        twin = Twin(core, game.setting)
        start = time.process_time()
        for event in game.events:
            if twin.question is None or event not in twin.question.events:
                raise AssertionError(f"{event} is refused")
            twin.take(event)
        spent += time.process_time() - start
        number += len(game.events)
    return number / spent


def write_play_outs(game: str, folder: Path, number: int) -> None:
    """Random games of a ruleset as logs, written as `play --random` does."""
    for seed, one in enumerate(played(game, number)):
        lines = Recorder(walker(game), {}).lines(one.setting, one.events, one.last, ())
        (folder / f"{seed:04}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def judge(paths: Iterable[Path]) -> None:
    """Judges logs that are legal."""
    for verdict in judge_all(map(str, paths), RULES):
        if verdict.outcome is not LogOutcome.LEGAL:
            raise AssertionError(f"{verdict.path}: {verdict.outcome.value}")
