"""Runs the command line with little time (in a process: and memory), and says how it went."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from referee.cli.main import run as command
from tests.attack.limits import SECONDS, limit
from tests.attack.ready_process import ended

OUTPUT = 1_000_000
"""More than this is a flood, not a report."""


@dataclass(frozen=True)
class Ending:
    """Exit code and everything printed."""

    code: int
    text: str


def run(folder: Path, *words: str | Path) -> Ending:
    """Runs `referee WORDS` in `folder`; fails on a traceback, an internal error, a flood, or past the limits."""
    with TemporaryDirectory() as kept:
        printed = Path(kept, "printed")
        code = ended(folder, list(map(str, words)), printed)
        text = printed.read_bytes().decode("utf-8", "replace")
    return _alive(code, text)


def started(folder: Path, *words: str | Path) -> Ending:
    """The same in a process that was started for it, as a command is that starts processes itself."""
    done = subprocess.run(
        [sys.executable, "-m", "referee", *map(str, words)], cwd=folder, capture_output=True, check=False,
        timeout=6 * SECONDS, preexec_fn=limit, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "COLUMNS": "120"},
    )
    return _alive(done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace"))


def _alive(code: int, text: str) -> Ending:
    assert code >= 0, f"ended by signal {-code}: out of time or memory\n{text[-3000:]}"
    return _sound(code, text)


def here(capsys: pytest.CaptureFixture[str], folder: Path, *words: str | Path) -> Ending:
    """The same in this process, which starts no other: for what does not hang on the memory."""
    capsys.readouterr()
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with chdir(folder):
            code = command([str(word) for word in words])
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    printed = capsys.readouterr()
    return _sound(code, printed.out + printed.err)


def _too_long(*_: object) -> None:
    raise AssertionError(f"it computes for more than {SECONDS} s")


def _sound(code: int, text: str) -> Ending:
    assert "Traceback" not in text, text[-3000:]
    assert "internal error" not in text, text[-3000:]
    assert len(text) < OUTPUT, f"{len(text)} characters of output"
    return Ending(code, text)


def complains(ending: Ending, exit_code: int, code: str, place: str) -> None:
    """The exit code is right, and some printed line or block has the code (a pattern) and `PATH:LINE`."""
    assert ending.code == exit_code, ending.text[:3000]
    assert re.search(code, ending.text), ending.text[:3000]
    assert re.search(rf"(?<![\w.]){re.escape(place)}\b", ending.text), ending.text[:3000]
