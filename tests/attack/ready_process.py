"""A process that has the command line loaded and runs it in forks of itself: a start costs what the command costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from atexit import register
from functools import cache
from pathlib import Path
from typing import NoReturn

from referee.cli.main import main, run
from tests.attack.limits import limit

_ROOT = Path(__file__).resolve().parents[2]


@cache
def _server() -> subprocess.Popen[str]:
    """The process, started when it is first asked for; it ends when its standard input does."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.attack.ready_process"], cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env={**os.environ, "PYTHONPATH": str(_ROOT), "COLUMNS": "120"})
    register(started.communicate)
    return started


def ended(folder: Path, words: list[str], printed: Path) -> int:
    """The exit code (negative: the signal) of `referee WORDS` in `folder`, which prints both its streams to a file."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps([str(folder), words, str(printed)]) + "\n")
    server.stdin.flush()
    return int(server.stdout.readline())


def _answer_all() -> None:
    """Runs what the lines of the standard input ask for, one after the other."""
    answers = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    run(["check", str(_ROOT / "rulesets" / "classics" / "tic_tac_toe.rules")])
    for line in asked:
        folder, words, printed = json.loads(line)
        child = os.fork()
        if child == 0:
            _carry_out(folder, words, printed)
        _, status = os.waitpid(child, 0)
        os.write(answers, f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _carry_out(folder: str, words: list[str], printed: str) -> NoReturn:
    """As a process of its own would start: its folder, its streams, its limits."""
    os.chdir(folder)
    written = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    os.dup2(written, 1)
    os.dup2(written, 2)
    limit()
    main(words)


if __name__ == "__main__":
    _answer_all()
