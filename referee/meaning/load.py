"""Loading a ruleset for a shape, and remembering what was made of it between runs.

What makes a core is imported when there is one to make: a ruleset seen before is there at once.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from referee import __version__
from referee.base import bundled, cache
from referee.base.source import Source
from referee.core.flow import Flow
from referee.core.ruleset import Core
from referee.meaning.find import Files, find, read
from referee.meaning.shape import Shape

MOST_BYTES = 2_000_000


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
    files = find(where)
    sources = read(files)
    rows = tuple(sorted((kind, json.dumps(listed, ensure_ascii=False)) for kind, listed in (pool or {}).items()))
    shape = Shape(players, tuple(sorted((options or {}).items())), rows)
    key = _key(files, sources, shape)
    return _remembered(key) or _made(files, sources, shape, key)


def _made(files: Files, sources: tuple[Source, ...], shape: Shape, key: str) -> Flow:
    from referee.meaning.assemble import build, parsed
    from referee.meaning.flow import lower

    flow = lower(build(parsed(files, sources), shape).core)
    with suppress(RecursionError):  # what is nested too deeply to be kept is made anew
        cache.write(key, pickle.dumps(flow, protocol=pickle.HIGHEST_PROTOCOL))
    return flow


def _key(files: Files, sources: tuple[Source, ...], shape: Shape) -> str:
    """What a core depends on: the text and data of the rules, the shape, the grammar and this program."""
    texts = [s.path + "\0" + s.text for s in sources]
    data = [p.read_bytes() for p in _beside(files) if p.stat().st_size < MOST_BYTES]
    grammar = bundled.grammar_path().read_bytes()
    return cache.key_of("core", __version__, _program(), grammar, files.name, repr(shape), *texts, *data)


def _beside(files: Files) -> list[Path]:
    """The files that a ruleset may read besides its rules."""
    data = sorted(p for p in (files.folder / "data").glob("*") if p.is_file())
    statements = files.folder / "statements.toml"
    return [*data, statements] if statements.is_file() else data


def _program() -> str:
    """When the rooms that make a core were last changed: a release says it by its version, a checkout by its files."""
    root = Path(__file__).parent.parent
    changed = [
        p.stat().st_mtime_ns for room in ("base", "core", "syntax", "meaning") for p in (root / room).glob("*.py")
    ]
    return str(max(changed, default=0))


def _remembered(key: str) -> Flow | None:
    data = cache.read(key)
    if data is None:
        return None
    try:
        flow = pickle.loads(data)  # noqa: S301 the folder is private to the user, which `cache` checks
    except Exception:  # a damaged file in our own folder is only a flow to be made again
        return None
    return flow if isinstance(flow, Flow) else None
