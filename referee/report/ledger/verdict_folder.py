"""A folder into which verdicts go as they come: each log has one there, however often whoever writes it is killed.

Verdicts are written to a part that nobody counts yet. Every now and then it is closed, and the manifest is replaced by
one that counts it: that is the moment at which its logs are done. What a part has that no manifest counts is judged
again. The longer a run takes, the longer a part: about a hundredth of the time is lost at worst, and even weeks make
about a thousand parts.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from io import BufferedWriter
from pathlib import Path
from types import TracebackType

from referee.report.ledger.durable_files import UNFINISHED, put, settle
from referee.report.ledger.folder_lock import NAME as LOCK
from referee.report.ledger.folder_lock import FolderLock
from referee.report.ledger.input_stamps import InputStamp, compare, read_stamps, stamps_of
from referee.report.ledger.ledger_fault import LedgerFault, reason
from referee.report.ledger.manifest import NAME as MANIFEST
from referee.report.ledger.manifest import InputsRecord, Manifest, PartRecord, PlaceReached, read
from referee.report.ledger.parquet_file import write_table
from referee.report.ledger.run_key import RunKey
from referee.report.ledger.run_key import compare as compare_keys
from referee.report.verdict_tally import TallyEntry
from referee.system.deadline import Stopwatch

INPUTS = "inputs.jsonl"
AGAIN = "inputs.again.jsonl"
TABLE = "verdicts.parquet"
LEAST = 0.2
"""Seconds after which a part is closed, at the beginning of a run."""
SHARE = 0.01
"""A part is closed after this share of the time that the run has taken."""
MOST_BYTES = 256_000_000
"""A part is closed at so many."""
_PART = re.compile(r"part-\d{6,}\.jsonl")
_OURS = {LOCK, MANIFEST, INPUTS, AGAIN, TABLE}


class VerdictFolder:
    """Use it in `with`. `manifest`: what is done; where `resumed` is above nothing, so many logs had been judged
    before."""

    def __init__(self, folder: Path, key: RunKey, paths: Sequence[str]) -> None:
        """`paths`: the files that are read, in order."""
        self.folder = folder
        self._key, self._paths = key, paths
        self._stack = ExitStack()
        self._watch = Stopwatch()
        self._closed_at = 0.0
        self._part: _OpenPart | None = None
        self.at = PlaceReached()
        self.resumed = 0

    def __enter__(self) -> VerdictFolder:
        """Raises `LedgerFault` if verdicts cannot go there, or do not belong to those that are there."""
        with ExitStack() as stack:
            stack.enter_context(_held(self.folder))
            with _writing(self.folder, 0):
                self.manifest = self._found() or self._begun()
            self._stack = stack.pop_all()
        self.at = self.manifest.at
        self.resumed = self.manifest.tally.logs
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """What is not counted by then is judged again: an interruption may come anywhere."""
        try:
            if kind is None:
                self.commit()
        finally:
            if self._part is not None:
                self._part.drop()
            self._stack.close()

    def add(self, row: bytes, entry: TallyEntry, at: PlaceReached) -> None:
        """Takes the verdict on the next log; `at`: what comes after it. Raises `LedgerFault` if it cannot be written:
        what is in the manifest stands."""
        with _writing(self.folder, self.manifest.tally.logs if self._part is None else self._part.before):
            if self._part is None:
                self._part = _OpenPart(self.folder, len(self.manifest.parts) + 1, self.manifest.tally.logs)
            self._part.write(row)
        self.manifest.tally.add(entry)
        self.at = at
        seconds = self._watch.seconds
        if seconds - self._closed_at >= max(LEAST, SHARE * seconds) or self._part.bytes >= MOST_BYTES:
            self.commit()

    def finish(self) -> None:
        """Every log has its verdict."""
        self.commit(done=True)

    def write_table(self) -> None:
        """Makes one table of all parts. Raises `LedgerFault` if it cannot be written."""
        with _writing(self.folder, self.manifest.tally.logs):
            write_table(self.folder, self.manifest.parts, self.folder / TABLE)

    def commit(self, *, done: bool = False) -> None:
        """Counts what was taken so far as done."""
        if self._part is None and not done:
            return
        with _writing(self.folder, self.manifest.tally.logs if self._part is None else self._part.before):
            if self._part is not None:
                self.manifest.parts.append(self._part.close())
            self.manifest.at, self.manifest.done = self.at, done or self.manifest.done
            self.manifest.write(self.folder)
        self._part = None
        self._closed_at = self._watch.seconds

    # ------------------------------------------------------------------ what was there before
    def _begun(self) -> Manifest:
        """The manifest of a run that begins."""
        if any(_PART.fullmatch(name) for name in os.listdir(self.folder)):
            raise LedgerFault("LD04", f"{self.folder} has parts, and no {MANIFEST} that counts them",
                              "judge into another folder")
        made = Manifest(self._key.data(), self._stamped(INPUTS, ()))
        self._tidy(made)
        made.write(self.folder)
        return made

    def _found(self) -> Manifest | None:
        """The manifest of a run that goes on, None if there is none."""
        found = read(self.folder)
        if found is None:
            return None
        compare_keys(found.key, self._key.data())
        if self._stamped(AGAIN, read_stamps(self.folder / INPUTS)) != found.inputs:
            try:
                compare(self.folder / INPUTS, self.folder / AGAIN)
            finally:
                (self.folder / AGAIN).unlink()
        os.replace(self.folder / AGAIN, self.folder / INPUTS)
        for part in found.parts:
            _check(self.folder, part)
        self._tidy(found)
        return found

    def _stamped(self, name: str, known: Iterator[InputStamp] | tuple[InputStamp, ...]) -> InputsRecord:
        """Writes the stamps of what is read into a file."""
        digest, size, vague = hashlib.sha256(), 0, 0

        def lines() -> Iterator[bytes]:
            nonlocal size, vague
            for stamp in stamps_of(self._paths, known):
                digest.update(stamp.identity)
                size += stamp.size or 0
                vague += stamp.vague
                yield stamp.line

        put(self.folder / name, lines())
        return InputsRecord(len(self._paths), size, digest.hexdigest(), vague)

    def _tidy(self, manifest: Manifest) -> None:
        """Removes what an earlier run has begun and not counted."""
        counted = {one.file for one in manifest.parts}
        for name in os.listdir(self.folder):
            if name.endswith(UNFINISHED) or (_PART.fullmatch(name) and name not in counted):
                (self.folder / name).unlink()


class _OpenPart:
    """A part that is being written. `before`: so many logs are in the parts before it."""

    def __init__(self, folder: Path, number: int, before: int) -> None:
        self.before, self.logs, self.bytes = before, 0, 0
        self._path = folder / f"part-{number:06}.jsonl"
        self._digest = hashlib.sha256()
        self._file: BufferedWriter = self._unfinished.open("wb")

    @property
    def _unfinished(self) -> Path:
        return self._path.with_name(self._path.name + UNFINISHED)

    def write(self, row: bytes) -> None:
        self._file.write(row)
        self._digest.update(row)
        self.logs += 1
        self.bytes += len(row)

    def close(self) -> PartRecord:
        """The whole part is on the disk after it."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        os.replace(self._unfinished, self._path)
        settle(self._path.parent)
        return PartRecord(self._path.name, self.logs, self.bytes, self._digest.hexdigest())

    def drop(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._unfinished.unlink()


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, which is made if there is none."""
    with ExitStack() as stack:
        try:
            if folder.exists() and not folder.is_dir():
                raise LedgerFault("LD01", f"{folder} is a file, no folder", "name a folder that is new or empty")
            folder.mkdir(parents=True, exist_ok=True)
            others = [name for name in sorted(os.listdir(folder)) if not _is_ours(name)]
            if others and MANIFEST not in os.listdir(folder):
                raise LedgerFault("LD02", f"{folder} holds something else: {', '.join(others[:3])}",
                                  "name a folder that is new, empty, or of an earlier run")
            stack.enter_context(FolderLock(folder))
        except OSError as error:
            raise LedgerFault("LD01", f"{folder} cannot be used: {reason(error)}",
                              "name a folder that can be written") from None
        yield


def _is_ours(name: str) -> bool:
    return name in _OURS or name.endswith(UNFINISHED) or _PART.fullmatch(name) is not None


def _check(folder: Path, part: PartRecord) -> None:
    """Raises `LedgerFault` if a part that is done is not what was written."""
    digest, size = hashlib.sha256(), 0
    try:
        with (folder / part.file).open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
    except OSError as error:
        raise LedgerFault("LD10", f"{folder / part.file} cannot be read: {reason(error)}",
                          "put it back, or judge into another folder") from None
    if (size, digest.hexdigest()) != (part.bytes, part.sha256):
        raise LedgerFault("LD10", f"{folder / part.file} is not what was written there",
                          "put it back, or judge into another folder")


@contextlib.contextmanager
def _writing(folder: Path, logs: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LedgerFault("LD11", f"{folder} cannot be written: {reason(error)}; the verdicts on {logs:,} logs stand",
                          "mend that, and the same command goes on") from None
