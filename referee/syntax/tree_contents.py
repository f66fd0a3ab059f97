"""What stands anywhere in a declaration: what it cites, which names it uses, which of its changes last for a while.

One walk finds all of it, and it is kept as long as the declaration is asked for: rules are built for many shapes, each
of which asks the same trees again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from referee.diagnostics.source import Span
from referee.syntax.syntax_tree import Node, Word

_MOST_KEPT = 4096
"""Declarations of which it is kept what stands in them, then all are forgotten."""
_CITED = re.compile(r"[^\s,\[\]]+")
_CHANGES = frozenset({"raise_", "lower_"})
_kept: dict[int, tuple[Node, DeclarationContents]] = {}


@dataclass(frozen=True, slots=True)
class DeclarationContents:
    """Of a declaration, in the order of its text: each id that it cites, where it stands; the names that it uses; what
    it raises or lowers for a while, each with the words that say how long."""

    cited: tuple[Word, ...]
    names: frozenset[str]
    lasting: tuple[tuple[Node, Word], ...]


def contents(decl: Node) -> DeclarationContents:
    """What stands in a declaration."""
    known = _kept.get(id(decl))
    if known is not None:
        return known[1]
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    found = _contents(decl)
    _kept[id(decl)] = decl, found  # with the tree, so that no other one gets its id
    return found


def _contents(decl: Node) -> DeclarationContents:
    cited: list[Word] = []
    names: set[str] = set()
    lasting: list[tuple[Node, Word]] = []
    waiting: list[Node] = [decl]
    while waiting:
        one = waiting.pop()
        kind = one.kind
        if kind == "name":
            names.add(_only_word(one).text)
        elif kind == "cite":
            cited.extend(_ids(_only_word(one)))
        elif kind in _CHANGES:
            said = next((part for part in one.parts if isinstance(part, Word) and part.type == "DURATION"), None)
            target = one.parts[0]
            if said is not None and isinstance(target, Node):
                lasting.append((target, said))
        for part in reversed(one.parts):
            if isinstance(part, Node):
                waiting.append(part)  # twice as fast as extending by a generator
    return DeclarationContents(tuple(cited), frozenset(names), tuple(lasting))


def _only_word(one: Node) -> Word:
    """The word of a node that is a label, or has one inside."""
    part = one.parts[0]
    assert part is not None
    return part if isinstance(part, Word) else _only_word(part)


def _ids(cite: Word) -> Iterator[Word]:
    """What one `[A-01 name]` cites, each where it stands."""
    for found in _CITED.finditer(cite.text):
        start = cite.span.column + found.start()
        span = Span(cite.span.path, cite.span.line, start, cite.span.line, start + len(found.group()))
        yield Word("CITE", found.group(), span)
