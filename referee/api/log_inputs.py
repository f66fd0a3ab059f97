"""Logs as programs have them: a path, a file object, lines, or the objects that the lines stand for."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Protocol, cast, runtime_checkable

from referee.api.argument_checks import path_text
from referee.api.errors import ArgumentError
from referee.api.results.frozen_results import thawed
from referee.archives.found_files import files_in
from referee.archives.log_opening import open_log
from referee.archives.log_walk import named_streams
from referee.game.log.log_reader import STDIN as STDIN
from referee.game.log.log_reader import Log
from referee.game.log.strict_json import Json
from referee.system.deadline import stopped_by
from referee.system.file_observations import FileObservations, PathKind

MOST_KEPT = 20_000
"""Lines of a log without a file that are kept to be read again, at most."""


@runtime_checkable
class Readable(Protocol):
    """An object with `readline`, of bytes or of text, that is read once and not closed."""

    def readline(self, limit: int = -1, /) -> str | bytes: ...


LogSource = str | os.PathLike[str] | Readable | Iterable[str | bytes | Mapping[str, Json]]
"""A log: a path, a file object, lines, or objects as the lines hold them."""


def is_path(source: object) -> bool:
    """Whether a log is named by its path."""
    return isinstance(source, (str, os.PathLike))


def path_of(source: LogSource) -> str:
    """The path by which a log is opened, never the standard input. Raises `ArgumentError`, also for what is no path
    but the text of a log."""
    path = path_text(cast("str | os.PathLike[str]", source))
    if path.lstrip().startswith('{"') and not os.path.lexists(path):
        raise ArgumentError("AP01", "a log is a path, a file object, or lines, not one text with all of its lines",
                            hint="hand over its lines: text.splitlines()")
    return os.path.join(".", path) if path == STDIN else path


class Stream:
    """What a log without a path is read from; the lines read so far can be read again, if they are not too many."""

    def __init__(self, source: LogSource) -> None:
        self.name = "<lines>"
        self.kept: list[str | bytes] | None = []
        if isinstance(source, Readable):
            name = getattr(source, "name", None)
            self.name = name if isinstance(name, str) else "<file>"
            self._read = source.readline
        elif isinstance(source, Iterable):
            lines = iter(source)
            self._read = lambda limit=-1: _line_of(next(lines, None))
        else:
            raise ArgumentError("AP01", f"a log is a path, a file object, or lines, not {type(source).__name__}")

    def readline(self, limit: int = -1) -> str | bytes:
        """The next line. Whatever goes wrong with that is an `OSError`, but for what is no UTF-8."""
        try:
            with stopped_by(None):  # what somebody has carried out while he hands a line over is not asked to stop
                line = self._read(limit)
        except (UnicodeDecodeError, ArgumentError, OSError):
            raise
        except Exception as error:
            raise OSError(None, f"{type(error).__name__}: {str(error)[:200]}") from error
        if not isinstance(line, (str, bytes)):
            raise OSError(None, f"readline gave {type(line).__name__}, not text or bytes")
        if self.kept is not None:
            self.kept.append(line)
            if len(self.kept) > MOST_KEPT:
                self.kept = None
        return line

    def again(self) -> bytes | None:
        """What was read so far, None if it was too much."""
        if self.kept is None:
            return None
        return b"".join(one if isinstance(one, bytes) else one.encode(errors="surrogatepass") for one in self.kept)


def _line_of(line: object) -> str | bytes:
    """A line as a file has it; empty after the last."""
    match line:
        case None:
            return ""
        case str():
            return line if line.endswith("\n") else f"{line}\n"
        case bytes():
            return line if line.endswith(b"\n") else line + b"\n"
        case Mapping():
            try:
                return json.dumps(thawed(line), ensure_ascii=False) + "\n"
            except (TypeError, ValueError, RecursionError) as error:
                raise ArgumentError("AP01", f"a line of a log cannot be written as JSON: {error}") from None
        case _:
            raise ArgumentError("AP01", f"a line of a log is a text or a mapping, not {type(line).__name__}")


@contextmanager
def written(logs: Iterable[LogSource]) -> Iterator[list[str]]:
    """Paths of logs that are read more than once: what has none is written to a file for that time."""
    if isinstance(logs, (str, bytes, os.PathLike)) or not isinstance(logs, Iterable):
        raise ArgumentError("AP01", "the logs are several: a list of paths, say")
    with ExitStack() as stack:
        paths: list[str] = []
        for number, log in enumerate(logs, 1):
            if is_path(log):
                paths.append(path_of(log))
                continue
            from tempfile import TemporaryDirectory  # slow to import, and mostly not needed

            folder = stack.enter_context(TemporaryDirectory())
            paths.append(os.path.join(folder, f"log_{number}.jsonl"))
            stream = Stream(log)
            with open(paths[-1], "wb") as file:
                while line := stream.readline():
                    file.write(line if isinstance(line, bytes) else line.encode(errors="surrogatepass"))
        if not paths:
            raise ArgumentError("AP01", "at least one log is wanted")
        yield paths


@contextmanager
def opened(source: LogSource) -> Iterator[Log]:
    """A log that is read. Raises `LogProblem` if it cannot be, `ArgumentError` for what is no log."""
    if is_path(source):
        with open_log(path_of(source)) as log:
            yield log
    else:
        stream = Stream(source)
        yield Log(cast("IO[str]", stream), stream.name)


def files_of(paths: Iterable[str]) -> list[str]:
    """The files that are meant, each with one log or many: a folder stands for those in it. What cannot be
    found stays as it is: whoever opens it says what is wrong."""
    return list(files_in(paths))


def logs_in(paths: Iterable[str]) -> list[str]:
    """The addresses of the logs that are meant, each to be opened by itself: of those in folders, files, archives. What
    can be read only once, or not at all, stays as it is: whoever opens it says what is wrong."""
    return [address for path in files_in(paths)
            for address in ((path,) if only_once(path) else (str(one.settled()) for one in named_streams(path)))]


def only_once(path: str) -> bool:
    """Whether a log can be read once and not again: the standard input, a pipe, a device."""
    return path == STDIN or FileObservations().found(Path(path)) is PathKind.OTHER


def logs_lying_in(folder: Path) -> tuple[str, ...]:
    """The names of what is called *.jsonl in a folder; none if it is no folder."""
    return FileObservations().names(folder, ".jsonl")
