"""Which other answers are one question: of one statement, of lines of one shape, of one place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from referee.analysis.rule_places import Places
from referee.core.naming import LANGUAGE
from referee.frontend.desugaring.strict_comparisons import VALUE
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.desugaring.triggers import AGAIN
from referee.frontend.statements.state_changes import SCOPE, SURPLUS
from referee.other_rules.components.component_values import STATE, WHICH_VALUE
from referee.other_rules.conditions.guard_answers import GUARD
from referee.other_rules.conditions.sibling_guards import SIBLINGS
from referee.other_rules.likenesses.kinds_counted import OF_THE_KIND
from referee.other_rules.tracks.places_on_tracks import LED_ON
from referee.review.questions.catalogue import rank
from referee.review.questions.telling import ToldAnswer, order

_ALONE = (VALUE, GUARD, ORDER, SIBLINGS)
_ONCE = (SCOPE, SURPLUS, STATE, WHICH_VALUE)
"""What is asked once of all lines that cite nothing: for how long, and what becomes of what somebody has."""


class QuestionGroups:
    """The groups of answers of one ruleset."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def of(self, told: Iterable[ToldAnswer]) -> Iterator[tuple[list[ToldAnswer], tuple[str, ...]]]:
        """The answers to each question, the one that is told in full first; and the places of other lines that ask the
        same. In the order in which the questions are told."""
        groups: dict[object, list[ToldAnswer]] = {}
        for one in sorted(told, key=order):
            groups.setdefault(self._cause(one), []).append(one)
        asked: dict[object, list[list[ToldAnswer]]] = {}
        for group in groups.values():
            answers = self._answers_of(group)
            asked.setdefault(self._shape_of(answers), []).append(answers)
        for answers, *clones in asked.values():
            yield sorted(answers, key=lambda one: rank(one.trial.answer)), tuple(one.place for one, *_ in clones)

    def _cause(self, told: ToldAnswer) -> object:
        """What is one question: of one statement and dimension; of lines of one shape; of one place."""
        answer = told.trial.answer
        if told.cites:
            return told.cites, told.assumed, answer.dimension, self._apart(told)
        place = self._places.text(answer.origins[0].span)
        alike = answer.name if answer.dimension in _ONCE else _shape(place)
        return alike, told.assumed, answer.dimension, ""

    def _shape_of(self, answers: Sequence[ToldAnswer]) -> object:
        """What questions have in common that ask the same of lines of one shape: they are one, with their number."""
        first = answers[0].trial.answer
        text = self._places.text(first.origins[0].span)
        asked = tuple((one.trial.answer.dimension, one.trial.answer.name) for one in answers)
        by_sentence = first.dimension in (AGAIN, LED_ON) or first.name == OF_THE_KIND
        apart = answers[0].cites if by_sentence else ()
        return _shape(text), answers[0].assumed, asked, apart

    def _apart(self, told: ToldAnswer) -> str:
        """Comparisons, conditions and orders of one statement are questions of their own."""
        answer = told.trial.answer
        return self._places.text(answer.origins[0].span) if answer.dimension in _ALONE else ""

    def _answers_of(self, group: Sequence[ToldAnswer]) -> list[ToldAnswer]:
        """The first place of a group with its answers; the others are counted."""
        first = group[0]
        here = [one for one in group if one.place.rpartition("/")[0] == first.place.rpartition("/")[0]]
        rest = tuple(dict.fromkeys(one.place for one in group if one not in here))
        lead = min(here, key=lambda one: rank(one.trial.answer))
        return [replace(lead, alike=rest), *(one for one in here if one is not lead)]


def _shape(text: str) -> str:
    """A line of rules with everything left out that the rules name: lines of one shape say the same of other things."""
    return " ".join(word if word in LANGUAGE or not word[:1].isalnum() else "_"
                    for word in re.findall(r"\w+|[^\w\s]+", text))  # fmt: skip
