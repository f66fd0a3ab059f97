"""Workers end with the process that they work for, whatever ends it; one that is ended costs little."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from referee.system.worker_processes import AHEAD, CHUNK, TRIES, Worker, answers

ROOT = Path(__file__).resolve().parents[2]
HEADER = '{"schema": "referee/log/1", "ruleset": "breakthrough", "players": ["black", "white"]}\n'
COSTLY = "every fa in square: every fb in square: every fc in square: fa = fa"
SECONDS = 10
"""No test waits longer for anything."""


def square(number: int) -> int:
    return number * number


def squares() -> Callable[[int], int]:
    return square


def none(number: int) -> int:
    return -number


def test_answers_come_in_the_order_of_the_tasks() -> None:
    assert list(answers(range(100), squares, 2, none)) == [number * number for number in range(100)]
    assert list(answers([], squares, 2, none)) == []


def test_only_a_few_tasks_are_taken_ahead() -> None:
    taken = count()
    found = answers((next(taken) for _ in count()), squares, 2, none)
    assert list(islice(found, 1)) == [0]
    found.close()
    assert next(taken) <= 2 * AHEAD * CHUNK


def failing() -> Callable[[int], int]:
    def fail(number: int) -> int:
        raise LookupError(f"no {number}")

    return fail


def test_what_a_worker_raises_is_raised_here() -> None:
    with pytest.raises(LookupError, match="no 0"):
        list(answers(range(3), failing, 2, none))


def deadly(folder: str, times: int) -> Callable[[int], int]:
    """Ends its process at 7, so many times."""
    def answer(number: int) -> int:
        marks = [Path(folder) / str(index) for index in range(times)]
        left = [mark for mark in marks if not mark.exists()]
        if number == 7 and left:
            left[0].touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return square(number)

    return answer


@pytest.mark.parametrize("times", [1, TRIES])
def test_another_takes_over_from_a_worker_that_was_killed(tmp_path: Path, times: int) -> None:
    found = list(answers(range(50), partial(deadly, str(tmp_path), times), 2, none))
    assert found == [none(n) if n == 7 and times == TRIES else square(n) for n in range(50)]


# ---------------------------------------------------------------------- the command, with real processes
def children(parent: int) -> list[int]:
    """The processes of a process, without those that have ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, by = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(by) == parent and state != "Z":
            found.append(int(path.parent.name))
    return found


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def soon(holds: Callable[[], bool], seconds: float = SECONDS) -> bool:
    """Whether something comes to hold before the time is over."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


@pytest.fixture
def judging(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """`referee judge --jobs 2` over logs that take it a minute, and its workers."""
    line = json.dumps({"assert": {COSTLY: True}}) + "\n"
    for number in range(2 * CHUNK):
        (tmp_path / f"{number:02}.jsonl").write_text(HEADER + line * 40)
    with subprocess.Popen([sys.executable, "-m", "referee", "judge", "--jobs", "2", str(tmp_path)], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert soon(lambda: len(children(process.pid)) == 2)
            time.sleep(0.2)
            yield process, children(process.pid)
        finally:
            process.kill()


@needs_proc
@pytest.mark.parametrize("times", [1, 3])
def test_an_interruption_ends_all_of_them_at_once(judging: tuple[subprocess.Popen[str], list[int]], times: int) -> None:
    """From the keyboard it comes to each process of the group."""
    process, workers = judging
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.01)
    said = process.communicate(timeout=SECONDS)[1]
    assert process.returncode == 130
    assert "Traceback" not in said
    assert soon(lambda: not any(map(lives, workers)), 2)


@needs_proc
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_workers_end_when_their_process_is_ended(
        judging: tuple[subprocess.Popen[str], list[int]], sent: signal.Signals) -> None:
    process, workers = judging
    process.send_signal(sent)
    assert process.wait(timeout=SECONDS) == -sent
    assert soon(lambda: not any(map(lives, workers)), 2)


def asleep(_: object) -> None:
    time.sleep(6 * SECONDS)


def start(fresh: bool) -> None:
    """Tells the number of a worker that does nothing, and waits."""
    with Worker(asleep, fresh=fresh) as worker:
        print(worker.id, flush=True)
        asleep(None)


@needs_proc
@pytest.mark.parametrize("fresh", [False, True])
def test_a_worker_of_either_kind_ends_with_its_process(fresh: bool) -> None:
    command = f"from tests.system.test_workers import start; start({fresh})"
    with subprocess.Popen([sys.executable, "-c", command], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        assert lives(worker)
        process.kill()
    assert soon(lambda: not lives(worker), 5)


def test_a_program_that_uses_workers_is_not_run_again_in_each(tmp_path: Path) -> None:
    """However it is written: it may be a script that does something as soon as it is read."""
    script = tmp_path / "script.py"
    script.write_text("print('begun', flush=True)\nfrom tests.system.test_workers import one_of_each\none_of_each()\n")
    done = subprocess.run([sys.executable, str(script)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, check=False, timeout=3 * SECONDS)
    assert (done.stdout, done.stderr) == ("begun\nfresh\ncopied\n", "")


def telling(there: Connection, said: str) -> None:
    there.send(said)


def one_of_each() -> None:
    """Tells what a worker of each kind says."""
    for said, fresh in (("fresh", True), ("copied", False)):
        with Worker(telling, said, fresh=fresh) as worker:
            print(worker.said.recv(), flush=True)
