"""What the terminals of the grammar look like in a text: their spellings, and the names used in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_PIECE = re.compile(r"\\b|\(\?!\\w\)|(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)|(?P<char>\\[^\w\s]|[\w ,:;=<>!#/-])"
                    r"|(?P<plain>.)", re.DOTALL)

# What is spelled in more ways than can be listed.
DESCRIBED: Mapping[str, str] = {
    "NAME": "a name",
    "PROPER": "a name with a capital",
    "COMPONENT": "one component (like Pawn#2)",
    "POINT": "a point to rule on (like play.tie)",
    "INT": "a number",
    "STRING": 'a text in "quotes"',
    "CITE": "[statement ids]",
    "NOT_FAR": "`, at most N behind`",
    "DURATION": "`until the end of the ...`",
    "CMP": "a comparison (< <= > >= !=)",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the text",
}


_LOOK_AHEAD = re.compile(r"\(\?[=!]")
"""Where what a terminal matches ends: from here on its pattern looks at what follows."""


class _Unlisted(Exception):
    """The pattern matches more than a few fixed spellings."""


def spellings(pattern: str) -> tuple[str, ...]:
    """Every text that a terminal's pattern matches, a blank for any run of blanks; () if it cannot be listed."""
    try:
        found, rest = _alternatives(list(_PIECE.finditer(pattern)))
    except _Unlisted:
        return ()
    return () if rest else tuple(dict.fromkeys(text for text in found if text))


def _alternatives(pieces: list[re.Match[str]]) -> tuple[list[str], list[re.Match[str]]]:
    """The spellings up to the closing bracket, and the pieces from there on."""
    done: list[str] = []
    current = [""]
    while pieces and not pieces[0]["close"]:
        piece, pieces = pieces[0], pieces[1:]
        if piece["bar"]:
            done, current = done + current, [""]
            continue
        if piece["open"]:
            inner, pieces = _alternatives(pieces)
            if not pieces:
                raise _Unlisted
            pieces = pieces[1:]
        elif piece["char"]:
            inner = [piece["char"][-1]]
        elif piece["plain"]:
            raise _Unlisted
        else:
            continue
        inner, pieces = _repeated(inner, pieces)
        current = [text + more for text in current for more in inner]
    return done + current, pieces


def _repeated(inner: list[str], pieces: list[re.Match[str]]) -> tuple[list[str], list[re.Match[str]]]:
    """Applies a `?`, `+` or `*` that follows: only blanks may be repeated."""
    sign = pieces[0]["plain"] if pieces else None
    if sign not in ("?", "+", "*"):
        return inner, pieces
    if sign == "?":
        inner = [*inner, ""]
    elif inner != [" "]:
        raise _Unlisted
    return inner, pieces[1:]


class Vocabulary:
    """The words of the language, as its terminals spell them."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        """`patterns`: each terminal's name and the regular expression it matches."""
        self._spelled = {name: spellings(pattern) for name, pattern in patterns.items()}
        self._told = {name: spellings(_LOOK_AHEAD.split(pattern)[0]) for name, pattern in patterns.items()}
        self.terminals = frozenset(patterns)
        every = [text for texts in self._spelled.values() for text in texts]
        self.words = frozenset(word for text in every for word in re.findall(r"[A-Za-z]+", text))
        self.reserved = frozenset(text for text in every if re.fullmatch(r"[a-z]+", text))

    def name(self, terminal: str) -> str:
        """How a message names a terminal."""
        if terminal in DESCRIBED:
            return DESCRIBED[terminal]
        texts = self._told.get(terminal, ())
        return f"`{texts[0].strip()}`" if texts else terminal.lower().strip("_").replace("_", " ")

    def spelled(self, terminal: str) -> str | None:
        """The first spelling of a terminal, None if it has no fixed one."""
        texts = self._spelled.get(terminal, ())
        return texts[0] if texts else None

    def spellings(self, terminal: str) -> tuple[str, ...]:
        """Every spelling of a terminal, none if they cannot be listed."""
        return self._spelled.get(terminal, ())

    def is_word(self, terminal: str) -> bool:
        """Whether a terminal is a word or phrase of the language (not a sign, not a name)."""
        texts = self._spelled.get(terminal, ())
        return bool(texts) and any(c.isalpha() for c in texts[0])

    def names(self, terminals: Iterable[str]) -> tuple[str, ...]:
        """The names of several, each once: kinds of words first, then words, then signs."""
        unique = {self.name(t) for t in terminals}
        return tuple(sorted(unique, key=lambda n: (n.startswith("`"), not any(c.isalpha() for c in n), n)))
