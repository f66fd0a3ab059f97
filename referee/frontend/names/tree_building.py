"""Syntax trees that stand nowhere in a text: what a construct means, written with others, at its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.diagnostics.source import Span
from referee.frontend.names.tree_access import cited, word
from referee.syntax.syntax_tree import Node, Part, Word

UNPAID = "UNPAID"
"""The type of the word of a condition that is looked at after all of a body but what is paid."""


EVERYBODY = "each player"
"""A name, as no text has it, for each player in turn."""
TESTED = "what was tested"
"""A name, as no text has it, for the condition of an `if_possible` where it does not hold."""


def name(text: str, span: Span) -> Node:
    """A name as a value."""
    return Node("name", (Word("NAME", text, span),), span)


def me(span: Span) -> Node:
    """Whoever acts."""
    return Node("me", (Word("ME", "me", span),), span)


def number(value: int, span: Span) -> Node:
    """A number as a value."""
    return Node("int", (Word("INT", str(value), span),), span)


def entry(text: str, key: Node, span: Span) -> Node:
    """`text of key`."""
    return Node("attr_of", (Word("NAME", text, span), key), span)


def negated(cond: Node) -> Node:
    """`not cond`."""
    return Node("not_", (cond,), cond.span)


def joined(kind: str, conds: Sequence[Node], span: Span) -> Node:
    """Conditions joined by `and_` or `or_`; one of them as it is."""
    return conds[0] if len(conds) == 1 else Node(kind, tuple(conds), span)


def call(text: str, args: Iterable[Node], span: Span) -> Node:
    """`text(args)`."""
    return Node("call", (Word("NAME", text, span), Node("args", tuple(args), span)), span)


def carried_out(text: str, args: Sequence[Node], span: Span) -> Node:
    """`carry out text(args)`."""
    given = Node("args", tuple(args), span) if args else None
    return Node("do", (Word("CARRY_OUT", "carry out", span), Word("NAME", text, span), given, None), span)


def put(target: Node, value: Node, span: Span) -> Node:
    """`set target to value`."""
    return Node("set", (target, value), span)


def flag(target: Node, on: bool, span: Span) -> Node:
    """`set target to yes`, or to `no`."""
    return put(target, Node("yes" if on else "no", (), span), span)


def line(stmts: Sequence[Part], cites: Sequence[Node], span: Span) -> Node:
    """Statements in a line, with what it cites."""
    return Node("line", (*stmts, *cites), span)


def body(stmts: Sequence[Node], cites: Sequence[Node], span: Span) -> Node:
    """The body of a statement, in its line."""
    return Node("body", (*stmts, *cites), span)


def cited_once(cites: Sequence[Node]) -> tuple[Node, ...]:
    """What several cites name, each once, as one."""
    names = dict.fromkeys(name for cite in cites for name in cited(cite))
    return (replace(cites[0], parts=(Word("CITE", f"[{' '.join(names)}]", cites[0].span),)),) if cites else ()


def each(var: str, source: Node, stmts: Sequence[Node], span: Span) -> Node:
    """`for each var in source: stmts`."""
    return Node("for_each", (Word("FOR_EACH", "for each", span), Word("NAME", var, span), source, None, None,
                             body(stmts, (), span)), span)


def for_everybody(stmt: Node, listed: bool) -> Node | None:
    """`for each p in players: ...` of a statement that says `of each player`; None if it does not.

    They come in the order in which they sit, or as the statement says; `listed`: whether an order may be said at all.
    """
    changed = _of_one(stmt)
    if changed is stmt:
        return None
    order: tuple[Part, Part] = (Word("AS_LISTED", ", as listed", stmt.span) if listed else None, None)
    if stmt.kind == "deal_in_order":
        order, changed = (stmt.parts[3], stmt.parts[4]), Node("deal", (*changed.parts[:3], None, None), stmt.span)
    everybody = Node("players", (), stmt.span)
    return Node("for_each", (Word("FOR_EACH", "for each", stmt.span), Word("NAME", EVERYBODY, stmt.span), everybody,
                             *order, body([changed], (), stmt.span)), stmt.span)


def _of_one(term: Node) -> Node:
    """A tree in which `of each player` is of the one whose turn it is in the loop over all; itself if none is in it."""
    if term.kind == "of_every_player":
        return entry(word(term.parts[0]).text, name(EVERYBODY, term.span), term.span)
    parts = tuple(_of_one(part) if isinstance(part, Node) else part for part in term.parts)
    same = all(one is other for one, other in zip(parts, term.parts, strict=True))
    return term if same else replace(term, parts=parts)


def needs(words: str, cond: Node, cites: Sequence[Node], span: Span, *, how: Word | None = None,
          when: Node | None = None) -> Node:
    """`needs "words": cond, when WHEN`; `how`: whether it is looked at afterwards."""
    return Node("need", (Word("STRING", f'"{words}"', span), how, cond, when, *cites), span)
