"""The text of a rulebook, sentence by sentence, and which statements cover which of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from referee.frontend.loading.rulebook_statements import Statement
from referee.review.questions.lexicon import MOST_LETTERS
from referee.system.given_files import bytes_of, unusable

MOST_BYTES = 1_000_000
"""A rulebook with more bytes is refused."""
FEWEST_WORDS = 4
"""What has fewer words is no sentence: a heading, a number, a caption."""
STEM = 5
"""Words with the same so many letters in front are taken for one: whole sentences are compared, and no word decides."""
MOST_ALIKE, FEWEST_ALIKE = 0.7, 3
"""A statement of another line covers a sentence of which it has such a part of the words, and no fewer than these."""
_END = re.compile(r"(?<![.!?…:;])[.!?…:;]++[\"”»')\]]*+(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class RulebookSentence:
    """A sentence of a rulebook: its words on one line, and the lines of the text that it stands on."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class RulebookText:
    """A rulebook as text: its path, the whole on one line, and its sentences."""

    path: str
    whole: str
    sentences: tuple[RulebookSentence, ...]


def read_rulebook(path: Path) -> RulebookText:
    """The text in a file. Raises `Problems` (RV01) if it cannot be read, is too large or is no text."""
    content = bytes_of("RV01", "the rulebook", path, MOST_BYTES)
    try:
        text = normalize("NFC", content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise unusable("RV01", f"the rulebook is no UTF-8 text, at byte {error.start:,}", path) from None
    if (control := _CONTROL.search(text)) is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise unusable("RV01", f"the rulebook is no text: it has control characters, the first in line {line:,}", path)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\v", "\n")
    return RulebookText(str(path), " ".join(text.split()), tuple(_sentences(text)))


def _sentences(text: str) -> Iterator[RulebookSentence]:
    """The sentences of a text; a very long one in pieces."""
    breaks = [found.start() for found in re.finditer("\n", text)]
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        for at in range(start, end, MOST_LETTERS):
            piece = text[at : min(end, at + MOST_LETTERS)]
            said = " ".join(piece.split())
            if len(re.findall(r"[^\W\d_]+", said)) >= FEWEST_WORDS:
                left = at + len(piece) - len(piece.lstrip())
                right = at + len(piece.rstrip()) - 1
                yield RulebookSentence(said, bisect_right(breaks, left - 1) + 1, bisect_right(breaks, right - 1) + 1)
        start = end


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which statements cover which sentences. `of`: sentence (by its number) -> ids; `surely`: id -> the sentences of
    which it is known that they say what it says."""

    of: Mapping[int, tuple[str, ...]]
    surely: Mapping[str, tuple[str, ...]]

    def uncovered(self, rulebook: RulebookText) -> tuple[RulebookSentence, ...]:
        """What no statement covers."""
        return tuple(one for number, one in enumerate(rulebook.sentences) if number not in self.of)


def coverage(rulebook: RulebookText, statements: Mapping[str, Statement], translated: bool = False) -> Coverage:
    """What statements cover. One covers the sentences of its line, of several there those that have most of its words
    (all, if none has any, or if they are `translated` and words tell nothing); and anywhere a sentence of which it has
    nearly all words."""
    words = [_stems(one.text) for one in rulebook.sentences]
    on_line = _by_line(rulebook.sentences)
    having = _by_stem(words)
    of: dict[int, dict[str, None]] = {}
    surely: dict[str, tuple[str, ...]] = {}
    for name, statement in statements.items():
        here = on_line.get(statement.line or 0, [])
        own = _stems(statement.text)
        most = 0 if translated else max((len(own & words[number]) for number in here), default=0)
        meant = [number for number in here if not most or len(own & words[number]) == most]
        if len(here) == 1 or (most and len(meant) == 1):
            surely[name] = (rulebook.sentences[meant[0]].text,)
        for number in (*meant, *_alike(own, words, having)):
            of.setdefault(number, {})[name] = None
    return Coverage({number: tuple(names) for number, names in of.items()}, surely)


def _by_line(sentences: Sequence[RulebookSentence]) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, one in enumerate(sentences):
        for line in range(one.first, one.last + 1):
            found.setdefault(line, []).append(number)
    return found


def _by_stem(words: Sequence[frozenset[str]]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, stems in enumerate(words):
        for stem in stems:
            found.setdefault(stem, []).append(number)
    return found


MOST_SENTENCES = 300
"""A stem that stands in more sentences tells nothing apart."""


def _alike(own: frozenset[str], words: Sequence[frozenset[str]], having: Mapping[str, list[int]]) -> Iterator[int]:
    """The sentences of which nearly all words are among these."""
    rare = (stem for stem in own if len(having.get(stem, ())) <= MOST_SENTENCES)
    for number in sorted({number for stem in rare for number in having.get(stem, ())}):
        common = len(own & words[number])
        if common >= FEWEST_ALIKE and common >= MOST_ALIKE * len(words[number]):
            yield number


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in _WORD.findall(text[:MOST_LETTERS].lower()))
