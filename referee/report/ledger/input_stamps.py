"""What a run reads, file by file: size and digest, so that it is noticed when a file is another one than before."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

from referee.archives.urls import is_url, marks_of
from referee.report.ledger.ledger_fault import LedgerFault, reason

_BLOCK = 1 << 20
"""Bytes of a file that are read at once."""
_TOGETHER = 256
"""Files that are given to the threads at once."""
MOST_TOLD = 5
"""Files that are named of those that have changed."""


@dataclass(frozen=True, slots=True)
class InputStamp:
    """A file that is read. `size` and `sha256` are None of one that cannot be read, which is the verdict on it then;
    `seen`: what the system says of the file besides. As long as that is the same, the file is not read for its digest
    again. What lies behind a URL is not read for a digest: `marks` are what is said of it in the place of one, by name,
    None of a file."""

    path: str
    size: int | None
    sha256: str | None
    seen: tuple[int, ...] = ()
    marks: tuple[tuple[str, str], ...] | None = None

    @property
    def identity(self) -> bytes:
        """What is the same as long as the file is."""
        marks = [] if self.marks is None else [list(self.marks)]
        return json.dumps([self.path, self.size, self.sha256, *marks]).encode() + b"\n"

    @property
    def vague(self) -> bool:
        """Whether another content may go unnoticed: nothing is known of it but, maybe, its size."""
        return self.marks == ()

    @property
    def line(self) -> bytes:
        """As the file of inputs has it."""
        data = {"path": self.path, "size": self.size, "sha256": self.sha256, "seen": self.seen,
                "marks": None if self.marks is None else dict(self.marks)}
        return json.dumps(data).encode() + b"\n"


def stamps_of(paths: Iterable[str], known: Iterable[InputStamp] = ()) -> Iterator[InputStamp]:
    """The stamp of each file, in order. `known`: those of an earlier run, in the same order as far as they go; where
    nothing speaks for a change their digests are taken. Raises `LedgerFault` for what can be read only once."""
    earlier = iter(known)
    left = iter(paths)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as threads:
        while some := [(path, next(earlier, None)) for path in islice(left, _TOGETHER)]:
            yield from threads.map(lambda one: _stamp(*one), some)


def _stamp(path: str, known: InputStamp | None) -> InputStamp:
    if is_url(path):
        size, marks = marks_of(path) or (None, ())
        return InputStamp(path, size, None, marks=marks)
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            return InputStamp(path, None, None)
        if not stat.S_ISREG(found.st_mode):
            raise LedgerFault("LD12", f"{path} can be read only once", "write it to a file, and judge that")
        seen = (found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)
        if known is not None and (known.path, known.size, known.seen) == (path, found.st_size, seen):
            return known
        return InputStamp(path, found.st_size, _digest(path), seen)
    except (OSError, ValueError):
        return InputStamp(path, None, None)


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def read_stamps(path: Path) -> Iterator[InputStamp]:
    """The stamps that an earlier run has written. Raises `LedgerFault` for a file that is damaged."""
    try:
        with path.open("rb") as file:
            for line in file:
                data = json.loads(line)
                marks = dict(data).get("marks")
                yield InputStamp(str(data["path"]), data["size"], data["sha256"], tuple(data["seen"]),
                                 None if marks is None else tuple(dict(marks).items()))
    except OSError as error:
        raise LedgerFault("LD04", f"{path} cannot be read: {reason(error)}", "judge into another folder") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise LedgerFault("LD04", f"{path} is damaged", "judge into another folder") from None


def compare(before: Path, now: Path) -> None:
    """Raises `LedgerFault` with what has changed between two files of stamps that are not the same."""
    told: list[str] = []
    more = 0
    for old, new in zip_longest(read_stamps(before), read_stamps(now)):
        if old is None or new is None or old.path != new.path:
            told, more = _others(before, now)
            break
        if old.identity != new.identity:
            if len(told) < MOST_TOLD:
                told.append(_difference(old, new))
            else:
                more += 1
    raise LedgerFault("LD09", f"the logs have changed: {'; '.join(told)}{f'; and {more} more' if more else ''}",
                      "judge all of them again into another folder, or put back what was there")


def _difference(old: InputStamp, new: InputStamp) -> str:
    if old.marks is not None and new.marks is not None and old.marks != new.marks:
        before, now = dict(old.marks), dict(new.marks)
        name = next(name for name in {**before, **now} if before.get(name) != now.get(name))
        return f"{old.path} had the {name} {before.get(name, '(none)')} and has {now.get(name, '(none)')}"
    if new.size is None:
        return f"{old.path} cannot be read any more"
    if old.size is None:
        return f"{old.path} could not be read, and now can"
    if old.size != new.size:
        return f"{old.path} had {old.size:,} bytes and has {new.size:,}"
    return f"{old.path} has other content"


def _others(before: Path, now: Path) -> tuple[list[str], int]:
    """What is told where other files are to be read, or the same in another order."""
    old = dict.fromkeys(one.path for one in read_stamps(before))
    new = dict.fromkeys(one.path for one in read_stamps(now))
    told = [f"{path} is new" for path in new if path not in old]
    told += [f"{path} is gone" for path in old if path not in new]
    told = told or ["they are in another order, or named another number of times"]
    return told[:MOST_TOLD], len(told) - len(told[:MOST_TOLD])
