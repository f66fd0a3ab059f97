"""Compares more: `python -m tests.conformance [--times N] [--random N] [--seed N] [KIND ...]`; a line for each kind."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from tests.conformance.agreement import Engines, Tally
from tests.conformance.samples import KINDS, core_of
from tests.conformance.test_conformance import named
from tests.twin.random_core import Maker

SHOWN = 3


def compared(asked: argparse.Namespace) -> Iterator[tuple[str, Tally, list[str]]]:
    """What was compared, with the differences."""
    for kind in KINDS:
        if not asked.kinds or named(kind) in asked.kinds:
            tally = Tally()
            engines = Engines(core_of(kind), asked.seed, (0.3, 0.6, 0.9))
            yield named(kind), tally, list(engines.each(asked.times, tally))
    for seed in range(asked.seed, asked.seed + asked.random):
        tally = Tally()
        engines = Engines(Maker(seed).core(), seed, (0.3, 0.7), apart=True)
        yield f"random core {seed}", tally, list(engines.played(12, tally))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("kinds", nargs="*", help="names of kinds, as Move or Operator.ADD; all if none is named")
    parser.add_argument("--times", type=int, default=3, help="positions for each sample")
    parser.add_argument("--random", type=int, default=40, help="random cores")
    parser.add_argument("--seed", type=int, default=1)
    started, wrong = time.monotonic(), 0
    for name, tally, found in compared(parser.parse_args()):
        print(f"{name}: {dict(tally.steps)}, {tally.machined} by machine code and {tally.left} not, "
              f"{tally.completions} completions, {tally.split} hidden positions with "
              f"several answers, {tally.sliced} steps of slices, {len(found)} differences", flush=True)
        for said in [*found[:SHOWN], *sorted(tally.unencoded)]:
            print(f"  {said}")
        wrong += len(found)
    print(f"{wrong} differences, {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
