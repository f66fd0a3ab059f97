"""What the wording of a rulebook leaves open, as questions of a review."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set

from referee.frontend.loading.rulebook_statements import Statement, Status
from referee.review.finding import AskedQuestion, Finding, FindingOutcome
from referee.review.questions.question_finding import CODE, question, worded
from referee.review.questions.sentence_words import SentenceWords
from referee.review.text_questions.asked_sentences import AskedOf, TextQuestion, asked
from referee.review.text_questions.text_rows import shipped_rows

WORDS = "words"
"""The dimension of what is asked of the wording: `question/STATEMENT/words.ROW`."""
RAISED = "raised by the words of the sentence: no game was played on it"


class WordQuestions:
    """What is asked of the wording of statements and, if it is given, of the rulebook's text.

    `spoken_of`: statements of which the rules say themselves that they are open.
    """

    def __init__(self, words: SentenceWords, statements: Mapping[str, Statement], spoken_of: Set[str], players: int
                 ) -> None:  # fmt: skip
        sentences = [one for one in _sentences(words, statements) if spoken_of.isdisjoint(one.ids)]
        self._asked = {_name(one): one for one in asked(sentences, shipped_rows(), players)}

    @property
    def names(self) -> Collection[str]:
        """What the questions are called, `STATEMENT/words.ROW`, the best first."""
        return self._asked.keys()

    def finding(self, name: str, asked_of_lines: Set[tuple[str, str]]) -> Finding | None:
        """A question by its name; None if a question made from lines (statement, dimension) asks the same."""
        one = self._asked[name]
        sentence = one.sentence
        if any((cite, like) in asked_of_lines for cite in sentence.ids for like in one.row.like):
            return None
        quoted = f'`settled "{CODE}/{name}" by [{sentence.ids[0]}] "WORDS OF IT"`' if sentence.ids else "a statement"
        return question(
            name, AskedQuestion(one.ask, (one.words,)), (), sentence.ids, (), None, None,
            outcome=FindingOutcome.CANDIDATE, settle=f"{quoted}, or an assumption", notes=tuple(_notes(one)),
            wordings=worded(sentence.ids, one.answers, where=f"in line {sentence.line}"),
            alike=(_place(other, one.row.name) for other in one.others),
        )  # fmt: skip


def _notes(one: TextQuestion) -> Iterator[str]:
    yield RAISED
    if one.sentence.line is not None:
        yield f'line {one.sentence.line} of the rulebook: "{one.sentence.text}"'


def _name(one: TextQuestion) -> str:
    return _place(one.sentence, one.row.name)


def _place(sentence: AskedOf, row: str) -> str:
    return f"{sentence.ids[0] if sentence.ids else f'line-{sentence.line}'}/{WORDS}.{row}"


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
