"""What can be asked of rules: for each dimension and other answer the question, and both answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.frontend.desugaring.later_moments import (
    AFTER_ACTION,
    END_OF_ROUND,
    END_OF_TURN,
    RUN_DRY,
    WHEN,
    WHEN_NEEDED,
)
from referee.frontend.desugaring.strict_comparisons import EQUAL_FAILS, EQUAL_PASSES, VALUE
from referee.frontend.desugaring.swapped_effects import ORDER, OTHER_FIRST
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.control_statements import NOBODY
from referee.frontend.statements.decisions import FEWER, FIXED, HOW_MANY, MUST, NEXT_PLAYER, NO_FIXED, NOT_NONE, WHO
from referee.frontend.statements.state_changes import NOT_AT_ALL, SURPLUS


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a question is about. `asks`: what is open, in a sentence. The words that settle it stand in `words/`."""

    name: str
    asks: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Another answer: what the rules say now, and what they would say, each as a rulebook could word it."""

    dimension: str
    name: str
    now: str
    then: str


DIMENSIONS: Mapping[str, Dimension] = {one.name: one for one in (
    Dimension(WHEN, "when does this happen?"),
    Dimension(RUN_DRY, "when is it filled up again?"),
    Dimension(ORDER, "which of the two comes first?"),
    Dimension(WHO, "who decides, or whose is it?"),
    Dimension(MUST, "is it left to the player, or must he?"),
    Dimension(HOW_MANY, "may it be fewer?"),
    Dimension(SURPLUS, "what becomes of what is too much?"),
    Dimension(VALUE, "and if the two are equal?"),
)}  # fmt: skip
ANSWERS: Mapping[tuple[str, str], Reply] = {(one.dimension, one.name): one for one in (
    Reply(WHEN, AFTER_ACTION, "at once, as soon as it is so", "once the action is carried out to its end"),
    Reply(WHEN, END_OF_TURN, "at once, as soon as it is so", "at the end of the turn"),
    Reply(WHEN, END_OF_ROUND, "at once, as soon as it is so", "at the end of the round, after equal turns for all"),
    Reply(RUN_DRY, WHEN_NEEDED, "as soon as it is empty", "when something is to be drawn from it"),
    Reply(ORDER, OTHER_FIRST, "in the order of the rules: the first, then the second", "the second, then the first"),
    Reply(WHO, NEXT_PLAYER, "the player named by the rules chooses", "the next player (of two: the other) chooses"),
    Reply(WHO, NOBODY, "of several all win", "of several nobody wins"),
    Reply(MUST, FIXED, "he may leave it", "he must, if he can"),
    Reply(MUST, NO_FIXED, "he must", "he may leave it"),
    Reply(HOW_MANY, FEWER, "exactly so many", "up to so many, also none"),
    Reply(HOW_MANY, NOT_NONE, "also none", "at least one, if there is one"),
    Reply(SURPLUS, NOT_AT_ALL, "as far as the limit, the rest is lost", "not at all, where it would pass the limit"),
    Reply(VALUE, EQUAL_PASSES, "equal is not enough", "equal is enough"),
    Reply(VALUE, EQUAL_FAILS, "equal is enough", "equal is not enough"),
)}  # fmt: skip
_RANK = {key: number for number, key in enumerate(ANSWERS)}


def answer_of(other: OtherAnswer) -> Reply:
    """What an other answer means."""
    return ANSWERS[other.dimension, other.name]


def rank(other: OtherAnswer) -> int:
    """Where it stands in the catalogue."""
    return _RANK[other.dimension, other.name]
