"""reading-kills-sentence: what speaks against a reading: sentences, examples and invariants.

A reading under which some other sentence of the rulebook could as well not be there is probably not what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

from referee.analysis.partial_evaluation import Left
from referee.analysis.rule_places import slug
from referee.core.ruleset import Reading
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, complete
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.subject import Example, Subject
from referee.simulation.shrinking import minimised
from referee.simulation.witness import Witness

CODE = "reading-kills-sentence"
GAMES, EVENTS = 8, 300
Game = tuple[Setting, tuple[Event, ...]]


def reading_kills_sentence(subject: Subject) -> Iterator[Finding]:
    """Each choice of each reading, against the others."""
    readings = subject.core.readings
    if not readings:
        yield absent(CODE, "no sentence has several readings")
    for reading in readings.values():
        yield from _Evidence(subject, reading).findings()


class _Evidence:
    """What speaks against the choices of one reading."""

    def __init__(self, subject: Subject, reading: Reading) -> None:
        self._subject, self._reading = subject, reading
        self._always = frozenset(cite for one in subject.core.invariants for cite in one.guard.origin.cites)

    def findings(self) -> Iterator[Finding]:
        """A finding for each choice that something speaks against."""
        killed, broken, failing = self._killed(), self._broken(), self._failing()
        for index, choice in enumerate(self._reading.choices):
            if killed[index]:
                yield self._dead(index, killed[index])
            elsewhere = set[str]().union(*(set(one) for i, one in enumerate(broken) if i != index))
            for name, (setting, events) in broken[index].items():
                if name not in elsewhere:
                    yield self._breaks(choice.name, name, setting, events)
            for title, example in failing[index].items():
                if any(title not in other for other in failing):
                    yield self._contradicts(choice.name, title, example)
        if not any(killed) and not any(broken) and not any(failing):
            yield self._nothing()

    def _nothing(self) -> Finding:
        """That no sentence is killed is certain; that no invariant is broken was only not seen, if there are some."""
        core, name = self._subject.core, self._reading.name
        said = "something is left of every sentence under each of its readings"
        if not core.invariants and all(zone.limit is None for zone in core.zones.values()):
            return absent(CODE, said, name)
        return bounded(CODE, f"{said}; no invariant is broken in {GAMES} games of each", name)

    # ------------------------------------------------------------------ sentences
    def _killed(self) -> list[list[str]]:
        """For each choice the statements that the rules encode under another choice, and not under it."""
        name = self._reading.name
        left = [Left(self._subject.flow, {name: i}).cites() for i in range(len(self._reading.choices))]
        own = frozenset(self._reading.origin.cites) | self._always
        known = frozenset().union(*left) - own
        return [sorted(known - here) for here in left]

    def _dead(self, index: int, killed: list[str]) -> Finding:
        reading, choice = self._reading, self._reading.choices[index]
        message = f"if {reading.name} is {choice.name}, nothing is left of {', '.join(killed)}"
        return Finding(
            CODE, FindingOutcome.FOUND, message, f"{reading.name}.{choice.name}", (reading.origin.span,), tuple(killed),
            settle="another alternative, or the sentence encoded under this one too",
            notes=(f"this speaks against reading it so: {choice.text or choice.name}",),
        )  # fmt: skip

    # ------------------------------------------------------------------ worked examples
    def _failing(self) -> list[Mapping[str, Example]]:
        """For each choice the worked examples that do not come out as told."""
        examples, reading = self._subject.effort.examples, self._reading
        return [{} if examples is None else examples(reading.name, choice.name) for choice in reading.choices]

    def _contradicts(self, choice: str, title: str, example: Example) -> Finding:
        span, cites, message = example
        name = self._reading.name
        return Finding(
            CODE, FindingOutcome.FOUND, f"if {name} is {choice}, a worked example does not come out as told: {title}",
            f"{name}.{choice}.{slug(title)}", (self._reading.origin.span, span), cites,
            settle="another alternative, or the example with the reading that it was told for",
            notes=(f"what happens instead: {message}",),
        )  # fmt: skip

    # ------------------------------------------------------------------ invariants
    def _broken(self) -> list[dict[str, Game]]:
        return [self._games(index) for index in range(len(self._reading.choices))]

    def _games(self, index: int) -> dict[str, Game]:
        """The invariants that some games break which are played under a choice, each with a game."""
        found: dict[str, Game] = {}
        for seed in range(GAMES):
            setting = replace(Setting(self._subject.players), readings={self._reading.name: index})
            with suppress(Fault):
                for name, game in self._one(complete(self._subject.walker, setting, Random(seed)), seed):
                    found.setdefault(name, game)
        return found

    def _one(self, setting: Setting, seed: int) -> Iterator[tuple[str, Game]]:
        """The invariants that a random game breaks, with the events up to there."""
        walker, random = self._subject.walker, Random(seed)
        step, events = walker.begin(setting), list[Event]()
        while True:
            yield from ((name, (setting, tuple(events))) for name in _names(self._subject, step))
            if not isinstance(step, State) or len(events) >= EVENTS:
                return
            self._subject.clock.tick()
            events.append(choose(walker, step, random))
            step = walker.advance(step, events[-1])

    def _breaks(self, choice: str, name: str, setting: Setting, events: tuple[Event, ...]) -> Finding:
        subject, reading = self._subject, self._reading

        def shows(step: Step) -> bool:
            return name in _names(subject, step)

        shorter, least = minimised(subject.walker, setting, events, shows, subject.clock)
        said = name.replace("_", " ")
        return Finding(
            CODE, FindingOutcome.FOUND, f"if {reading.name} is {choice}, it does not always hold that {said}",
            f"{reading.name}.{choice}.{name}", (reading.origin.span,), reading.origin.cites,
            Witness(setting, shorter, False, least),
            settle="another alternative, or an invariant that leaves this one out",
            notes=("under the other alternatives no game that was played broke it: this speaks against reading it so",),
        )  # fmt: skip


def _names(subject: Subject, step: Step) -> list[str]:
    """The invariants that do not hold where a game has come to."""
    state = step if isinstance(step, State) else step.state if isinstance(step, Ended) else None
    return [] if state is None else [one.name for one in subject.walker.broken(state)]
