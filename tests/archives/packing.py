"""Logs, and archives of them, for tests."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

HEADER = '{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}\n'
CENTRE = '{"by": "x", "do": "mark", "with": {"cell": "b2"}}\n'
AGAIN = '{"by": "o", "do": "mark", "with": {"cell": "b2"}}\n'
LEGAL = HEADER + CENTRE
ILLEGAL = HEADER + CENTRE + AGAIN


def tar(path: Path, members: Iterable[tuple[str, str]], mode: str = "w") -> str:
    with tarfile.open(path, mode) as file:  # type: ignore[call-overload]
        for name, text in members:
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            file.addfile(info, io.BytesIO(text.encode()))
    return str(path)


def zipped(path: Path, members: Iterable[tuple[str, str]], how: int = zipfile.ZIP_DEFLATED) -> str:
    with zipfile.ZipFile(path, "w", how) as file:
        for name, text in members:
            file.writestr(name, text)
    return str(path)


def gzipped(path: Path, text: str) -> str:
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return str(path)


def plain(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)
