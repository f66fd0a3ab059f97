"""Trees of rules texts that were read before, kept between runs: where a text is the same it is not parsed again.

Kept under a digest of the program, its grammar, the paths and the texts, so that nothing else is ever found there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from referee.diagnostics.source import Source
from referee.syntax.parser import Parsed
from referee.system import disk_cache, frozen_pickles

LEAST_CHARACTERS = 2_000
"""Rules of fewer characters are parsed about as fast as trees are found and written."""


def kept_trees(sources: Sequence[Source], program: str) -> tuple[Parsed, ...] | None:
    """What a program (its digest) has read of these texts; None if nothing is kept."""
    data = disk_cache.read(_key(sources, program)) if _is_worth_it(sources) else None
    if data is None:
        return None
    try:
        found = frozen_pickles.loads(data)  # the folder is private to the user, which `cache_folder` checks
    except Exception:  # a damaged file in our own folder is only a text to be read again
        return None
    whole = isinstance(found, tuple) and len(found) == len(sources) and all(isinstance(one, Parsed) for one in found)
    return found if whole else None  # type: ignore[return-value]  # each was looked at


def keep_trees(sources: Sequence[Source], program: str, found: Sequence[Parsed]) -> None:
    """Keeps what was read of texts in which nothing is wrong."""
    if _is_worth_it(sources):
        with suppress(RecursionError):  # what is nested too deeply to be kept is read anew
            disk_cache.write(_key(sources, program), frozen_pickles.dumps(tuple(found)))


def _is_worth_it(sources: Sequence[Source]) -> bool:
    return disk_cache.is_wanted() and sum(len(one.text) for one in sources) >= LEAST_CHARACTERS


def _key(sources: Sequence[Source], program: str) -> str:
    parts = (part for one in sources for part in (one.path, one.text))
    return disk_cache.key_of("trees", program, *parts)
