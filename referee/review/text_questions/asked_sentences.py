"""What the sentences of a rulebook leave open by their wording alone, as far as no other sentence settles it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.review.text_questions.sentence_patterns import Found, Sentences, stem
from referee.review.text_questions.text_rows import LanguageRows, TextRow

ENGLISH, ALL, THING = "English", "all", "thing"
NEAR = 2
"""So many sentences after one are near to it."""


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
    """What a sentence leaves open: by which words, what is asked, and what could be written; `others`: further
    sentences of which the same is asked."""

    row: TextRow
    sentence: AskedOf
    words: str
    ask: str
    answers: tuple[str, ...]
    others: tuple[AskedOf, ...] = field(default=())


def asked(sentences: Sequence[AskedOf], rows: Mapping[str, LanguageRows], players: int) -> Iterator[TextQuestion]:
    """What is asked of sentences, the best rows first; where the language does not show it is taken for English."""
    found = [one for known in rows.values() for one in _of_language(sentences, known, players)]
    told: set[tuple[str, str]] = set()
    for one in sorted(found, key=lambda one: -one.row.worth):
        keys = {(one.row.name, name) for name in ("",) if one.row.once == ALL}
        keys |= {(one.row.name, name) for name in one.sentence.ids}
        if told.isdisjoint(keys):  # the statement and the sentence of the rulebook that it stands for are one
            told |= keys
            yield one


def _of_language(sentences: Sequence[AskedOf], known: LanguageRows, players: int) -> Iterator[TextQuestion]:
    own = [one for one in sentences if (one.language or ENGLISH) == known.language]
    for row in known.rows:
        if row.among <= players and own:
            yield from _of_row(own, known.sentences, row)


def _of_row(sentences: Sequence[AskedOf], patterns: Sentences, row: TextRow) -> Iterator[TextQuestion]:
    if row.needs and not any(patterns.fits(row.needs, one.text) for one in sentences):
        return
    if row.anywhere and any(patterns.fits(row.anywhere, one.text) for one in sentences):
        return
    asked_: dict[object, list[tuple[AskedOf, Found]]] = {}
    for number, one in enumerate(sentences):
        found = patterns.first(row.match, one.text)
        if found is None or patterns.fits(row.unless, one.text):
            continue
        thing = found.slots.get("thing", "")
        others = (other for other in sentences if other is not one)
        if row.near and any(patterns.fits(row.near, other.text) for other in sentences[number + 1 : number + 1 + NEAR]):
            continue
        if row.elsewhere and any(patterns.fits(row.elsewhere, other.text, thing) for other in others):
            continue
        asked_.setdefault(_cause(row, number, found), []).append((one, found))
    for (first, found), *rest in asked_.values():
        yield TextQuestion(row, first, found.words, _filled(row.ask, found), _all_filled(row.answers, found),
                           tuple(one for one, _ in rest))  # fmt: skip


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
