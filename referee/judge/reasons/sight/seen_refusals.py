"""Refusals as a player may be told of them: by what he sees, without sorting what he does not see by how it came out.

Who sees that something was refused, and that nothing which he sees refuses it, knows that one of the hidden conditions
does. Of a single one that is all there is to know; of several it is not told which.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.flow import offers
from referee.game.event import Event
from referee.game.state import State, Step
from referee.interpreter.closures.frame import Frame
from referee.interpreter.event_explanation import explain, misnamed, misvalued, test
from referee.interpreter.offers import Offer, ParameterChoice
from referee.interpreter.refusals import BAD_ARGUMENT, GUARD, ArgumentProblem, Refusal, Tested
from referee.interpreter.walker import Walker
from referee.judge.visibility import PlayerSight


@dataclass(frozen=True, slots=True)
class SeenRefusal:
    """A refusal as it is told. `unseen`: hidden conditions by their texts, of which at least one does not hold; empty
    where the refusal says by itself what is amiss."""

    refusal: Refusal
    unseen: tuple[str, ...] = ()


class SeenRefusals:
    """What one viewer may be told of why events are refused."""

    def __init__(self, walker: Walker, sight: PlayerSight) -> None:
        self._walker = walker
        self._sight = sight

    def of(self, event: Event, step: Step, refusal: Refusal) -> SeenRefusal:
        """A refusal of an event at a position, as the viewer may be told of it."""
        if self._sight.all or refusal.kind not in (GUARD, BAD_ARGUMENT) or not isinstance(step, State):
            return SeenRefusal(refusal)
        if offers(self._walker.flow.nodes[step.at]) is None:  # the table rules, by what all see
            return SeenRefusal(refusal)
        course = self._walker.course
        frame = course.frame(step)
        found = [_Trial(event, offer, refusal, self._sight, frame).told()
                 for offer in course.offers(step.at, event.by, frame) if offer.label == event.label]
        return max(found, key=lambda one: (one.refusal.kind == GUARD, -len(one.refusal.arguments),
                                           -len(one.refusal.failed)))

    def not_excluded(self, event: Event, state: State) -> int:
        """How many of the alternatives that an event may have taken nothing excludes that the viewer sees."""
        course = self._walker.course
        frame = course.frame(state)
        blank = Refusal(GUARD, frozenset((event.by,)), ())
        return sum(not _Trial(event, offer, blank, self._sight, frame).is_excluded()
                   for offer in course.offers(state.at, event.by, frame) if offer.label == event.label)


class _Trial:
    """An event tried at one alternative, what the viewer sees apart from the rest."""

    def __init__(self, event: Event, offer: Offer, refusal: Refusal, sight: PlayerSight, frame: Frame) -> None:
        self._event = event
        self._offer = offer
        self._refusal = refusal
        self._sight = sight
        self._frame = frame
        self._unknown: set[str] = set()
        self._hidden_params: list[ParameterChoice] = []
        self._hidden_guards: list[Tested] = []
        self._failed: list[Tested] = []
        self._held: list[Tested] = []
        offer.enter(event.by, frame)
        self._problems = misnamed(event, offer) or self._seen_problems()
        if not self._problems:
            self._sort_guards()

    def is_excluded(self) -> bool:
        """Whether something that the viewer sees excludes the alternative."""
        return bool(self._problems or self._failed)

    def told(self) -> SeenRefusal:
        """Why the alternative cannot be taken."""
        made, known = self._offer.alternative, self._refusal
        if self._problems:
            return SeenRefusal(Refusal(BAD_ARGUMENT, known.by, known.labels, made.action, made.origin,
                                       arguments=tuple(self._problems), env=self._frame.env))
        hidden = len(self._hidden_params) + len(self._hidden_guards)
        if not self._failed and hidden == 1 and self._hidden_params:
            return SeenRefusal(explain(self._event, [self._offer], known.by, known.labels, self._frame))
        failed = self._failed or (self._hidden_guards if hidden == 1 else [])
        texts = [f"{one.param.arg or one.param.name} is one of those it can be" for one in self._hidden_params]
        texts += [one.guard.text for one in self._hidden_guards]
        return SeenRefusal(Refusal(GUARD, known.by, known.labels, made.action, made.origin, tuple(failed),
                                   tuple(self._held), env=self._frame.env), () if failed else tuple(texts))

    def _seen_problems(self) -> list[ArgumentProblem]:
        """The first argument that its source does not have, of those whose sources the viewer sees."""
        sight, by, given = self._sight, self._event.by, dict(self._event.args)
        self._unknown |= {name for name, value in self._offer.alternative.fixed if not sight.open(value, by)}
        for choice in self._offer.choices:
            param = choice.param
            if param.seen is not None and not sight.of_actor(by):
                self._unknown.add(param.name)
            read = (param.source, *(param.count or ()), *(() if param.among is None else (param.among,)))
            is_seen = param.name not in self._unknown and all(sight.open(one, by, self._unknown) for one in read)
            if is_seen:
                problems = misvalued(choice, given, self._offer, self._frame)
                if problems:
                    return problems
                continue
            self._hidden_params.append(choice)
            if param.arg is None:
                self._unknown.add(param.name)
                self._frame.env[param.name] = next(iter(choice.values(self._frame)), None)
            else:
                self._frame.env[param.name] = given[param.arg]
        return []

    def _sort_guards(self) -> None:
        for guard in self._offer.alternative.guards:
            tested, held = test(guard, self._frame)
            if not self._sight.open(guard.cond, self._event.by, self._unknown):
                self._hidden_guards.append(tested)
            else:
                (self._held if held else self._failed).append(tested)
