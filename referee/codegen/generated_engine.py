"""The generated engine: a walker whose usual ways are compiled; whatever is unusual it leaves to the walker itself.

A position never changes, so a step that the compiled functions cannot do to its end is simply done again by the walker:
a refusal and its reasons, an error of the rules, a stop, a value that nobody stated. Those are always the walker's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, assert_never

from referee.codegen.compiled_program import plain
from referee.codegen.compiled_steps import HERE, EventReading, Stepping, Taking, ways_of
from referee.codegen.runtime_support import Again, StepError
from referee.core.flow import Ask, Draw, Flow, Gather, Rule, is_decision, is_rest, offered, offers
from referee.game.event import Event, Spoken
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.interruptions import Fault
from referee.interpreter.refusals import BrokenInvariant, Refusal
from referee.interpreter.walker import Walker

MOST_FOLLOWED = 512
"""Events that are followed at once: if the last of them is unusual they are done again."""
_LEFT = (StepError, Again)
_NOTHING: tuple[State | None, Slots] = (None, [])


class Generated(Walker):
    """Runs a flow as `Walker` does, with the same answers."""

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow)
        self._steps = Stepping(flow, self.layout)
        self.program = self._steps.program
        self._unasked = [not is_rest(node) for node in flow.nodes]
        self._plain: dict[int, bool] = {}
        self._ways: dict[int, list[EventReading]] = {}
        self._whole: dict[int, bool] = {}
        self._begun: tuple[Slots, bool, Step] | None = None
        self._last = self._seen = _NOTHING
        self._doubted: tuple[State | None, int] = (None, 0)
        self._taking: tuple[State, Event, Taking] | None = None

    # --- a game

    def begin(self, setting: Setting, *, test_arrival: bool = True) -> Step:
        """The first point of a game. Set-up is the same from the same entries: the last one is remembered."""
        if setting.position is not None:
            return super().begin(setting, test_arrival=test_arrival)
        try:
            slots = self.entries(setting)
        except Fault as fault:
            return Failed(fault.code, str(fault), fault.span, None)
        if self._begun is not None and self._begun[0] == slots and self._begun[1] == test_arrival:
            return self._begun[2]
        try:
            entries = self.layout.shortened(State(self.flow.start, tuple(slots)))
            self._steps.doubts = self.program.claims.all
            step = self._step(self._steps.go(self.flow.start, entries, test_arrival), entries)
        except _LEFT:
            step = super().begin(setting, test_arrival=test_arrival)
        self._begun = (slots, test_arrival, step)
        return step

    def advance(self, state: State, event: Event, *, test_arrival: bool = True) -> Step:
        """The next point after an event that `check` accepts; `ValueError` for one that it refuses."""
        known, self._taking = self._taking, None
        try:
            taking = known[2] if known is not None and known[0] is state and known[1] is event else (
                self._steps.taken(state.at, self._short(state), event))
            if taking is not None:
                (before, slots), self._last = self._last, _NOTHING
                if before is not state:
                    slots = list(self._short(state))
                self._steps.doubts = self._doubts(state)
                at = self._steps.apply(state.at, taking, slots)
                return self._step(state.at if at == HERE else self._steps.go(at, slots, test_arrival), slots)
        except _LEFT:
            pass
        return super().advance(state, event, test_arrival=test_arrival)

    def follow(self, state: State, events: Iterable[Spoken], *, tested: bool) -> tuple[int, Step]:
        """As long as nothing is unusual no positions are made; if something is, what was followed is done again."""
        steps, at, slots = self._steps, state.at, list(self._short(state))
        takes, go, unasked = steps.takes, steps.go, self._unasked
        doubts = self._doubts(state)
        done: list[Event] = []
        try:
            for event, key, by, values in events:
                steps.doubts = doubts  # whoever hands the events over may have had something carried out in between
                take = takes[at].get(key) or steps.take(at, key)
                after = None if take is None else take[0](slots, by, *values)
                if take is None or after is None:
                    break
                steps.doubts |= take[1]
                after = at if after == HERE else go(after, slots, False)
                over = after.__class__ is tuple
                if tested and steps.doubts and (over or not unasked[after]):
                    steps.hold(steps.doubts, slots)
                    steps.doubts = 0
                at, doubts = after, steps.doubts
                done.append(event)
                if over or len(done) == MOST_FOLLOWED:
                    break
            steps.doubts = doubts
            return len(done), self._step(at, slots) if done else state
        except _LEFT:
            return len(done), self._again(state, done)

    def _again(self, state: State, events: Iterable[Event]) -> Step:
        """The position after events of which it is known that they are legal, and usual."""
        step: Step = state
        for event in events:
            assert isinstance(step, State)
            step = self.advance(step, event, test_arrival=False)
        return step

    def arrive(self, state: State) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        if not is_decision(self.course.point(state.at)):
            return state
        try:
            slots = list(self._short(state))
            self._steps.doubts = self._doubts(state)
            at = self._steps.arrived(state.at, slots)
            return state if at == HERE else self._step(self._steps.go(at, slots, True), slots)
        except _LEFT:
            return super().arrive(state)

    # --- what is possible

    def legal(self, state: State) -> Iterator[Event]:
        """Every legal event, in a fixed order; found one by one, as asked for."""
        given = 0
        try:
            for by in sorted(self.who(state)):
                for event in self._steps.events(state.at, by, self._short(state)):
                    given += 1
                    yield event
        except _LEFT:
            yield from islice(super().legal(state), given, None)

    def who(self, state: State) -> frozenset[int]:
        """Who can act at a position."""
        try:
            return self._steps.who(state.at, self._short(state))
        except _LEFT:
            return super().who(state)

    def events(self, state: State, by: int) -> Iterator[Event]:
        """What somebody who can act may do at a position, in a fixed order."""
        given = 0
        try:
            for event in self._steps.events(state.at, by, self._short(state)):
                given += 1
                yield event
        except _LEFT:
            yield from islice(super().events(state, by), given, None)

    def pick(self, state: State, by: int, random: Random, few: int, tries: int) -> Event | None:
        """What somebody does at random, as the walker picks it; only the event picked is made."""
        drawn = self.sampled(state, by, random, tries) if self.ranges_wide(state.at, few) else None
        if drawn is not None:
            return drawn
        if state.at not in self._plain:
            node = offers(self.flow.nodes[state.at])
            self._plain[state.at] = node is not None and plain(node)
        try:
            if not self._plain[state.at]:
                raise Again
            ways = list(islice(self.program.function("ways", state.at)(self._short(state), by), few + 1))
        except _LEFT:
            return super().pick(state, by, random, few, tries)
        if not ways:
            return None
        drawn = self.sampled(state, by, random, tries) if len(ways) > few else None
        return drawn or self._way_taken(state, by, random.choice(ways), first=True)

    def sampled(self, state: State, by: int, random: Random, tries: int) -> Event | None:
        """An event whose parameters are drawn one by one, tried again if it is not legal; None if no try was."""
        node = self.course.point(state.at)
        match node:
            case Gather() | Rule():
                return super().sampled(state, by, random, tries)
            case Ask() | Draw():
                numbers = range(len(offered(node)))
            case _:
                assert_never(node)
        if state.at not in self._whole:
            self._whole[state.at] = all(self.program.whole("draw", state.at, number) for number in numbers)
        before = None if self._whole[state.at] else random.getstate()
        try:
            for _ in range(tries):
                way = self.program.function("draw", state.at, random.choice(numbers))(self._short(state), by, random)
                if way is not None:
                    return self._way_taken(state, by, way, first=False)
        except _LEFT:
            if before is not None:
                random.setstate(before)
            return super().sampled(state, by, random, tries)
        return None

    def _way_taken(self, state: State, by: int, way: tuple[Any, ...], *, first: bool) -> Event:
        """The event that a way is, found to be legal. It is taken in the first way that there is."""
        known = self._ways.get(state.at)
        if known is None:
            node = offers(self.flow.nodes[state.at])
            assert node is not None
            known = self._ways[state.at] = ways_of(node)
        read: EventReading = known[way[0]]
        event = read.event(by, way)
        if first or read.sure:
            self._taking = (state, event, way[:read.kept])
        return event

    def check(self, state: State, event: Event) -> Refusal | None:
        """None if an event is legal, else why it is not."""
        try:
            taking = self._steps.taken(state.at, self._short(state), event)
        except _LEFT:
            taking = None
        if taking is None:
            return super().check(state, event)
        self._taking = (state, event, taking)
        return None

    # --- what holds

    def broken(self, state: State) -> tuple[BrokenInvariant, ...]:
        """The invariants and limits that do not hold at a rest point or at the end; nothing elsewhere."""
        if self._unasked[state.at]:
            return ()
        try:
            doubts = self._doubts(state)
            if doubts:
                self._steps.hold(doubts, self._short(state))
            self._doubted = (state, 0)
            return ()
        except _LEFT:
            pass
        return super().broken(state)

    def scores(self, state: State) -> dict[int, int] | None:
        """The score of each player at the end of a game; None if the rules have none."""
        if self.core.score is None:
            return None
        try:
            score, slots = self.program.function("score"), self._short(state)
            return {player: int(score(slots, player)) for player in range(self.core.seats.number)}
        except _LEFT:
            return super().scores(state)

    # --- entries

    def _short(self, state: State) -> Sequence[Any]:
        """The entries as compiled functions take them; they must not change. Those made last are remembered."""
        if state.short is not None:
            return state.short
        if self._seen[0] is not state:
            known = self._seen[1][-1] if self._seen[1] else ()
            self._seen = (state, self.layout.shortened(state, known))
        return self._seen[1]

    def _doubts(self, state: State) -> int:
        """The claims of which it is not known that they hold at a position."""
        return self._doubted[1] if self._doubted[0] is state else self.program.claims.all

    def _step(self, at: Any, slots: Slots) -> Step:
        """What a game has come to: a point, or the end."""
        state = State.of_short(at[0] if at.__class__ is tuple else at, tuple(slots))
        self._last = (state, slots)
        self._doubted = (state, self._steps.doubts)
        return Ended(state, at[1]) if at.__class__ is tuple else state
