"""reading-divergence: for each sentence that can be read in several ways, a game that tells the ways apart.

The two readings are played side by side with the same events. What tells them apart is the first position that differs,
or the first event that one of them allows and the other does not. Of small games every one is compared,
and then that there is none is proved; of large ones as many as were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.analysis.partial_evaluation import Left
from referee.analysis.position_words import Words
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Reading
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.review.finding import Continuation, Finding, FindingOutcome, absent, bounded
from referee.review.subject import LONG, TRIED, Subject
from referee.review.way_scenes import way_scenes
from referee.simulation.divergence import Differ
from referee.simulation.guided_search import never_came, not_reached
from referee.simulation.shrinking import replayed
from referee.simulation.side_by_side import SideBySide, legality
from referee.simulation.state_space import settings
from referee.simulation.witness import Tale, Witness

CODE = "reading-divergence"
PAIRS = 6_000
"""So many pairs of positions are compared for a proof."""
ENOUGH = 5
"""So many games that tell two readings apart are found; then the shortest of them are made shorter."""
WALKS, FURTHER = 6, 12
"""So many ways on are tried, each of so many events, for an event that only one of two readings allows."""


@dataclass(frozen=True, slots=True)
class TellingGame:
    """A game that two readings do not take to the same: its events, and an event that only one of them allows then.

    `minimised`: no event of it can be left out; `tale`: the scenario in whose position it begins, if it does not begin
    with set-up.
    """

    setting: Setting
    events: tuple[Event, ...]
    only: Event | None
    shortest: bool = False
    minimised: bool = False
    tale: Tale | None = None


def reading_divergence(subject: Subject) -> Iterator[Finding]:
    """Each alternative of a reading against its default."""
    if not subject.core.readings:
        yield absent(CODE, "no sentence has several readings")
    for reading in subject.core.readings.values():
        for index in range(len(reading.choices)):
            if index != reading.default:
                sides = Sides(subject, reading, index)
                if subject.wanted is None or sides.place in subject.wanted:
                    yield sides.finding()


class Sides:
    """The default of a reading and one alternative, played side by side."""

    def __init__(self, subject: Subject, reading: Reading, other: int) -> None:
        self._subject, self._reading, self._other = subject, reading, other
        self._words = Words(subject.walker, subject.players)
        self._differ = Differ(subject.walker, self._words, subject.clock)
        base = subject.walker.layout.vars[reading.name].base
        self._cut = slice(base, base + 1)
        self._sides = SideBySide(subject.walker, subject.walker, self._both, self._apart)
        self._tried = 0
        self._asking = {at for at, node in enumerate(subject.flow.nodes) if reading.name in variables_of(node)}

    @property
    def place(self) -> str:
        """The reading, and the alternative if there is more than one."""
        name = self._reading.name
        return name if len(self._reading.choices) == 2 else f"{name}.{self._reading.choices[self._other].name}"

    def finding(self) -> Finding:
        """What is known of the two."""
        if not self._is_read():
            return absent(CODE, "no rule that a game can come to depends on it", self.place)
        every = self._settings()
        if every is not None:
            exact = self._all(every)
            if isinstance(exact, Finding):
                return exact
        found = self._played() or self._aimed() or self._in_the_middle()
        if not found:
            said = f"nothing tells them apart in {self._subject.plays.said}"
            return bounded(CODE, said + never_came(self._tried), self.place)
        return self._told(self._shortest(found))

    def _is_read(self) -> bool:
        core, name = self._subject.core, self._reading.name
        always = (*(one.guard for one in core.invariants), core.score)
        return name in variables_of(always) or Left(self._subject.flow, {}).reads(name)

    # ------------------------------------------------------------------ small games: all of them
    def _settings(self) -> list[Setting] | None:
        """Every setting with the default; None if there are too many."""
        every = settings(self._subject.walker, Setting(self._subject.players))
        if every is None:
            return None
        return [s for s in every if dict(s.readings).get(self._reading.name) == self._reading.default]

    def _all(self, every: Sequence[Setting]) -> Finding | None:
        """A shortest game, or the proof that there is none; None if the games are too many."""
        shortest: TellingGame | None = None
        for setting in every:
            one, other = (self._subject.walker.begin(s) for s in self._both(setting))
            compared = self._differ.compare(one, other, PAIRS, 10_000)
            if compared.apart is None and not compared.complete:
                return None
            if compared.apart is not None and (shortest is None or len(compared.apart.events) < len(shortest.events)):
                shortest = TellingGame(setting, compared.apart.events, compared.apart.only, True)
        if shortest is None:
            return absent(CODE, "every game goes the same way under both", self.place)
        return self._told(shortest)

    # ------------------------------------------------------------------ large games: those that were played
    def _both(self, setting: Setting) -> tuple[Setting, Setting]:
        name = self._reading.name
        one = replace(setting, readings={**setting.readings, name: self._reading.default})
        return one, replace(setting, readings={**setting.readings, name: self._other})

    def _played(self) -> list[TellingGame]:
        """The first few games that tell the two apart, with other readings as they are there."""
        found: list[TellingGame] = []
        games = self._subject.plays.games
        for number, game in enumerate(games, 1):
            self._subject.clock.tick()
            self._subject.progress(f"{CODE}: {self._reading.name} in game {number} of {len(games)}")
            telling = self._beside(game.setting, game.events)
            if telling is not None:
                found.append(telling)
            if len(found) >= ENOUGH:
                break
        return found

    def _aimed(self) -> list[TellingGame]:
        """The first game that tells the two apart of those that are played toward where the reading is read."""
        for game in self._subject.toward(self._asking):
            self._tried += 1
            telling = self._beside(game.setting, game.events)
            if telling is not None:
                return [telling]
        return []

    def _in_the_middle(self) -> list[TellingGame]:
        """The ways on from the positions of scenarios that tell the two apart."""
        found: list[TellingGame] = []
        for game in self._subject.plays.placed:
            self._subject.clock.tick()
            begun = self._sides.begin(game.setting)
            if all(isinstance(one, State) and not self._subject.walker.broken(one) for one in begun):
                telling = self._beside(game.setting, game.events)
                found += [] if telling is None else [replace(telling, tale=game.tale)]
        return found

    def _beside(self, setting: Setting, events: Sequence[Event]) -> TellingGame | None:
        """Where a game goes apart, if it is played under both readings, and not under others than these."""
        found = self._sides.parted(setting, events)
        return None if found is None else TellingGame(setting, found.events, found.how[0])

    def _apart(self, one: Step, other: Step) -> tuple[Event | None] | None:
        """None if two steps show and allow the same; else an event that only one of them allows, if there is one."""
        if not isinstance(one, State) or not isinstance(other, State):
            return None if self._differ.same(one, other) else (None,)
        alike = one.at == other.at and self._rest(one) == self._rest(other)
        if not alike and not self._differ.same(one, other):
            return (None,)
        if alike and one.at not in self._asking:
            return None
        here, there = self._differ.offered(one), self._differ.offered(other)
        return next(((e,) for e in (*here, *there) if (e in here) != (e in there)), None)

    def _rest(self, state: State) -> tuple[object, ...]:
        return state.slots[: self._cut.start] + state.slots[self._cut.stop :]

    def _shortest(self, found: list[TellingGame]) -> TellingGame:
        """The shortest that some of them can be made; long ones are not tried besides others."""
        near = sorted(found, key=lambda t: len(t.events))[:TRIED]
        few = [t for t in near if len(t.events) <= LONG] or near[:1]
        return min(map(self._minimised, few), key=lambda t: len(t.events))

    def _minimised(self, found: TellingGame) -> TellingGame:
        """The same with as few events as can be."""
        shorter, least = self._sides.shortest(found.setting, found.events, self._subject.clock)
        if shorter is None:
            return found
        return TellingGame(found.setting, shorter.events, shorter.how[0], minimised=least, tale=found.tale)

    # ------------------------------------------------------------------ what is told
    def _told(self, found: TellingGame) -> Finding:
        reading = self._reading
        self._words = Words(self._subject.walker, found.setting.players)
        one, other = (replayed(self._subject.reference, s, found.events) for s in self._both(found.setting))
        assert one is not None
        assert other is not None
        texts = [f"{c.name} ({c.text})" if c.text else c.name for c in (reading.choices[reading.default],
                                                                          reading.choices[self._other])]
        ends = [self._end(one, other, found.only), self._end(other, one, found.only)]
        scenes = way_scenes(self._subject.core, self._words, one, other, found.only)
        witness = Witness(
            self._both(found.setting)[0], found.events, found.shortest, found.minimised,
            options=self._subject.core.options, tale=found.tale,
        )  # fmt: skip
        decides = self._decides(found, over=all(isinstance(step, Ended) for step in (one, other)))
        message = f"the readings of {reading.name} differ" + (f": {reading.text}" if reading.text else "")
        return Finding(
            CODE, FindingOutcome.FOUND, message, self.place, (reading.origin.span,), reading.origin.cites, witness,
            tuple(Continuation(t, e, scene=s) for t, e, s in zip(texts, ends, scenes, strict=True)),
            "one of them in the place of the reading, once somebody knows which",
            (decides, *not_reached(witness, self._tried)),
        )  # fmt: skip

    def _decides(self, found: TellingGame, *, over: bool) -> str:
        """The event of a log by which one can tell how it was played."""
        if found.only is not None:
            return f"what decides: whether {self._words.event(found.only)} is legal"
        if over:
            return "what decides: who has won, as the log says at its end"
        further = self._further(found)
        if further is None:
            return "what decides: what has come of it, as a line that asserts it"
        events, only = further
        rest = ", then ".join(self._words.event(event) for event in events)
        return f"what decides: {f'{rest}: ' if rest else ''}whether {self._words.event(only)} is legal then"

    def _further(self, found: TellingGame) -> tuple[tuple[Event, ...], Event] | None:
        """The fewest of some events that both allow, before one that only one of them does."""
        ways = [way for seed in range(WALKS) if (way := self._walked(found, Random(seed))) is not None]
        return min(ways, key=lambda way: len(way[0]), default=None)

    def _walked(self, found: TellingGame, random: Random) -> tuple[tuple[Event, ...], Event] | None:
        now, events = self._sides.begin(found.setting), list[Event]()
        for event in found.events:
            now = self._sides.after(now, event) or now
        while len(events) < FURTHER:
            self._subject.clock.tick()
            one, other = now
            if not isinstance(one, State) or not isinstance(other, State):
                return None
            here, there = self._differ.offered(one), self._differ.offered(other)
            only = next((e for e in (*here, *there) if (e in here) != (e in there)), None)
            if only is not None:
                return tuple(events), only
            events.append(random.choice(list(here)))
            now = self._sides.after(now, events[-1]) or now
        return None

    def _end(self, step: Step, other: Step, only: Event | None) -> str:
        if only is None:
            return self._words.apart(step, [other])
        return f"{self._words.event(only)} is {legality(self._subject.reference, step, only)}"
