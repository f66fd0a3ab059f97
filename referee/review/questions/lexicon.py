"""Words of a sentence that settle what it is about, and words that leave it open: a small lexicon for each language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from unicodedata import normalize

MOST_LETTERS = 2_000
"""Of a longer sentence only so much is looked at."""
WHOM = "whom"
"""What words are about that name one player among others; those for `who` are among them."""
TWELVE = 12
"""So far numbers are written out; a language may have several words for one of them."""
SURE, CLEAR = 3, 1.5
"""A language is guessed from so many of its common words, if they are so many times those of any other."""
_CEDILLAS = str.maketrans("şŞţŢ\N{RIGHT SINGLE QUOTATION MARK}", "șȘțȚ'")
_WORD = re.compile(r"[^\W\d_]+")
_NO_WORD = re.compile(r"(?!)")
_PART = re.compile(r"[.,;:!?()\u2013\u2014]\s*|\s-\s")


@dataclass(frozen=True, slots=True)
class DimensionWords:
    """Of one dimension in one language: what settles it, what leaves it open, and what does with three players or more.

    An entry is a few words; `*` stands for letters of a word, alone for any word.
    """

    settles: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    open_among_three: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """The words of a language. `common`: by which it is known; `numbers`: those that are written out; `commands`: verbs
    that tell the reader to do something, where they begin a part of a sentence."""

    name: str
    code: str
    common: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    dimensions: Mapping[str, DimensionWords] = field(default_factory=dict)

    def with_more(self, other: LanguageWords) -> LanguageWords:
        """The same with the words of another file."""
        names = dict.fromkeys((*self.dimensions, *other.dimensions))
        return LanguageWords(
            self.name, self.code, (*self.common, *other.common), (*self.numbers, *other.numbers),
            (*self.commands, *other.commands),
            {name: _joined(self.dimensions.get(name), other.dimensions.get(name)) for name in names},
        )  # fmt: skip


def _joined(one: DimensionWords | None, other: DimensionWords | None) -> DimensionWords:
    first, second = one or DimensionWords(), other or DimensionWords()
    return DimensionWords((*first.settles, *second.settles), (*first.open, *second.open),
                          (*first.open_among_three, *second.open_among_three))  # fmt: skip


class Lexicon:
    """The words of some languages, to be asked about sentences. Where a language is None, those of all of them count.
    """

    def __init__(self, languages: Iterable[LanguageWords]) -> None:
        """Several of one name are put together."""
        known: dict[str, LanguageWords] = {}
        for one in languages:
            known[one.name] = known[one.name].with_more(one) if one.name in known else one
        self.languages: Mapping[str, LanguageWords] = known
        self._patterns: dict[tuple[str, str, str | None], re.Pattern[str]] = {}

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What there are words about, in any language."""
        return tuple(dict.fromkeys(name for one in self.languages.values() for name in one.dimensions))

    def named(self, said: str) -> str | None:
        """The language that somebody means by its name or its code; None if it is none of these."""
        wanted = said.strip().casefold()
        names = (one.name for one in self.languages.values() if wanted in (one.name.casefold(), one.code))
        return next(names, None) if wanted else None

    def language_of(self, texts: Iterable[str]) -> str | None:
        """The language that some sentences are in, as far as their common words tell; None if they do not."""
        common = {name: frozenset(map(_plain, one.common)) for name, one in self.languages.items()}
        hits = dict.fromkeys(common, 0)
        for text in texts:
            for word in _WORD.findall(_plain(text[:MOST_LETTERS])):
                for name, words in common.items():
                    hits[name] += word in words
        first, second, *_ = *sorted(hits.values(), reverse=True), 0, 0
        if first < SURE or first < CLEAR * second:
            return None
        return next(name for name, number in hits.items() if number == first)

    def settling(self, dimension: str, sentence: str, language: str | None = None) -> str | None:
        """The words by which a sentence says what a dimension is about; None if it has none."""
        return self._found("settles", dimension, sentence, language)

    def leaving_open(self, dimension: str, sentence: str, language: str | None, players: int) -> str | None:
        """The words by which a sentence leaves a dimension open, unless others settle it; None if it has none."""
        if self.settling(dimension, sentence, language) is not None:
            return None
        found = self._found("open", dimension, sentence, language)
        if found is None and players > 2:
            return self._found("open_among_three", dimension, sentence, language)
        return found

    def every_open(self, dimension: str, sentence: str, language: str | None = None) -> tuple[str, ...]:
        """All words by which a sentence leaves a dimension open, as they are written, whatever else it says."""
        text = _spaced(sentence[:MOST_LETTERS])
        found = self._pattern("open", dimension, language).finditer(folded(text))
        return tuple(text[one.start() : one.end()] for one in found)

    def commanding(self, sentence: str, language: str | None = None) -> str | None:
        """The verb by which a sentence, or a part of it, tells the reader to do something; None if it has none."""
        parts = (_spaced(part) for part in _PART.split(sentence[:MOST_LETTERS]))
        pattern = self._pattern("commands", "", language)
        found = ((text, pattern.match(folded(text))) for text in parts)
        return next((text[: verb.end()] for text, verb in found if verb is not None), None)

    def has_number(self, sentence: str, language: str | None = None) -> bool:
        """Whether a number stands in a sentence, in digits or in a word."""
        return any(char.isdigit() for char in sentence) or self._found("numbers", "", sentence, language) is not None

    def has_this_number(self, sentence: str, number: int, language: str | None = None) -> bool:
        """Whether a number stands in a sentence in a word. The words of a language are in their order, from one
        on; some have several genders, so that as many further words are looked for."""
        words = set(map(_plain, _WORD.findall(sentence[:MOST_LETTERS])))
        spoken = (one.numbers for one in self.languages.values() if language in (None, one.name))
        return any(_plain(one) in words for numbers in spoken
                   for one in numbers[max(0, number - 1) : number + max(0, len(numbers) - TWELVE)])  # fmt: skip

    def _found(self, what: str, dimension: str, sentence: str, language: str | None) -> str | None:
        text = _spaced(sentence[:MOST_LETTERS])
        found = self._pattern(what, dimension, language).search(folded(text))
        return None if found is None else text[found.start() : found.end()]

    def _pattern(self, what: str, dimension: str, language: str | None) -> re.Pattern[str]:
        key = (what, dimension, language)
        if key not in self._patterns:
            self._patterns[key] = _pattern(frozenset(self._entries(what, dimension, language)))
        return self._patterns[key]

    def _entries(self, what: str, dimension: str, language: str | None) -> Iterable[str]:
        for one in self.languages.values():
            if language in (None, one.name):
                about = one.dimensions.get(dimension, DimensionWords())
                yield from {"numbers": one.numbers, "commands": one.commands, "settles": about.settles,
                            "open": about.open, "open_among_three": about.open_among_three}[what]  # fmt: skip


def _spaced(text: str) -> str:
    """A text with one space between its words."""
    return normalize("NFC", " ".join(text.split()))


def _plain(text: str) -> str:
    """A text in small letters, with each letter written in one way."""
    return normalize("NFC", text).translate(_CEDILLAS).lower()


def folded(text: str) -> str:
    """A text without accents, letter for letter: they are often left out."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_CEDILLAS)
    return "".join(low if len(low := normalize("NFD", char)[0].lower()) == 1 else char for char in plain)


@cache
def _pattern(entries: frozenset[str]) -> re.Pattern[str]:
    """Finds the first of some entries in a folded text, the longest where several begin. Entries with the same first
    letter stand together, so that most words are passed over at once."""
    if not entries:
        return _NO_WORD
    plain = {" ".join(folded(normalize("NFC", one)).split()) for one in entries}
    by_letter: dict[str, list[str]] = {}
    for one in sorted(plain, key=lambda one: (-len(one), one)):
        by_letter.setdefault(one[0], []).append(one)
    parts = ("|".join(map(_words, some)) if letter == "*" else
             f"{re.escape(letter)}(?:{'|'.join(_words(one)[len(re.escape(letter)):] for one in some)})"
             for letter, some in sorted(by_letter.items()))  # fmt: skip
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")


def _words(entry: str) -> str:
    """A pattern for a few words."""
    return " ".join(r"\w+" if one == "*" else r"\w*".join(map(re.escape, one.split("*"))) for one in entry.split(" "))
