"""The generated engine: a walker whose usual ways are compiled; whatever is unusual it leaves to the walker itself.

A position never changes, so a step that the compiled functions cannot do to its end is simply done again by the walker:
a refusal and its reasons, an error of the rules, a stop, a value that nobody stated. Those are always the walker's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, assert_never

from referee.codegen.compiled_steps import HERE, EventReading, Stepping, Taking, ways_of
from referee.codegen.offer_groups import plain
from referee.codegen.often.event_moves import Moves
from referee.codegen.runtime_support import Again, StepError
from referee.core.flow import Ask, Draw, Flow, Gather, Rule, is_decision, is_rest, offered, offers
from referee.game.event import Event, Spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.text_following import Result
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.interruptions import Fault
from referee.interpreter.refusals import BrokenInvariant, Refusal
from referee.interpreter.walker import Walker

if TYPE_CHECKING:
    from referee.codegen.often.drawn_games import DrawnGames
    from referee.codegen.whole_games.game_function import GameFunction
    from referee.codegen.whole_games.lot_game import LotGame
    from referee.codegen.whole_games.whole_game import WholeGame

MOST_FOLLOWED = 512
"""Events that are followed at once: if the last of them is unusual they are done again."""
MOST_APART = 1_000
"""So many events of whole games are followed before a function of whole games is made."""
MOST_PLAYED = 1_000
"""So many events are played by lot at once."""
MOST_BEGUN = 4
"""So many games are remembered with what was stated of them, as they begin."""
WHOLE, LOT = "whole", "lot"
"""Functions of games: what follows one, what plays one by lot."""
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
        self._begun = list[tuple[tuple[object, ...], Step]]()
        self._last = self._seen = _NOTHING
        self._doubted: tuple[State | None, int] = (None, 0)
        self._taking: tuple[State, Event, Taking] | None = None
        self.moves = Moves(self._steps)
        self.whole_from = MOST_APART
        self.followed = 0
        self.whole_game: WholeGame | None = None
        self.played_from = MOST_APART
        self.played = 0
        self.lot_game: LotGame | None = None
        self.drawn_games: DrawnGames | None = None

    # --- a game

    def begin(self, setting: Setting, *, test_arrival: bool = True) -> Step:
        """The first point of a game. Set-up is the same where the same is stated: the last ones are remembered."""
        if setting.position is not None:
            return super().begin(setting, test_arrival=test_arrival)
        stated = (setting.parameters, setting.givens, setting.readings, setting.rulings, test_arrival)
        for known, step in self._begun:
            if known == stated:
                return step
        begun = self.set_up(setting, test_arrival=test_arrival)
        self._begun = [(stated, begun), *self._begun[:MOST_BEGUN - 1]]
        return begun

    def set_up(self, setting: Setting, *, test_arrival: bool) -> Step:
        """The first point of a game that begins with set-up."""
        try:
            slots = self.entries(setting)
        except Fault as fault:
            return fault.step(None)
        try:
            entries = self.layout.shortened(State(self.flow.start, tuple(slots)))
            self._steps.doubts = self.program.claims.all
            return self._step(self._steps.go(self.flow.start, entries, test_arrival), entries)
        except _LEFT:
            return super().begin(setting, test_arrival=test_arrival)

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

    def follow_numbers(self, state: State, numbers: Sequence[int], table: EventTable, *,
                       tested: bool) -> tuple[int, Step]:
        """As `follow`; what comes often is taken, and gone on from, by one function."""
        if not tested:
            return super().follow_numbers(state, numbers, table, tested=tested)
        steps, at, slots = self._steps, state.at, list(self._short(state))
        moves, often, go, unasked = self.moves.of(table), self.moves.often, steps.go, self._unasked
        landings, least = self.program.landings.all, self.moves.least
        steps.doubts = doubts = self._doubts(state)
        done = 0
        try:
            for number in numbers[:MOST_FOLLOWED]:
                quick = None if doubts else often[at].get(number)
                if quick is not None:
                    after = quick[0](slots, *quick[1])
                    if after.__class__ is not int:
                        doubted = quick[2]
                    elif after >= 0:
                        at = after
                        done += 1
                        continue
                    elif after == HERE:
                        doubted = quick[2]
                    else:
                        after, doubted, rests = landings[after]
                        if rests:
                            steps.hold(doubted, slots)
                            at = after
                            done += 1
                            continue
                else:
                    move = moves[at].get(number) or self.moves.move(at, number)
                    if move is None:
                        break
                    form, args = move
                    after, doubted = form.take(slots, *args), form.doubts
                    form.times += 1
                    if form.times >= least:
                        self.moves.quicken(at, number)
                if after is None:
                    break
                steps.doubts |= doubted
                after = at if after == HERE else go(after, slots, False)
                over = after.__class__ is tuple
                if steps.doubts and (over or not unasked[after]):
                    steps.hold(steps.doubts, slots)
                    steps.doubts = 0
                at, doubts = after, steps.doubts
                done += 1
                if over:
                    break
            return done, self._step(at, slots) if done else state
        except _LEFT:
            return done, self._again(state, [table.events[number][0] for number in numbers[:done]])

    def result(self, state: State, numbers: Sequence[int], table: EventTable, *, tested: bool) -> Result | None:
        """By one function for the whole game, once games came often; where that is not made, or a game is none for it,
        event by event."""
        whole = self._of_whole_games(state, len(numbers)) if tested or not self.program.claims.all else None
        found = None if whole is None else whole.result(state, numbers, table)
        return super().result(state, numbers, table, tested=tested) if found is None else found

    def _of_whole_games(self, state: State, events: int) -> WholeGame | None:
        """The function of whole games from a position, if there is one by now, or one is kept."""
        if self.whole_game is None and self.followed >= 0:
            self.followed += events
            if self.followed >= self.whole_from or self.program.kept.knows_game((WHOLE, state.at)):
                self.followed = -1
                if not self.broken(state):
                    from referee.codegen.whole_games.whole_game import WholeGame  # slow, and mostly not needed

                    form = self._game(WHOLE, state.at)
                    self.whole_game = None if form is None else WholeGame(form, self.layout.fixed)
        return self.whole_game

    def _game(self, what: str, at: int) -> GameFunction | None:
        """A function of games from a point, as it is kept, or made now; None if none can be."""
        kept = self.program.kept
        if not kept.knows_game((what, at)):
            from referee.codegen.whole_games.game_source import GameSource
            from referee.codegen.whole_games.set_scope import NotWhole

            try:
                made = GameSource(self.flow, self.layout, at, by_lot=what == LOT).function
            except NotWhole:
                made = None
            kept.add_game((what, at), made)
            return made
        found: GameFunction | None = kept.game((what, at))
        return found

    def play_on(self, state: State, random: Random, most: int, *, rule: bool) -> tuple[list[Event], Step]:
        """By one function, once so many events were played that it pays; what is unusual is left to others."""
        game = self._of_lot(state)
        found = None if game is None else game.played(state, random, min(most, MOST_PLAYED))
        if found is None:
            return self._drawn(state, random, most)
        events, step = found
        return events, self._again(state, events) if step is None else step

    def _drawn(self, state: State, random: Random, most: int) -> tuple[list[Event], Step]:
        """By the functions for single events, one after the other."""
        if type(random) is not Random:  # it may draw in a way of its own
            return [], state
        if self.drawn_games is None:
            from referee.codegen.often.drawn_games import DrawnGames  # slow to import, and mostly not needed
            from referee.interpreter.playouts import FEW_LISTED, TRIES

            self.drawn_games = DrawnGames(self, self._steps, FEW_LISTED, TRIES)
        self._steps.doubts = self._doubts(state)
        events, after, slots = self.drawn_games.played(state, list(self._short(state)), random, most)
        if not events and after.__class__ is int:
            return events, state
        return events, after if isinstance(after, State | Ended | Failed | Stopped) else self._step(after, slots)

    def _of_lot(self, state: State) -> LotGame | None:
        """The function that plays by lot, if there is one by now, or one is kept, and the position is one for it."""
        if self.lot_game is None and self.played >= 0:
            self.played += 1
            if self.played > self.played_from or self.program.kept.knows_game((LOT, state.at)):
                self.played = -1
                from referee.codegen.whole_games.lot_game import LotGame  # slow to import, and mostly not needed
                from referee.interpreter.playouts import FEW_LISTED

                form = self._game(LOT, state.at)
                if form is not None and not any(self.ranges_wide(at, FEW_LISTED) for at in form.places):
                    self.lot_game = LotGame(form, self.layout.fixed)
        return self.lot_game

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
