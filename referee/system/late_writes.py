"""What is to be kept in the cache folder once there is time for it: at the end of the process, or when one says so.

What is kept grows while a process works; it is put together where it is written, not each time that it grows.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from contextlib import suppress

from referee.system import disk_cache

MOST_WAITING = 32
"""So many entries wait; of more the one that waits longest is written."""
MOST_BYTES = 32_000_000
"""No larger entry is kept."""
_waiting: dict[str, Callable[[], bytes]] = {}
_lost: set[str] = set()
"""The keys of what was to be kept, and could not be."""


def keep(key: str, made: Callable[[], bytes]) -> None:
    """Something is to be kept under a key: what the function then makes. An earlier one for the key is forgotten."""
    if key not in _waiting and len(_waiting) >= MOST_WAITING:
        first = next(iter(_waiting))
        _write(first, _waiting.pop(first))
    _waiting[key] = made


def write_all() -> bool:
    """Writes everything that waits; whether all that was to be kept since this was asked last could be."""
    while _waiting:
        _write(*_waiting.popitem())
    kept = not _lost
    _lost.clear()
    return kept


def _write(key: str, made: Callable[[], bytes]) -> None:
    with suppress(Exception):  # whatever cannot be kept is made anew
        data = made()
        if len(data) <= MOST_BYTES and not disk_cache.write(key, data) and disk_cache.is_wanted():
            _lost.add(key)


@atexit.register
def _at_the_end() -> None:
    with suppress(KeyboardInterrupt):
        write_all()
