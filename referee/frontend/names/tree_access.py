"""Reading syntax trees: small accessors that keep the lowering free of indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from referee.core.naming import unquoted
from referee.core.stmt import Origin
from referee.diagnostics.source import Span
from referee.syntax.syntax_tree import Node, Part, Word

T = TypeVar("T")


INFERRED = "inferred"
"""What stands in place of an id where the encoder, and no words of the rulebook, gave the answer."""


class ErrorReported(Exception):
    """An error was reported; whatever stands around it is given up, its neighbours are not."""


def tried(what: Callable[[], T]) -> T | None:
    """What comes out, or None after an error: for a part whose neighbours are looked at all the same."""
    try:
        return what()
    except ErrorReported:
        return None


def all_tried(parts: Iterable[Callable[[], T]]) -> list[T]:
    """What comes out of all parts. Raises Wrong after an error, once every part was looked at."""
    found = [tried(part) for part in parts]
    kept = [one for one in found if one is not None]
    if len(kept) < len(found):
        raise ErrorReported
    return kept


def node(part: Part) -> Node:
    """The part as a node; the grammar promises that it is one."""
    assert isinstance(part, Node), part
    return part


def word(part: Part) -> Word:
    """The part as a word; a label rule around one word counts as that word."""
    if isinstance(part, Node) and len(part.parts) == 1:
        return word(part.parts[0])
    assert isinstance(part, Word), part
    return part


def nodes(parent: Node, *kinds: str) -> Iterator[Node]:
    """The direct child nodes, only of these kinds if any are named."""
    for part in parent.parts:
        if isinstance(part, Node) and (not kinds or part.kind in kinds):
            yield part


def words(parent: Node, *types: str) -> Iterator[Word]:
    """The direct child words, only of these terminals if any are named."""
    for part in parent.parts:
        if isinstance(part, Word) and (not types or part.type in types):
            yield part


def first(parent: Node, *kinds: str) -> Node | None:
    """The first direct child node of one of these kinds."""
    return next(nodes(parent, *kinds), None)


def text(quoted: Part) -> str:
    """The text of a STRING without its quotes; empty for a part left out."""
    return unquoted(word(quoted).text) if quoted is not None else ""


def called(name: Word) -> str:
    """A name that may stand in quotes."""
    return unquoted(name.text) if name.type == "STRING" else name.text


def cites(parent: Node) -> tuple[str, ...]:
    """The statement ids cited on the line(s) that belong to this construct itself."""
    found: list[str] = []
    for child in nodes(parent, "cite"):
        found.extend(ids(child))
    return tuple(found)


def ids(cite: Node) -> list[str]:
    """The statements of a rulebook that one `[A-01 A-02]` names."""
    return [name for name in cited(cite) if name != INFERRED]


def cited(cite: Node) -> list[str]:
    """The ids in one `[A-01 A-02]`."""
    return word(cite.parts[0]).text[1:-1].replace(",", " ").split()


def origin(parent: Node, extra: tuple[str, ...] = ()) -> Origin:
    """Where a construct stands, with what it cites and what the lines around it cite for it."""
    return Origin(head(parent), cites(parent) + extra)


def head(parent: Node) -> Span:
    """The first line of a construct: what a diagnostic about the whole of it underlines."""
    span = parent.span
    if span.end_line == span.line:
        return span
    ends = [p.span.end_column for p in _leaves(parent) if p.span.line == span.line]
    return Span(span.path, span.line, span.column, span.line, max(ends, default=span.column + 1))


def between(first_part: Part, last_part: Part) -> Span:
    """From the start of one part to the end of another."""
    assert first_part is not None
    assert last_part is not None
    return first_part.span.to(last_part.span)


def _leaves(parent: Node) -> Iterator[Word]:
    stack: list[Part] = list(reversed(parent.parts))
    while stack:
        part = stack.pop()
        if isinstance(part, Word):
            yield part
        elif isinstance(part, Node):
            stack.extend(reversed(part.parts))


def without_comma(said: Word) -> Span:
    """Where words stand, without the comma that may begin a word of the grammar."""
    return replace(said.span, column=said.span.end_column - len(said.text.lstrip(", ")))
