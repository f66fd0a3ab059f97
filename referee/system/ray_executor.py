"""Ray as an executor of `concurrent.futures`: its futures are such, only the executor is missing there."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class RayExecutor(Executor):
    """Gives tasks to a cluster that the library is connected to. `lost`: so many workers may be lost at a task."""

    def __init__(self, ray: Any, lost: int) -> None:
        self._remote = ray.remote(max_retries=lost)(_call)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        found: Future[Any] = self._remote.remote(fn, args, kwargs).future()
        return found


def _call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)
