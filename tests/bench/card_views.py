"""Measures how long views of games take to judge: `python tests/bench/card_views.py [GAMES] [NAME ...]`. Never a test.

Of random games the public's view and each player's, as played and damaged: something that was played becomes what was
played before; what two players played, or one player twice, changes places (a revoke that shows later); the result is
another one. The whole game is damaged in the same way: where it is legal all the same, no view of it may be illegal.
`--seconds`: how long each game may take in all; `--each`: how long one view may, of computing; `--drawn`: so many views
of each game are judged, drawn by lot (all of them if nothing is said); `--anywhere`: in the place of views, so many
holes by lot in what is said of the events of each game.
"""

from __future__ import annotations

import argparse
import json
import re
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
from referee.core.ruleset import PUBLIC  # noqa: E402
from referee.frontend import load_flow  # noqa: E402
from referee.game.setting import Setting  # noqa: E402
from referee.interpreter.playouts import play_out  # noqa: E402
from referee.interpreter.walker import Walker  # noqa: E402
from referee.judge.log_run import judge_log  # noqa: E402
from referee.judge.partial import hole_judging  # noqa: E402
from referee.judge.verdict import LogOutcome, LogVerdict  # noqa: E402
from referee.native.engine_names import engine  # noqa: E402
from referee.views.redaction import redacted  # noqa: E402
from tests.bench.views import log_of  # noqa: E402

ONE_HAND = {"length": "one_hand"}
GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "hearts": ("hearts", 4, ONE_HAND), "spades": ("spades", 4, ONE_HAND), "euchre": ("euchre", 4, ONE_HAND),
    "bridge": ("bridge", 4, {}), "gin_rummy": ("gin_rummy", 2, {}), "crazy_eights": ("crazy_eights", 4, {}),
    "cribbage": ("cribbage", 2, {}), "hanabi": ("hanabi", 3, {}), "holdem": ("holdem", 3, {}),
    "battleship": ("battleship", 2, {}), "liars_dice": ("liars_dice", 3, {}),
    "go_goal": ("go_goal", 4, {}), "adrenalyn_xl": ("adrenalyn_xl", 2, {}), "il_mister": ("il_mister", 2, {}),
    "king_of_the_pitch": ("king_of_the_pitch", 2, {}), "adrenaline": ("adrenaline", 3, {}),
    "hearts_to_100": ("hearts", 4, {}), "spades_to_500": ("spades", 4, {}), "euchre_to_10": ("euchre", 4, {}),
    "wreckers": ("wreckers", 5, {}),
}
"""What is measured: the rules, how many play, and the options."""
PLAYERS = ("ana", "ben", "cleo", "dan", "eve")
MOST_TOLD = 3
Lines = list[dict[str, Any]]
Entry = tuple[int, str]
"""The place of a line, and the name of one of its arguments."""


def walker_of(name: str) -> Walker:
    """The engine of one of the games."""
    rules, number, options = GAMES[name]
    return engine(load_flow(rules, number, options))


def whole_game(name: str, walker: Walker, seed: int) -> Lines:
    """A random game, from the first line to the result."""
    _, number, options = GAMES[name]
    game = play_out(walker, Setting(PLAYERS[:number]), seed, rule=True)
    return [json.loads(text) for text in Recorder(walker, options).lines(game.setting, game.events, game.last, ())]


def view_of(lines: Lines, walker: Walker, viewer: str) -> Lines:
    """What one player knows of a game, or everybody."""
    return [json.loads(text) for text in redacted(log_of(lines), viewer, lambda _: walker)]


def judged(lines: Lines, walker: Walker) -> LogVerdict:
    """The verdict on a log."""
    return judge_log(log_of(lines), lambda _: walker)


def laid_twice(view: Lines, rng: Random) -> Lines:
    """A card that is laid becomes one that was laid before: never right in games in which each is there once."""
    copy: Lines = json.loads(json.dumps(view))
    laid = [line["with"] for line in copy if line.get("do") == "lay"]
    at = rng.randrange(1, len(laid))
    laid[at]["card"] = laid[rng.randrange(at)]["card"]
    return copy


def _pairs(view: Lines) -> list[tuple[Entry, Entry]]:
    """Places in which players played something openly by the same action, and not the same; the earlier one first."""
    found: dict[tuple[str, str], list[Entry]] = {}
    for at, line in enumerate(view):
        for name, value in line.get("with", {}).items() if line.get("by") not in ("fate", "table") else ():
            if isinstance(value, str) and value != "?":
                found.setdefault((line["do"], name), []).append((at, name))
    return [(one, other) for same in found.values() for place, other in enumerate(same) for one in same[:place]
            if view[one[0]]["with"][one[1]] != view[other[0]]["with"][other[1]]]


def damages(view: Lines, players: tuple[str, ...], seed: int) -> Iterator[tuple[str, dict[Entry, Any]]]:
    """What is written elsewhere in one way of damage each: at which line, in which entry, what."""
    rng = Random(seed)
    pairs = _pairs(view)

    def said(entry: Entry) -> Any:
        return view[entry[0]]["with"][entry[1]]

    for kind, own in (("exchanged", False), ("exchanged by one", True)):
        some = [pair for pair in pairs if (view[pair[0][0]]["by"] == view[pair[1][0]]["by"]) is own]
        if some:
            one, other = rng.choice(some)
            yield kind, {one: said(other), other: said(one)}
    if pairs:
        one, other = rng.choice(pairs)
        yield "played twice", {other: said(one)}
    end = view[-1].get("end", {})
    if end.get("scores"):
        scores = dict(end["scores"])
        scores[rng.choice(sorted(scores))] += rng.choice((-1, 1))
        yield "wrong result", {(len(view) - 1, "scores"): scores}
    elif isinstance(end.get("winner"), str):
        others = [one for one in players if one != end["winner"]]
        yield "wrong result", {(len(view) - 1, "winner"): rng.choice(others)}


def damaged(lines: Lines, changes: dict[Entry, Any]) -> Lines:
    """The same with something else in some entries."""
    copy: Lines = json.loads(json.dumps(lines))
    for (at, name), value in changes.items():
        copy[at]["end" if "end" in copy[at] else "with"][name] = value
    return copy


def holed(lines: Lines, number: int, seed: int) -> Lines:
    """The same with so many holes, by lot, in the place of what is said of events."""
    copy: Lines = json.loads(json.dumps(lines))
    spots = [(line, name) for line in copy for name in line.get("with", {})]
    for line, name in Random(seed).sample(spots, min(number, len(spots))):
        line["with"][name] = "?"
    return copy


_Way = tuple[str, str, dict[Entry, Any]]
"""Whose view, what is done to it, and what is written elsewhere for that."""


class _Tally:
    """What was said of the views of one game, and how long it took."""

    def __init__(self, name: str, walker: Walker, until: float, drawn: int | None,
                 anywhere: int | None) -> None:
        self.times: dict[str, list[float]] = {}
        self.said: dict[str, Counter[str]] = {}
        self.unknown: list[str] = []
        self._name = name
        self._walker = walker
        self._until = until
        self._drawn = drawn
        self._anywhere = anywhere

    def game(self, seed: int) -> bool:
        """Judges the views of one game; false once the time is over."""
        whole = whole_game(self._name, self._walker, seed)
        if self._anywhere is not None:
            if time.monotonic() > self._until:
                return False
            self._one(f"game {seed}", f"{self._anywhere} holes", holed(whole, self._anywhere, seed), whole)
            return True
        players = PLAYERS[:GAMES[self._name][1]]
        views = {viewer: view_of(whole, self._walker, viewer) for viewer in (PUBLIC, *players)}
        every = [(viewer, kind, changes) for viewer, view in views.items()
                 for kind, changes in (("as played", dict[Entry, Any]()), *damages(view, players, seed))]
        for viewer, kind, changes in every if self._drawn is None else self._some(every, seed):
            if time.monotonic() > self._until:
                return False
            self._one(f"game {seed}, {viewer}", f"{'public' if viewer == PUBLIC else 'players'}, {kind}",
                      damaged(views[viewer], changes), damaged(whole, changes))
        return True

    def _some(self, every: list[_Way], seed: int) -> list[_Way]:
        """Some by lot, one of them as played."""
        rng, drawn = Random(seed), self._drawn or 0
        as_played = rng.choice([way for way in every if not way[2]])
        others = [way for way in every if way[2]]
        return [as_played, *rng.sample(others, min(drawn - 1, len(others)))]

    def _one(self, which: str, key: str, view: Lines, whole: Lines) -> None:
        start = time.process_time()
        verdict = judged(view, self._walker)
        self.times.setdefault(key, []).append(time.process_time() - start)
        self.said.setdefault(key, Counter())[verdict.outcome.value] += 1
        if verdict.outcome is LogOutcome.UNKNOWN:
            self.unknown.append(f"{which}, {key}: {re.sub('[0-9.]+ s', 'so many seconds', verdict.reason or '')}")
        if verdict.outcome is LogOutcome.ILLEGAL and judged(whole, self._walker).outcome is LogOutcome.LEGAL:
            raise SystemExit(f"{self._name}, {which}, {key}: {verdict.wrong}, but the whole game is legal")


def _told(kind: str, times: list[float], said: Counter[str]) -> str:
    own = sorted(times)
    return (f"{kind:26} {len(own):4} views: median {median(own):5.2f} s, 99 of 100 "
            f"{own[(99 * len(own) - 1) // 100]:5.2f} s, most {own[-1]:5.2f} s; {dict(said)}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=int, nargs="?", default=100)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--each", type=float, default=hole_judging.MOST_SECONDS)
    parser.add_argument("--drawn", type=int)
    parser.add_argument("--anywhere", type=int)
    asked = parser.parse_args()
    hole_judging.MOST_SECONDS = asked.each
    for name in asked.names or GAMES:
        tally = _Tally(name, walker_of(name), time.monotonic() + asked.seconds, asked.drawn,
                       asked.anywhere)
        games = 0
        while games < asked.games and tally.game(games):
            games += 1
        print(f"{name}: {games} games and a part of the next" if games < asked.games else f"{name}: {games} games")
        for kind, times in tally.times.items():
            print(f"  {_told(kind, times, tally.said[kind])}")
        every, said = [one for times in tally.times.values() for one in times], sum(tally.said.values(), Counter())
        print(f"  {_told('all', every, said)}" if every else "  nothing")
        for one in tally.unknown[:MOST_TOLD]:
            print(f"  unknown: {one}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
