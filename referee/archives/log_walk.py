"""One log after the other, of everything that was named: to be read at once, or to be carried to another process."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from typing import IO, cast
from weakref import finalize

from referee.archives.byte_sources import as_fault, parts_of, raising
from referee.archives.found_files import files_in
from referee.archives.log_addresses import meant
from referee.archives.log_places import LogPlace
from referee.archives.log_splitting import MOST_BEHIND, TAKEN, LogBytes, SplitStream
from referee.archives.short_files import short_file
from referee.game.log.log_reader import StreamFault, opened_file

FEW_LOGS = 64
"""So many logs are judged sooner by one process than several have started."""


class LogStream:
    """A log that can be read now, once. `text`: all of it, where it was read already."""

    __slots__ = ("_stream", "place", "split", "text", "waits")

    def __init__(self, place: LogPlace, stream: IO[bytes] | None, split: SplitStream | None = None,
                 waits: bool = True, text: bytes | None = None) -> None:
        self.place = place
        self.split = split
        self.waits = waits
        self.text = text
        self._stream = stream

    @property
    def stream(self) -> IO[bytes]:
        """Its bytes."""
        if self._stream is None:
            self._stream = io.BytesIO(self.text or b"")
        return self._stream

    @property
    def whole(self) -> bytes | None:
        """All of it, where it is short and known."""
        return self.text if self.split is None else self.split.whole

    def settled(self) -> LogPlace:
        """Its place once it was read, when it is known whether others follow."""
        if self.place.several or self.split is None or not (self.split.skip() if self.waits else self.split.more):
            return self.place
        return replace(self.place, several=True)


def log_streams(paths: Iterable[str]) -> Generator[LogStream, None, None]:
    """Each log, in order, to be read before the next is asked for."""
    for named in paths:
        text = short_file(named)
        if text is not None:
            yield _alone(named, text)
            continue
        for path in files_in((named,)):
            text = None if path == named else short_file(path)
            if text is not None:
                yield _alone(path, text)
            else:
                yield from named_streams(path)


def _alone(path: str, text: bytes) -> LogStream:
    """The one log of a file, which has been read."""
    return LogStream(LogPlace(path, at_hand=True), None, text=text)


def named_streams(path: str) -> Generator[LogStream, None, None]:
    """The logs that a path or an address names; if there is none, one that cannot be read."""
    file, member, index = meant(path)
    found = False
    with closing(streams_of(file, member)) as streams:
        for one in streams:
            if index is None or one.place.index == index:
                found = True
                yield one
    if not found:
        what = f"member {member}" if member and index is None else f"log {index}" + (f" in {member}" if member else "")
        fault = StreamFault("LG01", f"cannot be opened: no {what} in {file}")
        yield LogStream(LogPlace(path), cast("IO[bytes]", io.BufferedReader(LogBytes(raising(fault)))))


def streams_of(path: str, member: str | None = None) -> Generator[LogStream, None, None]:
    """The logs of one file, or only of one of its members."""
    number = 0
    with closing(parts_of(path)) as parts:
        for part in parts:
            if member is not None and part.member != member:
                continue
            split = SplitStream(part.read, waits=part.waits)
            for index, stream in enumerate(split.logs(), 1):
                number += 1
                several = index > 1 or split.more is True
                place = LogPlace(path, part.member, index, several, number, split.line, split.offset, part.at_hand)
                yield LogStream(place, stream, split, part.waits)
                if not part.waits and not split.skip(MOST_BEHIND) and not split.ended:
                    yield _given_up(place, split)
                    return


def _given_up(last: LogPlace, split: SplitStream) -> LogStream:
    """What follows a log that nobody could read on, of something that may have no end."""
    def read(size: int) -> bytes:
        raise StreamFault("LG58", f"no log begins in the {MOST_BEHIND >> 20} MiB behind the last: no more is read")

    ahead = SplitStream(read, line=split.line)
    place = replace(last, index=last.index + 1, number=last.number + 1, several=True)
    return LogStream(place, next(ahead.logs()), ahead)


class LogPlaces:
    """The place of each log, in order, each good for other processes as long as this is kept: a short log is in it, a
    long one of a file is found there again, and any other is written to a file until it is read."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._streams = log_streams(paths)
        self._folder = ""
        self._kept = 0

    def __iter__(self) -> Iterator[LogPlace]:
        return self

    def __next__(self) -> LogPlace:
        one = next(self._streams)
        if (text := one.whole) is not None:
            return replace(one.place, text=text)
        return one.place if one.place.at_hand else self._written(one)

    def _written(self, one: LogStream) -> LogPlace:
        fault: tuple[str, str, str | None] | None = None
        try:
            if not self._folder:
                from tempfile import mkdtemp  # slow to import, and mostly not needed

                self._folder = mkdtemp(prefix="referee-")
                finalize(self, _removed, self._folder, os.getpid())
            self._kept += 1
            path = os.path.join(self._folder, f"{self._kept}.jsonl")
            with open(path, "wb") as file:
                while fault is None:
                    try:
                        data = one.stream.read(TAKEN)
                    except OSError as found:
                        known = as_fault(found)
                        fault = known.code, known.message, known.hint
                    else:
                        if not data:
                            break
                        file.write(data)
        except OSError:  # no room: it is unpacked once more by whoever reads it
            return one.settled()
        return replace(one.settled(), kept_at=path, fault=fault)


def _removed(folder: str, process: int) -> None:
    """Takes a folder away, if this is the process that made it, and no copy of that."""
    if os.getpid() == process:
        import shutil  # by now it is there

        shutil.rmtree(folder, ignore_errors=True)


def logs_in(paths: Iterable[str]) -> LogPlaces:
    """The place of each log in files, folders, archives, URLs, `-`: picklable, and only as many as are asked for."""
    return LogPlaces(paths)


@contextmanager
def stream_at(place: LogPlace) -> Iterator[LogStream]:
    """A log, to be read once more. What was written to a file for it is gone after that: then it is looked for where it
    came from. If it is not there any more, to read it raises `StreamFault`."""
    if place.text is not None:
        yield LogStream(place, None, text=place.text)
    elif place.kept_at is not None and os.path.isfile(place.kept_at):
        with open(place.kept_at, "rb") as file:
            yield _first(place, _then_raising(file.read, place.fault))
        with suppress(OSError):
            os.unlink(place.kept_at)
    elif place.at_hand:
        with ExitStack() as stack:
            yield _first(place, _from(place, stack))
    else:
        with closing(streams_of(place.path)) as streams:
            found = next((one for one in streams if one.place.number == place.number), None)
            yield found or _first(place, raising(StreamFault("LG01", "cannot be read: it is not there any more")))


def _first(place: LogPlace, read: Callable[[int], bytes]) -> LogStream:
    """The log with which bytes begin."""
    split = SplitStream(read, line=place.line, offset=place.offset)
    return LogStream(place, next(split.logs()), split)


def _from(place: LogPlace, stack: ExitStack) -> Callable[[int], bytes]:
    try:
        file = stack.enter_context(opened_file(place.path))
        file.seek(place.offset)
    except OSError as fault:
        return raising(fault)
    return file.read


def _then_raising(read: Callable[[int], bytes], fault: tuple[str, str, str | None] | None) -> Callable[[int], bytes]:
    """Bytes, and behind them what went wrong when they were read first."""
    def reading(size: int) -> bytes:
        data = read(size)
        if not data and fault is not None:
            raise StreamFault(*fault)
        return data

    return reading


def has_many(path: str) -> bool:
    """Whether more than a few logs begin near the beginning of a file: no more than that is looked at."""
    with closing(streams_of(path)) as streams:
        for number, one in enumerate(streams, 1):
            if number > FEW_LOGS:
                return True
            if one.split is None or one.split.whole is None:
                return False
    return False
