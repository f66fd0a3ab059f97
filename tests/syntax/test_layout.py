"""Layout: which lines go on, how deep each stands, what is said about brackets and indentation."""

from __future__ import annotations

import pytest

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source
from referee.syntax import layout, size_limits


def plan(text: str) -> tuple[list[tuple[int, int, int]], list[tuple[int, str]]]:
    """First line, last line and depth of each logical line; line and code of each problem."""
    reporter = Reporter()
    made = layout.plan(Source("t", text), reporter)
    made.complain_of_depth(reporter)
    return [(x.first, x.last, x.depth) for x in made.lines], [(d.span.line, d.code) for d in reporter.found()]


def lines(text: str) -> list[tuple[int, int, int]]:
    found, wrong = plan(text)
    assert wrong == []
    return found


def test_two_spaces_are_a_level() -> None:
    assert lines("a\n  b\n    c\n  d\ne\n") == [(1, 1, 0), (2, 2, 1), (3, 3, 2), (4, 4, 1), (5, 5, 0)]


def test_blank_lines_and_comments_do_not_count() -> None:
    assert lines("# x\n\na\n      # y\n  b\n# z\n  c\n") == [(3, 3, 0), (5, 5, 1), (7, 7, 1)]


GOING_ON = [",", "+", "-", "*", " =", " <=", " and", " or", " is", " not", " where", " then", "(", "{"]


@pytest.mark.parametrize("end", GOING_ON)
def test_a_line_goes_on_when_the_next_is_deeper(end: str) -> None:
    closing = {"(": ")", "{": "}"}.get(end, "")
    assert lines(f"a\n  b{end}\n    c{closing}\n  d\n") == [(1, 1, 0), (2, 3, 1), (4, 4, 1)]


@pytest.mark.parametrize("end", [",", "+", " and"])
def test_a_line_does_not_go_on_when_the_next_is_not_deeper(end: str) -> None:
    assert lines(f"  b{end}\n  c\n".replace("  b", "b", 1).replace("\n  c", "\nc")) == [(1, 1, 0), (2, 2, 0)]


def test_a_comment_does_not_hide_that_a_line_goes_on() -> None:
    assert lines("a (b,  # why\n    # more\n  c)\n") == [(1, 3, 0)]


def test_a_name_that_ends_like_a_word_does_not_go_on() -> None:
    assert lines("a floor\n  b\n") == [(1, 1, 0), (2, 2, 1)]


def test_a_bracket_may_be_closed_on_a_line_of_its_own() -> None:
    assert lines("a {\n  b\n}\nc\n") == [(1, 3, 0), (4, 4, 0)]


def test_brackets_in_texts_comments_and_ids_do_not_count() -> None:
    assert lines('a "(" [x(] # (\nb\n') == [(1, 1, 0), (2, 2, 0)]


@pytest.mark.parametrize(("text", "wrong"), [
    ("a (b\nc\n", (1, "SY20")),
    ("a b)\nc\n", (1, "SY20")),
    ("a (b}\nc\n", (1, "SY20")),
    ("a [b\nc\n", (1, "SY20")),
    ('a "b\nc\n', (1, "SY21")),
    ("a\n\tb\n", (2, "SY10")),
    ("a\n   b\nc\n", (2, "SY11")),
    ("a\n b\nc\n", (2, "SY11")),
    ("a\n     b\nc\n", (2, "SY11")),
    ("  a\nb\n", (1, "SY11")),
])
def test_each_problem_is_reported_once(text: str, wrong: tuple[int, str]) -> None:
    assert plan(text)[1] == [wrong]


def test_a_bracket_that_is_never_closed_leaves_the_lines_below_alone() -> None:
    assert plan("a (b\n  c\n  d\n")[0] == [(1, 1, 0), (2, 2, 1), (3, 3, 1)]


@pytest.mark.parametrize(("text", "depths"), [
    ("a\n  b\n   c\n  d\n", [0, 1, 1, 1]),
    ("a\n  b:\n   c\n  d\n", [0, 1, 2, 1]),
    ("a\n b\n", [0, 1]),
    ("a\n\n b\n  c\n", [0, 0, 1]),
    ("a\n   b\n  c\n", [0, 1, 1]),
    ("a\n      b\n      c\nd\n", [0, 1, 1, 0]),
    ("a\n  b\n    c\n   d\n", [0, 1, 2, 2]),
    ("a\n\tb\n\t\tc\n", [0, 1, 2]),
])
def test_the_likeliest_depth_is_assumed(text: str, depths: list[int]) -> None:
    assert [depth for _, _, depth in plan(text)[0]] == depths


def test_too_many_levels_end_it() -> None:
    text = "".join("  " * level + "a\n" for level in range(size_limits.INDENT_LEVELS + 5))
    assert plan(text)[1] == [(size_limits.INDENT_LEVELS + 1, "SY05")]


def test_too_many_brackets_end_it() -> None:
    assert plan("a\nb " + "(" * 20_000 + "\n")[1] == [(2, "SY05")]
