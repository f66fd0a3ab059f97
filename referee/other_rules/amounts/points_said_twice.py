"""Points of which two sentences speak: another answer is that each of them gives its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Const, Expr, If, Op, Operator
from referee.core.ruleset import Core
from referee.core.stmt import Origin
from referee.core.traverse import rewrite_each, walk
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.control_statements import OFTEN
from referee.other_rules.forms import as_a

A = TypeVar("A")

FOR_EACH_SENTENCE = "for_each_of_the_sentences"


def with_points_of_each_sentence(core: Core, others: OtherAnswers) -> Core:
    """The rules with each part of the score that is so many points, or so many for each of some; for another answer it
    counts twice. It is asked about only where two sentences that stand for it have the number."""
    if core.score is None:
        return core
    tests: dict[Span, Expr] = {}
    for number, where in _parts(core.score.value):
        test = others.test(OFTEN, FOR_EACH_SENTENCE, Origin(where), alone=True, number=str(number))
        if test is not None:
            tests[where] = test
    if not tests:
        return core

    def twice(one: A) -> object | None:
        part = as_a(one, Op) or as_a(one, If)
        if part is None or part.span is None or part.span not in tests:
            return None
        double = typed_operators.arithmetic(Operator.ADD, part, part)
        kind = typed_operators.join(double.type, part.type)
        return None if kind is None else If(tests[part.span], double, part, kind, part.span)

    def inside(node: A) -> A:
        return rewrite_each(rewrite_each(node, Op, twice, lambda _: False), If, twice, lambda _: False)

    setup, play, score = core.main[: core.setup], core.main[core.setup :], core.score
    return replace(core, main=(*setup, *inside(play)), score=replace(score, value=inside(score.value)))


def _parts(value: Expr) -> Iterator[tuple[int, Span]]:
    """The numbers of points in a score, and where: so many for each, or so many if something is so."""
    for one in walk(value, Op):
        numbers = [_number(arg) for arg in one.args] if one.op is Operator.MUL else []
        if one.span is not None:
            yield from ((number, one.span) for number in numbers if number > 1)
    for either in walk(value, If):
        if either.span is not None and _number(either.yes) > 1 and _number(either.no) == 0:
            yield _number(either.yes), either.span


def _number(value: Expr) -> int:
    """A number that is written; less than nothing for anything else."""
    found = as_a(value, Const)
    return int(str(found.value)) if found is not None and any(True for _ in walk(found.type, Int)) else -1
