"""What the text of a rulebook shows by itself: sentences that no statement covers, and words that leave something open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from referee.analysis.rule_places import Places
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Branch, Gap, Unspecified, origin_of
from referee.core.traverse import bodies, statements
from referee.frontend.loading.rulebook_statements import Statement, Status
from referee.review.finding import Finding
from referee.review.questions.lexicon import WHOM
from referee.review.questions.rulebook_text import RulebookSentence
from referee.review.questions.sentence_words import SentenceWords
from referee.review.rule_lines import says_unspecified


@dataclass(frozen=True, slots=True)
class OpenSentence:
    """A sentence with words that leave something open (dimension, words), of which nobody has said anything. `line`: of
    the rulebook, None for a statement's own wording."""

    statements: tuple[str, ...]
    line: int | None
    text: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TextFindings:
    """What the text shows. `path`: of the rulebook, None if none is given; `language`: None if it does not show;
    `guessed`: from its words; `sentences`: how many it has; `open`: None if nobody asked."""

    path: str | None
    language: str | None
    guessed: bool
    sentences: int
    uncovered: tuple[RulebookSentence, ...]
    open: tuple[OpenSentence, ...] | None


def text_findings(words: SentenceWords, known: Mapping[str, Statement], core: Core, found: Iterable[Finding],
                  lone_words: bool) -> TextFindings:  # fmt: skip
    """What the text shows of the rules of a core. `found`: what is asked; `lone_words`: whether words that leave open
    are told by themselves."""
    asked = frozenset((*spoken_of(core), *(cite for one in found for cite in one.cites)))
    open_ = sorted(_open(words, known, asked, core.seats.number), key=lambda one: -len(one.words)) if lone_words else ()
    book = words.rulebook
    if book is None:
        return TextFindings(None, words.language, True, 0, (), tuple(open_))
    return TextFindings(book.path, words.rulebook_language, words.guessed, len(book.sentences),
                        words.coverage.uncovered(book), tuple(open_) if lone_words else None)  # fmt: skip


def spoken_of(core: Core, places: Places | None = None, *, blind: bool = False) -> Iterator[str]:
    """The statements of which the rules say that they are open: by a reading, an assumption, the table, an answer.
    `places`: without points at which the table would rule only because the rules say nothing; `blind`: without those of
    which they say that nobody does."""
    for origin in (*(one.origin for one in core.readings.values()), *(one.origin for one in core.accepted)):
        yield from origin.cites
    for assumption in core.assumptions.values():
        yield from assumption.statements
    for answer in core.settled:
        yield from answer.statements
    for body in bodies(core):
        for open_ in statements(body, Unspecified):
            said = places is None or open_.gap is Gap.SAID or says_unspecified(
                places.text(open_.point.origin.span))
            if said and not blind:
                yield from open_.point.origin.cites
        for branch in statements(body, Branch):
            if any(name in core.readings for name in variables_of(branch.cond)):
                yield from origin_of(branch).cites


def _open(words: SentenceWords, known: Mapping[str, Statement], asked: frozenset[str], players: int
          ) -> Iterator[OpenSentence]:  # fmt: skip
    for ids, line, text, language in _sentences(words, known):
        if asked.isdisjoint(ids):
            said = ((name, words.lexicon.leaving_open(name, text, language, players))
                    for name in words.lexicon.dimensions if name != WHOM)  # fmt: skip
            left = tuple((name, one) for name, one in said if one is not None)
            if left:
                yield OpenSentence(ids, line, text, left)


def _sentences(words: SentenceWords, known: Mapping[str, Statement]
               ) -> Iterator[tuple[tuple[str, ...], int | None, str, str | None]]:  # fmt: skip
    """The sentences that say rules: of the rulebook if it is given, else of the statements."""
    if words.rulebook is None:
        for name, one in known.items():
            if one.status is not Status.NO_RULE:
                yield (name,), None, one.text, words.language
        return
    for number, sentence in enumerate(words.rulebook.sentences):
        ids = words.coverage.of.get(number, ())
        if not ids or any(known[name].status is not Status.NO_RULE for name in ids):
            yield ids, sentence.first, sentence.text, words.rulebook_language
