"""The text of a component that is carried out as a whole: `text:` below its class, and `carry out text of card`.

What carries it out stands for cases, one for each component that has a text, so `me` in a text is who carries it out.
It is put in before any other construct is written out: what it moves, asks and pays is done in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.diagnostics.source import Span
from referee.frontend.names import tree_building as build
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, node, nodes, word
from referee.syntax.syntax_tree import Node, Word

TEXT, CARRIED = "text", "do_text"
CASES = "text_cases"
"""The node that stands for the cases: the component, and a block for each that has a text."""


def texts_carried_out(symbols: Symbols, decls: Sequence[Node]) -> list[Node]:
    """The declarations without texts, and with what they say where they are carried out. Errors are reported."""
    texts = symbols.carried
    for decl in decls:
        said = first(decl, TEXT) if decl.kind == "class_decl" else None
        if said is None:
            continue
        body, within = node(said.parts[0]), _found(said)
        if within is not None:
            symbols.reporter.error("TX01", "a text does not carry out a text", within)
            body = build.body([Node("nothing", (), within)], (), within)
        texts[word(decl.parts[0]).text] = body
    if not texts:
        return list(decls)
    made: list[Node] = []
    for decl in decls:
        if decl.kind == "class_decl":
            made.append(replace(decl, parts=tuple(p for p in decl.parts if not isinstance(p, Node) or p.kind != TEXT)))
            continue
        made.append(decl if decl.kind == "scenario" else _put_in(decl, texts))
    return made


def _put_in(parent: Node, texts: Mapping[str, Node]) -> Node:
    """A block with the cases of a text in the place of what carries it out."""
    if parent.kind == CARRIED:
        said = word(parent.parts[0])
        cases = [Node("depends", (Word("PROPER", label, said.span), body), body.span) for label, body in texts.items()]
        return Node(CASES, (parent.parts[-1], *cases), parent.span)
    parts = tuple(_put_in(part, texts) if isinstance(part, Node) else part for part in parent.parts)
    same = all(one is other for one, other in zip(parts, parent.parts, strict=True))
    return parent if same else replace(parent, parts=parts)


def _found(parent: Node) -> Span | None:
    """Where a text is carried out first."""
    if parent.kind == CARRIED:
        return parent.span
    return next((span for part in nodes(parent) if (span := _found(part)) is not None), None)
