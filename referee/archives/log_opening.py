"""Opens one log by its address, wherever it lies."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import IO, cast

from referee.archives.log_places import LogPlace, address
from referee.archives.log_splitting import TAKEN, LogBytes
from referee.archives.log_walk import LogStream, named_streams, stream_at
from referee.game.log.log_reader import Log, StreamFault


def log_of(one: LogStream) -> Log:
    """The log in a stream. Raises `LogProblem` if it has no header that can be used."""
    return Log(one.stream, str(one.place), one.place.line - 1)


@contextmanager
def open_log(log: str | os.PathLike[str] | LogPlace) -> Iterator[Log]:
    """A log opened for reading: a place, a path, an address (`PATH::MEMBER#INDEX`), `-` for the standard input; raises
    `LogProblem` if it cannot be, and while it is read where it turns out that the address fits several."""
    if isinstance(log, LogPlace):
        with stream_at(log) as one:
            yield log_of(one)
        return
    path = os.fspath(log)
    with closing(named_streams(path)) as streams:
        yield log_of(_only(next(streams), streams))


def _only(one: LogStream, streams: Iterator[LogStream]) -> LogStream:
    """A log behind which there is to be no other."""
    def take(size: int) -> bytes:
        data = one.stream.read(size)
        if not data and (other := next(streams, None)) is not None:
            place = other.place
            first = address(place.path, one.place.member, 1 if place.index > 1 else None)
            raise StreamFault("LG56", f"another log begins here, {place}: it is not said which of them is meant",
                              f"name one, say {first}")
        return data

    return LogStream(one.place, cast("IO[bytes]", io.BufferedReader(LogBytes(take), TAKEN)))
