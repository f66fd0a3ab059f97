"""Explicit-state search for what breaks a claim: every position is looked at, in bounded time and memory.

First by generated code, from all settings at once; where there are more than a few positions by machine code, from one
setting after the other, which looks at them many times as fast and leaves to generated code what is unusual. A claim
that is broken is not asked of machine code any more: nearly every position would be unusual.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import assert_never

from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.interruptions import BROKEN, Fault, Unsettled
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.native.engine_names import AUTO, NATIVE, REFERENCE
from referee.proofs.claim_hunt import worth_machine_code
from referee.proofs.proof_claims import Claim
from referee.proofs.proof_outcomes import Proof, ProofOutcome, RefutingGame, SearchedSpace
from referee.simulation.every_position import (
    ENTRY_BYTES,
    FIRST,
    MOST_BYTES,
    NO_ROOM,
    PlainSearch,
    PositionSearch,
    levels,
    search_of,
)
from referee.simulation.state_space import stated_in_every_way
from referee.system.deadline import Deadline, OutOfTime, Stopwatch

FEW_SETTINGS = 64
"""From so many settings at most is searched: each has its positions."""
MANY_SETTINGS = "readings, parameters and givens can be stated in too many ways"
NO_TIME = "not done within {:g} s"
Progress = Callable[[str], None]


@dataclass
class Exploration:
    """What a search came to. `broken`: a game for each claim that was seen to be broken, the shortest there is."""

    broken: dict[str, RefutingGame] = field(default_factory=dict)
    space: SearchedSpace | None = None

    def decided(self, claims: Sequence[Claim]) -> Iterator[Proof]:
        """What is known of claims by it. Those of single nodes were not asked, and what is declared to be broken was
        not asked inside actions."""
        if self.space is None:
            return
        for claim in claims:
            if claim.at is None and claim.name in self.broken:
                yield Proof(claim.name, ProofOutcome.REFUTED, claim.origin, game=self.broken[claim.name],
                            expected=claim.expected, space=self.space, searched=True)
            elif claim.at is None and self.space.whole and not (
                    claim.inside and claim.expected is ProofOutcome.REFUTED):
                yield Proof(claim.name, ProofOutcome.PROVED, claim.origin, self.space.told, expected=claim.expected,
                            space=self.space, searched=True)


def explored(flow: Flow, setting: Setting, seconds: float, progress: Progress = lambda _: None,
             most_bytes: int = MOST_BYTES, engine_name: str = AUTO) -> Exploration:
    """Looks at every position of every setting there is, nearest first. `setting` names the players; `engine_name`:
    what looks; `auto`: machine code where it pays."""
    if seconds <= 0:
        return Exploration()
    return _Explorer(flow, setting, seconds, progress, most_bytes, engine_name).run()


class _Explorer:
    def __init__(self, flow: Flow, setting: Setting, seconds: float, progress: Progress, most_bytes: int,
                 engine_name: str) -> None:
        core = flow.core
        stated = (*core.invariants, *(replace(one, everywhere=False) for one in core.refutable))
        self._core = replace(core, invariants=stated, refutable=())
        self._flow = lower(self._core) if core.refutable else flow
        self._setting, self._progress, self._most_bytes = setting, progress, most_bytes
        self._name = engine_name
        self._seconds, self._until, self._watch = seconds, Deadline.computing(seconds), Stopwatch.computing()
        self._found = Exploration()
        self._why: str | None = None
        self._positions = self._depth = 0
        self._engine = ""

    def run(self) -> Exploration:
        """Plain search first, of all settings; then one by machine code, if that may be worth it."""
        walker = self._plain(self._flow)
        settings = list(_settings(walker, self._setting))
        starts, over = list[tuple[State, Setting]](), 0
        for chosen in settings:
            step = walker.begin(chosen)
            self._note(walker, step, partial(RefutingGame, chosen, (), True))
            if isinstance(step, State):
                starts.append((step, chosen))
            else:
                over += 1
        if not settings:
            self._why = MANY_SETTINGS
        elif starts:
            self._look(starts)
        self._found.space = SearchedSpace(self._positions + over, self._depth, self._watch.seconds, self._engine,
                                          self._why)
        return self._found

    def _look(self, starts: Sequence[tuple[State, Setting]]) -> None:
        room = FIRST * ENTRY_BYTES * max(8, len(starts[0][0].slots))
        self._why = self._searched(starts, min(room, self._most_bytes), native=False)
        if self._why != NO_ROOM or room >= self._most_bytes:
            return
        if not self._worth_machine_code:
            self._why = self._searched(starts, self._most_bytes, native=False)
            return
        positions, depths = 0, list[int]()
        for start in starts:
            self._why = self._searched([start], self._most_bytes, native=True)
            positions += self._positions
            depths.append(self._depth)
            if self._why is not None:
                break
        self._positions, self._depth = positions, min(depths)

    @property
    def _worth_machine_code(self) -> bool:
        return self._name == NATIVE or (self._name == AUTO and worth_machine_code(self._flow, self._until.seconds_left))

    def _plain(self, flow: Flow) -> Walker:
        return Walker(flow) if self._name == REFERENCE else Generated(flow)

    def _searched(self, starts: Sequence[tuple[State, Setting]], most_bytes: int, *, native: bool) -> str | None:
        """Why not every position was looked at from some; None if they were."""
        while True:
            walker = self._plain(_without(self._core, self._flow, self._found.broken) if native else self._flow)
            asked = _ClaimSearch(walker, starts, most_bytes, native, self._note, self._until)
            why, self._depth = None, 0
            try:
                for depth, _ in enumerate(levels(asked.search, self._until)):
                    self._depth = depth
                    self._progress(f"looking at every position, {asked.search.count:,} are known")
            except OutOfTime:
                why = NO_TIME.format(self._seconds)
            except _Anew:
                continue
            self._positions, self._engine = asked.search.count, asked.engine
            return NO_ROOM if asked.search.full else why

    def _note(self, walker: Walker, step: Step, game: Callable[[], RefutingGame]) -> bool:
        """Keeps a game for each claim that is broken where it has come to and was not before; whether there is one."""
        new = [name for name in self._broken(walker, step) if name not in self._found.broken]
        self._found.broken.update((name, game()) for name in new)
        return any(one.name in new for one in self._core.invariants if not one.everywhere)

    def _broken(self, walker: Walker, step: Step) -> list[str]:
        match step:
            case State():
                return [one.name for one in walker.broken(step)]
            case Ended(state=state) | Stopped(state=state):
                return [one.name for one in walker.broken(state)]
            case Failed(code=code, span=span):
                inside = (one for one in self._core.invariants if one.everywhere)
                return [one.name for one in inside if code == BROKEN and one.guard.origin.span == span]
            case _:
                assert_never(step)


Note = Callable[[Walker, Step, Callable[[], RefutingGame]], bool]


class _Anew(Exception):
    """A claim is broken that need not be asked of machine code any more."""


class _ClaimSearch:
    """A search that tells of each step what it may break, and by which game."""

    def __init__(self, walker: Walker, starts: Sequence[tuple[State, Setting]], most_bytes: int, native: bool,
                 note: Note, until: Deadline) -> None:
        self._walker, self._note, self._until = walker, note, until
        self._settings = dict(starts)
        self.search: PositionSearch
        self.search, self.engine = search_of(walker, [state for state, _ in starts], most_bytes, self._met, tested=True,
                                             native=native)
        self._starts = self.search.count

    def _met(self, step: Step, before: int | None, event: Event | None) -> None:
        if before is None or event is None:
            return  # a start, of which is known what it breaks
        if self._until.passed:
            raise OutOfTime
        new = self._note(self._walker, step, lambda: self._game(before, event))
        if new and not isinstance(self.search, PlainSearch):
            raise _Anew

    def _game(self, number: int, last: Event) -> RefutingGame:
        """The game that led to a position, and an event more."""
        chain: list[int] = []
        while number >= self._starts:
            chain.append(number)
            number = self.search.before(number)
        state = self.search.step(number)
        assert isinstance(state, State)
        chosen, events = self._settings[state], list[Event]()
        for one in reversed(chain):
            wanted = self.search.step(one)
            assert isinstance(state, State)
            here = state
            events.append(next(e for e in self._walker.legal(here) if self._walker.advance(here, e) == wanted))
            state = wanted
        return RefutingGame(chosen, (*events, last), True)


def _without(core: Core, flow: Flow, names: Container[str]) -> Flow:
    """Without some claims, but for those that hold inside actions: where these are broken a game goes no further."""
    left = tuple(one for one in core.invariants if one.everywhere or one.name not in names)
    return flow if len(left) == len(core.invariants) else lower(replace(core, invariants=left))


def _settings(walker: Walker, setting: Setting) -> Iterator[Setting]:
    """Every way to fix readings, parameters and givens as they are related; nothing if there are many."""
    for fixed in stated_in_every_way(walker, setting, FEW_SETTINGS) or ():
        with suppress(Fault, Unsettled):
            yield complete(walker, fixed, Random(0))
