"""Measures a call of the library beside what the inside costs: `python tests/bench/library.py`. Never a test.

Each ratio is the median of several pairs of runs, the library and the inside in turn, in CPU time of this process, so
that a machine that is busy for a while slows both. More than `MOST` ends with 1.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import referee  # noqa: E402
from referee.api.runs.log_engines import Rules  # noqa: E402
from referee.frontend import load_flow  # noqa: E402
from referee.game.event import Event  # noqa: E402
from referee.game.log.log_header import SCHEMA, header_of  # noqa: E402
from referee.game.log.strict_json import Json, parse  # noqa: E402
from referee.game.setting import Setting  # noqa: E402
from referee.game.state import State  # noqa: E402
from referee.game.value_codec import decode_event, encode_event  # noqa: E402
from referee.interpreter.playouts import choose, complete  # noqa: E402
from referee.judge.log_run import PLAIN, judge_path  # noqa: E402
from referee.judge.open_settings.header_admission import admitted  # noqa: E402
from referee.native.engine_names import engine  # noqa: E402

GAMES = {"connect_four": 10, "breakthrough": 3, "goofspiel": 15, "kuhn_poker": 60}
PLAYERS = ("Ana", "Ben")
RUNS = 31
MOST = 1.2
_Work = Callable[[], object]


def ratio(library: _Work, inside: _Work) -> float:
    """How often the time of the inside the library takes."""
    library()
    inside()
    found = []
    for _ in range(RUNS):
        times = []
        for work in (library, inside):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
        found.append(times[0] / times[1])
    return median(found)


def judging(name: str, number: int, folder: Path) -> tuple[_Work, _Work]:
    """Logs that are judged."""
    rules, load = referee.load(name), Rules(name)
    paths = []
    for seed in range(number):
        game = rules.new_game(PLAYERS, seed=seed)
        game.play_out()
        paths.append(folder / f"{name}_{seed}.jsonl")
        paths[-1].write_text("".join(f"{line}\n" for line in game.log()))
    return lambda: [rules.judge(path) for path in paths], lambda: [judge_path(str(path), load, PLAIN) for path in paths]


def playing(name: str, number: int) -> tuple[_Work, _Work]:
    """Games that are played event by event, as lines of a log say them."""
    rules, walker, setting = referee.load(name), engine(load_flow(name, 2)), Setting(PLAYERS)
    games = []
    for seed in range(number):
        game = rules.new_game(PLAYERS, seed=seed)
        games.append([event.data() for event in game.play_out()])

    begun, first = rules.new_game(PLAYERS, seed=0), walker.begin(setting)

    def by_library() -> None:
        for lines in games:
            game = begun.copy()
            for line in lines:
                game.play(line)

    def inside() -> None:
        for lines in games:
            step = first
            for line in lines:
                event = decode_event(walker.core, setting, line)
                assert isinstance(step, State)
                assert isinstance(event, Event)
                assert walker.check(step, event) is None
                step = walker.advance(step, event)

    return by_library, inside


def playing_out(name: str, number: int) -> tuple[_Work, _Work]:
    """Different games that are played by lot, the same ones in both, or their lengths would be compared."""
    rules, walker, setting = referee.load(name), engine(load_flow(name, 2)), Setting(PLAYERS)

    begun, first = [rules.new_game(PLAYERS, seed=seed) for seed in range(number)], walker.begin(setting)

    def inside() -> None:
        for seed in range(number):
            step, random = first, Random(f"{seed}/0")
            while isinstance(step, State):
                event = choose(walker, step, random)
                encode_event(walker.core, setting, event)
                step = walker.advance(step, event)

    return lambda: [game.copy().play_out() for game in begun], inside


def beginning(name: str, number: int) -> tuple[_Work, _Work]:
    """Games that are begun, from a header."""
    rules, load = referee.load(name), Rules(name)
    raw: dict[str, Json] = {"schema": SCHEMA, "ruleset": name, "players": list(PLAYERS)}

    def inside() -> None:
        for seed in range(number * 5):
            header = header_of(parse(json.dumps(raw)), lambda *_: None)
            walker = load(header)
            walker.begin(complete(walker, admitted(walker, header), Random(seed)))

    return lambda: [rules.new_game(PLAYERS, seed=seed) for seed in range(number * 5)], inside


def measured() -> Iterator[tuple[str, float]]:
    """What was measured, with its ratio."""
    with tempfile.TemporaryDirectory() as folder:
        for name, number in GAMES.items():
            yield f"judge {name}", ratio(*judging(name, number, Path(folder)))
            yield f"new_game {name}", ratio(*beginning(name, number))
            yield f"play {name}", ratio(*playing(name, number))
            yield f"play_out {name}", ratio(*playing_out(name, number))


def main() -> int:
    """Prints the ratios; 1 if one is above `MOST`."""
    worst = 0.0
    for what, found in measured():
        print(f"{what:<24} {found:.2f}")
        worst = max(worst, found)
    return 1 if worst > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
