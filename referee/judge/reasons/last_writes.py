"""What made the values that a claim, a result or an invariant reads: the last writes, and what kept one away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.core.expr import Expr
from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Role
from referee.core.stmt import Put
from referee.core.traverse import statements
from referee.game.state import Ended, State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.step_replay import Entries, StepReplay
from referee.interpreter.trace import Reads, Trace, TracedFork, TracedWrite, flat
from referee.interpreter.walker import Walker
from referee.judge.reasons.past_events import DoneEvent, PastEvents
from referee.system.deadline import Deadline

MOST_OF_ONE = 3
MOST_WRITES = 6
MOST_ENTRIES = 4
MOST_LOOKED_BACK = 24
"""So many steps back it is asked what kept a write away."""


@dataclass(frozen=True, slots=True)
class PastWrite:
    """An entry that was written in a step, with the trace of the step."""

    step: DoneEvent
    trace: Trace
    write: TracedWrite


@dataclass(frozen=True, slots=True)
class KeptAway:
    """A fork at which only the other way would have written an entry that is asked about."""

    step: DoneEvent
    trace: Trace
    fork: TracedFork


class LastWrites:
    """Looks back over the way of one game."""

    def __init__(self, replay: StepReplay, past: PastEvents, follower: Walker) -> None:
        """`follower` carries the events of the game out once more."""
        self._follower = follower
        self._replay = replay
        self._past = past

    def told(self, reads: Reads) -> frozenset[int]:
        """Those of some entries that rules write: no registers, nothing that the header states."""
        return frozenset(index for index in reads if self._written(index))

    def sources(self, expr: Expr) -> Reads:
        """The entries of few-valued variables that the value of an expression comes from, through registers."""
        flow, layout = self._replay.flow, self._replay.course.layout
        puts: dict[str, list[Put]] = {}
        for node in flow.nodes:
            match node:
                case Run(body):
                    for put in statements(body, Put):
                        puts.setdefault(put.var, []).append(put)
                case Fork() | Ask() | Gather() | Draw() | Rule():
                    continue
        found: set[int] = set()
        seen: set[str] = set()
        waiting: list[object] = [expr]
        while waiting:
            for name in variables_of(waiting.pop()) - seen:
                seen.add(name)
                var = flow.vars[name]
                if var.role is Role.STATE and layout.vars[name].count <= MOST_ENTRIES:
                    found.update(layout.vars[name].entries)
                elif var.role is Role.REGISTER:
                    waiting.extend((put.keys, put.value) for put in puts.get(name, ()))
        return frozenset(found)

    def _written(self, index: int) -> bool:
        found = self._replay.flow.vars.get(self._replay.name_of(index)[0])
        return (found is None and self._replay.name_of(index)[0] in self._replay.flow.core.zones) or (
            found is not None and found.role in (Role.STATE, Role.RESULT))

    def _away(self, trace: Trace, names: set[str], wanted: frozenset[int], came: State) -> Iterator[TracedFork]:
        """The forks that kept writes to some entries away, the last first: within a run where only the other way has
        such a statement, else where going the other way makes another value of one of them."""
        ways = {(at, after): slots for at, after, slots in self._replay.crossings}
        for entry in reversed(list(flat(trace.entries))):
            if not isinstance(entry, TracedFork) or not entry.kept_away & names or not entry.parts:
                continue
            if entry.node is None or self._differs(entry, ways, wanted, came):
                yield entry

    def _differs(self, entry: TracedFork, ways: Mapping[tuple[int, int | None], Entries], wanted: frozenset[int],
                 came: State) -> bool:
        node = None if entry.node is None else self._replay.flow.nodes[entry.node]
        match node:
            case Fork(_, yes, no):
                taken, other = (yes, no) if entry.held else (no, yes)
            case None | Run() | Ask() | Gather() | Draw() | Rule():
                return False
        slots = ways.get((entry.node or 0, taken))
        if slots is None:
            return False
        try:
            led = self._replay.otherwise(other, slots)
        except (Unsettled, Fault):
            return False
        state = led.state if isinstance(led, Ended) else led
        return isinstance(state, State) and any(state.slots[index] != came.slots[index] for index in wanted)

    def unchanged(self, final: State, reads: Reads, until: Deadline) -> frozenset[int]:
        """Those of a few entries that nothing has written since the first event; none if that is not known."""
        wanted = self.told(reads)
        first = final
        if not self._past.first_kept or len(wanted) > MOST_ENTRIES:
            return frozenset()
        for step in self._past.backwards(self._follower, final, until):
            first = step.state
            wanted = frozenset(index for index in wanted if first.slots[index] == final.slots[index])
        return frozenset() if until.passed else wanted

    def of(self, final: State, reads: Reads, until: Deadline) -> list[PastWrite | KeptAway]:
        """The last writes to some entries, the last first; before them the fork that kept the last one away, if any."""
        wanted = self.told(reads)
        names = {self._replay.name_of(index)[0] for index in wanted}
        found: list[PastWrite | KeptAway] = []
        number: Counter[int] = Counter()
        after = final
        for back, step in enumerate(self._past.backwards(self._follower, final, until)):
            changed = {index for index in wanted if step.state.slots[index] != after.slots[index]}
            came, after = after, step.state
            if not changed and (found or back >= MOST_LOOKED_BACK):
                continue
            try:
                trace = self._replay.step(step.state, step.event)
            except (Unsettled, Fault, ValueError):
                return found
            if not found and not changed:
                found.extend(KeptAway(step, trace, fork) for fork in self._away(trace, names, wanted, came))
                del found[1:]
            for write in _writes(trace, changed):
                if number[write.index] < MOST_OF_ONE:
                    number[write.index] += 1
                    found.append(PastWrite(step, trace, write))
            if sum(number.values()) >= MOST_WRITES or all(number[index] >= MOST_OF_ONE for index in wanted):
                break
        return found[:MOST_WRITES + 1]


def _writes(trace: Trace, changed: set[int]) -> Iterator[TracedWrite]:
    for entry in reversed(list(flat(trace.entries))):
        if isinstance(entry, TracedWrite) and entry.index in changed:
            yield entry
