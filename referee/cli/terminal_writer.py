"""The one writer to the standard output and the standard error: nothing from outside steers a terminal through it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from typing import TextIO
from unicodedata import category

from referee.report.text.diagnostic_text import Piece

_KEPT = "\n\t"


def escaped(text: str, kept: str = "") -> str:
    """The text with whatever is no letter, sign or space written as JSON writes it: `\\u001b`, `\\u202e`.

    So a terminal shows it and does nothing else, and JSON that is escaped says the same as before. `kept`: characters
    that stay.
    """
    plain = text
    for char in kept:
        plain = plain.replace(char, "")
    return text if plain.isprintable() else "".join(_escape(c) if _acts(c) and c not in kept else c for c in text)


def _acts(char: str) -> bool:
    return not char.isprintable() and category(char) != "Zs"


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


class Terminal:
    """The standard output or error, whatever it is at the time. `must_arrive`: what cannot be written is an `OSError`;
    otherwise it is lost without a word: how a command ends does not hang on who listens."""

    def __init__(self, stream: Callable[[], TextIO], *, must_arrive: bool) -> None:
        self._stream = stream
        self._must_arrive = must_arrive

    def say(self, line: str = "") -> None:
        """Writes a line; it stays one whatever is in it."""
        self._put(escaped(line) + "\n")
        self.flush()

    def tell(self, text: str) -> None:
        """Writes lines: line ends in the text are meant."""
        self._put(escaped(text, _KEPT) + "\n")
        self.flush()

    def write(self, text: str, /) -> None:
        """Writes a piece of a document, line ends and all; it may wait to be sent."""
        self._put(text if text[-1:] == "\n" and text[:-1].isprintable() else escaped(text, _KEPT))

    def show(self, lines: Iterable[Iterable[Piece]]) -> None:
        """Writes lines as they come, in colour on a terminal."""
        if not self.isatty():
            for line in lines:
                self._put("".join(escaped(text) for _, text in line).rstrip() + "\n")
                self.flush()
            return
        from rich.console import Console
        from rich.text import Text

        console = Console(file=self._unescaped(), highlight=False, soft_wrap=True)
        for line in lines:
            console.print(Text.assemble(*((escaped(text), style) for style, text in line)))

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self._stream().isatty()

    def flush(self) -> None:
        """Sends what was written."""
        with self._lost():
            self._stream().flush()

    @contextlib.contextmanager
    def status(self, first: str) -> Iterator[Callable[[str], None]]:
        """A line that changes, while something is done."""
        from rich.console import Console
        from rich.text import Text

        with Console(file=self._unescaped()).status(Text(escaped(first))) as shown:
            yield lambda text: shown.update(Text(escaped(text)))

    @contextlib.contextmanager
    def bar(self, number: int, doing: str) -> Iterator[Callable[[], None]]:
        """A bar that grows with each call, to be full after so many."""
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(file=self._unescaped()), transient=True) as shown:
            task = shown.add_task(escaped(doing).replace("[", "\\["), total=number)
            yield lambda: shown.advance(task)

    @contextlib.contextmanager
    def meter(self, number: int, what: str) -> Iterator[Callable[[int, int], None]]:
        """A bar with a rate and the time that is left: each call says how many are done, and how many were before it
        began. If there are more than was thought nobody knows how long it takes."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
        console = Console(file=self._unescaped())
        with Progress(*columns, console=console, transient=True, speed_estimate_period=60.0) as shown:
            task = shown.add_task(what, total=number, rate="")

            def tell(done: int, before: int) -> None:
                first = shown.tasks[0]
                if not first.completed and before:
                    shown.reset(task, total=number, completed=before)
                seconds = first.elapsed or 0.0
                rate = f"{(done - before) / seconds:,.0f} {what} a second" if seconds >= 1 else ""
                shown.update(task, total=number if done <= number else None, completed=done, rate=rate)

            yield tell

    def _unescaped(self) -> TextIO:
        """For what draws with escape sequences of its own, of texts that were escaped before."""
        return _Raw(self, self._put, self._stream().encoding)  # type: ignore[return-value]  # all of a file that is asked for

    def _put(self, text: str) -> None:
        try:
            self._stream().write(text)
        except (OSError, ValueError):  # as in `_lost`, which is slow
            self._failed()

    @contextlib.contextmanager
    def _lost(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):  # a full disk, a reader that is gone, a stream that is closed
            self._failed()

    def _failed(self) -> None:
        """Within the handling of an error: goes on with it, or drops what is written."""
        if self._must_arrive:
            raise
        self.drop()

    def drop(self) -> None:
        """Whatever is not yet written, and whatever comes, goes nowhere."""
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream().fileno())
            os.close(nowhere)


class _Raw:
    """The file that rich draws into."""

    def __init__(self, terminal: Terminal, put: Callable[[str], None], encoding: str) -> None:
        self._put = put
        self.encoding = encoding
        self.flush = terminal.flush
        self.isatty = terminal.isatty

    def write(self, text: str) -> int:
        """Writes as `Terminal` does, but escapes nothing."""
        self._put(text)
        return len(text)


OUT = Terminal(lambda: sys.stdout, must_arrive=True)
ERR = Terminal(lambda: sys.stderr, must_arrive=False)


def prepare() -> None:
    """Makes the streams of this process such that they can be used, whoever called it and how."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever called: nothing to read, nobody who reads
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter is no reason to fail


def finish() -> None:
    """Sends what is left: what cannot be sent is lost, and changes nothing any more."""
    try:
        OUT.flush()
    except (OSError, ValueError):
        OUT.drop()
    ERR.flush()


def hush(library: str) -> None:
    """Nothing is written of what a library would write by itself."""
    import logging  # slow to import, and mostly not needed

    found = logging.getLogger(library)
    found.addHandler(logging.NullHandler())
    found.propagate = False


def ask(prompt: str) -> str:
    """A line that somebody types; with the keys for editing and for earlier lines where the system has them.

    Raises `EOFError` if there is none left.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # `input` uses it once it is there
    return input(escaped(prompt))
