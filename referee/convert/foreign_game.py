"""A game as a file of another format has it: steps as texts, what was said beside them, how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.diagnostics.source import Span
from referee.game.log.strict_json import Json

MOST_STEPS = 20_000
"""A game has at most so many steps."""
MOST_LINE = 65_536
"""Characters of a line, at most."""
MOST_GAME = 4_000_000
"""Characters of a game, at most."""
MOST_NOTE = 500
"""So many characters of a remark are kept."""


@dataclass(frozen=True, slots=True)
class ForeignStep:
    """A step: the line that it stands on, its text, a remark, and when it happened. `followed`: what is followed in its
    place where the text leaves something unknown."""

    line: int
    text: str
    note: str | None = None
    at: str | None = None
    followed: str | None = None


@dataclass(slots=True)
class ForeignGame:
    """A game. `line`: where it begins; `start`: the position it starts from, if not the usual one; `results`: what each
    player has in the end, in the order of the format; `trouble`: why the file could not be followed further, if so;
    `refused`: why nothing of it can be. `seats`: how many play, if not as many as the mapping names; `facts`: what the
    header of a log is made of; `viewpoint`: who knew no more than stands in it, if somebody did not know all."""

    line: int
    game: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    start: str | None = None
    steps: list[ForeignStep] = field(default_factory=list)
    results: tuple[float, ...] | None = None
    notes: dict[str, str] = field(default_factory=dict)
    trouble: Diagnostic | None = None
    refused: Diagnostic | None = None
    seats: int | None = None
    facts: Mapping[str, Json] = field(default_factory=dict)
    viewpoint: str | None = None


def diagnostic(code: str, message: str, path: str, line: int = 1, expected: tuple[str, ...] = ()) -> Diagnostic:
    """A complaint about a line of a file."""
    return Diagnostic(code, message, Span(path[:200], line, 1, line, 1), expected=expected)


def trouble(code: str, message: str, path: str, line: int = 1, expected: tuple[str, ...] = ()) -> Problems:
    """A complaint about a line of a file, to be raised."""
    return Problems((diagnostic(code, message, path, line, expected),))


class BoundedLines:
    """The lines of a file, bounded: whoever reads on past the bounds gets `Problems` (CV03, CV04).

    `line`: the number of the line read last. `begin` is called where a game begins.
    """

    def __init__(self, stream: IO[bytes], path: str) -> None:
        self.path = path
        self.line = 0
        self._stream = stream
        self._left = MOST_GAME

    def begin(self) -> None:
        """From here on another game may have as many characters as any."""
        self._left = MOST_GAME

    def readline(self) -> str:
        """The next line with its end; empty after the last."""
        try:
            raw = self._stream.readline(MOST_LINE + 1)
        except OSError as error:
            raise trouble("CV03", f"it cannot be read: {error.strerror or error}", self.path, self.line + 1) from None
        if not raw:
            return ""
        self.line += 1
        self._left -= len(raw)
        if len(raw) > MOST_LINE:
            raise trouble("CV04", f"a line of more than {MOST_LINE} characters", self.path, self.line)
        if self._left < 0:
            raise trouble("CV04", f"a game of more than {MOST_GAME} characters", self.path, self.line)
        try:
            return raw.decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return raw.decode("latin-1").replace("\r\n", "\n")

    def __iter__(self) -> Iterator[str]:
        while text := self.readline():
            yield text


def remark(text: str) -> str | None:
    """A remark as it is kept; None for nothing."""
    plain = " ".join(text.split())
    return (plain if len(plain) <= MOST_NOTE else plain[:MOST_NOTE] + "...") or None
