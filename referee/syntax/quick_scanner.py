"""Scanning by the first character: where a hundred words can stand, one begins with it, or a few.

Of all words that can stand at a place lark makes one pattern, for each such set, which took most of the time of reading
a short text. Here each word is a pattern of its own, made once and only when what it begins with stands there: of the
few that begin with a character the first that matches is what stands there, as the first alternative of lark's pattern
is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
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
_WORD = re.compile(r"(?P<word>\w+)\(\?!\\w\)")
_LETTERS = re.compile(r"[A-Za-z_,]+(?![?*{])|[A-Za-z_,]*(?=[A-Za-z_,][?*{])")
Match = Callable[[str, int, int], "re.Match[str] | tuple[str] | None"]


@cache
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


@cache
def first_words(pattern: str, between: str) -> tuple[str, str]:
    """What a pattern begins with, letter by letter, and what follows it behind blanks, for which the pattern `between`
    stands; each is empty if it is not seen at once."""
    if first_characters(pattern) is None:
        return "", ""
    found = _LETTERS.match(pattern)
    first = found[0] if found is not None else ""
    rest = pattern[len(first):]
    if not between or not first or rest[: len(between) + 1] not in (f"{between}*", f"{between}+"):
        return first, ""
    after = _LETTERS.match(rest, len(between) + 1)
    return first, after[0] if after is not None else ""


def matcher(pattern: str, flags: int, between: str, signs: str) -> Match:
    """Looks for a pattern: a single word by itself, any other as a pattern that is made once its first words stand
    there. `signs`: the characters besides a blank that can stand between words."""
    word = _WORD.fullmatch(pattern)
    if word is not None and not flags:
        return _word(word["word"])
    first, second = first_words(pattern, between) if not flags else ("", "")
    made: Match | None = None

    def match(text: str, pos: int, end: int) -> re.Match[str] | tuple[str] | None:
        nonlocal made
        if made is None:
            if not text.startswith(first, pos):
                return None
            at = pos + len(first)
            while second and text.startswith(" ", at):
                at += 1
            if second and not text.startswith(second, at) and text[at : at + 1] not in signs:
                return None
            made = re.compile(pattern, flags).match
        return made(text, pos, end)

    return match


def _word(word: str) -> Match:
    """Looks for a whole word."""
    found = (word,)

    def match(text: str, pos: int, end: int) -> tuple[str] | None:
        if not text.startswith(word, pos, end):
            return None
        behind = text[pos + len(word) : min(pos + len(word) + 1, end)]
        return None if behind == "_" or behind.isalnum() else found

    return match


class QuickScanner:
    """What lark's scanner is for its lexers: it finds the same. `patterns`: those made so far by the names of their
    terminals, shared by all scanners of a grammar; `known`: the characters that some terminals can begin with;
    `between`, `signs`: what may stand between words, as a pattern, and its characters besides a blank."""

    def __init__(self, terminals: Sequence[TerminalDef], flags: int, patterns: dict[str, Match],
                 known: Mapping[str, str], between: str, signs: str) -> None:
        self.allowed_types = {one.name for one in terminals}
        self._flags = flags
        self._between = between, signs
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
                self._patterns[name] = matcher(said, self._flags, *self._between)
        self._found[character] = tuple((name, self._patterns[name]) for name, _ in able)
        return self._found[character]


def quicken(lexers: Sequence[BasicLexer], known: Mapping[str, str], between: str = "", signs: str = "") -> None:
    """Has lexers of one grammar, which have scanned nothing yet, scan by the first character. `known`: those that some
    terminals can begin with; `between`, `signs`: what may stand between the words of a phrase."""
    patterns: dict[str, Match] = {}
    of_lark: Any = lark_lexer

    def build(lexer: BasicLexer) -> Callable[[], QuickScanner]:
        def built() -> QuickScanner:
            terminals, lexer.callback = of_lark._create_unless(
                lexer.terminals, lexer.g_regex_flags, lexer.re, lexer.use_bytes)
            return QuickScanner(terminals, lexer.g_regex_flags, patterns, known, between, signs)

        return built

    for lexer in lexers:
        lexer._build_scanner = build(lexer)  # type: ignore[method-assign, assignment]
