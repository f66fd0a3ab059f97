"""Explains why an event is not legal: the action it comes closest to, its arguments, and every guard tested."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from referee.core.read_write_sets import locals_of
from referee.core.stmt import Guard, Param
from referee.core.types import Value
from referee.game.event import Event
from referee.interpreter.closures.frame import Frame
from referee.interpreter.interruptions import Fault
from referee.interpreter.multisets import limits
from referee.interpreter.offers import Offer, ParameterChoice
from referee.interpreter.refusals import BAD_ARGUMENT, GUARD, ArgumentProblem, Refusal, Shown, Tested

EXAMPLES = 12
"""So many allowed values are named at most; one more is looked at, to know whether there are others."""
MOST_TRIED = 500
"""So many values are tried with which something is left for a parameter that no line states."""


def explain(event: Event, offers: list[Offer], by: frozenset[int], labels: tuple[str, ...], frame: Frame) -> Refusal:
    """Why none of the offers that have the event's label can be taken: of the one that the event comes closest to."""
    found = [_explained(event, offer, by, labels, frame) for offer in offers if offer.label == event.label]
    return max(found, key=lambda refusal: (refusal.kind == GUARD, -len(refusal.arguments), -len(refusal.failed)))


def _explained(event: Event, offer: Offer, by: frozenset[int], labels: tuple[str, ...], frame: Frame) -> Refusal:
    offer.enter(event.by, frame)
    problems = misnamed(event, offer) or _values(dict(event.args), offer, frame)
    alternative = offer.alternative
    if problems:
        return Refusal(BAD_ARGUMENT, by, labels, alternative.action, alternative.origin, arguments=tuple(problems),
                       env=frame.env)
    tested = [(test(guard, frame), guard) for guard in alternative.guards]
    failed = tuple(one for (one, held), _ in tested if not held)
    return Refusal(GUARD, by, labels, alternative.action, alternative.origin, failed,
                   tuple(one for (one, held), _ in tested if held), env=frame.env)


def misnamed(event: Event, offer: Offer) -> list[ArgumentProblem]:
    """The arguments of an offer that an event lacks, and those that it has besides."""
    given = [arg for arg, _ in event.args]
    problems = [ArgumentProblem(param.arg, "missing", None, param) for param in offer.params
                if param.arg is not None and param.arg not in given]
    problems += [ArgumentProblem(arg, "unexpected", value) for arg, value in event.args if arg not in offer.args]
    return problems


def _values(given: dict[str, Value], offer: Offer, frame: Frame) -> list[ArgumentProblem]:
    """The first argument that its source does not have: those after it may depend on it."""
    return next((found for choice in offer.choices if (found := misvalued(choice, given, offer, frame))), [])


def misvalued(choice: ParameterChoice, given: dict[str, Value], offer: Offer, frame: Frame) -> list[ArgumentProblem]:
    """What is wrong with the value of a parameter; binds it if nothing is."""
    param = choice.param
    allowed = tuple(islice(choice.values(frame), EXAMPLES + 1))
    if param.arg is None:
        if not allowed:
            return [_left_without(choice, given, offer, frame)]
        frame.env[param.name] = allowed[0]
        return []
    value = given[param.arg]
    if not choice.allows(value, frame):
        ends = choice.ends(frame) if choice.free and len(allowed) > EXAMPLES else None
        problem = ArgumentProblem(param.arg, "not allowed", value, param, allowed, ends=ends)
        return [problem if param.count is None else _of_several(problem, param, frame)]
    frame.env[param.name] = value
    return []


def _left_without(lacking: ParameterChoice, given: dict[str, Value], offer: Offer, frame: Frame) -> ArgumentProblem:
    """The last argument on which it depends that nothing is left for a parameter that no line states."""
    needed = locals_of(lacking.param.source)
    before = offer.choices[:offer.choices.index(lacking)]
    last = next((one for one in reversed(before) if one.param.arg is not None and one.param.name in needed), None)
    if last is None or last.param.arg is None:
        return ArgumentProblem(lacking.param.name, "missing", None, lacking.param)
    allowed: list[Value] = []
    own = frame.env[last.param.name]
    for value in islice(last.values(frame), MOST_TRIED):
        frame.env[last.param.name] = value
        if len(allowed) <= EXAMPLES and any(True for _ in lacking.values(frame)):
            allowed.append(value)
    frame.env[last.param.name] = own
    return ArgumentProblem(last.param.arg, "not allowed", given[last.param.arg], last.param, tuple(allowed),
                           lacking=lacking.param)


def _of_several(problem: ArgumentProblem, param: Param, frame: Frame) -> ArgumentProblem:
    try:
        number, beyond = limits(param, problem.value, frame)
    except Fault:
        return problem
    return replace(problem, number=number, beyond=beyond)


def test(guard: Guard, frame: Frame) -> tuple[Tested, bool]:
    """A guard with the values that explain it, and whether it holds."""
    shown: list[Shown] = []
    try:
        held = bool(frame.evaluate(guard.cond))
        fault = cause = None
    except Fault as error:
        held, fault, cause = False, error.message, error.cause
    for text, expr in guard.shows:
        try:
            shown.append(Shown(text, frame.evaluate(expr), expr.type))
        except Fault:
            continue
    return Tested(guard, tuple(shown), fault, cause), held
