"""The small signs of a line: strings, comments, statement ids, brackets and words, found without any grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.system.lazy_dataclasses import dataclass

_PIECE = re.compile(
    r"""(?P<string>"(?:\\["\\]|[^"])*")|(?P<open_string>".*)|(?P<comment>(?<!\S)\#.*)|(?P<cite>\[[^\]]*\])|(?P<open_cite>\[.*)"""
    r"""|(?P<opener>[({])|(?P<closer>[)}\]])|(?P<word>[^\W\d]\w*(?:\#\d+)?)|(?P<number>\d+)|(?P<space>[ \t\r]+)"""
    r"""|(?P<sign>\.\.|[<>!=]=|[^\s])|(?P<other>\s)""",
    re.VERBOSE,
)
_GOES_ON = re.compile(r"(?:[,+*=<>-]|(?<![\w#])(?:and|or|not|is|where|then))$")
PAIRS = {"(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A stretch of one line: `kind` is a group of the pattern above, `start` counts from 0."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The first position after it."""
        return self.start + len(self.text)


def pieces(line: str) -> Iterator[LinePiece]:
    """Everything on a line but blanks, from left to right."""
    for match in _PIECE.finditer(line):
        if match.lastgroup not in ("space", "other"):
            yield LinePiece(match.lastgroup or "", match.group(), match.start())


def indent_of(line: str) -> int | None:
    """How far a line is indented, a tab as one level; None for a line without anything but blanks and comments."""
    rest = line.lstrip(" \t")
    if not rest.strip() or rest.startswith("#"):
        return None
    blanks = line[: len(line) - len(rest)]
    return len(blanks) + blanks.count("\t")


def without_comment(line: str) -> str:
    """The line without its comment and the blanks before that."""
    if "#" not in line:
        return line.rstrip()
    found = next((p.start for p in pieces(line) if p.kind == "comment"), len(line))
    return line[:found].rstrip()


def without_cites(code: str) -> str:
    """A line without its comment, and without the statement ids at its end and the blanks before them."""
    found = list(pieces(code)) if code.endswith("]") else []
    while found and found[-1].kind == "cite":
        code = code[: found.pop().start].rstrip()
    return code


def goes_on(code: str) -> bool:
    """Whether a line without its comment ends in a sign or word that something has to follow."""
    return _GOES_ON.search(code) is not None
