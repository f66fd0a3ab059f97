"""Where a log is: its file, the member of an archive, and which of the logs there; how that is written in one word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace

from referee.game.log.log_reader import STDIN
from referee.system.lazy_dataclasses import dataclass

BETWEEN = "::"
_SHOWN = "<stdin>"
_NUMBER = re.compile(r"#([1-9][0-9]{0,17})\Z")


@dataclass(frozen=True, slots=True)
class LogPlace:
    """Where a log is.

    `path`: a file, a URL, or `-`; `member`: of an archive, empty where there is none; `index`: which of the logs in
    that file or member, from 1; `several`: whether there are others in it; `number`: which of the logs of `path`, its
    members one after another. `line`, `offset`: the line at which it begins, and how many bytes are before it.
    `at_hand`: it lies in a file that can be read from there on. `text`: all of it, where it is short and known;
    `kept_at`: a file to which it was written for the time being; `fault`: code, message and hint of why it cannot be
    read to its end.
    """

    path: str
    member: str = ""
    index: int = 1
    several: bool = False
    number: int = 1
    line: int = 1
    offset: int = 0
    at_hand: bool = False
    text: bytes | None = field(default=None, repr=False, compare=False)
    kept_at: str | None = field(default=None, repr=False, compare=False)
    fault: tuple[str, str, str | None] | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return address(self.path, self.member, self.index if self.several or self.index > 1 else None)

    @property
    def file(self) -> str:
        """The file, URL or standard input as it is shown."""
        return _SHOWN if self.path == STDIN else self.path

    @property
    def name(self) -> LogPlace:
        """The same place without what is in it."""
        return self if self.text is None and self.kept_at is None else replace(self, text=None, kept_at=None)


def address(path: str, member: str = "", index: int | None = None) -> str:
    """How a place is written: `PATH`, `PATH::MEMBER`, and `#INDEX` behind it for one of several logs."""
    path = _SHOWN if path == STDIN else path
    numbered = "" if index is None else f"#{index}"
    return f"{path}{BETWEEN}{member}{numbered}" if member else f"{path}{numbered}"


def readings(text: str) -> Iterator[tuple[str, str, int | None]]:
    """What an address may mean, the shortest member first: names of files may hold any sign. That of no member ends
    with a number: logs have their endings."""
    index, numbered = None, _NUMBER.search(text)
    if numbered is not None:
        text, index = text[:numbered.start()], int(numbered[1])
        yield text, "", index
    at = text.rfind(BETWEEN)
    while at > 0:
        if member := text[at + len(BETWEEN):]:
            yield text[:at], member, index
        at = text.rfind(BETWEEN, 0, at)
