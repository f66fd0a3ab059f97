"""Where a name that is known in one block alone is known: which of several declarations of it a word stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from referee.editors.names.block_words import BlockWord, words_of
from referee.editors.names.declared_names import LOCALS, DeclaredName, NameKind, declared_in

Place = tuple[int, int]
"""A line and a column of a block, from 0."""
_OPENS, _CLOSES = frozenset("(["), frozenset(")]")


@dataclass(frozen=True, slots=True)
class ScopedName:
    """A name that is known in a part of one block: from its place to `end`, which is not in it; None for the rest."""

    name: DeclaredName
    begin: Place
    end: Place | None

    def holds(self, word: BlockWord) -> bool:
        """Whether a word stands where the name is known."""
        at = (word.line, word.column)
        return self.begin <= at and (self.end is None or at < self.end)


@lru_cache(maxsize=8_192)
def scoped_in(block: str) -> Mapping[str, tuple[ScopedName, ...]]:
    """The names that are known in one block alone, each with all that declares it, in the order of the text."""
    words = words_of(block)
    found: dict[str, tuple[ScopedName, ...]] = {}
    for one in declared_in(block):
        if one.kind in LOCALS:
            found[one.name] = (*found.get(one.name, ()), _scoped(words, one))
    return found


def bound_in(block: str, word: BlockWord) -> ScopedName | None:
    """What declares the name that a word has, where it stands: of several the one that comes last before it."""
    known = [one for one in scoped_in(block).get(word.text.partition("#")[0], ()) if one.holds(word)]
    return known[-1] if known else None


def _scoped(words: Sequence[BlockWord], name: DeclaredName) -> ScopedName:
    word = name.word
    here = (word.line, word.column)
    if name.kind is NameKind.ARGUMENT:
        return ScopedName(name, (0, 0), None)
    line = [one for one in words if one.line == word.line]
    before = [one for one in line if one.column < word.column]
    named = before[-1].text if before else ""
    if named in ("as", "let"):  # known in what follows as deep as it stands
        return ScopedName(name, here, _end(words, word, word.indent))
    if _goes_through(line):  # known in what stands below
        return ScopedName(name, here, _end(words, word, word.indent + 1))
    return ScopedName(name, here, _closed(words, word) or _end(words, word, word.indent + 1))


def _goes_through(line: Sequence[BlockWord]) -> bool:
    """Whether a line goes through something, for what stands below it."""
    return line[0].text in ("for", "rounds", "repeat") or [one.text for one in line[:2]] == ["in", "parallel"]


def _end(words: Sequence[BlockWord], word: BlockWord, indent: int) -> Place | None:
    """Where a later line begins that stands less deep; None if there is none."""
    return next(((one.line, 0) for one in words if one.line > word.line and one.first and one.indent < indent), None)


def _closed(words: Sequence[BlockWord], word: BlockWord) -> Place | None:
    """Where the brackets close in which a word stands; None if it stands in none."""
    depth = 0
    for one in _after(words, word):
        depth += (one.text in _OPENS) - (one.text in _CLOSES)
        if depth < 0:
            return one.line, one.column
    return None


def _after(words: Sequence[BlockWord], word: BlockWord) -> Iterator[BlockWord]:
    return (one for one in words if (one.line, one.column) > (word.line, word.column))
