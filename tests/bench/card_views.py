"""Measures how long views of card games take to judge: `python tests/bench/card_views.py [GAMES]`. Never a test.

Of random games of one hand: the public's view and each player's, as played and damaged: a card that was laid becomes
one that was laid before; two cards that were laid change places.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from referee.api.game_record import Recorder  # noqa: E402
from referee.codegen.engine_names import engine  # noqa: E402
from referee.core.ruleset import PUBLIC  # noqa: E402
from referee.frontend import load_flow  # noqa: E402
from referee.game.setting import Setting  # noqa: E402
from referee.interpreter.playouts import play_out  # noqa: E402
from referee.interpreter.walker import Walker  # noqa: E402
from referee.judge.log_run import judge_log  # noqa: E402
from referee.judge.verdict import LogOutcome, LogVerdict  # noqa: E402
from referee.views.redaction import redacted  # noqa: E402
from tests.bench.views import log_of  # noqa: E402

HANDS: dict[str, dict[str, Any]] = {
    "hearts": {"length": "one_hand"}, "spades": {"length": "one_hand"}, "euchre": {"length": "one_hand"},
    "crazy_eights": {},
}
PLAYERS = ("ana", "ben", "cleo", "dan")
Lines = list[dict[str, Any]]


def walker_of(name: str) -> Walker:
    """The engine of one of the games."""
    return engine(load_flow(name, len(PLAYERS), HANDS[name]))


def whole_game(name: str, walker: Walker, seed: int) -> Lines:
    """A random game, from the first line to the result."""
    setting = Setting(PLAYERS)
    game = play_out(walker, setting, seed, rule=True)
    return [json.loads(text) for text in Recorder(walker, HANDS[name]).lines(game.setting, game.events, game.last, ())]


def view_of(lines: Lines, walker: Walker, viewer: str) -> Lines:
    """What one player knows of a game, or everybody."""
    return [json.loads(text) for text in redacted(log_of(lines), viewer, lambda _: walker)]


def judged(lines: Lines, walker: Walker) -> LogVerdict:
    """The verdict on a log."""
    return judge_log(log_of(lines), lambda _: walker)


def laid_twice(view: Lines, rng: Random) -> Lines:
    """A card that is laid becomes one that was laid before: never right in these games."""
    copy: Lines = json.loads(json.dumps(view))
    laid = [line["with"] for line in copy if line.get("do") == "lay"]
    at = rng.randrange(1, len(laid))
    laid[at]["card"] = laid[rng.randrange(at)]["card"]
    return copy


def exchanged(view: Lines, rng: Random) -> Lines:
    """Two cards that were laid change places: right or wrong."""
    copy: Lines = json.loads(json.dumps(view))
    one, other = rng.sample([line["with"] for line in copy if line.get("do") == "lay"], 2)
    one["card"], other["card"] = other["card"], one["card"]
    return copy


def damaged(view: Lines, seed: int) -> Iterator[tuple[str, Lines]]:
    """The view with one thing wrong in it, each in its way."""
    rng = Random(seed)
    yield "laid twice", laid_twice(view, rng)
    yield "exchanged", exchanged(view, rng)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for name in sys.argv[2:] or HANDS:
        walker = walker_of(name)
        times: dict[str, list[float]] = {}
        said: dict[str, Counter[str]] = {}
        for seed in range(games):
            whole = whole_game(name, walker, seed)
            for viewer in (PUBLIC, *PLAYERS):
                view = view_of(whole, walker, viewer)
                for kind, lines in (("as played", view), *damaged(view, seed)):
                    start = time.process_time()
                    verdict = judged(lines, walker)
                    key = f"{'public' if viewer == PUBLIC else 'players'}, {kind}"
                    times.setdefault(key, []).append(time.process_time() - start)
                    said.setdefault(key, Counter())[verdict.outcome.value] += 1
                    if kind == "as played" and verdict.outcome is LogOutcome.ILLEGAL:
                        raise SystemExit(f"{name}, game {seed}, {viewer}: {verdict.wrong}")
        for key, own in times.items():
            own.sort()
            print(f"{name:12} {key:22} {len(own):4} views: median {median(own):.2f} s, "
                  f"99 of 100 {own[(99 * len(own) - 1) // 100]:.2f} s, most {own[-1]:.2f} s; {dict(said[key])}",
                  flush=True)


if __name__ == "__main__":
    main()
