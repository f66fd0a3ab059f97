"""Trees: kinds, words and exact spans."""

from __future__ import annotations

from referee.diagnostics.source import Span
from referee.syntax import Node, Word
from referee.syntax.syntax_tree import Part
from tests.syntax.small import read


def tree(text: str) -> Node:
    parsed, wrong = read(text)
    assert wrong == ()
    assert parsed.tree is not None
    return parsed.tree


def outline(part: Part) -> object:
    if isinstance(part, Node):
        return (part.kind, *(outline(p) for p in part.parts))
    return None if part is None else part.text


def test_nodes_are_named_after_rules_and_aliases() -> None:
    assert outline(tree("setup\n  move a + 1 to b  [X-1]\n")) == (
        "start", ("setup", ("move", ("plus", ("name", "a"), ("int", "1")), None, ("name", "b"), ("cite", "[X-1]"))))


def test_the_words_of_a_node_keep_their_place() -> None:
    move = tree("setup\n\n  move abc to b  # why\n").parts[0]
    assert isinstance(move, Node)
    statement = move.parts[0]
    assert isinstance(statement, Node)
    assert statement.span == Span("t", 3, 3, 3, 16)
    name = statement.parts[0]
    assert isinstance(name, Node)
    assert name.parts == (Word("NAME", "abc", Span("t", 3, 8, 3, 11)),)


def test_a_node_ends_where_its_last_word_ends() -> None:
    assert tree("setup\n  nothing\n\n\nzones\n  a: B\n").parts[0].span == Span("t", 1, 1, 2, 10)  # type: ignore[union-attr]


def test_blocks_keep_their_lines() -> None:
    parts = tree("# first\nsetup\n  nothing\n\n# second\nzones\n  a: B\n").parts
    assert [part.span.line for part in parts if part is not None] == [2, 6]


def test_windows_line_ends_make_no_difference() -> None:
    text = "setup\n  move (a +\n    b) to c\n  nothing\n"
    assert outline(tree(text.replace("\n", "\r\n"))) == outline(tree(text))


def test_a_deep_tree_is_a_diagnostic() -> None:
    parsed, wrong = read("setup\n  move " + "1 + " * 300 + "1 to b\n\nzones\n  a: B\n")
    assert [(d.span.line, d.code) for d in wrong] == [(2, "SY05")]
    assert parsed.tree is not None
    assert [part.kind for part in parsed.tree.parts if isinstance(part, Node)] == ["zones"]
