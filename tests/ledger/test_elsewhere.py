"""Workers of Dask judge as processes here do, also if one of them is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.api.runs.judging import How, judged_paths
from referee.cli.main import run
from tests.heap import HEAP
from tests.ledger.conftest import Told
from tests.ledger.killing import whole
from tests.sample_sizes import FULL

Judge = Callable[..., Told]
HOW = partial(How, None, "generated", None, False, None, False, None, False)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def dask() -> Iterator[tuple[str, Callable[[], list[int]]]]:
    """The address of a scheduler with two worker processes, and what tells their numbers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  silence_logs=50) as cluster, distributed.Client(cluster) as client:
        yield (f"dask://{cluster.scheduler_address.removeprefix('tcp://')}",
               lambda: list(client.run(os.getpid).values()))


Dask = tuple[str, Callable[[], list[int]]]


@pytest.mark.skipif(not FULL, reason="many seconds: REFEREE_FULL_SAMPLES=1")
def test_the_verdicts_are_the_same(judge: Judge, dask: Dask) -> None:
    here = judge("logs")
    assert judge("logs", "--executor", dask[0]) == here
    judge("logs", "--out", "here", "--jobs", "1")
    judge("logs", "--out", "there", "--executor", dask[0])
    assert whole(Path("here")) == whole(Path("there"))


def test_a_worker_that_is_killed_costs_no_verdict(judge: Judge, dask: Dask) -> None:
    paths = sorted(map(str, Path("logs").iterdir())) * 30
    right = list(judged_paths(paths[:40], HOW()))
    found = judged_paths(paths, HOW(executor=dask[0]))
    verdicts = [next(found)]
    os.kill(dask[1]()[0], signal.SIGKILL)
    verdicts += found
    assert verdicts == right * 30


@pytest.mark.skipif(not FULL, reason="many seconds: REFEREE_FULL_SAMPLES=1")
def test_games_are_played_and_ways_counted_there(judge: Judge, dask: Dask,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("play", "tic_tac_toe", "--random", "30", "--out"), ("count", "tic_tac_toe", "--depth", "5")):
        told = []
        for name, more in (("here", ()), ("beside", ("--jobs", "2")), ("there", ("--executor", dask[0]))):
            assert run([*words, *([name] if words[-1] == "--out" else []), *more]) == 0
            told.append(capsys.readouterr())
        assert told[0] == told[1] == told[2]
    here, beside, there = ({path.name: path.read_text() for path in Path(name).iterdir()}
                           for name in ("here", "beside", "there"))
    assert here == beside == there


@pytest.mark.skipif(not FULL, reason="many seconds: REFEREE_FULL_SAMPLES=1")
def test_claims_are_proved_there(dask: Dask, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("z3")
    (tmp_path / "heap.rules").write_text(HEAP.format(stones=5, most=9), encoding="utf-8")
    told = []
    for more in (("--jobs", "1"), ("--executor", dask[0])):
        run(["prove", str(tmp_path / "heap.rules"), "--format", "json", *more])
        told.append(json.loads(capsys.readouterr().out))
    here, there = ([(one["name"], one["outcome"]) for shape in every["shapes"] for one in shape["claims"]]
                   for every in told)
    assert here == there
    assert len(here) > 1


def test_nobody_there_is_told(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("referee.system.named_executors._PATIENCE", 1)
    code, out, err = judge("logs", "--executor", "dask://127.0.0.1:9")
    assert (code, out) == (2, "")
    assert "LD15 no Dask scheduler answers at 127.0.0.1:9" in err
