"""Which statements of the rulebook are of use in games, by how a sentence is read in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Reading
from referee.core.stmt import origin_of
from referee.core.traverse import bodies, statements
from referee.flow.lowering import lower
from referee.frontend.names.other_answers import OtherAnswer
from referee.game.setting import Setting
from referee.interpreter.interruptions import Fault
from referee.interpreter.walker import Walker
from referee.other_rules.without_statement import without_statements
from referee.review.questions.noted_games import NotedGame, noted_game_of, noted_games
from referee.review.questions.parting import Comparison
from referee.review.questions.trials import AnswerTrials
from referee.review.sentences.redundant_sentences import cited_lines
from referee.review.sentences.sentences_met import CHANCE, FEWEST, PAIRS, SEEN
from referee.review.subject import Subject

GAMES = 40
"""So many games are looked at, with any readings in half of them."""


@dataclass(frozen=True, slots=True)
class Unused:
    """A statement that came up in `came` games under a choice and changed none, and that changed `told` of `others`
    under another one in which it came up."""

    choice: int
    statement: str
    came: int
    other: int
    told: int
    others: int


@dataclass(frozen=True, slots=True)
class _Use:
    """What a game says: the statements that it comes to, and of these those that change it if they are taken out."""

    setting: Setting
    came: frozenset[str]
    told: frozenset[str]


class SentencesUsed:
    """What the statements of which all lines can be taken out change in games; found once, when something is asked."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    @cached_property
    def _rules(self) -> tuple[Walker, tuple[OtherAnswer, ...]]:
        core, answers = without_statements(self._subject.core, list(cited_lines(self._subject)))
        return Walker(lower(core)), answers

    @cached_property
    def _trials(self) -> AnswerTrials:
        walker, _ = self._rules
        return AnswerTrials(walker, Comparison(walker, Words(walker, self._subject.players)))

    @cached_property
    def _games(self) -> list[_Use]:
        subject, (walker, answers) = self._subject, self._rules
        if not answers:
            return []
        effort = subject.effort
        games = noted_games(walker, subject.players, effort.seed, effort.events, subject.clock)
        every = {one.name: one for one in answers}
        return [self._use(game, every) for game in islice(games, min(effort.games, GAMES))]

    def _use(self, game: NotedGame, answers: Mapping[str, OtherAnswer]) -> _Use:
        self._subject.clock.tick()
        met = frozenset[int]().union(*game.offers, *game.effects)
        came = frozenset(name for name, one in answers.items() if one.index in met)
        told = frozenset(name for name in came if self._trials.parted(answers[name], game) is not None)
        return _Use(game.setting, came, told)

    def unused(self, reading: Reading) -> Iterator[Unused]:
        """The statements that change no game under one choice of a reading in which they come up, and do under another
        one: too often for chance, and again in games from the same seeds. Raises `OutOfTime`."""
        by: list[list[_Use]] = [[] for _ in reading.choices]
        for use in self._games:
            by[use.setting.readings.get(reading.name, reading.default)].append(use)
        own = {*reading.origin.cites, *self._asking(reading.name)}
        for index, here in enumerate(by):
            for other, there in enumerate(by):
                if other != index:
                    for name in sorted(frozenset[str]().union(*(one.told for one in there)) - own):
                        yield from self._compared(reading, name, (index, here), (other, there))

    def _asking(self, name: str) -> Iterator[str]:
        """The statements of which a line asks itself how the sentence is read: that it is idle then is meant."""
        core = self._subject.core
        guards = [guard for action in core.actions.values() for guard in action.guards]
        lines = [stmt for body in bodies(core) for stmt in statements(body)]
        for origin, part in (*((one.origin, one.cond) for one in guards), *((origin_of(one), one) for one in lines)):
            if name in variables_of(part):
                yield from core.statements_in(origin.cites)

    def _compared(
        self, reading: Reading, name: str, one: tuple[int, Sequence[_Use]], other: tuple[int, Sequence[_Use]]
    ) -> Iterator[Unused]:
        came = [use for use in one[1] if name in use.came]
        others = [use for use in other[1] if name in use.came]
        told = sum(name in use.told for use in others)
        if len(came) < FEWEST or any(name in use.told for use in came):
            return
        if (1 - told / len(others)) ** len(came) < CHANCE:
            yield from self._again(reading, Unused(one[0], name, len(came), other[0], told, len(others)))

    def _again(self, reading: Reading, found: Unused) -> Iterator[Unused]:
        """The same, if games from the same seeds say so too."""
        here, there = (self._seeded(reading.name, choice, found.statement) for choice in (found.choice, found.other))
        came = sum(found.statement in one.came for one in here)
        told = sum(found.statement in one.told for one in there)
        if came >= SEEN and told >= SEEN and not any(found.statement in one.told for one in here):
            others = found.others + sum(found.statement in one.came for one in there)
            yield replace(found, came=found.came + came, told=found.told + told, others=others)

    def _seeded(self, name: str, choice: int, statement: str) -> list[_Use]:
        subject, (walker, answers) = self._subject, self._rules
        setting = replace(Setting(subject.players), readings={name: choice})
        wanted = {one.name: one for one in answers if one.name == statement}
        found: list[_Use] = []
        for seed in range(PAIRS):
            with suppress(Fault):
                game = noted_game_of(walker, setting, seed, subject.effort.events, subject.clock)
                found.append(self._use(game, wanted))
        return found
