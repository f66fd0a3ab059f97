"""Parsing: all errors at their lines, what parses is kept, hints that were tried out."""

from __future__ import annotations

import pytest

from referee.diagnostics.diagnostic import Diagnostic
from referee.syntax import Node
from tests.sample_sizes import drawn
from tests.syntax.small import found, read

GOOD = """\
setup
  move a to b
  if a
    move b to c
  else
    nothing

zones
  deck: Card, open
  hand: Card
"""


def changed(*edits: tuple[str, str]) -> str:
    text = GOOD
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def only(text: str) -> Diagnostic:
    wrong = read(text)[1]
    assert len(wrong) == 1, wrong
    return wrong[0]


def test_a_good_text_has_no_errors() -> None:
    assert found(GOOD) == []


@pytest.mark.parametrize(("old", "new", "line", "code", "hint"), [
    ("  move a to b", "  mvoe a to b", 2, "SY30", "did you mean `move`?"),
    ("setup", "stepu", 1, "SY30", "did you mean `setup`?"),
    ("  else", "  esle", 5, "SY30", "did you mean `else`?"),
    ("  move a to b", "  move a b", 2, "SY31", None),
    ("deck: Card", "deck Card", 9, "SY31", None),
    ("  move a to b", "  move a to to b", 2, "SY32", "remove the second `to`"),
    ("  move a to b", "  move a to b b", 2, "SY32", "remove the second `b`"),
    ("  move a to b", "  move to a b", 2, "SY33", "write `a to`"),
    ("deck: Card", "deck: card", 9, "SY37", "write `Card`"),
    ("  move a to b", "  move a to", 2, "SY34", None),
    ("  move a to b", "  move a? to b", 2, "SY32", "remove the `?`"),
    ("  else", "  otherwise", 5, "SY36", "write `else`"),
    ("    move b to c\n", "  move b to c\n", 4, "SY13", "put two spaces before it"),
    ("    move b to c\n", "", 3, "SY13",
     "indent what belongs to it by two spaces; write `nothing` if it is to do nothing"),
    ("    nothing\n", "    nothing\n      nothing\n", 7, "SY12",
     "take two spaces away; a line goes on, indented deeper, after a comma, an operator or an open bracket, and its "
     "[statement ids] stand where it ends"),
    ("setup\n  move a to b\n", "setup\nmove a to b\n", 2, "SY13", "put two spaces before it"),
])
def test_a_mistake_is_reported_at_its_line_with_a_hint(
    old: str, new: str, line: int, code: str, hint: str | None
) -> None:
    wrong = only(changed((old, new)))
    assert (wrong.span.line, wrong.code, wrong.hint) == (line, code, hint)


def test_what_could_stand_there_is_listed_in_words() -> None:
    wrong = only(changed(("  move a to b", "  move a to")))
    assert wrong.message == "the line ends too early"
    assert wrong.expected == ("a name", "a number", "`me`", "`(`", "`{`")


def test_at_most_six_things_are_listed() -> None:
    assert all(len(d.expected) <= 7 for d in read("setup\n  3 4 5\n  - - -\n")[1])


def test_every_mistake_of_a_text_is_reported() -> None:
    text = changed(
        ("  move a to b", "  mvoe a to b"), ("    move b to c", "    move b c"), ("    nothing", "    nohting"),
        ("deck: Card", "deck Card"), ("hand: Card", "hand: card"))
    assert found(text) == [(2, "SY30"), (4, "SY31"), (6, "SY30"), (9, "SY31"), (10, "SY37")]


def test_errors_of_layout_do_not_hide_others() -> None:
    text = changed(
        ("  move a to b", "  move (a to b"), ("    move b to c", "\t\tmvoe b to c"), ("hand: Card", "hand Card"))
    assert found(text) == [(2, "SY20"), (4, "SY10"), (4, "SY30"), (10, "SY31")]


def test_blocks_that_parse_are_kept_and_names_of_the_others_told() -> None:
    parsed, _ = read(changed(("  move a to b", "  move a to to special")))
    assert parsed.tree is not None
    assert [part.kind for part in parsed.tree.parts if isinstance(part, Node)] == ["zones"]
    assert {"a", "b", "c", "special"} <= parsed.broken_names
    assert "deck" not in parsed.broken_names


def test_doubtful_indentation_is_what_parses() -> None:
    text = "setup\n  if a\n   move a to b\n  nothing\n"
    assert found(text) == [(3, "SY11")]
    assert found("setup\n  nothing\n   move a to b\n  nothing\n") == [(3, "SY11")]


def test_far_too_many_errors_are_cut_short() -> None:
    wrong = found("setup\n" + "  mvoe a to b\n" * 100)
    assert (1, "SY40") in wrong
    assert len(wrong) < 50


@pytest.mark.parametrize(("text", "code"), [
    ("", "SY03"), ("\n\n", "SY03"), ("# only this", "SY03"), ("a\0", "SY02"), ("\ufeff", "SY02"), ("a\rb", "SY02"),
    ("\ud800", "SY02"), ("a\u2028b", "SY02"), ("a" * 5_000_000, "SY04"), ("a" * 3000, "SY04"), ("1" * 13, "SY04"),
    ("a " * 400_000, "SY04"), ("setup\n  move " + "(" * 1900, "SY05"),
])
def test_what_is_no_rules_text_is_one_diagnostic(text: str, code: str) -> None:
    assert only(text).code == code


LENGTH = drawn(1, of=4)
"""How many quarters of the longest texts."""


@pytest.mark.parametrize("text", [
    "setup\n" * (17_500 * LENGTH),
    "foo bar\n" * (12_500 * LENGTH),
    "setup\n" + "  foo bar baz\n" * (9_000 * LENGTH),
    "setup\n" + "  move a to b\n" * (4_000 * LENGTH) + "  mvoe a to b\n" + "  move a to b\n" * (3_000 * LENGTH),
    "setup\n" + "  if a\n    mvoe\n" * (4_500 * LENGTH),
    "setup\n  move " + ("a + " * 400 + "\n    ") * (25 * LENGTH) + "a to b\n",
    "zones\n" + "   a: B\n c: D\n" * (4_500 * LENGTH),
    ("(" * 30 + "\n") * (1_250 * LENGTH),
])
def test_any_text_is_answered(text: str) -> None:
    """How long it takes is bounded by what is read again, which is bounded in tokens; here only that it ends."""
    assert found(text)
