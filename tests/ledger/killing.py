"""Kills a run into a folder of verdicts again and again, and looks whether anything is missing or there twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
HEADER = '{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}'
CELLS = [f"{column}{row}" for column in "abc" for row in "123"]
LONGEST = 300.0
"""No run takes so many seconds."""


def write_logs(folder: Path, number: int) -> None:
    """Logs that are legal, illegal and unreadable, no two alike."""
    folder.mkdir()
    for one in range(number):
        random = Random(one)
        cells = random.sample(CELLS, 9)[:random.randint(1, 4)]
        lines = [json.dumps({"by": "xo"[at % 2], "do": "mark", "with": {"cell": cell}})
                 for at, cell in enumerate(cells)]
        lines += [lines[-1]] if one % 7 == 0 else ["{"] if one % 31 == 0 else []
        (folder / f"{one:05}.jsonl").write_text("\n".join([HEADER, *lines, ""]))


def started(logs: Path, out: Path, jobs: int) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own."""
    words = [sys.executable, "-m", "referee", "judge", str(logs), "--out", str(out), "--jobs", str(jobs)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def whole(out: Path) -> bytes:
    """All verdicts that the manifest counts, in order."""
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["done"]
    return b"".join((out / part["file"]).read_bytes() for part in manifest["parts"])


@dataclass
class KilledRun:
    """What became of it: kills that hit a run, how many of them after verdicts had been counted and before all were,
    and how often a run found verdicts of an earlier one."""

    kills: int = 0
    midway: int = 0
    resumed: int = 0


def lasting(logs: Path, out: Path, jobs: int) -> float:
    """How many seconds a run takes that nobody kills."""
    begun = time.monotonic()
    killed(logs, out, 0, Random(0), jobs, 0.0)
    return time.monotonic() - begun


def killed(logs: Path, out: Path, kills: int, random: Random, jobs: int, lasts: float) -> KilledRun:
    """Runs the command until it comes to its end, and kills it up to so many times: half of them at a moment by lot,
    half when a part has just appeared, which is where most can go wrong. `lasts`: seconds that a whole run takes."""
    found = KilledRun()
    begun = time.monotonic()
    while time.monotonic() - begun < LONGEST:
        known = set(os.listdir(out)) if out.exists() else set()
        with started(logs, out, jobs) as process:
            if found.kills < kills:
                _wait(process, out, known, random, lasts)
            alive = found.kills < kills and process.poll() is None
            if alive:
                os.killpg(process.pid, signal.SIGKILL)
            said, wrong = process.communicate()
        found.resumed += b" a verdict already" in wrong
        if alive:
            found.kills += 1
            manifest = out / "manifest.json"
            data = json.loads(manifest.read_text()) if manifest.exists() else {"done": False, "parts": []}
            found.midway += bool(data["parts"]) and not data["done"]
            continue
        assert process.returncode == 4, (process.returncode, said, wrong)
        return found
    raise AssertionError("it comes to no end")


def _wait(process: subprocess.Popen[bytes], out: Path, known: set[str], random: Random, lasts: float) -> None:
    at_a_part, moment = random.random() < 0.5, random.uniform(0.1, 0.8) * lasts
    begun = time.monotonic()
    while process.poll() is None and time.monotonic() - begun < (LONGEST if at_a_part else moment):
        if at_a_part and out.exists() and any(name.startswith("part-") for name in set(os.listdir(out)) - known):
            time.sleep(random.uniform(0.0, 0.02))
            return
        time.sleep(0.001)
