"""Measures: `python -m tests.bench [--runs N] [--only WORD] [--write]`. Never a test.

Every row is told as soon as it is measured: the rates of both sides, their ratio in the same runs (median, least and
most), the aim, and the load of the machine. What is missing for a row is told in its place. With `--write` the figures
go into `spec/bench.json`, rows that were not measured as they are there, and the page is made of them. On a quiet
machine all of it takes about ten minutes.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

from tests.bench import figures, sides
from tests.bench.measuring import RUNS, NotMeasured, compared
from tests.bench.rows import LONGEST_START, ROWS, START

LIBRARIES = ("llvmlite", "msgspec", "orjson", "chess", "pokerkit")


def measured(only: str, runs: int) -> Iterator[dict[str, Any]]:
    """The rows whose name has a word in it."""
    for row in ROWS:
        if only in row.name:
            told = {"name": row.name, "work": row.work, "against": row.against, "unit": row.unit, "aim": row.aim}
            try:
                yield {**told, "runs": runs, **compared(row.ours(), row.other(), runs)}
            except NotMeasured as missing:
                yield {**told, "why": str(missing)}
    if only in START:
        yield {"name": START, "work": "connect four, start of a process to its first verdict, warm", "unit": "s",
               "against": "`python -c pass`", "aim": LONGEST_START, "runs": runs, **sides.start_up(runs)}


def machine() -> dict[str, Any]:
    """Where it is measured."""
    return {"cores": os.cpu_count(), "processor": platform.machine(),
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "installed": [name for name in LIBRARIES if find_spec(name) is not None]}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    found = []
    for row in measured(given.only, given.runs):
        found.append({**row, "measured": f"{datetime.now(UTC):%Y-%m-%d}"})
        print("  ".join(figures.cells(found[-1])), flush=True)
        if given.write:
            figures.keep(machine(), found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
