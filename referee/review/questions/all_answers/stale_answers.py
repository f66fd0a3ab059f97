"""Lines of the rules that answer what cannot be asked any more, or in words that nothing has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from referee.core.ruleset import Core
from referee.review.finding import Finding, FindingOutcome
from referee.review.questions.noise.settling import settlement_of
from referee.review.questions.question_finding import CODE
from referee.review.questions.sentence_words import SentenceWords

TAKE_OUT = "take the line out"


def stale_answers(core: Core, words: SentenceWords, names: Collection[str]) -> Iterator[Finding]:
    """What is found of each `settled`. `names`: what the questions are called that could be asked."""
    quoted = tuple(words.answers(core))
    for one in core.settled:
        if one not in quoted:
            where = " nor in the rulebook" if words.rulebook is not None else ", and no rulebook is given"
            said = f'"{one.words}" settles {one.question} here, and does not stand in what is cited{where}'
            yield Finding(CODE, FindingOutcome.FOUND, said, "", (one.origin.span,), one.statements,
                          settle="quote the words as they stand there")  # fmt: skip
        elif not any(settlement_of((one,), f"{CODE}/{name}") for name in names):
            yield Finding(CODE, FindingOutcome.FOUND, f"{one.question} is settled here, and cannot be asked", "",
                          (one.origin.span,), one.statements, settle=TAKE_OUT)  # fmt: skip


def stale_everywhere(found: Iterable[Finding], numbers: Collection[int], *, narrowed: bool) -> Iterator[Finding]:
    """Findings without the answers to what can be asked of other `numbers` of players than those that they are told
    with. `narrowed`: some were not looked at, and it may be asked there."""
    every = list(found)
    told = dict[str, set[int]]()
    for one in every:
        told.setdefault(one.message, set()).update(one.shapes)
    for one in every:
        if one.settle != TAKE_OUT or (not narrowed and told[one.message] >= set(numbers)):
            yield one
