"""Tasks given to an executor are answered in order, each once, whatever workers are lost."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from referee.system.executors import AHEAD, CHUNK, MOST_CHUNK, ExecutorLost, answers_through, as_here
from referee.system.named_executors import NoExecutor, check_name, opened


def square(number: int) -> int:
    if number == -1:
        raise ValueError("no square")
    return number * number


def squares() -> Callable[[int], int]:
    return square


def none(number: int) -> int:
    return -number


class _Flaky(Executor):
    """Carries tasks out at once; at some calls, by number, and at some tasks, always, its worker is lost."""

    def __init__(self, lost: Callable[[int], bool] = lambda call: False, deadly: frozenset[int] = frozenset()) -> None:
        self.calls = 0
        self._lost, self._deadly = lost, deadly

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        if self._lost(self.calls) or self._deadly & {one for one in args[1] if one is not None}:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_answers_come_in_order() -> None:
    with ThreadPoolExecutor(3) as threads:
        assert list(answers_through(threads, range(1000), squares, 3, none)) == [number**2 for number in range(1000)]


def test_tasks_are_given_away_only_a_little_ahead() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    found = answers_through(_Flaky(), endless(), squares, 2, none)
    assert list(islice(found, 3)) == [0, 1, 4]
    assert len(taken) <= (AHEAD * 2 + 1) * CHUNK
    found.close()


def test_chunks_grow_to_a_bound() -> None:
    executor = _Flaky()
    assert sum(1 for _ in answers_through(executor, range(20 * MOST_CHUNK), squares, 1, none)) == 20 * MOST_CHUNK
    assert 20 < executor.calls < 100


@pytest.mark.parametrize("every", [2, 3, 5])
def test_lost_workers_cost_no_answer(every: int) -> None:
    executor = _Flaky(lambda call: call % every == 0)
    assert list(answers_through(executor, range(200), squares, 2, none)) == [number**2 for number in range(200)]


def test_a_task_at_which_workers_are_lost_has_no_answer() -> None:
    executor = _Flaky(deadly=frozenset({5, 17, 18}))
    assert list(answers_through(executor, range(1, 60), squares, 2, none)) == [
        -number if number in (5, 17, 18) else number**2 for number in range(1, 60)]


def test_an_executor_that_is_gone_is_told_and_answers_nothing_wrong() -> None:
    found = answers_through(_Flaky(lambda call: call > 3), range(1, 1000), squares, 1, none)
    told: list[int] = []
    with pytest.raises(ExecutorLost):
        told.extend(found)
    assert told == [number**2 for number in range(1, len(told) + 1)]


def test_what_a_task_raises_is_raised_here() -> None:
    with pytest.raises(ValueError, match="no square"):
        list(answers_through(_Flaky(), (1, -1), squares, 1, none))


def whoever() -> str:
    return str(os.getpid())


def test_a_worker_that_is_not_as_this_process_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        with pytest.raises(ExecutorLost, match="another version"):
            list(answers_through(processes, range(3), as_here(squares, whoever), 1, none))
        monkeypatch.chdir(tmp_path)
        make = as_here(squares, platform.system)
        assert list(answers_through(processes, range(3), make, 1, none)) == [0, 1, 4]
        gone = tmp_path / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        make = as_here(squares, platform.system)
        monkeypatch.chdir(tmp_path)
        gone.rmdir()
        with pytest.raises(ExecutorLost, match="do not see the folder"):
            list(answers_through(processes, range(3), make, 1, none))


@pytest.mark.parametrize("name", ["dask", "dask://", "spark", "ray://", "", "mpi://somewhere"])
def test_no_such_executor(name: str) -> None:
    with pytest.raises(NoExecutor) as found:
        check_name(name)
    assert found.value.code == "LD13"


@pytest.mark.parametrize(("name", "library"), [("dask://here:1", "distributed"), ("ray", "ray"), ("mpi", "mpi4py")])
def test_a_library_that_is_missing_is_named(name: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (library, f"{library}.futures"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(NoExecutor) as found, opened(name):
        pass
    assert found.value.code == "LD14"
    assert library in found.value.message
    assert "pip install 'referee[" in found.value.hint
