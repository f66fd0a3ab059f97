"""Patterns for sentences of rulebooks: a few words in their order, some of which are taken out of the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from unicodedata import normalize

from referee.review.questions.lexicon import MOST_LETTERS, folded

MOST_BETWEEN = 8
"""`...` stands for so many words at most, and for no end of a sentence or part of one."""
NUMBER = "{number}"
AS_WRITTEN = "="
LEAST_PERSONS = 2
"""Of a pronoun so many persons have to be among the words of a pattern, for all of them to be meant."""
STEM, SHORT = 6, 4
"""A word is known again by so many letters at most, as one word decides here; one of so few letters has no ending."""
MOST_KEPT = 65_536
"""So many sentences are kept as they are looked at: each row looks at all, and the largest rulebook has fewer."""
_MARK = re.compile(r"\s*([,;:.?()\"“”«»]|!(?=\s+[A-Z]|\s*$))\s*")
"""Marks that stand apart; `!` belongs to a name unless a sentence ends there."""
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)")
"""Signs by which a text makes words bold or slanting."""
_STRAIGHT = str.maketrans("\u2019\u2013\u2212", "'--")
_SLOT = re.compile(r"\{([a-z]+)\}")
_BETWEEN = rf"(?: [^\s.;:!?]+){{0,{MOST_BETWEEN}}}?"


@dataclass(frozen=True, slots=True)
class Found:
    """Where a pattern fits: the words of the sentence, what stands for its slots, and where it begins and ends."""

    words: str
    slots: Mapping[str, str]
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class _Pattern:
    """A pattern, compiled once a sentence may have it: of each of `letters` it has some."""

    said: str
    letters: tuple[tuple[str, ...], ...]
    made: re.Pattern[str] | None = None


class Sentences:
    """Fits patterns to sentences of one language. `little`: words that no `{thing}` has, nor has one `numbers`, which
    are those that are written out.

    A pattern is words with one space between them. `a|b_c` is one of some words, `_` a space in these, `*` any letters,
    `word?` may be missing, `...` is some words, `{number}` a number (also among `|`, where it is not taken out),
    `{thing}` one to three words that are not little ones; `,` is a comma. In a pattern for other sentences `{thing}`
    is the last word of what stood for it. A verb of `verbs` (`draw draws`) stands for all its persons; among some
    words two of `persons` (`he she they you`) stand for all of them; `=` before a word or some: as they are written.
    """

    def __init__(self, little: Sequence[str], numbers: Sequence[str], verbs: Sequence[str] = (),
                 persons: Sequence[str] = ()) -> None:  # fmt: skip
        self._verbs = {form: one.split() for one in verbs for form in one.split()}
        self._persons = [one.split() for one in persons]
        self._little = "|".join(["\\d+", *sorted(map(re.escape, map(folded, (*little, *numbers))))])
        self._numbers = "|".join(["\\d+", *sorted(map(re.escape, map(folded, numbers)))])
        self._compiled: dict[str, _Pattern] = {}

    def first(self, patterns: Sequence[str], sentence: str) -> Found | None:
        """Where the first of some patterns fits that does; None if none does."""
        text, low = spaced(sentence), _low(sentence)
        for one in patterns:
            found = self._found(one, low)
            if found is not None:
                slots = {name: _unspaced(text[slice(*found.span(name))]) for name, said in found.groupdict().items()
                         if said is not None}  # fmt: skip
                return Found(_unspaced(text[found.start() : found.end()]), slots, found.span())
        return None

    def fits(self, patterns: Sequence[str], sentence: str, thing: str = "") -> bool:
        """Whether one of some patterns fits; in them `{thing}` is the last word of a thing that is known."""
        low = _low(sentence)
        known = (one.replace("{thing}", f"{stem(thing)}*") for one in patterns if thing or "{thing}" not in one)
        return any(self._found(one, low) is not None for one in known)

    def _found(self, said: str, low: str) -> re.Match[str] | None:
        """Where a pattern fits; most have a word that most sentences lack, and are not even compiled."""
        one = self._compiled.get(said)
        if one is None:
            one = self._compiled[said] = _Pattern(said, tuple(self._letters(said)))
        for some in one.letters:
            for letters in some:
                if letters in low:
                    break
            else:
                return None
        if one.made is None:
            one.made = re.compile("".join(self._parts(said)))
        return one.made.search(low)

    def _parts(self, said: str) -> Iterator[str]:
        yield r"(?<!\S)"
        begun = False
        named: set[str] = set()
        for token in said.split(" "):
            if token == "...":
                yield _BETWEEN
                continue
            one = self._one(token.removesuffix("?"), named)
            before = " " if begun else ""
            yield f"(?:{before}{one})?" if token.endswith("?") else f"{before}{one}"
            begun = begun or not token.endswith("?")
        yield r"(?!\S)"

    def _one(self, token: str, named: set[str]) -> str:
        """What fits one word of a pattern; of a slot that comes again only the first is taken out."""
        slot = _SLOT.fullmatch(token)
        if slot is None:
            return f"(?:{'|'.join(self._numbers if one == NUMBER else _word(one) for one in self._ways(token))})"
        word = rf"(?!(?:{self._little})(?!\S))[\w'\u2019-]*[\w!]"
        fits = f"(?:{self._numbers})" if slot[1] == "number" else f"{word}(?: {word}){{0,2}}"
        again = slot[1] in named
        named.add(slot[1])
        return f"(?:{fits})" if again else f"(?P<{slot[1]}>{fits})"

    def _ways(self, token: str) -> Sequence[str]:
        """The words of which one stands where a word of a pattern does."""
        return token[1:].split("|") if token.startswith(AS_WRITTEN) else self._all_persons(token.split("|"))

    def _letters(self, said: str) -> Iterator[tuple[str, ...]]:
        """For each word of a pattern that may not be missing the letters of which a sentence must have some."""
        for token in said.split(" "):
            if token != "..." and not token.endswith("?") and "{" not in token:
                yield tuple(max(folded(one.replace("_", " ")).split("*"), key=len) for one in self._ways(token))

    def _all_persons(self, words: Sequence[str]) -> Sequence[str]:
        """Some words, with the other persons of the verbs among them and of pronouns of which two are among them."""
        meant = [form for one in words for form in self._forms(one)]
        further = [one for one in self._persons if len({*one} & {*words}) >= LEAST_PERSONS]
        return tuple(dict.fromkeys((*meant, *(form for one in further for form in one))))

    def _forms(self, word: str) -> Iterator[str]:
        """A word of a pattern in all persons; of several that are one word there, each."""
        yield from map("_".join, product(*(self._verbs.get(one, (one,)) for one in word.split("_"))))


def stem(thing: str) -> str:
    """How the last word of a thing begins, by which it is known again: without the letter of its number."""
    last = folded(thing.rpartition(" ")[2])
    return last[:-1][:STEM] if len(last) > SHORT else last


def _word(said: str) -> str:
    return r"[\w'\u2019-]*".join(re.escape(one.replace("_", " ")) for one in folded(said).split("*"))


@lru_cache(maxsize=MOST_KEPT)
def spaced(sentence: str) -> str:
    """A sentence with one space between words and around each mark, without emphasis and with straight signs."""
    text = _EMPHASIS.sub("", normalize("NFC", " ".join(sentence[:MOST_LETTERS].split()))).translate(_STRAIGHT)
    return " ".join(_MARK.sub(r" \1 ", text).split())


@lru_cache(maxsize=MOST_KEPT)
def _low(sentence: str) -> str:
    return folded(spaced(sentence))


def _unspaced(text: str) -> str:
    return re.sub(r" ([,;:.!?)])", r"\1", text.strip())
