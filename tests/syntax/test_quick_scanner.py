"""Scanning by the first character finds what lark's own scanner finds, wherever it looks."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from lark import lexer as lark_lexer

from referee.syntax.lr_parser import machine
from referee.syntax.quick_scanner import first_characters, first_words

TEXTS = [
    Path("tests/language/constructs/phases.rules").read_text("utf-8")[:400],
    'define x of several Card s = {a, "b"} <= 3 != -4 .. 5  # é\r\n\tseen\x0b# on\n  by me, until  the end',
    "(highest of [X-1 Y]) >= smaller of é or 3 * 4 + has no X; holds held haven't inner in in_ against againstthis",
]


def test_what_stands_at_a_place_is_found() -> None:
    of_lark: Any = lark_lexer
    lexers: Any = machine()._lark.parser.lexer.lexer
    apart = sorted({id(one): one for one in lexers.lexers.values()}.values(), key=lambda one: len(one.terminals))
    for lexer in [lexers.root_lexer, *apart[-2:], *Random(5).sample(apart, 8)]:
        terminals = of_lark._create_unless(lexer.terminals, 0, lexer.re, False)[0]
        own = of_lark.Scanner(terminals, 0, lexer.re, False)
        assert own.allowed_types == lexer.scanner.allowed_types
        for text in TEXTS:
            part: Any = SimpleNamespace(text=text, end=len(text))
            for at in range(len(text)):
                assert lexer.scanner.match(part, at) == own.match(part, at), (text[at:at + 20], own.allowed_types)


@pytest.mark.parametrize(("pattern", "characters"), [
    ("most(?!\\w)", "m"), ("\\(", "("), ("\\d+", "0123456789"), ("[b-d_]\\w*", "_bcd"), ("in(?: |x)+to", "i"),
    ("a?b", None), ("a|b", None), ("(a|b)c", None), ("[a]?b", None), ("\\w+", None), ("\\bx", None), ("(?<!a)b", None),
    ("x(a|b(c|d)e)f", "x"), ("x(a|b(c|d)e)f|g", None), ("a{0}b", None), (".", None), ("[a|b]|c", None),
])
def test_what_a_pattern_can_begin_with(pattern: str, characters: str | None) -> None:
    found = first_characters(pattern)
    assert (found if found is None else "".join(sorted(found))) == characters


@pytest.mark.parametrize(("pattern", "words"), [
    ("most(?!\\w)", ("most", "")), ("in(?: |x)+to", ("in", "to")), (",(?: |x)*rows?(?: |x)+up", (",", "row")),
    ("holds?\\b", ("hold", "")), ("a?b", ("", "")), ("(a|b)c", ("", "")), ("ab|cd", ("", "")),
    ("at(?: |x)?by", ("at", "")), ("up(?: |x)*(to|by)", ("up", "")), ("x+y", ("x", "")),
])
def test_the_words_a_pattern_begins_with(pattern: str, words: tuple[str, str]) -> None:
    assert first_words(pattern, "(?: |x)") == words
