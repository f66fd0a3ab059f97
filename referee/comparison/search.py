"""Looks for a difference in the games of two rulesets.

All games are looked at where they are few, else some, by lot and toward what is said otherwise.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from referee.comparison.correspondence import SharedEvent
from referee.comparison.lockstep import Both, Lockstep, PartingKind, SidesParting, ends_here
from referee.comparison.paired_settings import Pair, PairedSettings
from referee.comparison.said_otherwise import labels_said_otherwise
from referee.comparison.shortening import Shortener
from referee.comparison.shown_difference import ScenarioGame, ShownDifference
from referee.comparison.side import Standpoint, TooManyStandpoints
from referee.game.state import State
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose
from referee.system.deadline import Clock, OutOfTime

MOST_DIFFERENCES = 40
"""So many differences are kept; others are not told."""
LOOKED_AT = 40
"""Between so many events somebody chooses who is after something rare."""
EVERY, SCENARIOS, BY_LOT, DIRECTED = 0.4, 0.3, 0.6, 0.8
"""Shares of the time that is left, for all positions, the games of scenarios, games by lot, and those toward
differences; the rest is there to make games shorter."""


@dataclass(frozen=True, slots=True)
class CompareEffort:
    """How much is looked at: random games, events of each, pairs of positions; `seed` of all chance."""

    games: int = 200
    events: int = 400
    positions: int = 20_000
    seed: int = 0


@dataclass
class SearchedGames:
    """What was looked at and found. `whole`: these were all games, so that without a difference there is none;
    `why_not`: else, why; `positions`: pairs; `looked`: whether anything was; `games`, `told`: by lot, and how many of
    them show a difference; `scenarios`: games that these tell; `directed`: games toward differences; `stopped`: why no
    more was looked at, empty if nothing was left out; `several`: games came to what is not compared."""

    differences: list[ShownDifference] = field(default_factory=list)
    whole: bool = False
    why_not: str = ""
    positions: int = 0
    looked: bool = False
    games: int = 0
    told: int = 0
    directed: int = 0
    scenarios: int = 0
    stopped: str = ""
    several: bool = False


class DifferenceSearch:
    """Looks for differences of two sides."""

    def __init__(self, lockstep: Lockstep, settings: PairedSettings, effort: CompareEffort, clock: Clock,
                 told: Sequence[ScenarioGame] = (), progress: Callable[[str], None] = lambda _: None) -> None:
        self._lockstep, self._settings, self._effort, self._clock = lockstep, settings, effort, clock
        self._progress = progress
        self._found: dict[tuple[object, ...], ShownDifference] = {}
        self._random = Random(effort.seed)
        self._rare: Counter[object] = Counter()
        self._now = clock
        self._done = SearchedGames()
        one, other = lockstep.sides
        self._wanted = labels_said_otherwise(one, other)
        self._told = sorted(told, key=lambda game: not self._is_wanted(game))

    def run(self) -> SearchedGames:
        """All that was found; after Ctrl-C and once the time is over, what is known by then."""
        steps: tuple[tuple[Callable[[], None], float], ...] = (
            (self._every, EVERY), (self._scenarios, SCENARIOS), (self._by_lot, BY_LOT), (self._directed, DIRECTED),
            (self._shorten, 1.0))
        for step, share in steps:
            self._now = self._clock.part(share)
            try:
                if self._clock.hurried and step != self._shorten:
                    continue
                step()
            except OutOfTime:
                if step == self._every:
                    self._done.why_not = "the time for it was up"
                else:
                    self._done.stopped = self._clock.why
            except TooManyStandpoints:
                self._done.stopped = "events that are not compared lead to too many positions"
            except KeyboardInterrupt:
                if not self._clock.hurry():
                    raise
                self._done.stopped = self._clock.why
        done = self._done
        done.differences = sorted(self._found.values(), key=_order)
        done.whole = done.whole and not done.several
        return done

    # ------------------------------------------------------------------ all games
    def _every(self) -> None:
        pairs = self._settings.every() if self._effort.positions else None
        if pairs is None:
            few = "there are too many settings, or one side has settings of its own"
            self._done.why_not = few if self._effort.positions else "positions were not searched"
            return
        seen: dict[tuple[object, object], tuple[Both, Both | None, SharedEvent | None, Pair, bool]] = {}
        waiting: deque[tuple[Both, bool]] = deque()

        def keep(both: Both, before: Both | None, event: SharedEvent | None, pair: Pair, parted: bool) -> None:
            key = both.one, both.other
            if key not in seen:
                seen[key] = both, before, event, pair, parted
                waiting.append((both, parted))

        def way(both: Both) -> tuple[SharedEvent, ...]:
            events: list[SharedEvent] = []
            here: Both | None = both
            while here is not None:
                _, before, event, _, _ = seen[here.one, here.other]
                events += [] if event is None else [event]
                here = before
            return tuple(reversed(events))

        for pair in pairs:
            keep(self._lockstep.begin(pair), None, None, pair, False)
        complete = True
        while waiting:
            self._now.tick()
            both, parted = waiting.popleft()
            pair = seen[both.one, both.other][3]
            self._done.positions += 1
            self._done.looked = True
            if self._done.positions > self._effort.positions:
                self._done.why_not = f"there are more than {self._effort.positions} positions"
                return
            if self._done.positions % 500 == 0:
                self._progress(f"{self._done.positions} positions")
            here, there = self._lockstep.offers(both)
            complete = complete and here.whole and there.whole
            self._done.several = self._done.several or here.several or there.several
            found = self._lockstep.partings(both) if not parted else []
            for parting in found:
                self._note(parting, pair, way(both), shortest=True)
            if any(one.ends for one in found):
                continue
            parted = parted or any(one.kind is PartingKind.STATE for one in found)
            for event in self._lockstep.common(both):
                further = self._lockstep.after(both, event)
                if further is not None:
                    keep(further, both, event, pair, parted)
        self._done.whole = complete
        self._done.why_not = "" if complete else "more is possible at a position than is listed"

    # ------------------------------------------------------------------ games
    def _by_lot(self) -> None:
        if self._done.whole and not self._found:
            return
        for number in range(self._effort.games):
            self._now.tick()
            self._progress(f"game {number + 1} of {self._effort.games}")
            told = self._game(number, self._any)
            if told is None:
                continue
            self._done.games += 1
            self._done.told += bool(told)
            for one in told:
                one.games.add(number)

    def _scenarios(self) -> None:
        if self._done.whole:
            return
        for game in self._told:
            self._now.tick()
            self._progress(f"the game of the scenario at {game.place}")
            self._follow(game)
            self._done.scenarios += 1

    def _is_wanted(self, game: ScenarioGame) -> bool:
        """Whether a scenario comes to what the two say otherwise."""
        side = self._lockstep.sides[game.side]
        return any(side.dictionary.label(event.label) in self._wanted for event in game.events)

    def _follow(self, game: ScenarioGame) -> None:
        """Notes what is not the same in the game of a scenario, as far as both allow it."""
        both: Both | None = self._lockstep.begin(game.settings)
        events: list[SharedEvent] = []
        for event in (*game.events, None):
            if both is None:
                return
            self._done.looked = True
            found = self._lockstep.partings(both)
            for parting in found:
                self._note(parting, game.settings, tuple(events), told=None if game.state is None else game)
            if event is None or ends_here(found):
                return
            shared = self._lockstep.sides[game.side].shared(event)
            both = self._lockstep.after(both, shared)
            events.append(shared)

    def _directed(self) -> None:
        if self._done.whole:
            return
        for number in range(self._effort.games):
            self._now.tick()
            self._progress(f"game {number + 1} of {self._effort.games} toward differences")
            if self._game(number, self._aimed, wild=number % 4 == 3) is not None:
                self._done.directed += 1

    def _game(self, number: int, chosen: Callable[[Both, int], SharedEvent | None], *,
              wild: bool = False) -> list[ShownDifference] | None:
        """The differences that a game shows; None if there is none for such a setting."""
        try:
            pair = self._settings.drawn(number, self._random, wild=wild)
        except Fault:
            pair = None
        if pair is None:
            return None
        both, events = self._lockstep.begin(pair), list[SharedEvent]()
        shown: dict[int, ShownDifference] = {}
        while len(events) <= self._effort.events:
            self._now.tick()
            if any(offer.several for offer in self._lockstep.offers(both)):
                self._done.several = True
            self._done.looked = True
            found = self._lockstep.partings(both)
            for parting in found:
                one = self._note(parting, pair, tuple(events))
                if one is not None:
                    shown[id(one)] = one
            if ends_here(found):
                break
            event = chosen(both, number)
            if event is None:
                break
            further = self._lockstep.after(both, event)
            if further is None:
                break
            both = further
            events.append(event)
        return list(shown.values())

    def _any(self, both: Both, number: int) -> SharedEvent | None:
        """An event that is legal in both, by lot as one of them draws it."""
        side = number % 2
        steps = [step for step in steps_of(both, side) if isinstance(step, State)]
        leader = self._lockstep.sides[side]
        if len(steps) == 1 and leader.offer(steps_of(both, side)).ways:
            event = leader.shared(choose(leader.walker, steps[0], self._random))
            if self._lockstep.sides[1 - side].ways(steps_of(both, 1 - side), event):
                return event
        common = self._lockstep.common(both)
        return self._random.choice(common) if common else None

    def _aimed(self, both: Both, number: int) -> SharedEvent | None:
        """One of which the rules say something else, or that was seldom done."""
        common = self._lockstep.common(both)
        if not common or number % 3 == 2:
            return self._any(both, number)
        if len(common) > LOOKED_AT:
            common = self._random.sample(common, LOOKED_AT)
        wanted = [event for event in common if event.do in self._wanted]
        if wanted and self._random.random() < 0.5:
            common = wanted
        self._random.shuffle(common)
        event = min(common, key=lambda one: self._rare[one])
        self._rare[event] += 1
        return event

    # ------------------------------------------------------------------ what was found
    def _note(self, parting: SidesParting, pair: Pair, events: tuple[SharedEvent, ...], *,
              shortest: bool = False, told: ScenarioGame | None = None) -> ShownDifference | None:
        known = self._found.get(parting.cause)
        if known is None:
            if len(self._found) >= MOST_DIFFERENCES:
                return None
            known = self._found[parting.cause] = ShownDifference(parting, pair, events, shortest, told=told)
        elif (told is not None, len(events)) < (known.told is not None, len(known.events)):
            known.parting, known.settings, known.events, known.shortest = parting, pair, events, shortest
            known.told = told
        return known

    def _shorten(self) -> None:
        shortener = Shortener(self._lockstep, self._any, self._random, self._now)
        for one in sorted(self._found.values(), key=_order):
            shortener.shorten(one)


def steps_of(both: Both, side: int) -> Standpoint:
    """Where one of the two games stands."""
    return both.other if side else both.one


_KINDS = tuple(PartingKind)


def _order(one: ShownDifference) -> tuple[object, ...]:
    """What is told first: what shows in most games, then what soon comes up."""
    return -len(one.games), len(one.events), _KINDS.index(one.parting.kind), one.parting.about, one.parting.side
