"""Follows every state that a log may be in through one more event, a ruling or a value that nobody stated."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from referee.core.ruleset import Key
from referee.game.event import TABLE, Event
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import Refusal
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.open_settings.setting_narrowing import narrowed
from referee.judge.open_settings.setting_relations import Related
from referee.judge.open_settings.setting_space import Rejoin
from referee.judge.partial.possible_worlds import MOST_STATES, PossibleState, merged
from referee.judge.verdict import Assumption, OpenKind
from referee.system.deadline import NEVER, Deadline

MOST_LOOKS = 2048
"""Candidates looked at for one line, at most, and a few more for each that there is."""
HEADER_LINE = 1
"""The line of a log that states settings: what is assumed of them is assumed there."""
Join = Callable[[list[PossibleState]], list[PossibleState]]
_T = TypeVar("_T")


@dataclass(slots=True)
class EventTrial:
    """What became of one event: where it was accepted (the candidates after it) and where it was refused.

    `over`: candidates that have no next event; `unsound`: those in which an invariant does not hold, reached by what
    a log need not state.
    """

    accepted: list[PossibleState] = field(default_factory=list)
    refused: list[tuple[PossibleState, Refusal]] = field(default_factory=list)
    over: list[PossibleState] = field(default_factory=list)
    unsound: list[PossibleState] = field(default_factory=list)


class Explorer:
    """Walks candidates on. `overflow` becomes true once there was more left open than could be followed; `guarded`:
    there are invariants or limits.

    `join` makes candidates one that have the same future; a `Rejoin` is told the settings of what is not followed, and
    nothing is too much. `deadline`: for those who work with it long.
    """

    def __init__(self, walker: Walker, names: Names, join: Join = merged) -> None:
        core = walker.flow.core
        self.overflow = False
        self.deadline: Deadline = NEVER
        self._walker = walker
        self._names = names
        self._join = join
        self._failed: list[PossibleState] = []
        self._related = Related(walker)
        self.guarded = bool(core.invariants) or any(zone.limit is not None for zone in core.zones.values())

    def begin(self, setting: Setting) -> list[PossibleState]:
        """The candidates after set-up: several where a value that nobody stated decides it."""
        start = State(0, ())
        found: list[PossibleState] = []
        waiting = [(setting, PossibleState(start))]
        for _ in range(MOST_LOOKS):
            if not waiting:
                break
            known, here = waiting.pop()
            try:
                step = self._walker.begin(known, test_arrival=self.guarded)
                found.append(here.at(step, arrived=self.guarded))
            except Unsettled as open_:
                settings = [(piece, narrowed(self._walker.flow, known, open_, piece)) for piece in open_.pieces]
                fit = [(piece, one) for piece, one in settings if self._fits(self._walker.entries(one))]
                for piece, one in reversed(fit):
                    made = self._assumption(open_.var, open_.key, piece, [one for one, _ in fit], HEADER_LINE)
                    waiting.append((one, here.assuming(start, made) if len(fit) > 1 else here))
        self._dropped([here.at(State(0, tuple(self._walker.entries(one))), arrived=False) for one, here in waiting])
        return self.capped(found)

    def take(self, alive: Sequence[PossibleState], event: Event, line: int) -> EventTrial:
        """The event at each candidate: there, or after passes and rulings that the log does not state."""
        tried = EventTrial()
        waiting = deque(alive)
        for _ in range(MOST_LOOKS + 8 * len(alive)):
            if not waiting:
                break
            self.deadline.check()
            here = waiting.popleft()
            if isinstance(here.step, State):
                waiting.extend(self._tried(here, event, line, tried))
            else:
                tried.over.append(here)
        self._dropped(waiting)
        tried.over.extend(self.failures())
        tried.accepted = self.capped(tried.accepted)
        return tried

    def simply(self, alive: Sequence[PossibleState], event: Event) -> PossibleState | None:
        """The usual case, which needs no search: nothing is open, and the event is legal where the game is."""
        if len(alive) != 1 or not isinstance(step := alive[0].step, State):
            return None
        try:
            if self._walker.check(step, event) is None:
                return alive[0].at(self._walker.advance(step, event, test_arrival=False), arrived=False)
        except (Unsettled, Fault):
            pass
        return None

    def simply_sound(self, here: PossibleState) -> bool:
        """Whether all invariants and limits hold at a candidate, and nothing open has a say in it."""
        step = here.step.state if isinstance(here.step, Ended) else here.step
        if not self.guarded or not isinstance(step, State):
            return True
        try:
            return not self._walker.broken(step)
        except (Unsettled, Fault):
            return False

    def _tried(self, here: PossibleState, event: Event, line: int, tried: EventTrial) -> Iterator[PossibleState]:
        """Notes where the event is accepted and refused; gives what else the candidates that refuse it may be."""
        for known, refusal in self.settled(here, line, lambda state: self._walker.check(state, event)):
            if refusal is None:
                tried.accepted.extend(self.advanced(known, event, line))
            elif not known.arrived:
                yield from self.arrived(known, line)
            else:
                tried.refused.append((known, refusal))
                for after in self.onward(known, line, ruled=event.by == TABLE):
                    for tested, sound in self.tested(after, line):
                        if sound:
                            yield tested
                        else:
                            tried.unsound.append(tested)

    def settling(self, alive: Sequence[PossibleState], line: int) -> list[PossibleState]:
        """The candidates, and all that they become by passes and rulings that the log does not state."""
        found: list[PossibleState] = []
        waiting = deque(alive)
        for _ in range(MOST_LOOKS + 8 * len(alive)):
            if not waiting:
                break
            self.deadline.check()
            for here in self.arrived(waiting.popleft(), line):
                found.append(here)
                waiting.extend(self.onward(here, line))
        self._dropped(waiting)
        return self.capped([*found, *self.failures()])

    def failures(self) -> list[PossibleState]:
        """The candidates at which the rules failed since this was asked last."""
        failed, self._failed = self._failed, []
        return failed

    def arrived(self, here: PossibleState, line: int) -> Iterator[PossibleState]:
        """The candidate where the game really waits, maybe further on; several if that is open."""
        if here.arrived or not isinstance(here.step, State):
            yield here
            return
        for known, step in self.settled(here, line, self._walker.arrive):
            yield known.at(step, arrived=True)

    def onward(self, here: PossibleState, line: int, *, ruled: bool = False) -> list[PossibleState]:
        """What a candidate becomes by a ruling or a pass that a log may leave out; nothing if its point is none such.

        `ruled`: the line is a ruling itself, so that none is taken in its place.
        """
        found: list[PossibleState] = []
        if not isinstance(here.step, State):
            return found
        for known, asked in self.settled(here, line, self._walker.asked):
            if asked.kind == "table" and not ruled:
                found.extend(self._ruled(known, line))
            elif asked.silent:
                found.extend(self._passed(known, line))
        return found

    def _ruled(self, here: PossibleState, line: int) -> Iterator[PossibleState]:
        for known, rulings in self.settled(here, line, lambda state: list(self._walker.legal(state))):
            among = tuple(self._names.ruling(ruling) for ruling in rulings)
            for ruling, value in zip(rulings, among, strict=True):
                made = Assumption(line, ruling.label, value, len(rulings), OpenKind.RULING.value, among)
                for after in self.advanced(known, ruling, line):
                    yield after.assuming(after.step, made)

    def _passed(self, here: PossibleState, line: int) -> Iterator[PossibleState]:
        for known, event in self.settled(here, line, self._walker.silent):
            if event is not None:
                yield from self.advanced(known, event, line)

    def advanced(self, here: PossibleState, event: Event, line: int) -> Iterator[PossibleState]:
        """The candidates after an event that is legal at one."""
        for known, step in self.settled(here, line, lambda state: self._advance(state, event)):
            yield known.at(step, arrived=False)

    def _advance(self, state: State, event: Event) -> Step:
        """Whether anything is possible where the game arrives is tested when it matters: it takes time."""
        return self._walker.advance(state, event, test_arrival=False)

    def settled(self, here: PossibleState, line: int, ask: Callable[[State], _T]) -> Iterator[tuple[PossibleState, _T]]:
        """The answer to a question about a state; where it hangs on a value that nobody stated, one for each piece.

        No answer where the rules fail: that is kept as a failure.
        """
        waiting = [here]
        for _ in range(MOST_LOOKS):
            if not waiting:
                return
            known = waiting.pop()
            if not isinstance(known.step, State):
                raise TypeError("only a state can be asked")
            try:
                answer = ask(known.step)
            except Unsettled as open_:
                waiting.extend(self.split(known, known.step, open_, line))
            except Fault as fault:
                self._failed.append(known.at(fault.step(known.step), arrived=True))
            else:
                yield known, answer
        self._dropped(waiting)

    def at_end(self, here: PossibleState, line: int, ask: Callable[[State], _T]) -> Iterator[tuple[PossibleState, _T]]:
        """The same for a candidate whose game may be over; nothing for one without a state."""
        step = here.step
        if isinstance(step, State):
            yield from self.settled(here, line, ask)
        elif isinstance(step, Ended):
            for known, answer in self.settled(here.at(step.state, arrived=True), line, ask):
                if isinstance(known.step, State):
                    yield known.at(Ended(known.step, step.winners), arrived=True), answer

    def split(self, here: PossibleState, state: State, open_: Unsettled, line: int) -> Iterator[PossibleState]:
        """A candidate for each piece of the range of an open value, the lowest last."""
        states = [(piece, self._walker.settle(state, open_, piece)) for piece in open_.pieces]
        if isinstance(self._join, Rejoin):
            yield from self._settling(self._join, here, open_, states[::-1])
            return
        fit = [(piece, known) for piece, known in states if self._fits(list(known.slots))]
        for piece, known in reversed(fit):
            made = self._assumption(open_.var, open_.key, piece, [one for one, _ in fit], line)
            yield here.assuming(known, made) if len(fit) > 1 else here.at(known, arrived=here.arrived)

    def _settling(self, join: Rejoin, here: PossibleState, open_: Unsettled,
                  states: Sequence[tuple[tuple[int, int], State]]) -> Iterator[PossibleState]:
        """A candidate for each piece of the range of an open value, with its settings."""
        choices, place = join.choices(here), (open_.var, open_.key)
        for piece, known in states:
            left = choices.within(place, *piece)
            if left and (open_.var not in self._related.names or self._related.fits(left, known.slots)):
                yield replace(here, step=known, choices=left)

    def _fits(self, slots: list[Any]) -> bool:
        """Whether there are values for what is open that are related as the rules say."""
        return self._walker.relations.broken(slots) is None

    def _assumption(self, var: str, key: Key, piece: tuple[int, int], pieces: Sequence[tuple[int, int]],
                    line: int) -> Assumption:
        among = tuple(self._names.piece(var, one) for one in pieces)
        name, value, openness = self._names.variable(var, key), self._names.piece(var, piece), self._names.openness(var)
        return Assumption(line, name, value, len(pieces), openness.value, among)

    def tested(self, here: PossibleState, line: int) -> Iterator[tuple[PossibleState, bool]]:
        """The candidate, and whether all invariants and limits hold there; several if that hangs on what is open."""
        if self.guarded and isinstance(here.step, State | Ended):
            yield from self.at_end(here, line, self._sound)
        else:
            yield here, True

    def _sound(self, state: State) -> bool:
        try:
            return not self._walker.broken(state)
        except Fault:  # it cannot be told: it may
            return True

    def capped(self, found: list[PossibleState]) -> list[PossibleState]:
        """Equal states made one, and no more than may be followed."""
        joined = self._join(found)
        if isinstance(self._join, Rejoin):
            return joined
        self.overflow |= len(joined) > MOST_STATES
        return joined[:MOST_STATES]

    def _dropped(self, waiting: Iterable[PossibleState]) -> None:
        """There was too much left open to follow these."""
        left = list(waiting)
        if isinstance(self._join, Rejoin):
            self._join.leave_out(left)
        else:
            self.overflow |= bool(left)
