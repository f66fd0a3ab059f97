"""How often somebody's rate another one has: CPU time of this process, each run of ours between two of the other."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

RUNS = 5
LEAST_SECONDS = 0.25
"""A run is repeated until it takes so long, or what is measured would be the clock."""


class NotMeasured(Exception):
    """Something is missing that the row needs; the message says what."""


@dataclass(frozen=True)
class Side:
    """What is measured: `work` says how many units it has done. `ready` comes before each run and is not counted."""

    work: Callable[[], int]
    ready: Callable[[], object] = lambda: None

    def rate(self, repeats: int) -> float:
        """Units a second, in one run."""
        spent, done = 0.0, 0
        for _ in range(repeats):
            self.ready()
            start = time.process_time()
            done += self.work()
            spent += time.process_time() - start
        return done / spent

    def repeats(self) -> int:
        """How often the work is to be done in a run; it has been done twice then."""
        self.ready()
        self.work()
        self.ready()
        start = time.process_time()
        self.work()
        return max(1, round(LEAST_SECONDS / max(time.process_time() - start, 1e-6)))


def spread(values: Sequence[float]) -> dict[str, float]:
    """The median, the least and the most."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def compared(ours: Side, other: Side, runs: int = RUNS) -> dict[str, Any]:
    """Both rates, and the ratio in the same runs."""
    ours_often, other_often = ours.repeats(), other.repeats()
    gc.collect()
    rates, others, ratios = [], [other.rate(other_often)], []
    for _ in range(runs):
        rates.append(ours.rate(ours_often))
        others.append(other.rate(other_often))
        ratios.append(2 * rates[-1] / (others[-2] + others[-1]))
    return {"rate": spread(rates), "against_rate": spread(others), "ratio": spread(ratios), "load": os.getloadavg()[0]}
