"""What is told of the word under the pointer: what it means, its type, the words of the rulebook, what a code means."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from referee.diagnostics.diagnostic import Diagnostic
from referee.diagnostics.source import Span
from referee.editors.edited_blocks import quick_check
from referee.editors.names.block_words import words_of
from referee.editors.names.name_index import Block, Declared, Meant, NameIndex
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession, RulesetState
from referee.editors.shown_diagnostics import explained
from referee.frontend.checks.block_checks import within
from referee.frontend.names.bindings import DomainOf, Meaning, Noun, PlaceOf
from referee.frontend.names.symbol_table import Symbols
from referee.syntax.layout import split_lines
from referee.syntax.syntax_tree import Node

MOST_LINES = 4
"""Of a declaration that is shown."""


def hover(session: EditorSession, document: OpenDocument, position: types.Position) -> types.Hover | None:
    """What there is to tell at a place of rules; None: nothing."""
    line, column = document.places.place(position)
    path, state = str(document.path), session.ruleset(document.path)
    index = session.index(document.path)
    found = index.word_at(path, line, column)
    if found is None:
        return None
    block, word = found
    meant = index.meant(block, word)
    parts: list[str] = []
    if meant is not None and meant.cited:
        parts.extend(_statement(state, meant.name))
    elif meant is not None:
        parts.extend(_declared(index, state, meant))
    said = type_at(session, document, block, line, column)
    if said is not None and (meant is None or not meant.cited):
        parts.append(f"here: {said}")
    for one in session.found.get(document.path, ()):
        if within(one.span, line, column):
            parts.append(_code(one))
    if not parts:
        return None
    where = document.places.range(block.span(word))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(dict.fromkeys(parts))), where)


def _statement(state: RulesetState, name: str) -> Iterator[str]:
    wording = state.statements.get(name)
    if wording is not None:
        yield f"**[{name}]** {plain(wording)}"


def _declared(index: NameIndex, state: RulesetState, meant: Meant) -> Iterator[str]:
    for one in meant.declared[:MOST_LINES]:
        yield f"{one.name.kind.value} **{one.name.name}**"
        yield f"```referee\n{_lines(one)}\n```"
        above = _comment_above(index, one)
        if above:
            yield plain(above)
        for word in words_of(one.block.text):
            if word.kind == "id" and word.line == one.name.word.line:
                yield from _statement(state, word.text)


def _lines(one: Declared) -> str:
    """The line of a declaration, and of short ones the lines below it."""
    lines = split_lines(one.block.text)
    first = one.name.word.line
    if first > 0:
        return lines[first].strip()
    below = [line for line in lines[1:] if line.strip() and not line.lstrip().startswith("#")]
    return "\n".join([lines[0], *(below if len(below) < MOST_LINES else [*below[: MOST_LINES - 1], "  ..."])])


def _comment_above(index: NameIndex, one: Declared) -> str:
    """The comment that stands directly above a declaration; that of a block stands at the end of the block before."""
    if one.name.word.line > 0:
        lines = split_lines(one.block.text)[: one.name.word.line]
    else:
        blocks = index.blocks[one.block.path]
        at = blocks.index(one.block)
        lines = split_lines(blocks[at - 1].text) if at else []
    found: list[str] = []
    for line in reversed(lines):
        if not line.strip().startswith("#"):
            break
        found.append(line.strip().removeprefix("#").strip())
    return " ".join(reversed(found))


def _code(one: Diagnostic) -> str:
    told = explained(one.code)
    return told if told is not None else plain(one.message)


def plain(text: str) -> str:
    """A text in which no sign means anything to who lays it out."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~!&" else sign for sign in text)


# ---------------------------------------------------------------------- types
def type_at(session: EditorSession, document: OpenDocument, block: Block, line: int, column: int) -> str | None:
    """What the smallest phrase at a place is, in words; None if that is not known."""
    state = session.ruleset(document.path)
    files = session.files(document.path)
    if state.known is None or files is None:
        return None
    noted: list[tuple[Span, Node, Meaning]] = []
    quick_check(str(document.path), split_lines(document.text), block.lines, files, state.known, frozenset(),
                lambda node, meaning: noted.append((node.span, node, meaning)))
    here = [(span, meaning) for span, _, meaning in noted if within(span, line, column)]
    if not here:
        return _of_name(noted, document, line, column, state.known.symbols)
    _, meaning = min(here, key=lambda one: (one[0].end_line - one[0].line, one[0].end_column - one[0].column))
    return described(state.known.symbols, meaning)


def _of_name(noted: list[tuple[Span, Node, Meaning]], document: OpenDocument, line: int, column: int,
             symbols: Symbols) -> str | None:
    """What a name is that is given here, by where it is used in the block."""
    text = split_lines(document.text)[line - 1]
    start, end = column - 1, column - 1
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    for span, node, meaning in noted:
        if node.kind == "name" and span.line == span.end_line:
            lines = split_lines(document.text)
            if lines[span.line - 1][span.column - 1 : span.end_column - 1] == text[start:end]:
                return described(symbols, meaning)
    return None


def described(symbols: Symbols, meaning: Meaning) -> str | None:
    """A meaning in words."""
    try:
        match meaning:
            case PlaceOf():
                return f"a place in {meaning.place.zone}"
            case Noun() | DomainOf():
                kind = meaning.classes if isinstance(meaning, Noun) else meaning.type
                return f"each that is {symbols.describe(kind)}"
            case _:
                return symbols.describe(meaning.type)
    except KeyError:  # of what only this text declares
        return None


def log_hover(text: str, places: types.Range) -> types.Hover | None:
    """A line of a log explained."""
    if not text:
        return None
    fenced = text.replace("```", "'''")
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{fenced}\n```"), places)
