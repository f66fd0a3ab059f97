"""Kills a run into a folder of verdicts at moments drawn by lot, and compares what is there in the end.

`python -m tests.ledger [--kills N] [--logs N] [--jobs N] [--seed N]` runs `referee judge LOGS --out DIR`, ends its
whole process group by SIGKILL, and runs it again, until it comes to its end; each folder is killed ten times. The
verdicts of all parts have to be those of a run that nobody killed, byte for byte. A hundred kills take some minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.ledger.killing import KilledRun, killed, lasting, whole, write_logs

EACH = 10


def main() -> int:
    """Exit code 1 if a verdict is missing, wrong or there twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--logs", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    random, total, wrong, folders = Random(asked.seed), KilledRun(), 0, 0
    with tempfile.TemporaryDirectory() as name:
        logs = Path(name) / "logs"
        write_logs(logs, asked.logs)
        lasting(logs, Path(name) / "whole", asked.jobs)  # what is kept from one process to the next is there after that
        lasts = lasting(logs, Path(name) / "timed", asked.jobs)
        right = whole(Path(name) / "whole")
        while total.kills < asked.kills:
            folders += 1
            out = Path(name) / f"killed_{folders}"
            found = killed(logs, out, min(EACH, asked.kills - total.kills), random, asked.jobs, lasts)
            total.kills += found.kills
            total.midway += found.midway
            total.resumed += found.resumed
            wrong += whole(out) != right
    print(f"{total.kills} kills of {folders} folders with {asked.logs} logs, {total.midway} of them between the first "
          f"verdict and the last; {total.resumed} runs went on; folders with other verdicts: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
