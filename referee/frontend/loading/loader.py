"""Loading a ruleset for a shape, and remembering what was made of it between runs.

What makes a core is imported when there is one to make: a ruleset seen before is there at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.core.flow import Flow, digested
from referee.core.ruleset import Core
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.system import bundled_files, disk_cache, frozen_pickles
from referee.system.deadline import nanoseconds_since
from referee.system.file_observations import holds
from referee.system.program_files import seen_from_outside

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by kind: columns by name, their values texts, numbers or truth values."""


def load(where: str | Path, players: int | None = None, options: Mapping[str, str] | None = None,
         pool: Rows | None = None) -> Core:
    """The core of a ruleset (a bundled name, a folder, a file) for a shape.

    `players`: None takes the fewest. `pool`: rows in the place of data files. Raises Problems with everything that is
    wrong with the ruleset or the shape.
    """
    return load_flow(where, players, options, pool).core


def load_flow(where: str | Path, players: int | None = None, options: Mapping[str, str] | None = None,
              pool: Rows | None = None) -> Flow:
    """The flow of a ruleset for a shape, with its core. Raises Problems as `load` does."""
    return load_recorded(where, players, options, pool)[0]


def load_recorded(where: str | Path, players: int | None = None, options: Mapping[str, str] | None = None,
                  pool: Rows | None = None) -> tuple[Flow, bytes]:
    """The flow of a ruleset for a shape, and the record of what was looked at for it, for
    `referee.system.file_observations.holds`.

    Raises Problems as `load` does.
    """
    rows = tuple(sorted((kind, json.dumps(listed, ensure_ascii=False)) for kind, listed in (pool or {}).items()))
    shape = Shape(players, tuple(sorted((options or {}).items())), rows)
    key = _key(where, shape)
    return _remembered(key) or _made(where, shape, key)


def _made(where: str | Path, shape: Shape, key: str) -> tuple[Flow, bytes]:
    from referee.flow.lowering import lower
    from referee.frontend.loading.assembly import build, keep_words, parsed

    files = find(where)
    built = build(parsed(files, kept=program_digest()), shape)
    flow = lower(built.core, passed=True)
    keep_words(built)
    record = files.looks.record()
    if record:
        with suppress(RecursionError):  # what is nested too deeply to be kept is made anew
            data = frozen_pickles.dumps(flow)
            disk_cache.write(key, record + b"\n" + data)
            flow = digested(flow, _digest(data))
    return flow, record


def _digest(data: bytes) -> str:
    """Of a flow as it is kept."""
    return disk_cache.key_of("flow", program_digest(), data)


def _key(where: str | Path, shape: Shape) -> str:
    """Under which a flow is kept: what was asked for, where, and of which program. That what the program read for it is
    still as it was, is recorded with the flow."""
    try:
        here = os.getcwd()
    except OSError:  # the current folder is gone
        here = ""
    as_path = "path" if isinstance(where, Path) else "name"
    return disk_cache.key_of(
        "flow", program_digest(), here, str(bundled_files.rulesets_root()), as_path, str(where), repr(shape)
    )


@lru_cache(maxsize=1)
def program_digest() -> str:
    """The bytes of this program and of the grammar, and the version of Python: what makes a flow of rules."""
    root = Path(__file__).parents[2]
    seen, last = seen_from_outside(str(root), str(bundled_files.grammar_path()))
    key = disk_cache.key_of("program", sys.version, seen)
    known = disk_cache.read(key)
    if known is not None:
        return known.decode()
    found = _digest_of_all(root)
    if nanoseconds_since(last) > SETTLED:
        disk_cache.write(key, found.encode())
    return found


SETTLED = 2_000_000_000
"""A file that was changed so few nanoseconds ago may be changed once more without looking different from outside."""


def _digest_of_all(root: Path) -> str:
    digest = hashlib.sha256()
    for path in (*sorted(root.rglob("*.py")), bundled_files.grammar_path()):
        digest.update(f"{path.relative_to(root.parent)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"{sys.version} {digest.hexdigest()}"


def _remembered(key: str) -> tuple[Flow, bytes] | None:
    """The flow that is kept under a key, with its record, if everything that was read for it is as it was."""
    record, _, data = (disk_cache.read(key) or b"").partition(b"\n")
    if not data or not holds(record):
        return None
    try:
        flow = frozen_pickles.loads(data)  # the folder is private to the user, which `cache_folder` checks
    except Exception:  # a damaged file in our own folder is only a flow to be made again
        return None
    return (digested(flow, _digest(data)), record) if isinstance(flow, Flow) else None
