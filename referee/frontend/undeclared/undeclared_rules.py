"""Rules in which nothing is declared to be open, settled or assumed: what was noticed by whoever wrote them is gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.diagnostics.source import Span
from referee.frontend.desugaring.placed_readings import readings_apart
from referee.frontend.loading.assembly import Loaded
from referee.frontend.names.tree_access import INFERRED, cites, first, nodes, word, words
from referee.frontend.undeclared.folding import Always, Folding, holds
from referee.syntax.syntax_tree import Node, Word

ROUNDS = 8
"""So often what is always so is looked for anew, as one thing follows from another."""


def undeclared(loaded: Loaded) -> Loaded:
    """The rules with each reading as it is by default, what a table rules on as its first ruling has it, and without
    assumptions and answers. Only scenarios that show a worked example of the rulebook and choose nothing are left, and
    no claim that speaks of a reading: it was written by somebody who knew of it."""
    apart = [readings_apart(list(nodes(tree))) for tree in loaded.trees]
    decls = [decl for tree in apart for decl in tree]
    always = _always(decls)
    telling = _telling(decls, frozenset(always.readings))
    shown = frozenset(name for name, one in loaded.statements.items() if one.shown)
    folding = Folding(always)
    trees = tuple(
        Node(tree.kind, tuple(left for decl in own if _stays(decl, always, telling, shown)
                              for left in (_left(decl, folding, always),) if left is not None), tree.span)
        for tree, own in zip(loaded.trees, apart, strict=True)
    )  # fmt: skip
    return replace(loaded, trees=trees)


def without_scenarios_at(loaded: Loaded, places: Sequence[Span]) -> Loaded:
    """The rules without the scenarios in which some places are."""
    wrong = {id(decl) for tree in loaded.trees for decl in nodes(tree, "scenario") if any(
        at.path == decl.span.path and decl.span.line <= at.line <= decl.span.end_line for at in places)}  # fmt: skip
    trees = tuple(Node(tree.kind, tuple(one for one in tree.parts if id(one) not in wrong), tree.span)
                  for tree in loaded.trees)  # fmt: skip
    return replace(loaded, trees=trees)


def _always(decls: Sequence[Node]) -> Always:
    readings = {word(one.parts[0]).text: _default_of(one) for one in decls if one.kind == "reading"}
    uncited = frozenset(word(one.parts[0]).text for one in decls if one.kind == "assume") | {INFERRED}
    always = Always(readings, uncited=uncited)
    for _ in range(ROUNDS):
        folding = Folding(always)
        folded = [left for one in decls if one.kind in ("define", "action")
                  if (left := folding.declaration(one)) is not None]  # fmt: skip
        known = {word(one.parts[0]).text: now for one in folded if one.kind == "define"
                 for value in (next(_values(one), None),) if (now := holds(value)) is not None}  # fmt: skip
        gone = frozenset(word(one.parts[0]).text for one in folded if one.kind == "action" and _never(one))
        if (known, gone) == (always.conditions, always.gone):
            return always
        always = replace(always, conditions=known, gone=gone)
    return always


def _default_of(reading: Node) -> str:
    """The meaning that a reading has by default; empty if it has none."""
    chosen = first(reading, "default_choice")
    return "" if chosen is None else word(chosen.parts[0]).text


def _values(define: Node) -> Iterator[Node]:
    """What a definition by `=` is."""
    if not any(nodes(define, "case", "otherwise")):
        yield from (one for one in nodes(define) if one.kind not in ("define_params", "type", "cite"))


def _never(action: Node) -> bool:
    """Whether nobody can take an action, as a condition of it never holds."""
    unmet = any(one.parts[3] is None and holds(one.parts[2]) is False for one in nodes(action, "need"))
    return unmet or any(holds(one.parts[2]) and not any(nodes(one, "unless")) for one in nodes(action, "forbidden"))


def _telling(decls: Sequence[Node], names: frozenset[str]) -> frozenset[str]:
    """The names of readings, and of definitions that hang on some."""
    found = names
    for _ in range(ROUNDS):
        more = frozenset(word(one.parts[0]).text for one in decls if one.kind == "define" and _mentions(one, found))
        if more <= found:
            return found
        found |= more
    return found


def _mentions(decl: Node, names: frozenset[str]) -> bool:
    stack = list(nodes(decl))
    while stack:
        one = stack.pop()
        if any(part.text in names for part in words(one, "NAME")):
            return True
        stack.extend(nodes(one))
    return False


def _stays(decl: Node, always: Always, telling: frozenset[str], shown: frozenset[str]) -> bool:
    match decl.kind:
        case "reading" | "assume" | "settled" | "accept":
            return False
        case "always":
            return not _mentions(decl, telling)
        case "scenario":
            return bool(shown.intersection(cites(decl))) and not _chooses(decl, always)
        case "action" | "before" | "after":
            return not any(one.text in always.gone for one in words(decl, "NAME"))
        case _:
            return True


def _chooses(scenario: Node, always: Always) -> bool:
    """Whether a scenario goes by another meaning than a default, or has something ruled on."""
    for part in nodes(scenario, "s_with"):
        default = always.readings.get(word(part.parts[0]).text)
        if default is not None and default not in [one.text for one in _leaves(part)][1:]:
            return True
    return any(one.text == "table" or one.text in always.gone for one in _leaves(scenario))


def _leaves(one: Node) -> Iterator[Word]:
    for part in one.parts:
        if isinstance(part, Word):
            yield part
        elif part is not None:
            yield from _leaves(part)


def _left(decl: Node, folding: Folding, always: Always) -> Node | None:
    """What is left of a declaration, None for nothing; of a scenario all but the defaults that it chooses."""
    if decl.kind != "scenario":
        return folding.declaration(decl)
    lines = (part for part in decl.parts if not (
        isinstance(part, Node) and part.kind == "s_with" and word(part.parts[0]).text in always.readings))
    return Node(decl.kind, tuple(lines), decl.span)
