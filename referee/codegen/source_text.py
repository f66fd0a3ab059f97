"""Lines of generated source: indentation, names, what can go wrong in them, and objects by number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST_LINES = 4_000
"""No function is longer: what would be is left to the walker."""


class TooLong(Exception):
    """A function would be longer than is sensible."""


class Objects:
    """Objects that generated code uses without having them in its text: each under a letter and a number."""

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}
        self._known: dict[tuple[str, object], str] = {}

    def name(self, letter: str, key: object, value: Any) -> str:
        """The name of an object; the same for the same key."""
        known = self._known.get((letter, key))
        if known is None:
            known = self._known[letter, key] = f"{letter}{len(self.named)}"
            self.named[known] = value
        return known


class Writer:
    """The lines of one function. `raises`: some line may raise `Wrong`; `opens`: entries read that may be open;
    `leaves`: it may leave the step to the walker for another reason."""

    def __init__(self) -> None:
        self.depth = 1
        self.raises = False
        self.leaves = False
        self.opens: set[int] = set()
        self._lines: list[tuple[int, str]] = []
        self._numbers = 0
        self._written = 0

    def fresh(self) -> str:
        """A new local name."""
        self._numbers += 1
        return f"v{self._numbers}"

    def line(self, text: str) -> None:
        """A line at the present indentation."""
        self._written += 1
        if self._written > MOST_LINES:
            raise TooLong
        self._lines.append((self.depth, text))

    def keep(self, value: str) -> str:
        """A name for a value: it is computed here, and once."""
        if value.isidentifier() or value.lstrip("-").isdigit():
            return value
        name = self.fresh()
        self.line(f"{name} = {value}")
        return name

    def refuse(self, cond: str) -> None:
        """Where the condition holds, the rules make an error."""
        self.raises = True
        self.line(f"if {cond}: raise W")

    def leave(self, cond: str) -> None:
        """Where the condition holds, the step is the walker's."""
        self.leaves = True
        self.line(f"if {cond}: raise A")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that opens a block, and the lines in it; `pass` if there are none."""
        self.line(head)
        self.depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def apart(self) -> Iterator[CodePiece]:
        """Lines that are written elsewhere, or not at all."""
        outer, raised, left, depth = self._lines, self.raises, self.leaves, self.depth
        piece = CodePiece([], False)
        self._lines, self.raises, self.leaves, self.depth = piece.lines, False, False, 0
        try:
            yield piece
        finally:
            piece.raises, piece.leaves = self.raises, self.leaves
            self._lines, self.raises, self.leaves, self.depth = outer, raised, left, depth

    def insert(self, piece: CodePiece) -> None:
        """The lines of a piece, here."""
        self.raises |= piece.raises
        self.leaves |= piece.leaves
        self._lines += [(self.depth + depth, text) for depth, text in piece.lines]

    def text(self, head: str) -> str:
        """The whole function; first it looks whether something that it reads is open."""
        lines = [head]
        if self.opens:
            lines.append("    if " + " or ".join(f"s[{at}].__class__ is O" for at in sorted(self.opens)) + ": raise A")
        return "\n".join([*lines, *(" " * 4 * depth + text for depth, text in self._lines), ""])


class CodePiece:
    """Lines written apart, whether they may raise, and whether they may leave the step to the walker."""

    __slots__ = ("leaves", "lines", "raises")

    def __init__(self, lines: list[tuple[int, str]], raises: bool, leaves: bool = False) -> None:
        self.lines = lines
        self.raises = raises
        self.leaves = leaves

    @property
    def plain(self) -> bool:
        """True if the value needs no lines of its own."""
        return not self.lines
