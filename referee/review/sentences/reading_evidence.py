"""reading-kills-sentence: what speaks against a reading: sentences, examples and invariants.

A reading under which some other sentence of the rulebook could as well not be there is probably not what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from referee.review.sentences.sentences_met import SentencesMet, Unmet
from referee.review.sentences.sentences_used import SentencesUsed, Unused
from referee.review.subject import Example, Subject
from referee.simulation.shrinking import Shows, minimised
from referee.simulation.witness import Witness

CODE = "reading-kills-sentence"
GAMES, EVENTS = 8, 300
"""Games under each choice of a reading, and events of each."""
FURTHER = 32
"""So many games have to keep what a choice breaks, under each other choice."""
Game = tuple[Setting, tuple[Event, ...]]


def reading_kills_sentence(subject: Subject) -> Iterator[Finding]:
    """Each choice of each reading, against the others."""
    readings = subject.core.readings
    if not readings:
        yield absent(CODE, "no sentence has several readings")
    met, used = SentencesMet(subject), SentencesUsed(subject)
    for reading in readings.values():
        yield from _Evidence(subject, reading, met, used).findings()


class _Evidence:
    """What speaks against the choices of one reading."""

    def __init__(self, subject: Subject, reading: Reading, met: SentencesMet, used: SentencesUsed) -> None:
        self._subject, self._reading, self._met, self._used = subject, reading, met, used
        self._always = frozenset(cite for one in subject.core.invariants for cite in one.guard.origin.cites)

    def findings(self) -> Iterator[Finding]:
        """A finding for each choice that something speaks against."""
        killed, broken, failing = self._killed(), self._broken(), self._failing()
        unmet = [one for one in self._met.unmet(self._reading) if one.statement not in killed[one.choice]]
        breaches = 0
        for index, choice in enumerate(self._reading.choices):
            if killed[index]:
                yield self._dead(index, killed[index])
            elsewhere = set[str]().union(*(set(one) for i, one in enumerate(broken) if i != index))
            for name, (setting, events) in broken[index].items():
                breach = None if name in elsewhere else self._breaks(index, name, setting, events)
                if breach is not None:
                    breaches += 1
                    yield breach
            for title, example in failing[index].items():
                if any(title not in other for other in failing):
                    yield self._contradicts(choice.name, title, example)
        for choices in {(one.choice, one.statement): one for one in unmet}.values():
            yield self._unmet(choices)
        idle = {(one.choice, one.statement): one for one in self._used.unused(self._reading)
                if one.statement not in killed[one.choice]}  # fmt: skip
        for one in idle.values():
            yield self._idle(one)
        if not any(killed) and not unmet and not idle and not breaches and not any(failing):
            yield self._nothing()

    def _nothing(self) -> Finding:
        """That no sentence is killed is certain; that no invariant is broken was only not seen, if there are some."""
        core, name = self._subject.core, self._reading.name
        said = "something is left of every sentence under each of its readings"
        if not core.invariants and all(zone.limit is None for zone in core.zones.values()):
            return absent(CODE, said, name)
        return bounded(CODE, f"{said}; no invariant is broken by one alone in {GAMES} games of each", name)

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

    def _games(self, index: int, seeds: range = range(GAMES)) -> dict[str, Game]:
        """The invariants that some games break which are played under a choice, each with a game."""
        found: dict[str, Game] = {}
        for seed in seeds:
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

    def _breaks(self, index: int, name: str, setting: Setting, events: tuple[Event, ...]) -> Finding | None:
        """What a game says against a choice that breaks an invariant; None if the same events, or further games, break
        it under another choice too."""
        subject, reading = self._subject, self._reading
        choice = reading.choices[index].name

        def shows(step: Step) -> bool:
            return name in _names(subject, step)

        shorter, least = minimised(subject.walker, setting, events, shows, subject.clock)
        for other in range(len(reading.choices)):
            if other == index:
                continue
            under = replace(setting, readings={**setting.readings, reading.name: other})
            if self._comes_to(under, shorter, shows) or name in self._games(other, range(GAMES, FURTHER)):
                return None
        return Finding(
            CODE, FindingOutcome.FOUND, f"if {reading.name} is {choice}, it does not always hold that {_said(name)}",
            f"{reading.name}.{choice}.{name}", (reading.origin.span,), reading.origin.cites,
            Witness(setting, shorter, False, least),
            settle="another alternative, or an invariant that leaves this one out",
            notes=(f"{FURTHER} games under each of the other alternatives keep it, and so do the events of this one: "
                   "this speaks against reading it so",),
        )  # fmt: skip

    def _comes_to(self, setting: Setting, events: Sequence[Event], shows: Shows) -> bool:
        """Whether a game shows something on its way; what is not possible is left out of it."""
        walker = self._subject.walker
        step = walker.begin(setting)
        for event in events:
            if shows(step) or not isinstance(step, State):
                break
            if walker.check(step, event) is None:
                step = walker.advance(step, event)
        return shows(step)

    def _unmet(self, one: Unmet) -> Finding:
        reading = self._reading
        choice, other = reading.choices[one.choice], reading.choices[one.other]
        return Finding(
            CODE, FindingOutcome.CANDIDATE,
            f"if {reading.name} is {choice.name}, no game comes to what {one.statement} says",
            f"{reading.name}.{choice.name}.{one.statement}", (reading.origin.span,), (one.statement,),
            settle="another alternative, or the sentence encoded under this one too",
            notes=(f"none of {one.games} games; of those with {other.name} {one.met} of {one.others} do",
                   f"this speaks against reading it so: {choice.text or choice.name}"),
        )  # fmt: skip

    def _idle(self, one: Unused) -> Finding:
        reading = self._reading
        choice, other = reading.choices[one.choice], reading.choices[one.other]
        return Finding(
            CODE, FindingOutcome.CANDIDATE,
            f"if {reading.name} is {choice.name}, what {one.statement} says changes no game",
            f"{reading.name}.{choice.name}.{one.statement}.idle", (reading.origin.span,), (one.statement,),
            settle="another alternative, or a rule under which the sentence is of use under this one too",
            notes=(f"it came up in {one.came} games, and taken out it changed none; with {other.name} it changed "
                   f"{one.told} of {one.others}", f"this speaks against reading it so: {choice.text or choice.name}"),
        )  # fmt: skip


def _said(name: str) -> str:
    return name.replace("_", " ")


def _names(subject: Subject, step: Step) -> list[str]:
    """The invariants that do not hold where a game has come to."""
    state = step if isinstance(step, State) else step.state if isinstance(step, Ended) else None
    return [] if state is None else [one.name for one in subject.walker.broken(state)]
