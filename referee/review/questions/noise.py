"""What is no question: an other answer that words of the rulebook, a number or the author have settled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.analysis.rule_places import Places
from referee.core.naming import LANGUAGE
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, SettledQuestion
from referee.core.stmt import Branch, origin_of
from referee.core.traverse import bodies, inner_blocks, statements
from referee.diagnostics.source import Span
from referee.frontend.desugaring.strict_comparisons import VALUE
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.decisions import FEWER, NO_FIXED
from referee.other_rules.destinations import STAYS, WHERE_TO
from referee.other_rules.guard_answers import ABSENT
from referee.review.questions.sentence_words import SentenceWords

STEM = 4
"""Words that begin with so many letters alike are taken for the same."""
LITTLE = ("that", "this", "they", "them", "there", "here", "with", "have", "what", "which", "where", "when", "each",
          "some", "more", "than", "only")  # fmt: skip
"""Words that say nothing of what a sentence is about."""
_CHOSEN = re.compile(r"\bone of\b|^turn player\b")
_COMPARED = re.compile(r"[<>]")
_LITERAL = re.compile(r"(?:[<>]=?\s*(\d+)|(\d+)\s*[<>]=?)\s*$|^(\d+)\s*[<>]")


class Settling:
    """Says of other answers of one core why they are no question."""

    def __init__(self, core: Core, places: Places, words: SentenceWords) -> None:
        self._core, self._places, self._words = core, places, words
        self._read = frozenset(_in_readings(core))

    def cites(self, other: OtherAnswer) -> tuple[str, ...]:
        """What the lines cite that the answer changes: statements of the rulebook, and assumptions."""
        own = dict.fromkeys(cite for origin in other.origins for cite in origin.cites)
        if own:
            return tuple(own)
        return tuple(dict.fromkeys(cite for origin in other.origins for cite in self._places.cites(origin.span)))

    def why(self, other: OtherAnswer) -> str:
        """What settles it, in a few words; empty if nothing does."""
        cites = self.cites(other)
        if all(origin.span in self._read for origin in other.origins):
            return "asked by a reading"
        statements_ = self._core.statements_in(cites)
        if self._words.settling(other.dimension, statements_) is not None or self._by_name(other, statements_):
            return "settled by a word"
        return self._by_number(other, statements_) or self._by_itself(other, statements_)

    def open_word(self, other: OtherAnswer) -> str:
        """The words of a cited sentence by which it is open; empty if it has none."""
        cites = self._core.statements_in(self.cites(other))
        return self._words.leaving_open(other.dimension, cites, self._core.seats.number) or ""

    def _by_name(self, other: OtherAnswer, cites: Sequence[str]) -> bool:
        """Whether a sentence speaks of the condition that the rules have, or of the place where they put something."""
        sentences = [self._core.statements.get(cite, "") for cite in cites]
        line = self._places.text(other.origins[0].span)
        if other.name == ABSENT:
            said = _said(line.partition('"')[2].partition('"')[0]) or _said(line)
            return 2 * sum(_speaks_of(sentences, one) for one in said) >= len(said)
        return other.dimension == WHERE_TO and any(
            _speaks_of(sentences, one) for one in _said(line.partition(" to ")[2]))  # fmt: skip

    def _by_number(self, other: OtherAnswer, cites: Sequence[str]) -> str:
        """What a number says that is written: of a comparison with one, how many they are, a condition on a number; one
        more or less is asked only if the statement has none."""
        line = self._places.text(other.origins[0].span)
        if other.dimension == VALUE and _LITERAL.search(line) is not None and not cites:
            return "settled by a number"
        named = ((other.dimension == VALUE and any(map(str.isdigit, line))) or other.name == FEWER
                 or (other.name == ABSENT and _COMPARED.search(line) is not None))  # fmt: skip
        return "settled by a number" if named and self._words.has_number(cites) else ""

    def _by_itself(self, other: OtherAnswer, cites: Sequence[str]) -> str:
        """What nobody asks unless a word leaves it open: whether a step within a turn is carried out at all, or what is
        used goes away; and equal values of a comparison for which no sentence stands."""
        line = self._places.text(other.origins[0].span)
        step = other.name == STAYS or (other.name == NO_FIXED and _CHOSEN.search(line) is None)
        if step and not self._words.leaving_open(other.dimension, cites, self._core.seats.number):
            return "clear by itself"
        return "clear by itself" if other.dimension == VALUE and not cites else ""


def _said(text: str) -> list[str]:
    """How the words of a line begin that can say what it is about."""
    found = [one.lower() for one in re.findall(rf"[^\W\d_]{{{STEM},}}", text)]
    return [one[:STEM] for one in found if one not in LITTLE]


def _speaks_of(sentences: Sequence[str], stem: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(stem)}", one, re.IGNORECASE) for one in sentences)


def _in_readings(core: Core) -> Iterator[Span]:
    """The lines that only some choice of a reading has."""
    for body in bodies(core):
        for stmt in statements(body, Branch):
            if any(name in core.readings for name in variables_of(stmt.cond)):
                yield from (origin_of(one).span for block in inner_blocks(stmt) for one in statements(block))


def answers(settled: Sequence[SettledQuestion], name: str) -> SettledQuestion | None:
    """The answer to a question, which names it, or all that is asked there about the same."""
    return next((one for one in settled if one.question in (name, name.rpartition(".")[0])), None)


def shape_of(text: str) -> str:
    """A line of rules with everything left out that the rules name: lines of one shape say the same of other things."""
    return " ".join(word if word in LANGUAGE or not word[:1].isalnum() else "_"
                    for word in re.findall(r"\w+|[^\w\s]+", text))  # fmt: skip
