"""What the sentences of a rulebook leave open by their wording alone, as far as no other sentence settles it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from referee.review.text_questions.sentence_patterns import Found, Sentences, stem
from referee.review.text_questions.text_rows import LanguageRows, TextRow

ENGLISH, ALL, THING = "English", "all", "thing"
LANGUAGES = 8
"""Of so many languages what is asked is kept for other numbers of players."""
BEFORE, AFTER = 1, 2
"""So many sentences before and after one are near to it."""
MOST_PAIRS = 9
"""Of so many pairs of sentences a row asks at most."""
MOST_OF_WORDS, SURELY = 2, 0.5
"""Of the same words so many questions are asked, besides those of pairs, and those of rows that are worth so much."""


@dataclass(frozen=True, slots=True)
class AskedOf:
    """A sentence of which something may be asked. `ids`: the statements that say it; `line`: of the rulebook, None for
    a statement's own wording; `language`: None if it does not show."""

    ids: tuple[str, ...]
    line: int | None
    text: str
    language: str | None


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """What a sentence leaves open: by which words (and where they stand), what is asked, and what could be written;
    `others`: further sentences of which the same is asked; `second`: the other of a pair of which it is asked."""

    row: TextRow
    sentence: AskedOf
    words: str
    span: tuple[int, int]
    ask: str
    answers: tuple[str, ...]
    others: tuple[AskedOf, ...] = field(default=())
    second: AskedOf | None = None

    @property
    def names(self) -> Collection[str]:
        """What it may be called; a statement and the sentence of the rulebook that says it have one in common."""
        ends = ("",) if self.second is None else tuple(f"/{one}" for one in _names(self.second))
        return [f"{one}/{self.row.name}{end}" for one in _names(self.sentence) for end in ends]


def _names(sentence: AskedOf) -> tuple[str, ...]:
    return sentence.ids or (f"line-{sentence.line}",)


def asked(
    sentences: Sequence[AskedOf], rows: Mapping[str, LanguageRows], players: int, beside: Sequence[str] = (),
    is_over: Callable[[], bool] = lambda: False, left_out: list[TextRow] | None = None,
) -> Iterator[TextQuestion]:  # fmt: skip
    """What is asked of sentences, the best rows first; where the language does not show it is taken for English.
    `beside`: what else the text says, of which nothing is asked: it may settle something, or be its cause. `is_over`:
    whether the time is up; the rows for which it was then are put into `left_out`."""
    languages = [_of_language(tuple(sentences), known, tuple(beside)) for known in rows.values()]
    for language in languages:
        language.ask(is_over)
    if left_out is not None:
        left_out.extend(row for language in languages for row in language.left)
    found = [one for language in languages for one in language.found if one.row.among <= players]
    told: set[str] = set()
    of_words: dict[AskedOf, list[tuple[int, int]]] = {}
    for one in sorted(found, key=lambda one: -one.row.worth):
        names = {f"/{one.row.name}"} if one.row.once == ALL else set(one.names) if one.sentence.ids else set()
        spans = of_words.setdefault(one.sentence, [])
        again = sum(_overlap(one.span, other) for other in spans)
        surely = one.row.worth >= SURELY or one.second is not None
        if told.isdisjoint(names) and (surely or again < MOST_OF_WORDS):
            told |= names
            spans.extend([one.span] if one.second is None else ())
            yield one


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


@lru_cache(maxsize=LANGUAGES)
def _of_language(sentences: tuple[AskedOf, ...], known: LanguageRows, beside: tuple[str, ...]) -> _AskedLanguage:
    return _AskedLanguage(sentences, known, beside)


class _AskedLanguage:
    """What is asked of the sentences of a language, row by row: the same, however many play."""

    def __init__(self, sentences: Iterable[AskedOf], known: LanguageRows, beside: Iterable[str]) -> None:
        self._own = [one for one in sentences if (one.language or ENGLISH) == known.language]
        self._every = (*(one.text for one in self._own), *beside)
        self._sentences = known.sentences
        self.left = deque(known.rows if self._own else ())
        self.found: list[TextQuestion] = []

    def ask(self, is_over: Callable[[], bool]) -> None:
        """Asks what was not asked before, until the time is up."""
        while self.left and not is_over():
            row = self.left.popleft()
            if _is_open(row, self._sentences, self._every):
                self.found.extend(_of_row(self._own, self._sentences, row))


def _is_open(row: TextRow, patterns: Sentences, every: Sequence[str]) -> bool:
    """Whether a text has what a row needs, and nothing that settles it wherever it stands."""
    return not any(patterns.fits(row.anywhere, one) for one in every) and (
        not row.needs or any(patterns.fits(row.needs, one) for one in every)
    )


def _of_row(sentences: Sequence[AskedOf], patterns: Sentences, row: TextRow) -> Iterator[TextQuestion]:
    asked_: dict[object, list[tuple[AskedOf, Found]]] = {}
    for number, one in enumerate(sentences):
        found = patterns.first(row.match, one.text)
        if found is not None and not _is_settled(row, patterns, sentences, number, found):
            asked_.setdefault(_cause(row, number, found), []).append((one, found))
    if row.second:
        every = [one for same in asked_.values() for one in same]
        yield from islice(_pairs(row, patterns, sentences, every), MOST_PAIRS)
        return
    for (first, found), *rest in asked_.values():
        yield _question(row, first, found, others=tuple(one for one, _ in rest))


def _is_settled(row: TextRow, patterns: Sentences, sentences: Sequence[AskedOf], number: int, found: Found) -> bool:
    """Whether words of a sentence itself, of those around it or of another about the same thing settle it."""
    near = [*sentences[max(0, number - BEFORE) : number], *sentences[number + 1 : number + 1 + AFTER]]
    thing = found.slots.get("thing", "")
    others = (one for at, one in enumerate(sentences) if at != number)
    return (
        patterns.fits(row.unless, sentences[number].text)
        or any(patterns.fits(row.near, one.text) for one in near)
        or bool(row.elsewhere and any(patterns.fits(row.elsewhere, one.text, thing) for one in others))
    )


def _pairs(row: TextRow, patterns: Sentences, sentences: Sequence[AskedOf], firsts: Sequence[tuple[AskedOf, Found]]
           ) -> Iterator[TextQuestion]:  # fmt: skip
    """What is asked of sentences and each other one that stands in the way of it, each pair of them once; in one
    sentence the second stands behind the first."""
    told: set[str] = set()
    for one, found in firsts:
        said = tuple(_known(pattern, found) for pattern in row.second)
        for other in sentences:
            beside = patterns.first(said, other.text)
            same = not {*_names(one)}.isdisjoint(_names(other))
            if beside is None or patterns.fits(row.second_unless, other.text):
                continue
            if same and (other is not one or beside.span[0] < found.span[1]):
                continue
            both = Found(found.words, {**found.slots, "second": beside.words}, found.span)
            asked_of = _question(row, one, both, second=other)
            if told.isdisjoint(asked_of.names):
                told |= {*asked_of.names}
                yield asked_of


def _known(pattern: str, found: Found) -> str:
    """A pattern for the second sentence with what the first has said: the thing, as it is known again, the number."""
    thing = found.slots.get("thing")
    known = pattern if thing is None else pattern.replace("{thing}", f"{stem(thing)}*")
    return known.replace("{number}", found.slots.get("number", "{number}"))


def _question(row: TextRow, sentence: AskedOf, found: Found, others: tuple[AskedOf, ...] = (),
              second: AskedOf | None = None) -> TextQuestion:  # fmt: skip
    return TextQuestion(row, sentence, found.words, found.span, _filled(row.ask, found),
                        _all_filled(row.answers, found), others, second)  # fmt: skip


def _cause(row: TextRow, number: int, found: Found) -> object:
    """What is one question: all that a row fits, what is about one thing, or each sentence."""
    if row.once == THING:
        return stem(found.slots.get("thing", "")), found.slots.get("number")
    return None if row.once else number


def _all_filled(said: Iterable[str], found: Found) -> tuple[str, ...]:
    return tuple(_filled(one, found) for one in said)


def _filled(said: str, found: Found) -> str:
    for name, words in found.slots.items():
        said = said.replace(f"{{{name}}}", words)
    return said
