"""The words of one block of rules, each with its place in the block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from referee.syntax.scanner import LinePiece, indent_of, pieces

_ID = re.compile(r"[^\s,\[\]]+")


@dataclass(frozen=True, slots=True)
class BlockWord:
    """A word, sign, text or id. `line` counts from 0 in its block, `column` from 0; `kind` as the scanner calls it,
    or `id` for what is cited; `first`: nothing stands before it on its line; `indent`: of that line."""

    kind: str
    text: str
    line: int
    column: int
    first: bool
    indent: int

    @property
    def end(self) -> int:
        """The first column after it."""
        return self.column + len(self.text)


@lru_cache(maxsize=8_192)
def words_of(block: str) -> tuple[BlockWord, ...]:
    """The words of a block, without comments."""
    found: list[BlockWord] = []
    for number, line in enumerate(block.split("\n")):
        indent = indent_of(line)
        if indent is None:
            continue
        first = True
        for piece in pieces(line):
            if piece.kind == "comment":
                continue
            if piece.kind in ("cite", "open_cite"):
                found.extend(_cited(piece, number, indent))
                continue
            found.append(BlockWord(piece.kind, piece.text, number, piece.start, first, indent))
            first = False
    return tuple(found)


def _cited(piece: LinePiece, line: int, indent: int) -> Sequence[BlockWord]:
    return [BlockWord("id", one.group(), line, piece.start + one.start(), False, indent)
            for one in _ID.finditer(piece.text)]
