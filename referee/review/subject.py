"""What is reviewed: a ruleset for one number of players, with the games and positions that all checks share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial

from referee.analysis.rule_places import Places
from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow, point_of
from referee.core.ruleset import Core
from referee.diagnostics.source import Span
from referee.frontend.loading.assembly import Loaded
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.native.engine_names import AUTO, GENERATED, NATIVE, REFERENCE, engine
from referee.proofs.claim_hunt import worth_machine_code
from referee.proofs.proof_outcomes import SearchedSpace
from referee.review.finding import some
from referee.review.questions.sentence_words import SentenceWords
from referee.simulation.further_search import FurtherSearch
from referee.simulation.game_samples import Plays
from referee.simulation.guided_search import Aimed, Toward
from referee.simulation.shrinking import Shows, minimised, replayed
from referee.simulation.state_space import StateSpace, settings
from referee.simulation.witness import Tale, Witness
from referee.system.deadline import Clock

SHARE_OF_SPACE, SHARE_OF_PLAYS = 0.3, 0.5
"""How much of the time that is left the search, and then the games, may take."""
FURTHER_SECONDS, FURTHER_BYTES = 10.0, 1 << 28
"""How long machine code looks at further positions, and how much memory these may take."""


TRIED, LONG = 4, 150
"""So many ways to a flaw are made shorter, to tell the shortest; those with so many events are not."""

Example = tuple[Span, tuple[str, ...], str]
"""A worked example that did not come out as told: where it stands, what it cites, what happened instead."""
Examples = Callable[[str, str], Mapping[str, Example]]
"""The worked examples, by their titles, that fail under a choice of a reading."""
Contradicted = Callable[[Core], Sequence[str]]
"""The worked examples, by their titles, that fail under other rules for the shape of a core."""
ToldGames = Callable[[Core], Sequence[Tale]]
"""The games that are told for the shape of a core."""


@dataclass(frozen=True, slots=True)
class ReviewEffort:
    """How much is looked at: random games and their events, positions of a search; the seed of all chance; whether
    proofs are tried; the worked examples of the rulebook, under readings and (`contradicted`) under other rules,
    and the games that scenarios tell; what words say and leave open (None: the statements alone, by what comes along),
    and whether they ask by themselves; `blind`: whether what the rules say to be unspecified is asked all the same;
    `engine`: what carries the rules out, by its name.
    """

    games: int = 200
    events: int = 400
    positions: int = 20_000
    seed: int = 0
    proofs: bool = False
    examples: Examples | None = None
    told: ToldGames = lambda _: ()
    contradicted: Contradicted = lambda _: ()
    words: SentenceWords | None = None
    lone_words: bool = False
    blind: bool = False
    engine: str = GENERATED


@dataclass(frozen=True, slots=True)
class Trail:
    """A way to a step: how the game begins, and its events. `shortest`: no way to anything like it has fewer.

    `way`: the events, or what finds them; most are never asked for, and to each of many positions in a row the way is
    as long as they are many. `tale`: the scenario in whose position it begins, if it does not begin with set-up.
    """

    setting: Setting
    way: tuple[Event, ...] | Callable[[], tuple[Event, ...]]
    step: Step
    shortest: bool
    tale: Tale | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events."""
        return self.way if isinstance(self.way, tuple) else self.way()


class Subject:
    """A ruleset for one number of players. What is costly is made when a check asks for it, once.

    loaded: the rules as text. walker: the fast engine; reference: the one that a witness is replayed by.
    wanted: the places of which more is to be known, None for all; known: those of which enough is, from other shapes.
    """

    wanted: frozenset[str] | None = None
    known: frozenset[str] = frozenset()

    def __init__(
        self, loaded: Loaded, flow: Flow, players: tuple[str, ...], effort: ReviewEffort, clock: Clock,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self.loaded = loaded
        self.flow = flow
        self.players = players
        self.effort = effort
        self.clock = clock
        self.progress = progress
        self.walker = engine(flow, REFERENCE if effort.engine == REFERENCE else GENERATED)
        self.reference = Walker(flow)

    @property
    def core(self) -> Core:
        """The rules in core form."""
        return self.flow.core

    @cached_property
    def places(self) -> Places:
        """Where in the rules something stands."""
        return Places(self.loaded)

    @cached_property
    def plays(self) -> Plays:
        """The games that were played."""
        effort = self.effort
        clock = self.clock.part(SHARE_OF_PLAYS)
        told = effort.told(self.core)
        return Plays(self.walker, self.players, effort.seed, effort.games, effort.events, clock, told,
                     self.progress)

    @cached_property
    def space(self) -> StateSpace:
        """The positions that a search found; all there are if it is `whole`."""
        self.progress("searching")
        return StateSpace.searched(self.walker, self.players, self.effort.positions, self.clock.part(SHARE_OF_SPACE))

    @cached_property
    def further(self) -> FurtherSearch | None:
        """What machine code found in further positions; None if all are known, or no machine code pays."""
        seconds = min(FURTHER_SECONDS, SHARE_OF_SPACE * self.clock.left())
        name = self.effort.engine
        if self.space.whole or not self.effort.positions or not isinstance(self.walker, Generated) or not (
                name == NATIVE or (name == AUTO and worth_machine_code(self.flow, seconds))):
            return None
        self.progress("searching further")
        every = settings(self.walker, Setting(self.players)) or []
        return FurtherSearch(self.walker, every, seconds, FURTHER_BYTES, self.progress)

    @property
    def searches(self) -> Iterator[SearchedSpace]:
        """The searches that were made for checks."""
        if "space" in self.__dict__:
            why = None if self.space.whole else "no more are looked at one by one"
            said = "by the reference engine" if self.effort.engine == REFERENCE else "by generated code"
            yield SearchedSpace(self.space.size, self.space.depth, self.space.seconds, said, why)
        more: FurtherSearch | None = self.__dict__.get("further")
        if more is not None:
            yield SearchedSpace(more.positions, more.depth, more.seconds, more.engine, more.why)

    # ------------------------------------------------------------------ what was seen
    @property
    def in_time(self) -> bool:
        """True if all games were played that were to be, or need not be."""
        return self.space.whole or self.plays.in_time

    @property
    def seen(self) -> str:
        """What was looked at, in words: for what was found in none of it."""
        if self.space.whole:
            return f"all {self.space.size} positions"
        return self.plays.said

    @property
    def all_looked_at(self) -> str | None:
        """What was looked at, in words, if games come to nothing else: for stops, errors and broken claims."""
        if self.space.whole:
            return self.seen
        more = self.further
        return f"all {more.positions:,} positions, {more.engine}" if more is not None and more.whole else None

    @property
    def sampled(self) -> str:
        """How many positions `trails` go to, in words: for what was seen in none of them, or in some."""
        if self.space.whole:
            return self.seen
        kept = self.space.size + sum(map(len, self.plays.visits.values()))
        return f"{kept:,} positions of {self.seen}"

    def trails(self) -> Iterator[Trail]:
        """Ways to positions at which somebody is asked: the near ones shortest first, then some of the games played."""
        for reached in self.space.positions():
            yield Trail(reached.setting, partial(self.space.events, reached), reached.step, True)
        if not self.space.whole:
            visits = [visit for some in self.plays.visits.values() for visit in some]
            for visit in sorted(visits, key=lambda one: one.number):
                game = self.plays.games[visit.game]
                yield Trail(game.setting, game.events[: visit.number], visit.state, False)

    def breaking(self) -> Iterator[Trail]:
        """Ways to positions of the games played at which something does not hold that is to hold always: of each thing
        one, if there is any."""
        if not self.space.whole:
            for visit in self.plays.broken.values():
                game = self.plays.games[visit.game]
                yield Trail(game.setting, game.events[: visit.number], visit.state, False)
            yield from self._odd()

    def _odd(self) -> Iterator[Trail]:
        """Ways to what is odd in further positions, shortest first."""
        for one in () if self.further is None else self.further.odd:
            yield Trail(one.setting, one.events, one.step, True)

    def endings(self) -> Iterator[Trail]:
        """Ways to ends, stops and errors: the near ones shortest first, then those of the games played."""
        for reached in self.space.ends:
            yield Trail(reached.setting, partial(self.space.events, reached), reached.step, True)
        if not self.space.whole:
            yield from (one for one in self._odd() if not isinstance(one.step, State))
            for game in sorted(self.plays.games, key=lambda g: len(g.events)):
                if not isinstance(game.last, State):
                    yield Trail(game.setting, game.events, game.last, False)

    def toward(self, goals: Set[int]) -> Iterator[Aimed]:
        """As many games again, played toward some nodes; none if all positions are known."""
        if self.space.whole:
            return
        what = some(self._named(goals)) or "what no game came to"
        self.progress(f"playing toward {what}")
        aimed = Toward(self.walker, self.players, goals, self.effort.seed, self.clock).games(
            self.effort.games, self.effort.events)
        for number, game in enumerate(aimed, 1):
            yield game
            self.progress(f"playing toward {what}: game {number} of {self.effort.games}")

    def _named(self, goals: Set[int]) -> Iterator[str]:
        for at in sorted(goals):
            point = point_of(self.flow.nodes[at])
            if point is not None:
                yield point.name

    def middle(self) -> Iterator[Trail]:
        """Ways to positions, ends, stops and errors that begin in the positions of scenarios, if the space is not
        whole: they may show a flaw, but not that a game comes to it."""
        if self.space.whole:
            return
        for game, passed in zip(self.plays.placed, self.plays.passed, strict=True):
            if game.setting.players == self.players:
                for number, step in enumerate((*passed, game.last)):
                    yield Trail(game.setting, game.events[:number], step, False, game.tale)

    def after(self, witness: Witness) -> Step:
        """What a witness comes to."""
        step = replayed(self.walker, witness.setting, witness.events)
        assert step is not None
        return step

    def shortest(self, trails: Sequence[Trail], shows: Shows) -> Witness | None:
        """The shortest of what some ways that show the same come to; a long one is not tried besides others."""
        first = trails[0]
        alike = [t for t in trails[:TRIED] if len(t.events) <= LONG and (t.tale is None) == (first.tale is None)]
        few = [first] if first.shortest or not alike else alike
        found = [one for trail in few if (one := self.witness(trail, shows)) is not None]
        return min(found, key=lambda one: len(one.events), default=None)

    def witness(self, trail: Trail, shows: Shows, position: str = "") -> Witness | None:
        """The game made as short as possible, as the reference engine replays it; None if it does not show it there."""
        events, least = trail.events, False
        if not trail.shortest:
            events, least = minimised(self.walker, trail.setting, trail.events, shows, self.clock)
        found = replayed(self.reference, trail.setting, events)
        if found is None or not shows(found):
            return None
        return Witness(trail.setting, events, trail.shortest, least, position, self.core.options, trail.tale)
