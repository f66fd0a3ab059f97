"""Scanning by the first character: where a hundred words can stand, one begins with it, or a few.

Of all words that can stand at a place lark makes one pattern, for each such set, which took most of the time of reading
a short text. Here each word is a pattern of its own, made once and only when it is looked for: of the few that begin
with a character the first that matches is what stands there, as the first alternative of lark's pattern is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lark import lexer as lark_lexer
from lark.lexer import BasicLexer, TerminalDef

_GROUP = re.compile(r"\\.|\((?:\\.|[^()\\])*\)|\[(?:\\.|[^\]\\])*\]")
_SINGLE = re.compile(r"\\?(?P<character>[^\\])(?P<times>[?*{]?)", re.DOTALL)
_CLASS = re.compile(r"(?P<members>\[[^\]\\]*\]|\\d)(?![?*{])")
_MEANING = "([.^$"
_ASCII = "".join(map(chr, range(128)))
_MORE = "\x80"
"""Stands for all that is more."""
Match = Callable[[str, int, int], "re.Match[str] | None"]


def first_characters(pattern: str) -> str | None:
    """The characters that what a pattern matches can begin with, of those of ASCII; None if it is not seen at once.
    What is more than ASCII can always begin it."""
    outside, before = pattern, ""
    while outside != before:
        outside, before = _GROUP.sub(lambda one: "x" if one[0][0] == "\\" else "", outside), outside
    first = _SINGLE.match(pattern)
    if first is None or "|" in outside or "(" in outside or first["times"]:
        return None
    members = _CLASS.match(pattern)
    if members is not None:
        return "".join(re.findall(members["members"], _ASCII))
    escaped, character = pattern[0] == "\\", first["character"]
    if (escaped and character.isalnum()) or (not escaped and character in _MEANING):
        return None
    return character


class QuickScanner:
    """What lark's scanner is for its lexers: it finds the same. `patterns`: those made so far by the names of their
    terminals, shared by all scanners of a grammar; `known`: the characters that some terminals can begin with."""

    def __init__(self, terminals: Sequence[TerminalDef], flags: int, patterns: dict[str, Match],
                 known: Mapping[str, str]) -> None:
        self.allowed_types = {one.name for one in terminals}
        self._flags = flags
        self._patterns = patterns
        self._said = [(one.name, one.pattern.to_regexp()) for one in terminals]
        self._firsts = [known.get(name) or first_characters(said) for name, said in self._said]
        self._found: dict[str, tuple[tuple[str, Match], ...]] = {}

    def match(self, text: Any, pos: int) -> tuple[str, str] | None:
        """What stands there, and the terminal that it is."""
        whole, end = text.text, text.end
        character = min(whole[pos], _MORE)
        for name, match in self._found.get(character) or self._beginning(character):
            found = match(whole, pos, end)
            if found is not None:
                return found[0], name
        return None

    def _beginning(self, character: str) -> tuple[tuple[str, Match], ...]:
        """Those that can begin with a character, in the order in which they are looked for."""
        able = [said for said, first in zip(self._said, self._firsts, strict=True)
                if first is None or character in first or character == _MORE]
        for name, said in able:
            if name not in self._patterns:
                self._patterns[name] = re.compile(said, self._flags).match
        self._found[character] = tuple((name, self._patterns[name]) for name, _ in able)
        return self._found[character]


def quicken(lexers: Sequence[BasicLexer], known: Mapping[str, str]) -> None:
    """Has lexers of one grammar, which have scanned nothing yet, scan by the first character. `known`: those that some
    terminals can begin with."""
    patterns: dict[str, Match] = {}
    of_lark: Any = lark_lexer

    def build(lexer: BasicLexer) -> Callable[[], QuickScanner]:
        def built() -> QuickScanner:
            terminals, lexer.callback = of_lark._create_unless(
                lexer.terminals, lexer.g_regex_flags, lexer.re, lexer.use_bytes)
            return QuickScanner(terminals, lexer.g_regex_flags, patterns, known)

        return built

    for lexer in lexers:
        lexer._build_scanner = build(lexer)  # type: ignore[method-assign, assignment]
