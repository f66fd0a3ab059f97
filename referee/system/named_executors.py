"""Executors by name: those of libraries that bring many machines together, each an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:  # slow to import, and mostly not needed
    from concurrent.futures import Executor

PROCESSES = "processes"
KINDS = (PROCESSES, "dask://HOST:PORT", "ray", "mpi")
_PATIENCE = 30
"""Seconds that a scheduler may take to answer."""
_LOST_AT_MOST = 3
"""Workers that may be lost at a task before it is given back."""


class NoExecutor(Exception):
    """`code` is stable, `message` says why there is none, `hint` what to do."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint)
        self.code, self.message, self.hint = code, message, hint


@dataclass(frozen=True, slots=True)
class OpenExecutor:
    """An executor that takes tasks, and how many workers it has now."""

    executor: Executor
    workers: int


def check_name(name: str) -> None:
    """Raises `NoExecutor` if nothing is called so."""
    kind, _, address = name.partition("://")
    if name not in (PROCESSES, "ray", "mpi") and (kind not in ("dask", "ray") or not address):
        raise NoExecutor("LD13", f"there is no executor {name[:60]!r}", f"one of {', '.join(KINDS)}")


@contextmanager
def opened(name: str) -> Iterator[OpenExecutor]:
    """The executor of a name other than `PROCESSES`, for the time in `with`. Raises `NoExecutor`."""
    check_name(name)
    kind, _, address = name.partition("://")
    with _OPENERS[kind](address) as found:
        yield found


@contextmanager
def _dask(address: str) -> Iterator[OpenExecutor]:
    try:
        from distributed import Client
    except ImportError:
        raise _not_installed("dask", "distributed") from None
    try:
        client = Client(f"tcp://{address}", timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoExecutor("LD15", f"no Dask scheduler answers at {address}: {str(error)[:120]}",
                         "start one: dask scheduler, and dask worker HOST:PORT") from None
    try:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise NoExecutor("LD15", f"the Dask scheduler at {address} has no worker",
                             "start some: dask worker HOST:PORT")
        yield OpenExecutor(client.get_executor(pure=False, retries=_LOST_AT_MOST), workers)
    finally:
        client.close()


@contextmanager
def _ray(address: str) -> Iterator[OpenExecutor]:
    try:
        import ray
    except ImportError:
        raise _not_installed("ray", "ray") from None
    try:
        ray.init(address=address or None, log_to_driver=False, configure_logging=False)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise NoExecutor("LD15", f"no Ray cluster answers: {str(error)[:120]}", "start one: ray start --head") from None
    try:
        from referee.system.ray_executor import RayExecutor

        yield OpenExecutor(RayExecutor(ray, _LOST_AT_MOST), max(1, int(ray.cluster_resources().get("CPU", 1))))
    finally:
        ray.shutdown()


@contextmanager
def _mpi(_address: str) -> Iterator[OpenExecutor]:
    try:
        from mpi4py.futures import MPIPoolExecutor
    except (ImportError, RuntimeError):  # the latter: the package is there, and no library of MPI
        raise _not_installed("mpi", "mpi4py, or a library of MPI,") from None
    with MPIPoolExecutor() as executor:
        if executor.num_workers < 1:
            raise NoExecutor("LD15", "MPI has no process besides the one that gives tasks",
                             "start it as mpiexec -n N python -m mpi4py.futures -m referee ...")
        yield OpenExecutor(executor, executor.num_workers)


def _not_installed(extra: str, library: str) -> NoExecutor:
    return NoExecutor("LD14", f"{library} is not installed", f"pip install 'referee[{extra}]'")


_OPENERS = {"dask": _dask, "ray": _ray, "mpi": _mpi}
