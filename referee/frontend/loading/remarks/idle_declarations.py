"""What is declared and stands in no rule: zones, counters, readings, parameters, facts from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.diagnostics.diagnostic import Diagnostic, Severity
from referee.frontend.names.tree_access import nodes, word
from referee.syntax.syntax_tree import Node, Word

_LISTS = {"zones": "zone", "counters": "counter"}
_ALONE = {"reading": "reading", "parameter": "parameter", "given": "fact from outside"}
_NO_RULES = frozenset({"scenario", "looks"})
"""Declarations that only test or draw what the others say."""


def idle(trees: Iterable[Node]) -> Iterator[Diagnostic]:
    """A warning for each such declaration whose name stands nowhere else in the rules. A name that stands for something
    else there too is taken as said, so what is warned of is idle for sure."""
    decls = [decl for tree in trees for decl in nodes(tree) if decl.kind not in _NO_RULES]
    said: dict[str, int] = {}
    for decl in decls:
        for text in _words(decl):
            said[text] = said.get(text, 0) + 1
    for called, one in _declared(decls):
        name = word(one.parts[0])
        if said[name.text] == 1:
            yield Diagnostic("ID01", f"no rule speaks of the {called} {name.text}", name.span, Severity.WARNING, (),
                             "name it in a rule, or take it out")


def _declared(decls: Iterable[Node]) -> Iterator[tuple[str, Node]]:
    for decl in decls:
        if decl.kind in _LISTS:
            yield from ((_LISTS[decl.kind], one) for one in nodes(decl) if one.parts)
        elif decl.kind in _ALONE:
            yield _ALONE[decl.kind], decl


def _words(decl: Node) -> Iterator[str]:
    """Each word of a declaration that is no text in quotes."""
    stack: list[Node | Word | None] = [decl]
    while stack:
        one = stack.pop()
        if isinstance(one, Node):
            stack.extend(one.parts)
        elif one is not None:
            yield one.text
