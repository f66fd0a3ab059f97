"""The generated engine: a walker whose usual ways are compiled; whatever is unusual it leaves to the walker itself.

A position never changes, so a step that the compiled functions cannot do to its end is simply done again by the walker:
a refusal and its reasons, an error of the rules, a stop, a value that nobody stated. Those are always the walker's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
from referee.engine.faults import Fault
from referee.engine.fn import Slots
from referee.engine.generate.points import stored
from referee.engine.generate.program import Program, alternatives, groups, logged, once
from referee.engine.generate.support import Again, Wrong
from referee.engine.refusal import BrokenInvariant, Refusal
from referee.engine.walker import Walker
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step

MOST_CALLS = 2_000
"""So many functions are called from one point to the next; what goes on for longer the walker counts node by node."""
_HERE = -1
_LEFT = (Wrong, Again)
_NOTHING: tuple[Step | None, Slots] = (None, [])
Taking = tuple[int, ...]
"""The number of an alternative, who takes it, and what of it is kept."""


class Generated(Walker):
    """Runs a flow as `Walker` does, with the same answers."""

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow)
        self.program = Program(flow, self.layout)
        self._rests = [isinstance(node, Ask) and node.otherwise is None and not node.point.automatic
                       for node in flow.nodes]
        self._at_rest = [not isinstance(node, (Run, Fork)) and not node.point.rest for node in flow.nodes]
        self._runs: list[Any] = [None] * len(flow.nodes)
        self._checks: list[dict[tuple[str, ...], Any] | None] = [None] * len(flow.nodes)
        self._applies: dict[tuple[int, int], Any] = {}
        self._picks: dict[int, list[tuple[str, int, tuple[str, ...]]]] = {}
        self._whole: dict[int, bool] = {}
        self._begun: tuple[Slots, bool, Step] | None = None
        self._last = _NOTHING
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
            step = self._go(self.flow.start, slots.copy(), test_arrival)
        except _LEFT:
            step = super().begin(setting, test_arrival=test_arrival)
        self._begun = (slots, test_arrival, step)
        return step

    def advance(self, state: State, event: Event, *, test_arrival: bool = True) -> Step:
        """The next point after an event that `check` accepts; `ValueError` for one that it refuses."""
        known, self._taking = self._taking, None
        try:
            taking = known[2] if known is not None and known[0] is state and known[1] is event else (
                self._taken(state, event))
            if taking is not None:
                (before, slots), self._last = self._last, _NOTHING
                if before is not state:
                    slots = list(state.slots)
                at = self._apply(state.at, taking, slots)
                step = State(state.at, tuple(slots)) if at == _HERE else self._go(at, slots, test_arrival)
                self._last = step, slots
                return step
        except _LEFT:
            pass
        return super().advance(state, event, test_arrival=test_arrival)

    def arrive(self, state: State) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        if not isinstance(self.course.point(state.at), Ask):
            return state
        try:
            slots = list(state.slots)
            at = self._arrived(state.at, slots)
            return state if at == _HERE else self._go(at, slots, True)
        except _LEFT:
            return super().arrive(state)

    # --- what is possible

    def legal(self, state: State) -> Iterator[Event]:
        """Every legal event, in a fixed order; found one by one, as asked for."""
        given = 0
        try:
            for by in sorted(self._who(state)):
                for event in self._events(state.at, by, state.slots):
                    given += 1
                    yield event
        except _LEFT:
            yield from islice(super().legal(state), given, None)

    def who(self, state: State) -> frozenset[int]:
        """Who can act at a position."""
        try:
            return self._who(state)
        except _LEFT:
            return super().who(state)

    def events(self, state: State, by: int) -> Iterator[Event]:
        """What somebody who can act may do at a position, in a fixed order."""
        given = 0
        try:
            for event in self._events(state.at, by, state.slots):
                given += 1
                yield event
        except _LEFT:
            yield from islice(super().events(state, by), given, None)

    def pick(self, state: State, by: int, random: Random, few: int, tries: int) -> Event | None:
        """What somebody does at random, as the walker picks it; only the event picked is made."""
        known = self._picks.get(state.at)
        if known is None:
            known = self._picks[state.at] = _picks(self.flow.nodes[state.at])
        try:
            if not known:
                raise Again
            ways = list(islice(self.program.function("ways", state.at)(state.slots, by), few + 1))
        except _LEFT:
            return super().pick(state, by, random, few, tries)
        if not ways:
            return None
        drawn = self.sampled(state, by, random, tries) if len(ways) > few else None
        if drawn is not None:
            return drawn
        way = random.choice(ways)
        label, kept, args = known[way[0]]
        event = Event(by, label, tuple(zip(args, way[kept:], strict=True)))
        self._taking = (state, event, way[:kept])
        return event

    def sampled(self, state: State, by: int, random: Random, tries: int) -> Event | None:
        """An event whose parameters are drawn one by one, tried again if it is not legal; None if no try was."""
        node = self.course.point(state.at)
        if isinstance(node, (Gather, Rule)):
            return super().sampled(state, by, random, tries)
        numbers = range(len(alternatives(node)))
        if state.at not in self._whole:
            self._whole[state.at] = all(self.program.whole("draw", state.at, number) for number in numbers)
        before = None if self._whole[state.at] else random.getstate()
        try:
            for _ in range(tries):
                event: Event | None = self.program.function("draw", state.at, random.choice(numbers))(
                    state.slots, by, random)
                if event is not None:
                    return event
        except _LEFT:
            if before is not None:
                random.setstate(before)
            return super().sampled(state, by, random, tries)
        return None

    def check(self, state: State, event: Event) -> Refusal | None:
        """None if an event is legal, else why it is not."""
        try:
            taking = self._taken(state, event)
        except _LEFT:
            taking = None
        if taking is None:
            return super().check(state, event)
        self._taking = (state, event, taking)
        return None

    # --- what holds

    def broken(self, state: State) -> tuple[BrokenInvariant, ...]:
        """The invariants and limits that do not hold at a rest point or at the end; nothing elsewhere."""
        if self._at_rest[state.at]:
            return ()
        try:
            if self.program.function("sound")(state.slots):
                return ()
        except _LEFT:
            pass
        return super().broken(state)

    def scores(self, state: State) -> dict[int, int] | None:
        """The score of each player at the end of a game; None if the rules have none."""
        if self.core.score is None:
            return None
        try:
            score = self.program.function("score")
            return {player: int(score(state.slots, player)) for player in range(self.core.seats.number)}
        except _LEFT:
            return super().scores(state)

    # --- the compiled ways: all raise `Wrong` or `Again` for what is the walker's

    def _who(self, state: State) -> frozenset[int]:
        node = self.flow.nodes[state.at]
        if isinstance(node, Ask):
            return frozenset((self.program.function("who", state.at)(state.slots),))
        if isinstance(node, Gather):
            pending: frozenset[int] = state.slots[self.layout.vars[node.pending].base]  # type: ignore[assignment]
            return pending
        return frozenset((FATE,)) if isinstance(node, Draw) else frozenset((TABLE,))

    def _events(self, at: int, by: int, slots: Any) -> Iterator[Event]:
        node = self.flow.nodes[at]
        if isinstance(node, Rule):
            return (Event(TABLE, node.point.name, ((CHOICE, value),)) for value in self._found(at, slots))
        found: Iterator[Event] = self.program.function("legal", at)(slots, by)
        return found

    def _found(self, at: int, slots: Any) -> tuple[int, ...]:
        found: tuple[int, ...] = self.program.function("found", at)(slots)
        return found

    def _taken(self, state: State, event: Event) -> Taking | None:
        """What of a legal event is kept; None for one that is not, or not plainly."""
        at, args = state.at, event.args
        checks = self._checks[at]
        if checks is None:
            node = self.flow.nodes[at]
            if isinstance(node, Rule):
                return self._ruled(node, state, event)
            assert isinstance(node, (Ask, Gather, Draw))
            checks = self._checks[at] = {key: self.program.function("check", at, *numbers)
                                         for key, numbers in groups(node).items()}
        if len(args) == 1:
            (name, value), = args
            check = checks.get((event.label, name))
            return None if check is None else check(state.slots, event.by, value)
        check = checks.get((event.label, *[name for name, _ in args]))
        return None if check is None else check(
            state.slots, event.by, *[value for _, value in args])

    def _ruled(self, node: Rule, state: State, event: Event) -> Taking | None:
        if event.by != TABLE or event.label != node.point.name or len(event.args) != 1:
            return None
        name, value = event.args[0]
        if name != CHOICE or value.__class__ is not int or value not in self._found(state.at, state.slots):
            return None
        return (0, value)

    def _apply(self, at: int, taking: Taking, slots: list[Any]) -> Any:
        """Keeps what a legal event says; the node to go on at, `_HERE`, or the end."""
        if isinstance(self.flow.nodes[at], Rule):
            return self.program.function("ruled", at)(slots, taking[1])
        key = (at, taking[0])
        apply = self._applies.get(key)
        if apply is None:
            apply = self._applies[key] = self.program.function("apply", *key)
        return apply(slots, *taking[1:])

    def _go(self, at: Any, slots: list[Any], test: bool) -> Step:
        """On to the next point at which somebody is really asked, or the end."""
        for _ in range(MOST_CALLS):
            if at.__class__ is tuple:
                return Ended(State(at[0], tuple(slots)), at[1])
            run = self._runs[at]
            if run is not None:
                at = run(slots)
                continue
            if isinstance(self.flow.nodes[at], (Run, Fork)):
                self._runs[at] = self.program.function("run", at)
                continue
            if self._rests[at] and not test:
                self.program.function("who", at)(slots)  # that there is nobody to be asked is an error of the rules
                return State(at, tuple(slots))
            after = self._arrived(at, slots)
            if after == _HERE:
                return State(at, tuple(slots))
            at = after
        raise Again

    def _arrived(self, at: int, slots: list[Any]) -> Any:
        """Where the game goes on from a point without asking; `_HERE` if somebody is asked."""
        node = self.flow.nodes[at]
        if isinstance(node, Rule):
            return self._arrived_at_rule(at, node, slots)
        if isinstance(node, Gather):
            return self._arrived_at_group(at, node, slots)
        assert isinstance(node, (Ask, Draw))
        by = FATE if isinstance(node, Draw) else self.program.function("who", at)(slots)
        found = list(islice(self.program.function("legal", at)(slots, by), 2 if node.point.automatic else 1))
        if not found:
            if isinstance(node, Draw) or node.otherwise is None:
                raise Again
            return node.otherwise
        return self._passed(at, found[0], slots) if node.point.automatic and len(found) == 1 else _HERE

    def _arrived_at_group(self, at: int, node: Gather, slots: list[Any]) -> Any:
        pending = self.program.function("who", at)(slots)
        slots[self.layout.vars[node.pending].base] = pending
        if not pending:
            return node.next
        legal = self.program.function("legal", at)
        found = [list(islice(legal(slots, by), 2)) for by in sorted(pending)]
        if not all(found):
            raise Again
        if not node.point.automatic or any(len(events) > 1 for events in found):
            return _HERE
        for events in found[:-1]:
            self._passed(at, events[0], slots)
        return self._passed(at, found[-1][0], slots)

    def _arrived_at_rule(self, at: int, node: Rule, slots: list[Any]) -> Any:
        found = self._found(at, slots)
        if not found:
            raise Again
        ruled = slots[self.layout.rulings[node.point.name]]
        chosen = found[0] if len(found) == 1 else ruled if ruled in found else None
        return _HERE if chosen is None else self.program.function("ruled", at)(slots, chosen)

    def _passed(self, at: int, event: Event, slots: list[Any]) -> Any:
        """Takes the only event that is possible."""
        taking = self._taken(State(at, tuple(slots)), event)
        if taking is None:
            raise Again
        return self._apply(at, taking, slots)


def _picks(node: Node) -> list[tuple[str, int, tuple[str, ...]]]:
    """Of each alternative its label, where in a way what is logged begins, and the arguments; nothing where several
    ways are one event."""
    if not isinstance(node, (Ask, Gather)) or not once(node):
        return []
    return [(one.label, 2 + len(stored(one)), logged(one)) for one in alternatives(node)]
