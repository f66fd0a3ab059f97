"""Measures walker, judge and start-up on the classics: `python tests/bench/run.py`. Never a test.

Rates are medians of several runs in CPU time of this process. The yardstick is the hand-written connect four referee
of `reference_connect_four.py`, measured in the same run; one that is too slow itself is refused.
"""

from __future__ import annotations

import cProfile
import json
import os
import platform
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import pieces  # noqa: E402
from tests.bench.reference_connect_four import first_wrong  # noqa: E402

GAMES = ("tic_tac_toe", "connect_four", "breakthrough", "kuhn_poker", "goofspiel")
YARDSTICK = "connect_four"
PLAYS = {"tic_tac_toe": 60, "connect_four": 30, "breakthrough": 8, "kuhn_poker": 150, "goofspiel": 60}
RUNS = 5
FAIR = 0.45
JUDGE_FLOOR = 1 / 20
WARM_FLOOR, COLD_FLOOR = 0.5, 1.5


def rate(number: int, work: Callable[[], object], runs: int = RUNS) -> float:
    """How many per second of CPU time: the median of several runs, after one to warm up."""
    work()
    taken = []
    for _ in range(runs):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return number / median(taken)


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


def yardstick(folder: Path) -> float:
    """Lines per second of the hand-written referee; ends the run if it is no yardstick."""
    paths = [*folder.glob("*.jsonl")] * 20
    number = lines_of(paths)
    parsing, judging = rate(number, lambda: parse_only(paths)), rate(number, lambda: judge_by_hand(paths))
    print(f"json.loads alone      {parsing:12,.0f} lines/s")
    print(f"hand-written referee  {judging:12,.0f} lines/s   {judging / parsing:.2f} of json.loads")
    if judging / parsing < FAIR:
        sys.exit(f"the hand-written referee is no yardstick: below {FAIR} of json.loads")
    return judging


def first_verdict(log: Path, cache: str) -> float:
    """Wall time from the start of a process to the end of its verdict on one log."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "referee", "judge", str(log)], cwd=ROOT, check=True, capture_output=True,
                   env={**os.environ, "REFEREE_CACHE": cache})
    return time.perf_counter() - start


def start_up(folder: Path) -> tuple[float, float]:
    """Medians: with nothing cached, and with everything."""
    log = next(folder.glob("*.jsonl"))
    cold = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(first_verdict(log, cache))
    with tempfile.TemporaryDirectory() as cache:
        first_verdict(log, cache)
        warm = [first_verdict(log, cache) for _ in range(RUNS)]
    return median(cold), median(warm)


def where_the_time_goes(work: Callable[[], object], top: int = 14) -> None:
    """The functions in which most of the time is spent, of their own and with all they call."""
    profile = cProfile.Profile()
    profile.runcall(work)
    stats = pstats.Stats(profile)
    total = stats.total_tt  # type: ignore[attr-defined]
    entries = [
        (own, cumulative, calls, f"{Path(file).name}:{name}")
        for (file, _, name), (_, calls, own, cumulative, _) in stats.stats.items()  # type: ignore[attr-defined]
    ]
    print("    own   with callees     calls")
    for own, cumulative, calls, name in sorted(entries, reverse=True)[:top]:
        print(f"  {own / total:5.1%}  {cumulative / total:12.1%}  {calls:8}  {name}")


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
        by_hand = yardstick(folders[YARDSTICK])
        print(f"\n{'':14}{'decisions/s':>14}{'ratio':>9}{'lines judged/s':>18}{'ratio':>9}")
        judged: dict[str, float] = {}
        for game, folder in folders.items():
            paths = sorted(folder.glob("*.jsonl"))
            events = pieces.play(game, 1, PLAYS[game])
            plays = rate(events, lambda game=game: pieces.play(game, 1, PLAYS[game]), 3)  # type: ignore[misc]
            judged[game] = rate(lines_of(paths), lambda paths=paths: pieces.judge(paths), 3)  # type: ignore[misc]
            print(f"{game:14}{plays:14,.0f}{plays / by_hand:9.3f}{judged[game]:18,.0f}{judged[game] / by_hand:9.3f}")
        cold, warm = start_up(folders["tic_tac_toe"])
        print(f"\nfirst verdict: {cold:.2f} s cold, {warm:.2f} s warm\n")
        for game in (YARDSTICK, "kuhn_poker"):
            print(f"where the time goes, judging {game}")
            where_the_time_goes(lambda game=game: pieces.judge(sorted(folders[game].glob("*.jsonl"))))  # type: ignore[misc]
        print()
        ratio = judged[YARDSTICK] / by_hand
        floors = [
            verdict("judge", ratio >= JUDGE_FLOOR, f"1/{1 / ratio:.0f} of the hand-written referee (1/20 wanted)"),
            verdict("warm start", warm <= WARM_FLOOR, f"{warm:.2f} s (at most {WARM_FLOOR} s)"),
            verdict("cold start", cold <= COLD_FLOOR, f"{cold:.2f} s (at most {COLD_FLOOR} s)"),
        ]
    return 0 if all(floors) else 1


if __name__ == "__main__":
    sys.exit(main())
