"""What the wording of a rulebook leaves open, as questions of a review."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Set

from referee.core.ruleset import Core
from referee.frontend.loading.rulebook_statements import Statement, Status
from referee.review.finding import AskedQuestion, Finding, FindingOutcome
from referee.review.judged_kinds import is_seldom
from referee.review.questions.question_finding import CODE, question, worded
from referee.review.questions.sentence_words import SentenceWords
from referee.review.text_questions.asked_sentences import AskedOf, TextQuestion, asked
from referee.review.text_questions.text_rows import TextRow, shipped_rows
from referee.simulation.witness import Witness

WORDS = "words"
"""The dimension of what is asked of the wording: `question/STATEMENT/words.ROW`, or `.../words.ROW/OTHER` of a pair."""
_PIECE = re.compile(r"(?<=[.!?:]) ")
RAISED = "raised by the words of the sentence: no game was played on it"
COMES_ABOUT = "raised by the words of the sentence: the game shown comes to where it matters"


def rows_in(core: Core) -> frozenset[str]:
    """The rows of which some question is answered in the rules."""
    answers = (*(one.id for one in core.accepted), *(one.question for one in core.settled))
    return frozenset(one.partition(f"/{WORDS}.")[2].partition("/")[0] for one in answers) - {""}


class WordQuestions:
    """What is asked of the wording of statements and, if it is given, of the rulebook's text.

    `spoken_of`: statements of which the rules say themselves that they are open; `is_over`: whether the time is up;
    `left_out`: the rows for which it was.
    """

    def __init__(
        self, words: SentenceWords, statements: Mapping[str, Statement], spoken_of: Set[str], players: int,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        sentences = [one for one in _sentences(words, statements) if spoken_of.isdisjoint(one.ids)]
        self._known = frozenset((*statements, *map(_start, sentences)))
        self._rows = frozenset(row.name for one in shipped_rows().values() for row in one.rows)
        self.left_out: list[TextRow] = []
        self._asked = {_name(one): one for one in asked(sentences, shipped_rows(), players, _short_ones(words),
                                                        is_over, self.left_out)}  # fmt: skip

    @property
    def names(self) -> Collection[str]:
        """What the questions are called, `STATEMENT/words.ROW`, the best first."""
        return self._asked.keys()

    def may_be_asked(self, name: str) -> bool:
        """Whether a question is one of a row about a sentence that there is: a sentence that answers is not asked of,
        nor one of others among fewer players."""
        start, _, row = name.partition(f"/{WORDS}.")
        return start in self._known and row.partition("/")[0] in self._rows

    def of(self, name: str) -> TextQuestion:
        """A question by its name."""
        return self._asked[name]

    def finding(self, name: str, asked_of_lines: Collection[tuple[Set[str], str]], shown: Witness | None = None
                ) -> Finding | None:  # fmt: skip
        """A question by its name; None if one made from lines (statements, dimension) asks the same. `shown`: a game
        that comes to what is asked about."""
        one = self._asked[name]
        sentence = one.sentence
        if any(like in one.row.like and _is_of(one, cites) for cites, like in asked_of_lines):
            return None
        quoted = f'`settled "{CODE}/{name}" by [{sentence.ids[0]}] "WORDS OF IT"`' if sentence.ids else "a statement"
        return question(
            name, AskedQuestion(one.ask, (one.words,)), (), sentence.ids, (), shown, None,
            outcome=FindingOutcome.CANDIDATE, settle=f"{quoted}, or an assumption",
            notes=tuple(_notes(one, RAISED if shown is None else COMES_ABOUT)),
            wordings=worded(sentence.ids, one.answers, where=f"in line {sentence.line}"),
            alike=(_place(other, one.row.name) for other in one.others),
            seldom=shown is None and is_seldom(f"{WORDS}.{one.row.name}"),
        )  # fmt: skip


def _is_of(one: TextQuestion, cites: Set[str]) -> bool:
    """Whether a question of lines that cite some statements is about its sentence: about both of a pair, unless it is
    about the first alone."""
    ids, second = {*one.sentence.ids}, {*(one.second or one.sentence).ids}
    return not ids.isdisjoint(cites) and (
        one.second is None or cites <= ids or (ids != second and not second.isdisjoint(cites))
    )


def _short_ones(words: SentenceWords) -> tuple[str, ...]:
    """The pieces of the rulebook between marks that are no sentences: headings, captions, short questions."""
    if words.rulebook is None:
        return ()
    known = {one.text for one in words.rulebook.sentences}
    return tuple(one for one in _PIECE.split(words.rulebook.whole) if one not in known)


def _notes(one: TextQuestion, first: str) -> Iterator[str]:
    yield first
    for sentence in (one.sentence, one.second):
        if sentence is not None and sentence.line is not None:
            yield f'line {sentence.line} of the rulebook: "{sentence.text}"'


def _name(one: TextQuestion) -> str:
    second = "" if one.second is None else f"/{_start(one.second)}"
    return f"{_place(one.sentence, one.row.name)}{second}"


def _place(sentence: AskedOf, row: str) -> str:
    return f"{_start(sentence)}/{WORDS}.{row}"


def _start(sentence: AskedOf) -> str:
    return sentence.ids[0] if sentence.ids else f"line-{sentence.line}"


def _sentences(words: SentenceWords, statements: Mapping[str, Statement]) -> Iterator[AskedOf]:
    """The sentences that say rules: each statement, and each sentence of the rulebook where it is given."""
    rules = {name for name, one in statements.items() if one.status is not Status.NO_RULE and not one.shown}
    for name in statements:
        if name in rules:
            yield AskedOf((name,), None, statements[name].text, words.language)
    for number, sentence in enumerate(() if words.rulebook is None else words.rulebook.sentences):
        ids = words.coverage.of.get(number, ())
        if not ids or any(name in rules for name in ids):
            yield AskedOf(ids, sentence.first, sentence.text, words.rulebook_language)
