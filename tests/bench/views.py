"""Measures how long the public view of a long game takes to judge: `python tests/bench/views.py`. Never a test.

Go-Goal with four players, games of about 200 events; each view as it is, and damaged: every card of one sort that was
played becomes the rarest of its sort, of which there are not so many.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from referee.api.game_record import Recorder  # noqa: E402
from referee.core.ruleset import PUBLIC  # noqa: E402
from referee.frontend import load_flow  # noqa: E402
from referee.game.log.log_reader import Log  # noqa: E402
from referee.game.setting import Setting  # noqa: E402
from referee.interpreter.playouts import play_out  # noqa: E402
from referee.interpreter.walker import Walker  # noqa: E402
from referee.judge.log_run import judge_log  # noqa: E402
from referee.native.engine_names import engine  # noqa: E402
from referee.views.redaction import redacted  # noqa: E402

PLAYERS = ("ana", "ben", "cleo", "dan")
GAMES, LEAST, MOST = 10, 150, 220
SORTS = (("JOKER", ("DEFENDER", "MIDFIELDER", "ATTACKER")), ("SUPER_GOAL", ("GOAL", "GO_GOAL")), ("RED", ("YELLOW",)),
         ("SUPER_NO", ("NO",)))
Lines = list[dict[str, Any]]


def log_of(lines: Lines) -> Log:
    return Log(io.StringIO("".join(f"{json.dumps(line)}\n" for line in lines)), "view.jsonl")


def views(walker: Walker) -> Iterator[Lines]:
    """The public views of the first games that are long enough."""
    seed = found = 0
    while found < GAMES:
        game = play_out(walker, Setting(PLAYERS), seed, MOST, rule=True)
        seed += 1
        if len(game.events) >= LEAST:
            found += 1
            texts = Recorder(walker, {}).lines(game.setting, game.events, game.last, ())
            whole = log_of([json.loads(text) for text in texts])
            yield [json.loads(text) for text in redacted(whole, PUBLIC, lambda _: walker)]


def damaged(view: Lines) -> Iterator[Lines]:
    """The view with too many of the rarest card of a sort."""
    for rare, others in SORTS:
        copy: Lines = json.loads(json.dumps(view))
        for line in copy:
            args = line.get("with", {})
            if line.get("do") in ("play_footballer", "play_action", "defend") and args.get("card") in others:
                args["card"] = rare
        yield copy


def main() -> None:
    walker = engine(load_flow("go_goal", 4, {}))
    for name, logs in (("as they are", list(views(walker))),
                       ("damaged", [one for view in views(walker) for one in damaged(view)])):
        times: list[float] = []
        said: dict[str, int] = {}
        for lines in logs:
            start = time.process_time()
            verdict = judge_log(log_of(lines), lambda _: walker)
            times.append(time.process_time() - start)
            said[verdict.outcome.value] = said.get(verdict.outcome.value, 0) + 1
        length = median(map(len, logs))
        print(f"{name:12} {len(logs):3} views of {length:.0f} lines: median {median(times):.2f} s, "
              f"most {max(times):.2f} s; {said}")


if __name__ == "__main__":
    main()
