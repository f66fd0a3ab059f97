"""Which statements of the rulebook games come to, by how a sentence is read in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from referee.core.ruleset import Reading
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, complete
from referee.native.engine_names import engine
from referee.review.covered_parts import Marked, MarkReader
from referee.review.subject import Subject
from referee.simulation.game_samples import Played

GAMES, EVENTS = 60, 300
"""So many games are looked at, and so many events of each further one."""
FEWEST = 8
"""Of fewer games with one choice nothing is said."""
CHANCE = 1e-4
"""That a statement came up in no game by chance alone is to be less likely than this."""
PAIRS, SEEN = 12, 3
"""So many more games are played with each of two choices, from the same seeds; in so many it has to come up."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """A statement that no game comes to under a choice (`games` of them), and `met` of `others` under another one."""

    choice: int
    statement: str
    games: int
    other: int
    met: int
    others: int


class SentencesMet:
    """What the games of a subject come to; they are looked at once, when something is asked."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    @cached_property
    def _marked(self) -> Marked:
        return Marked(self._subject.core)

    @cached_property
    def _reader(self) -> MarkReader:
        return MarkReader(engine(lower(self._marked.core)))

    @cached_property
    def _games(self) -> list[tuple[Setting, frozenset[str]]]:
        plays = self._subject.plays
        return [(game.setting, self._met(game)) for game in plays.games[plays.told : plays.told + GAMES]]

    def unmet(self, reading: Reading) -> Iterator[Unmet]:
        """The statements that no game comes to under one choice of a reading, and games do under another one: too many
        of them for chance, and again in games from the same seeds. Raises `OutOfTime`."""
        by: list[list[frozenset[str]]] = [[] for _ in reading.choices]
        for setting, found in self._games:
            by[setting.readings.get(reading.name, reading.default)].append(found)
        own = set(reading.origin.cites)
        for index, here in enumerate(by):
            seen = own.union(*here)
            for other, there in enumerate(by):
                if other == index or min(len(here), len(there)) < FEWEST:
                    continue
                for statement in sorted(set[str]().union(*there) - seen):
                    came = sum(statement in one for one in there)
                    if (1 - came / len(there)) ** len(here) < CHANCE:
                        yield from self._again(reading, Unmet(index, statement, len(here), other, came, len(there)))

    def _again(self, reading: Reading, one: Unmet) -> Iterator[Unmet]:
        """The same, if games from the same seeds say so too."""
        here, there = (self._pair(reading.name, choice, one.statement) for choice in (one.choice, one.other))
        if not here and there >= SEEN:
            yield replace(one, games=one.games + PAIRS, met=one.met + there, others=one.others + PAIRS)

    def _pair(self, name: str, choice: int, statement: str) -> int:
        """In how many of some games under a choice a statement comes up."""
        return sum(statement in self._met(game) for seed in range(PAIRS) for game in self._played(name, choice, seed))

    def _played(self, name: str, choice: int, seed: int) -> Iterator[Played]:
        walker, random = self._subject.walker, Random(seed)
        with suppress(Fault):
            setting = complete(walker, replace(Setting(self._subject.players), readings={name: choice}), random)
            step, events = walker.begin(setting), list[Event]()
            while isinstance(step, State) and len(events) < EVENTS:
                self._subject.clock.tick()
                events.append(choose(walker, step, random))
                step = walker.advance(step, events[-1])
            yield Played(setting, tuple(events), step)

    def _met(self, game: Played) -> frozenset[str]:
        self._subject.clock.tick()
        self._reader.done.clear()
        self._reader.replay(game)
        done = self._reader.done
        return frozenset(cite for cite, parts in self._marked.cited.items() if None in parts or parts & done)
