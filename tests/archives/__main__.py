"""Files of a few kilobytes that unpack to a thousand millions of bytes, judged with the bounds as they are.

`python -m tests.archives` makes them (gzip, gzip twice, zstd, tar, zip), has each judged by the command, and says what
came out, how much memory it took, and how many seconds of computing. It ends with 1 if one of them was read to its
end, or took more memory than a log does. A minute or two.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.archives.packing import LEGAL

ROOT = Path(__file__).resolve().parents[2]
MIB = 1 << 20
MUCH = 1 << 10
"""MiB that a file stands for."""
BLANK = b" " * (MIB - 1) + b"\n"
"""A line that is as long as a line may be: of shorter ones gzip makes no more than 500 bytes of one."""
MOST_MEMORY = 400
"""MiB that judging it may take; zstd may point 128 MiB back."""


def blank() -> Iterator[bytes]:
    """A log, and blank lines behind it, as long as lines may be."""
    yield LEGAL.encode()
    block = BLANK
    for _ in range(MUCH):
        yield block


def gzipped(path: Path) -> None:
    with gzip.open(path, "wb") as file:
        for block in blank():
            file.write(block)


def gzipped_tar(path: Path) -> None:
    with tarfile.open(path, "w:gz") as file:
        info = tarfile.TarInfo("a.jsonl")
        info.size = MUCH * MIB
        file.addfile(info, io.BufferedReader(_Blanks(info.size)))


class _Blanks(io.RawIOBase):
    """So many blanks, in lines as long as they may be."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self._left = left

    def readable(self) -> bool:
        return True

    def readinto(self, into: bytearray | memoryview, /) -> int:  # type: ignore[override]
        size = min(len(into), self._left)
        into[:size] = b" " * size
        if self._left // MIB > (self._left - size) // MIB:
            into[size - 1:size] = b"\n"
        self._left -= size
        return size


def zstandard_(path: Path) -> None:
    from zstandard import ZstdCompressor

    with path.open("wb") as file, ZstdCompressor(level=3).stream_writer(file) as packed:
        for block in blank():
            packed.write(block)


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, \
            archive.open("a.jsonl", "w", force_zip64=True) as file:
        for block in blank():
            file.write(block)


def packed_twice(path: Path) -> None:
    """A member of a tar archive that is packed itself, and so is the archive."""
    inner = path.with_suffix(".inner")
    gzipped(inner)
    with tarfile.open(path, "w:gz") as file:
        file.add(inner, "a.jsonl.gz")
    inner.unlink()


BOMBS: dict[str, Callable[[Path], None]] = {
    "a.jsonl.gz": gzipped, "a.tar.gz": gzipped_tar, "twice.tar.gz": packed_twice, "a.jsonl.zst": zstandard_,
    "a.zip": zipped,
}


def judged(path: Path) -> tuple[list[str], int, float]:
    """What came out of each log, MiB of memory at most, seconds of computing."""
    words = [sys.executable, "-m", "referee", "judge", str(path), "--jobs", "1", "--format", "json"]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(words, cwd=ROOT, stdout=out)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        out.seek(0)
        verdicts = json.loads(out.read())["verdicts"]
    told = [next((one["code"] for one in verdict["diagnostics"] if one["severity"] == "error"), verdict["outcome"])
            for verdict in verdicts]
    return told, used.ru_maxrss // 1024, used.ru_utime + used.ru_stime


def main() -> int:
    """Exit code 1 if a bomb went off."""
    wrong = 0
    for name, make in BOMBS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            make(path)
            told, memory, seconds = judged(path)
            bad = told[-1] != "LG52" or memory > MOST_MEMORY
            wrong += bad
            print(f"{name}: {path.stat().st_size:,} bytes for {MUCH:,} MiB: {' '.join(told)}; {memory} MiB, "
                  f"{seconds:.0f} s{' (WRONG)' if bad else ''}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
