"""How often Python looks for cycles that nobody uses any more, while work is done that hardly makes any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SELDOM = (50_000, 4, 4)
"""So many new objects are waited for that Python looks through these, so many such looks before it goes through older
ones: what cycles keep meanwhile is some tens of megabytes at most."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Within it Python does not look for cycles that nobody uses; afterwards as before."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class SeldomCollected:
    """Within it Python looks for cycles that nobody uses less often, for work that keeps many objects and makes few
    cycles; afterwards as before, once all threads that are within it have left. It is entered for every log: what
    `contextmanager` makes takes several times as long."""

    _lock = Lock()
    _inside = 0
    _before = gc.get_threshold()

    def __enter__(self) -> None:
        own = SeldomCollected
        with own._lock:
            if not own._inside:
                own._before = gc.get_threshold()
                if 0 < own._before[0] < SELDOM[0]:  # nothing: it never looks
                    gc.set_threshold(*SELDOM)
            own._inside += 1

    def __exit__(self, *_: object) -> None:
        own = SeldomCollected
        with own._lock:
            own._inside -= 1
            if not own._inside:
                gc.set_threshold(*own._before)
