"""The shape of a text: its outline, what can be folded, and the one way to lay it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.source import Span
from referee.editors.names.block_words import words_of
from referee.editors.names.declared_names import LOCALS, NameKind, declared_in
from referee.editors.names.name_index import Block, NameIndex
from referee.editors.open_documents import OpenDocument
from referee.syntax.formatter import format_text
from referee.syntax.layout import split_lines
from referee.syntax.scanner import indent_of

_KINDS = {
    NameKind.ACTION: types.SymbolKind.Function, NameKind.DEFINITION: types.SymbolKind.Function,
    NameKind.PROCEDURE: types.SymbolKind.Function, NameKind.KIND: types.SymbolKind.Class,
    NameKind.TYPE: types.SymbolKind.Enum, NameKind.COMPONENT: types.SymbolKind.Object,
    NameKind.ATTRIBUTE: types.SymbolKind.Field, NameKind.ZONE: types.SymbolKind.Variable,
    NameKind.COUNTER: types.SymbolKind.Variable, NameKind.GIVEN: types.SymbolKind.Constant,
    NameKind.PARAMETER: types.SymbolKind.Constant, NameKind.OPTION: types.SymbolKind.Constant,
    NameKind.TABLE: types.SymbolKind.Array, NameKind.READING: types.SymbolKind.Enum,
    NameKind.ANSWER: types.SymbolKind.EnumMember, NameKind.INVARIANT: types.SymbolKind.Boolean,
    NameKind.ASSUMPTION: types.SymbolKind.String, NameKind.BOARD: types.SymbolKind.Struct,
    NameKind.MAP: types.SymbolKind.Struct, NameKind.ROOM: types.SymbolKind.Field,
}
_TITLED = frozenset({"scenario", "game"})
_LISTING = frozenset({"zones", "counters", "kind", "reading", "map"})
"""Blocks of which the names below stand in the outline too."""


def outline(document: OpenDocument, index: NameIndex) -> list[types.DocumentSymbol]:
    """The blocks of a text, with what they declare below."""
    return [_symbol(document, block) for block in index.blocks.get(str(document.path), ()) if words_of(block.text)]


def _symbol(document: OpenDocument, block: Block) -> types.DocumentSymbol:
    words = words_of(block.text)
    head = words[0].text
    names = [one for one in declared_in(block.text) if one.kind not in LOCALS]
    own = names[0] if names and names[0].word.line == words[0].line and head != "game" else None
    title = next((one.text.strip('"') for one in words if one.kind == "string"), "") if head in _TITLED else ""
    said = own.name if own is not None else f"{head} {title}".strip()
    last = words[-1]
    below = [one for one in names if one is not own and one.word.line > words[0].line] if head in _LISTING else []
    whole = document.places.range(_span(block, words[0].line, words[0].column, last.line, last.end))
    chosen = block.span(own.word) if own is not None else block.span(words[0])
    return types.DocumentSymbol(
        name=said[:120] or head, detail=head if own is not None else None, range=whole,
        kind=_KINDS.get(own.kind, types.SymbolKind.Variable) if own is not None else types.SymbolKind.Event,
        selection_range=document.places.range(chosen),
        children=[types.DocumentSymbol(
            name=one.name, kind=_KINDS.get(one.kind, types.SymbolKind.Variable),
            range=document.places.range(block.span(one.word)),
            selection_range=document.places.range(block.span(one.word))) for one in below],
    )


def _span(block: Block, line: int, column: int, end_line: int, end: int) -> Span:
    top = block.lines.start + 1
    return Span(block.path, top + line, column + 1, top + end_line, end + 1)


def folds(document: OpenDocument) -> list[types.FoldingRange]:
    """Each line with the lines below it that are indented deeper."""
    return [types.FoldingRange(start, end) for start, end in _deeper(split_lines(document.text))]


def _deeper(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    opened: list[tuple[int, int]] = []  # line, indentation
    last = 0
    for number, line in enumerate([*lines, "end"]):
        indent = indent_of(line)
        if indent is None:
            continue
        while opened and opened[-1][1] >= indent:
            start, _ = opened.pop()
            if last > start:
                yield start, last
        opened.append((number, indent))
        last = number


def laid_out(document: OpenDocument) -> list[types.TextEdit]:
    """What makes a text the one that `referee fmt` would write; nothing for a text with errors."""
    try:
        text = format_text(document.text, str(document.path))
    except Problems:
        return []
    return [] if text == document.text else [types.TextEdit(document.places.whole(), text)]
