"""Measures play-outs, judge and start-up on the classics: `python tests/bench/run.py`. Never a test.

Rates are medians of several runs in CPU time of this process. The yardstick is the hand-written connect four referee
of `reference_connect_four.py`; one that is too slow itself is refused. Each run of what is measured stands between two
of the yardstick, and ratios are taken there, so that a machine that is busy for a while slows both.
"""

from __future__ import annotations

import cProfile
import gc
import json
import os
import platform
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from referee.native.engine_names import GENERATED, REFERENCE, engine  # noqa: E402
from tests.bench import pieces  # noqa: E402
from tests.bench.reference_connect_four import first_wrong  # noqa: E402

GAMES = ("tic_tac_toe", "connect_four", "breakthrough", "kuhn_poker", "goofspiel")
YARDSTICK = "connect_four"
PROFILED = ("connect_four", "kuhn_poker")
PLAYS = {"tic_tac_toe": 60, "connect_four": 30, "breakthrough": 8, "kuhn_poker": 150, "goofspiel": 60}
LARGE = {"go_goal": 40, "adrenalyn_xl": 30, "il_mister": 20, "king_of_the_pitch": 15, "adrenaline": 3}
REPLAYED = {**PLAYS, "go_goal": 8, "adrenalyn_xl": 4, "il_mister": 3, "king_of_the_pitch": 2, "adrenaline": 1}
WALKED = {"connect_four": 4, "breakthrough": 1, "go_goal": 8, "adrenalyn_xl": 1}
RUNS = 5
FAIR = 0.45
JUDGE_FLOOR = 1 / 12
STAGES = {
    "reading and decoding": ("log.py", "plain"), "test, effects, on to the next point": ("generated.py", "follow"),
    "invariants": ("stepping.py", "hold"),
}
WARM_FLOOR, COLD_FLOOR = 0.5, 1.5


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


class Yardstick:
    """The hand-written referee over the same logs again and again."""

    def __init__(self, folder: Path) -> None:
        self._paths = [*folder.glob("*.jsonl")] * 20
        self._number = lines_of(self._paths)

    def rate(self) -> float:
        """Lines per second, in one run."""
        return self._number / seconds(lambda: judge_by_hand(self._paths))

    def parsing(self) -> float:
        """Lines per second of `json.loads` alone, in one run."""
        return self._number / seconds(lambda: parse_only(self._paths))

    def present(self) -> None:
        """Prints how good it is; ends the program if it is no yardstick."""
        pairs = [(self.parsing(), self.rate()) for _ in range(RUNS)]
        share = median(judging / parsing for parsing, judging in pairs)
        print(f"json.loads alone      {median(p for p, _ in pairs):12,.0f} lines/s")
        print(f"hand-written referee  {median(j for _, j in pairs):12,.0f} lines/s   {share:.2f} of json.loads")
        if share < FAIR:
            sys.exit(f"the hand-written referee is no yardstick: below {FAIR} of json.loads")

    def compared(self, number: int, work: Callable[[], object], ready: Callable[[], object] = lambda: None) -> tuple[
            float, float]:
        """The rate of something, and its ratio to the yardstick: medians of several runs, after one to warm up. `ready`
        comes before each run and is not counted."""
        ready()
        work()
        rates, ratios, before = [], [], self.rate()
        for _ in range(RUNS):
            ready()
            rates.append(number / seconds(work))
            after = self.rate()
            ratios.append(rates[-1] / ((before + after) / 2))
            before = after
        return median(rates), median(ratios)


def lines_of(paths: Iterable[Path]) -> int:
    return sum(1 for path in paths for _ in path.open("rb"))


def parse_only(paths: Iterable[Path]) -> None:
    for path in paths:
        with path.open("rb") as file:
            for line in file:
                json.loads(line)


def judge_by_hand(paths: Iterable[Path]) -> None:
    for path in paths:
        with path.open("rb") as file:
            if (wrong := first_wrong(file)) is not None:
                raise AssertionError(f"{path}:{wrong}: the yardstick calls a legal line illegal")


def first_verdict(log: Path, cache: str) -> tuple[float, float]:
    """From the start of a process to the end of its verdict on one log: wall time, CPU time."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "referee", "judge", str(log)], cwd=ROOT, check=True, capture_output=True,
                   env={**os.environ, "REFEREE_CACHE": cache})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_up(folder: Path) -> tuple[tuple[float, float], tuple[float, float]]:
    """Medians: with nothing cached, and with everything."""
    log = next(folder.glob("*.jsonl"))
    cold = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(first_verdict(log, cache))
    with tempfile.TemporaryDirectory() as cache:
        first_verdict(log, cache)
        warm = [first_verdict(log, cache) for _ in range(RUNS)]
    return _medians(cold), _medians(warm)


def _medians(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    return median(wall for wall, _ in pairs), median(cpu for _, cpu in pairs)


def where_the_time_goes(work: Callable[[], object], top: int = 12) -> None:
    """The share of each stage, and the functions in which most of the time is spent, of their own and with callees."""
    profile = cProfile.Profile()
    profile.runcall(work)
    stats = pstats.Stats(profile)
    total = stats.total_tt  # type: ignore[attr-defined]
    entries: dict[tuple[str, str], tuple[float, float, int]] = {}
    for (path, _, name), (_, calls, own, cumulative, _) in stats.stats.items():  # type: ignore[attr-defined]
        known = entries.get((Path(path).name, name), (0.0, 0.0, 0))
        entries[Path(path).name, name] = (known[0] + own / total, known[1] + cumulative / total, known[2] + calls)
    shares = {stage: entries.get(place, (0.0, 0.0, 0))[1] for stage, place in STAGES.items()}
    whole = "test, effects, on to the next point"  # the lines are read, and the invariants tested, on the way
    shares["the rest"], shares[whole] = 1 - shares[whole], 2 * shares[whole] - sum(shares.values())
    print("  " + ", ".join(f"{stage} {share:.0%}" for stage, share in shares.items()))
    print("    own   with callees     calls")
    for (file, name), (own, cumulative, calls) in sorted(entries.items(), key=lambda item: -item[1][0])[:top]:
        print(f"  {own:5.1%}  {cumulative:12.1%}  {calls:8}  {file}:{name}")


def engines(games: Mapping[str, int]) -> None:
    """Replays games with both engines, in turn: events per second, and how many times faster the generated one is: a
    position for each event, and without."""
    print(f"\n{'':18}{'reference':>12}{'generated':>12}{'ratio':>8}{'followed':>12}{'ratio':>8}   events replayed/s")
    for game, number in games.items():
        flow, played = pieces.walker(game).flow, pieces.played(game, number)
        slow, fast = (engine(flow, name) for name in (REFERENCE, GENERATED))
        ways = (partial(pieces.replay, slow), partial(pieces.replay, fast), partial(pieces.follow, fast))
        for way in ways:
            way(played)
        gc.freeze()
        runs = [[way(played) for way in ways] for _ in range(RUNS)]
        one, two, three = (median(rates) for rates in zip(*runs, strict=True))
        print(f"{game:18}{one:12,.0f}{two:12,.0f}{median(b / a for a, b, _ in runs):8.1f}"
              f"{three:12,.0f}{median(c / a for a, _, c in runs):8.1f}")


def walking(games: Mapping[str, int]) -> None:
    """The same against an interpreter that walks the nodes anew for each event."""
    print(f"\n{'':18}{'walking':>12}{'generated':>12}{'ratio':>8}{'followed':>12}{'ratio':>8}   events replayed/s")
    for game, number in games.items():
        flow, played = pieces.walker(game).flow, pieces.played(game, number)
        fast = engine(flow, GENERATED)
        ways = (partial(pieces.walk, flow.core), partial(pieces.replay, fast), partial(pieces.follow, fast))
        runs = [[way(played) for way in ways] for _ in range(RUNS)][1:]
        one, two, three = (median(rates) for rates in zip(*runs, strict=True))
        print(f"{game:18}{one:12,.0f}{two:12,.0f}{median(b / a for a, b, _ in runs):8.1f}"
              f"{three:12,.0f}{median(c / a for a, _, c in runs):8.1f}")


def judged_at_length(yardstick: Yardstick, games: Mapping[str, int]) -> None:
    """Many logs of large games: lines per second."""
    print(f"\n{'':18}{'logs':>6}{'lines':>9}{'lines judged/s':>18}{'ratio':>9}")
    for game, number in games.items():
        with tempfile.TemporaryDirectory() as name:
            pieces.write_play_outs(game, Path(name), number)
            lines, work = _judging(Path(name))
            rate, share = yardstick.compared(lines, work)
            print(f"{game:18}{number:6}{lines:9,}{rate:18,.0f}{share:9.3f}")


def _playing(game: str) -> tuple[int, Callable[[], object]]:
    """The number of decisions in some play-outs, and what plays them."""
    return pieces.play(game, 1, PLAYS[game]), lambda: pieces.play(game, 1, PLAYS[game])


def _judging(folder: Path) -> tuple[int, Callable[[], object]]:
    """The number of lines in some logs, and what judges them."""
    paths = sorted(folder.glob("*.jsonl"))
    return lines_of(paths), lambda: pieces.judge(paths)


def _judging_unlike(yardstick: Yardstick, folder: Path) -> tuple[float, float]:
    """The same logs with a serial number in each line, other ones in each run, and in a form that is not looked for:
    nothing is known by its text."""
    serial = count()
    paths = sorted(folder.glob("*.jsonl"))
    with tempfile.TemporaryDirectory() as name:
        copies = [Path(name) / path.name for path in paths]

        def number_lines() -> None:
            for path, copy in zip(paths, copies, strict=True):
                lines = path.read_text(encoding="utf-8").splitlines()
                numbered = [f'{line[:-1]}, "note": [{next(serial)}]}}\n' for line in lines]
                copy.write_text("".join(numbered), encoding="utf-8")

        return yardstick.compared(lines_of(paths), lambda: pieces.judge(copies), number_lines)


def verdict(name: str, good: bool, said: str) -> bool:
    print(f"{'holds ' if good else 'FAILS '} {name}: {said}")
    return good


def main() -> int:
    """Prints the figures; 1 if a floor is missed."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"{os.cpu_count()} cores, {platform.machine()}, {python}\n")
    with tempfile.TemporaryDirectory() as name:
        folders = {game: Path(name) / game for game in GAMES}
        for game, folder in folders.items():
            folder.mkdir()
            pieces.write_games(game, folder, PLAYS[game])
        yardstick = Yardstick(folders[YARDSTICK])
        yardstick.present()
        print(f"\n{'':14}{'decisions/s':>14}{'ratio':>9}{'lines judged/s':>18}{'ratio':>9}"
              f"{'no two alike':>14}{'ratio':>9}")
        shares = {}
        for game, folder in folders.items():
            plays, play_share = yardstick.compared(*_playing(game))
            judged, shares[game] = yardstick.compared(*_judging(folder))
            unlike, unlike_share = _judging_unlike(yardstick, folder)
            print(f"{game:14}{plays:14,.0f}{play_share:9.3f}{judged:18,.0f}{shares[game]:9.3f}"
                  f"{unlike:14,.0f}{unlike_share:9.3f}")
        judged_at_length(yardstick, LARGE)
        engines(REPLAYED)
        walking(WALKED)
        cold, warm = start_up(folders["tic_tac_toe"])
        print(f"\nfirst verdict cold: {cold[0]:.2f} s (CPU time {cold[1]:.2f} s)")
        print(f"first verdict warm: {warm[0]:.2f} s (CPU time {warm[1]:.2f} s)\n")
        for game in PROFILED:
            print(f"where the time goes, judging {game}")
            where_the_time_goes(_judging(folders[game])[1])
        print()
        floors = [
            *(verdict(f"judge {game}", share >= JUDGE_FLOOR, f"1/{1 / share:.0f} of the referee by hand (1/12 wanted)")
              for game, share in shares.items()),
            verdict("warm start", warm[0] <= WARM_FLOOR, f"{warm[0]:.2f} s (at most {WARM_FLOOR} s)"),
            verdict("cold start", cold[0] <= COLD_FLOOR, f"{cold[0]:.2f} s (at most {COLD_FLOOR} s)"),
        ]
    return 0 if all(floors) else 1


if __name__ == "__main__":
    sys.exit(main())
