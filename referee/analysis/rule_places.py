"""Where in the rules something stands: in which declaration, in which words, for which statements of the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from referee.diagnostics.source import Span
from referee.frontend.loading.assembly import Loaded
from referee.frontend.names.tree_access import INFERRED, cited, nodes, words
from referee.syntax.syntax_tree import Node

MOST_LETTERS = 48
"""A longer text is cut off in a word that is made of it, and told from others by a hash at its end."""
_NAMELESS = {"main_turns": "play", "turns": "play", "ending": "end", "trigger": "when"}


class Places:
    """The declarations of a ruleset, to be asked what stands at a place."""

    def __init__(self, loaded: Loaded) -> None:
        self._lines = {source.path: source for source in loaded.sources}
        self._decls = [decl for tree in loaded.trees for decl in nodes(tree)]

    def declaration(self, span: Span) -> Node | None:
        """The declaration that a place is in."""
        return next((decl for decl in self._decls if _inside(span, decl.span)), None)

    def declared(self, kind: str, name: str) -> Node | None:
        """The declaration of something by what it is (`kind`, `zone`, ...) and its name."""
        found = (d for d in self.all(kind) if name in (w.text for w in words(d, "NAME", "PROPER")))
        return next(found, None)

    def all(self, kind: str) -> Iterator[Node]:
        """The declarations of a kind, and those in others."""
        stack = list(reversed(self._decls))
        while stack:
            one = stack.pop()
            if one.kind == kind:
                yield one
            else:
                stack.extend(nodes(one))

    def used(self, name: str) -> bool:
        """True if a name stands anywhere but where an attribute is declared, and in scenarios."""
        stack = [decl for decl in self._decls if decl.kind != "scenario"]
        while stack:
            one = stack.pop()
            if one.kind != "attribute" and any(w.text == name for w in words(one)):
                return True
            stack.extend(nodes(one))
        return False

    def owner(self, span: Span) -> str:
        """The name of the declaration that a place is in: of an action, a procedure and so on, else what it is."""
        decl = self.declaration(span)
        if decl is None:
            return "rules"
        name = next(words(decl, "NAME", "PROPER"), None) if decl.kind not in _NAMELESS else None
        return name.text if name is not None else _NAMELESS.get(decl.kind, decl.kind)

    def name(self, span: Span) -> str:
        """A name for a place that other lines of the rules do not change: its declaration and its own words."""
        return f"{self.owner(span)}.{slug(self.text(span))}"

    def text(self, span: Span) -> str:
        """The words at a place, without comments and citations, on one line."""
        source = self._lines.get(span.path)
        if source is None:
            return ""
        lines = [source.line(number) for number in range(span.line, span.end_line + 1)]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(re.sub(r"(?<!\S)#.*|\[[^\]]*\]", "", " ".join(lines)).split())

    def head(self, span: Span) -> str:
        """The same, of a block its first line."""
        source = self._lines.get(span.path)
        if source is None or span.line == span.end_line:
            return self.text(span)
        first = Span(span.path, span.line, span.column, span.line, len(source.line(span.line)) + 1)
        return self.text(first)

    def before(self, mark: Span) -> Span:
        """What stands on a line in front of something, which may be in the middle of what is cited there."""
        source = self._lines.get(mark.path)
        line = source.line(mark.line)[: mark.column - 1] if source is not None else ""
        text = re.sub(r"\[[^\]]*$", "", line).rstrip()
        start = len(text) - len(text.lstrip()) + 1
        return Span(mark.path, mark.line, start, mark.line, max(start, len(text) + 1))

    def cites(self, span: Span) -> tuple[str, ...]:
        """The statements of the rulebook that the line of a place cites, or else its declaration."""
        decl = self.declaration(span)
        if decl is None:
            return ()
        on_line = [name for cite in _cites(decl) if cite.span.line == span.line for name in cited(cite)]
        of_decl = [name for cite in nodes(decl, "cite") for name in cited(cite)]
        return tuple(dict.fromkeys(name for name in on_line or of_decl if name != INFERRED))


def slug(text: str) -> str:
    """A text as one word that people can still read."""
    word = re.sub(r"[^A-Za-z0-9_<>=+*]+", "-", text).strip("-")
    if len(word) <= MOST_LETTERS:
        return word
    return f"{word[:MOST_LETTERS].rstrip('-')}~{sha256(text.encode()).hexdigest()[:4]}"


def _inside(span: Span, whole: Span) -> bool:
    return span.path == whole.path and whole.line <= span.line <= whole.end_line


def _cites(decl: Node) -> Iterator[Node]:
    stack = [decl]
    while stack:
        part = stack.pop()
        if part.kind == "cite":
            yield part
        stack.extend(nodes(part))
