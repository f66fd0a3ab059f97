"""All verdicts of a folder as one Parquet table, a row a log (pyarrow, an extra)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from referee.report.ledger.durable_files import UNFINISHED, settle
from referee.report.ledger.ledger_fault import LedgerFault
from referee.report.ledger.manifest import PartRecord

ROWS = 20_000
"""Rows that are written at once."""
COLUMNS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "path": ("string", lambda row: row["path"]),
    "member": ("string", lambda row: row["member"]),
    "index": ("int64", lambda row: row["index"]),
    "outcome": ("string", lambda row: row["outcome"]),
    "line": ("int64", lambda row: row["line"]),
    "reason": ("string", lambda row: row["reason"]),
    "ruleset": ("string", lambda row: row["ruleset"]),
    "version": ("string", lambda row: row["version"]),
    "players": ("strings", lambda row: row["players"]),
    "lines": ("int64", lambda row: row["lines"]),
    "events": ("int64", lambda row: row["events"]),
    "finished": ("bool", lambda row: row["finished"]),
    "winners": ("strings", lambda row: row["winners"]),
    "kind": ("string", lambda row: _of_wrong(row, "kind")),
    "rule": ("string", lambda row: _of_wrong(row, "rule")),
    "place": ("string", lambda row: _of_wrong(row, "place")),
    "message": ("string", lambda row: _of_wrong(row, "message")),
    "statements": ("strings", lambda row: _of_wrong(row, "statements")),
    "codes": ("strings", lambda row: [one["code"] for one in row["diagnostics"]]),
    "assumed": ("bool", lambda row: bool(row["under"] or row["narrowing"])),
    "verdict": ("string", lambda row: json.dumps(row, separators=(",", ":"))),
}
"""name -> type, and where it is in a verdict; `verdict` is all of it."""


def check_installed() -> None:
    """Raises `LedgerFault` if no such table can be written, before anything is judged."""
    if find_spec("pyarrow") is None:
        raise LedgerFault("LD14", "pyarrow is not installed", "pip install 'referee[parquet]', or leave out --parquet")


def write_table(folder: Path, parts: Sequence[PartRecord], path: Path) -> None:
    """Writes the table whole or not at all, in a memory that does not grow with it. Raises `OSError`, and
    `LedgerFault` for a part that is not what was written."""
    import pyarrow as pa
    from pyarrow import parquet

    types = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_(),
             "strings": pa.list_(pa.string())}
    schema = pa.schema([(name, types[kind]) for name, (kind, _) in COLUMNS.items()])
    unfinished = path.with_name(path.name + UNFINISHED)
    rows = _rows(folder, parts)
    try:
        with parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            while some := list(islice(rows, ROWS)):
                arrays = [pa.array([_text(get(row)) for row in some], types[kind]) for kind, get in COLUMNS.values()]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    settle(path.parent)


def _rows(folder: Path, parts: Sequence[PartRecord]) -> Iterator[dict[str, Any]]:
    for part in parts:
        digest = hashlib.sha256()
        with (folder / part.file).open("rb") as file:
            for line in file:
                digest.update(line)
                yield json.loads(line)
        if digest.hexdigest() != part.sha256:
            raise LedgerFault("LD10", f"{folder / part.file} is not what was written there",
                              "put it back, or judge into another folder")


def _text(value: Any) -> Any:
    """A value; half a letter in it, as names of files may have, is written out, as such a table has none."""
    if isinstance(value, list):
        return [_text(one) for one in value]
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def _of_wrong(row: dict[str, Any], key: str) -> Any:
    return None if row["wrong"] is None else row["wrong"][key]
