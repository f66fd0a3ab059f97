"""Readings that stand where they decide: what each of their meanings is stands below its name.

`define worth of card c, by reading NAME "question"` stands for the reading and for a definition by cases of it;
`reading NAME "question", one of` among statements for the reading and for the block of the meaning that is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.frontend.names import tree_building as build
from referee.frontend.names.tree_access import node, nodes, word
from referee.syntax.syntax_tree import Node, Part, Word

CHOICES = ("default_choice", "alternative")


def readings_apart(decls: Sequence[Node]) -> list[Node]:
    """The declarations with readings as declarations of their own, and tests of these in their place."""
    made: list[Node] = []
    for decl in decls:
        if decl.kind == "define_by_reading":
            made += _defined(decl)
            continue
        found: list[Node] = []
        made.append(_without(decl, found))
        made += found
    return made


def _without(parent: Node, found: list[Node]) -> Node:
    """A block without the readings in it, which are added to `found`. Only what goes on in another line has blocks."""
    if parent.span.line == parent.span.end_line:
        return parent
    parts: list[Part] = []
    changed = False
    for part in parent.parts:
        one = _without(part, found) if isinstance(part, Node) else part
        changed = changed or one is not part
        parts.append(one)
    kept = Node(parent.kind, tuple(parts), parent.span) if changed else parent
    return _decided(kept, found) if kept.kind == "read_here" else kept


def _decided(stmt: Node, found: list[Node]) -> Node:
    """The statement that does what the chosen meaning says."""
    name, question = word(stmt.parts[0]), stmt.parts[1]
    choices = list(nodes(stmt, *CHOICES))
    found.append(_reading(stmt, name, question, choices))
    tests = [_is(name, choice) for choice in choices]
    bodies = [node(choice.parts[2]) for choice in choices]
    others = [Node("elif_", (test, body), choice.span)
              for test, body, choice in list(zip(tests, bodies, choices, strict=True))[1:-1]]
    last = Node("else_", (bodies[-1],), choices[-1].span)
    return Node("if_", (tests[0], bodies[0], *others, last, *nodes(stmt, "cite")), stmt.span)


def _defined(decl: Node) -> tuple[Node, Node]:
    """The reading of a definition, and the definition by cases."""
    place = next(i for i, part in enumerate(decl.parts) if isinstance(part, Word) and part.type == "BY_READING")
    name, question = word(decl.parts[place + 1]), decl.parts[place + 2]
    choices = list(nodes(decl, *CHOICES))
    cited = tuple(nodes(decl, "cite"))
    cases = [Node("case", (_is(name, choice), node(choice.parts[2]), *nodes(choice, "cite")), choice.span)
             for choice in choices[:-1]]
    last = Node("otherwise", (node(choices[-1].parts[2]), *nodes(choices[-1], "cite")), choices[-1].span)
    define = Node("define", (*decl.parts[:place], *cited, *cases, last), decl.span)
    return _reading(decl, name, question, choices), define


def _reading(where: Node, name: Word, question: Part, choices: Sequence[Node]) -> Node:
    """The declaration of a reading: names and words, without what they mean for the game."""
    plain = [Node(choice.kind, (choice.parts[0], choice.parts[1], *nodes(choice, "cite")), choice.span)
             for choice in choices]
    return Node("reading", (name, question, *nodes(where, "cite"), *plain), where.span)


def _is(name: Word, choice: Node) -> Node:
    """`NAME is MEANING`."""
    meaning = word(choice.parts[0])
    return Node("is_", (build.name(name.text, name.span), build.name(meaning.text, meaning.span)), choice.span)
