"""Every name of a ruleset: what a word at a place stands for, and where else that is spoken of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from referee.diagnostics.source import Source, Span
from referee.editors.edited_blocks import blocks_of
from referee.editors.names.block_words import BlockWord, words_of
from referee.editors.names.declared_names import LOCALS, DeclaredName, NameKind, declared_in
from referee.editors.names.name_scopes import bound_in
from referee.syntax.layout import split_lines

_HIDDEN = frozenset({"comment", "string", "open_string", "number", "sign"})


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a file: its lines from 0, its text."""

    path: str
    lines: range
    text: str

    def span(self, word: BlockWord) -> Span:
        """Where a word of it stands in the file."""
        line = self.lines.start + word.line + 1
        return Span(self.path, line, word.column + 1, line, word.end + 1)


@dataclass(frozen=True, slots=True)
class Declared:
    """A name with the block that declares it."""

    block: Block
    name: DeclaredName

    @property
    def span(self) -> Span:
        """Where it is declared."""
        return self.block.span(self.name.word)


@dataclass(frozen=True, slots=True)
class Meant:
    """What a word stands for: its declarations (several, where members of types share a name), none for what is cited
    of the rulebook."""

    name: str
    word: Span
    declared: tuple[Declared, ...]
    cited: bool = False

    @property
    def local(self) -> bool:
        """Whether it is known in one block alone."""
        return bool(self.declared) and self.declared[0].name.kind in LOCALS

    @property
    def kind(self) -> NameKind | None:
        """What it stands for; None for a statement of the rulebook."""
        return self.declared[0].name.kind if self.declared else None


class NameIndex:
    """The names of some texts."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.blocks: dict[str, tuple[Block, ...]] = {}
        self.declared: dict[str, list[Declared]] = {}
        self._locals: dict[tuple[str, int], Mapping[str, Declared]] = {}
        for source in sources:
            lines = split_lines(source.text)
            self.blocks[source.path] = tuple(
                Block(source.path, one, "\n".join(lines[one.start : one.stop])) for one in blocks_of(lines))
        for block in self._all():
            for name in declared_in(block.text):
                if name.kind not in LOCALS:
                    self.declared.setdefault(name.name, []).append(Declared(block, name))

    def _all(self) -> Iterator[Block]:
        for blocks in self.blocks.values():
            yield from blocks

    def names(self) -> frozenset[str]:
        """Every name that is known in all of the rules."""
        return frozenset(self.declared)

    def block_at(self, path: str, line: int) -> Block | None:
        """The block in which a line (from 1) stands."""
        return next((one for one in self.blocks.get(path, ()) if line - 1 in one.lines), None)

    def locals(self, block: Block) -> Mapping[str, Declared]:
        """The names that are known in one block alone, each where it is declared first."""
        key = block.path, block.lines.start
        if key not in self._locals:
            found: dict[str, Declared] = {}
            for one in declared_in(block.text):
                if one.kind in LOCALS:
                    found.setdefault(one.name, Declared(block, one))
            self._locals[key] = found
        return self._locals[key]

    def word_at(self, path: str, line: int, column: int) -> tuple[Block, BlockWord] | None:
        """The word at a place (from 1), or that ends there."""
        block = self.block_at(path, line)
        if block is None:
            return None
        here = [one for one in words_of(block.text) if one.line == line - 1 - block.lines.start]
        inside = next((one for one in here if one.column < column <= one.end), None)
        ending = next((one for one in here if one.end == column - 1 and one.kind in ("word", "id")), None)
        found = inside if inside is not None and inside.kind in ("word", "id") else ending or inside
        return None if found is None else (block, found)

    def meant_at(self, path: str, line: int, column: int) -> Meant | None:
        """What the word at a place stands for; None if it is no name."""
        found = self.word_at(path, line, column)
        return None if found is None else self.meant(*found)

    def meant(self, block: Block, word: BlockWord) -> Meant | None:
        """What a word of a block stands for; None if it is no name."""
        span = block.span(word)
        if word.kind == "id":
            known = [one for one in self.declared.get(word.text, ()) if one.name.kind is NameKind.ASSUMPTION]
            return Meant(word.text, span, tuple(known), cited=not known)
        if word.kind != "word":
            return None
        name = word.text.partition("#")[0]
        everywhere = self.declared.get(name, ())
        own = self._own(block, word, alone=not everywhere)
        if own is not None and not (everywhere and _applied(block, word)):
            return Meant(name, span, (own,))
        argument = self._argument(block, word)
        if argument is not None:
            return Meant(name, span, (argument,))
        return Meant(name, span, tuple(everywhere)) if everywhere else None

    def _own(self, block: Block, word: BlockWord, *, alone: bool) -> Declared | None:
        """What declares a name in this block, for the place where the word stands. `alone`: it is no name of all of the
        rules, so where its declaration is not seen it is the first one."""
        bound = bound_in(block.text, word)
        if bound is not None:
            return Declared(block, bound.name)
        return self.locals(block).get(word.text.partition("#")[0]) if alone else None

    def _argument(self, block: Block, word: BlockWord) -> Declared | None:
        """The argument of an action that a line of a scenario names."""
        words = words_of(block.text)
        if not words or words[0].text != "scenario":
            return None
        before = [one for one in words if one.line == word.line and one.column < word.column]
        for one in reversed(before):
            if one.text == ";":
                return None
            for declared in self.declared.get(one.text, ()):
                if declared.name.kind is NameKind.ACTION:
                    return self.locals(declared.block).get(word.text)
        return None

    def references(self, meant: Meant) -> Iterator[Span]:
        """Wherever a name is spoken of, its declarations among it, in the order of the text."""
        wanted = {(one.span.path, one.span.line, one.span.column) for one in meant.declared}
        argument = meant.declared[0].name.kind is NameKind.ARGUMENT if meant.declared else False
        for block in self._all():
            if meant.name not in block.text or (
                    meant.local and block != meant.declared[0].block
                    and not (argument and block.text.startswith("scenario"))):
                continue
            for word in words_of(block.text):
                if word.text.partition("#")[0] != meant.name or word.kind in _HIDDEN:
                    continue
                found = self.meant(block, word)
                if found is not None and (found.cited, _places(found)) == (meant.cited, wanted):
                    span = block.span(word)
                    yield Span(span.path, span.line, span.column, span.line, span.column + len(meant.name))


def _places(meant: Meant) -> set[tuple[str, int, int]]:
    return {(one.span.path, one.span.line, one.span.column) for one in meant.declared}


def _applied(block: Block, word: BlockWord) -> bool:
    """Whether `of` follows, as behind what is asked of something."""
    words = words_of(block.text)
    after = next((one for one in words if (one.line, one.column) > (word.line, word.column)), None)
    declaring = any(one.word == word for one in declared_in(block.text))
    return after is not None and after.text == "of" and after.line == word.line and not declaring
