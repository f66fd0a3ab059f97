"""The generic syntax tree: nodes named after grammar rules, and the words in them, each with its exact span."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from referee.diagnostics.source import Span
from referee.syntax import size_limits
from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    import lark


@dataclass(frozen=True, slots=True)
class Word:
    """One token: `type` is the terminal's name, `text` stands in the source at `span`."""

    type: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Node:
    """One construct: `kind` is the rule's name or alias; an optional part that was left out is None."""

    kind: str
    parts: tuple[Part, ...]
    span: Span


_GOING_ON = re.compile(r"\x0b[ \t]*(?:#[^\n]*)?(?:\r?\n[ \t]*(?:#[^\n]*)?)+")  # where a phrase goes on in another line

Part: TypeAlias = Node | Word | None


class TooDeep(Exception):
    """A tree deeper than `limits.TREE_DEPTH`; `span` is the first place beyond it."""

    def __init__(self, span: Span) -> None:
        super().__init__("nested too deeply")
        self.span = span


class _Frame:
    """A tree being converted: what is done of it and what comes next."""

    __slots__ = ("children", "kind", "next", "parts", "span")

    def __init__(self, tree: lark.Tree[lark.Token], span: Span) -> None:
        self.kind = str(tree.data)
        self.children: list[Any] = tree.children
        self.span = span
        self.next = 0
        self.parts: list[Part] = []

    def here(self) -> Span:
        """The empty span where the next child begins, for a construct without any words."""
        for part in reversed(self.parts):
            if part is not None:
                end = part.span
                return Span(end.path, end.end_line, end.end_column, end.end_line, end.end_column)
        start = self.span
        return Span(start.path, start.line, start.column, start.line, start.column)


def convert(tree: lark.Tree[lark.Token], path: str) -> Node:
    """The tree of lark's as a `Node`, without recursion. Raises TooDeep."""
    stack = [_Frame(tree, Span(path, 1, 1, 1, 1) if tree.meta.empty else _span_of(tree, path))]
    while True:
        frame = stack[-1]
        if frame.next == len(frame.children):
            node = Node(frame.kind, tuple(frame.parts), frame.span)
            stack.pop()
            if not stack:
                return node
            stack[-1].parts.append(node)
            continue
        child = frame.children[frame.next]
        frame.next += 1
        if child is None or isinstance(child, str):
            frame.parts.append(None if child is None else word_of(child, path))
            continue
        if len(stack) == size_limits.TREE_DEPTH:
            raise TooDeep(frame.span)
        stack.append(_Frame(child, frame.here() if child.meta.empty else _span_of(child, path)))


def word_of(token: Any, path: str) -> Word:
    """A token of lark's as a `Word`."""
    span = Span(path, token.line, token.column, token.end_line, token.end_column)
    return Word(token.type, str(token) if token.line == token.end_line else _GOING_ON.sub(" ", token), span)


def _span_of(tree: lark.Tree[lark.Token], path: str) -> Span:
    meta = tree.meta
    return Span(path, meta.line, meta.column, meta.end_line, meta.end_column)
