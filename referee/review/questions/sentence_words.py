"""What cited sentences say of a dimension: those of the statements, and of the rulebook itself where it is given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from referee.core.ruleset import Core, SettledQuestion
from referee.frontend.loading.remarks.settled_questions import answers
from referee.frontend.loading.rulebook_statements import Statement
from referee.review.questions.lexicon import Lexicon, folded
from referee.review.questions.lexicon_files import shipped
from referee.review.questions.rulebook_text import Coverage, RulebookText, coverage

FAR = 12
"""So many lines apart are no longer of one list."""
LIKE = 5
"""Words that have so many letters alike are forms of one: what is said of the one is said of the other."""


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words that questions look at. `statements`: the wording by id, and the `language` of it, as far as it shows;
    `rulebook`: the text, what covers it, and its language (`guessed`: from its words; None: it does not show)."""

    lexicon: Lexicon
    statements: Mapping[str, str]
    language: str | None
    rulebook: RulebookText | None = None
    coverage: Coverage = field(default_factory=lambda: Coverage({}, {}))
    rulebook_language: str | None = None
    guessed: bool = True
    lines: Mapping[str, int] = field(default_factory=dict)

    def are_steps(self, first: Iterable[str], second: Iterable[str]) -> bool:
        """Whether two statements stand in lines of the rulebook one behind the other, as steps that are listed do."""
        one, other = ({self.lines.get(cite, -2) for cite in cites} for cites in (first, second))
        return len(one) == len(other) == 1 and min(one) >= 0 and max(other) == min(one) + 1

    def far_apart(self, one: str, other: str) -> bool:
        """Whether two statements stand in other parts of the rulebook."""
        lines = self.lines
        return one in lines and other in lines and abs(lines[one] - lines[other]) > FAR

    def settling(self, dimension: str, cites: Iterable[str]) -> str | None:
        """The words of a cited statement, or of the sentence of the rulebook that it stands for, that say it."""
        said = (self.lexicon.settling(dimension, text, language) for text, language in self._texts(cites))
        return next((words for words in said if words is not None), None)

    def undefined(self, dimension: str, cites: Iterable[str]) -> str | None:
        """Words by which a cited statement leaves it open and that no sentence which settles it has, cited or not: what
        "next to" means does not say what "beside" means."""
        known = [folded(text) for text, language in self._texts(self.statements)
                 if self.lexicon.settling(dimension, text, language) is not None]  # fmt: skip
        used = (words for text, language in self._texts(cites)
                for words in self.lexicon.every_open(dimension, text, language))  # fmt: skip
        return next((one for one in used if not any(folded(one)[:LIKE] in text for text in known)), None)

    def has_open(self, dimension: str, cites: Iterable[str]) -> bool:
        """Whether a cited statement has words that leave it open if nothing else settles it."""
        return any(self.lexicon.every_open(dimension, text, language) for text, language in self._texts(cites))

    def commanding(self, cites: Iterable[str]) -> str | None:
        """The verb by which a cited statement tells the reader, whose turn it is, to do something."""
        said = (self.lexicon.commanding(text, language) for text, language in self._texts(cites))
        return next((verb for verb in said if verb is not None), None)

    def leaving_open(self, dimension: str, cites: Iterable[str], players: int) -> str | None:
        """The words there by which it is open; None if nothing is, or something settles it."""
        texts = list(self._texts(cites))
        if any(self.lexicon.settling(dimension, text, language) is not None for text, language in texts):
            return None
        found = (self.lexicon.leaving_open(dimension, text, language, players) for text, language in texts)
        return next((words for words in found if words is not None), None)

    def anywhere(self, dimension: str) -> str | None:
        """The words by which any sentence of the rulebook says what a dimension is about."""
        return self.settling(dimension, self.statements)

    def numbered(self, number: str) -> bool:
        """Whether any sentence of the rulebook has a number, in digits or in a word of its language."""
        return any(self.has_this_number(cite, number) for cite in self.statements)

    def has_this_number(self, cite: str, number: str) -> bool:
        """Whether a statement has a number, in digits or in a word of its language."""
        text = self.statements.get(cite, "")
        found = re.search(rf"(?<!\w){number}(?!\w)", text) is not None
        return found or self.lexicon.has_this_number(text, int(number), self.language)

    def has_number(self, cites: Iterable[str]) -> bool:
        """Whether a cited statement has a number."""
        return any(self.lexicon.has_number(self.statements.get(cite, ""), self.language) for cite in cites)

    def answers(self, core: Core) -> Iterator[SettledQuestion]:
        """The answers of which the words stand in what they cite, or in the rulebook."""
        whole = "" if self.rulebook is None else self.rulebook.whole
        return (one for one in core.settled if answers(one, self.statements, core.assumptions, whole))

    def _texts(self, cites: Iterable[str]) -> Iterable[tuple[str, str | None]]:
        for cite in cites:
            if cite in self.statements:
                yield self.statements[cite], self.language
            for text in self.coverage.surely.get(cite, ()):
                yield text, self.rulebook_language


def sentence_words(statements: Mapping[str, Statement], lexicon: Lexicon | None = None,
                   rulebook: RulebookText | None = None, language: str | None = None) -> SentenceWords:  # fmt: skip
    """The words of a ruleset. `lexicon`: None for the one that comes along; `language`: that of the rulebook, None to
    guess it."""
    known = shipped() if lexicon is None else lexicon
    wording = {name: one.text for name, one in statements.items()}
    lines = {name: one.line for name, one in statements.items() if one.line is not None}
    own = known.language_of(wording.values())
    if rulebook is None:
        return SentenceWords(known, wording, own, lines=lines)
    said = language if language is not None else known.language_of(one.text for one in rulebook.sentences)
    covered = coverage(rulebook, statements, translated=None not in (own, said) and own != said)
    return SentenceWords(known, wording, own, rulebook, covered, said, language is None, lines)
