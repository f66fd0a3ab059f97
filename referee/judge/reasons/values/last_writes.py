"""What made the values that a claim, a result or an invariant reads: the last writes, and what kept one away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from referee.core.expr import Expr
from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Role, Zone
from referee.core.stmt import Branch, Put
from referee.core.traverse import statements
from referee.game.state import Ended, Slot, State
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.step_replay import Entries
from referee.interpreter.trace import Reads, TracedFork, TracedWrite, flat
from referee.interpreter.walker import Walker
from referee.judge.reasons.past_events import DoneEvent, PastEvents
from referee.judge.reasons.rule_words import is_player
from referee.judge.reasons.sight.seen_steps import SeenStep, SeenSteps
from referee.judge.reasons.values.other_way import OtherWay
from referee.system.deadline import Deadline

MOST_OF_ONE = 3
"""So many writes of one entry are told."""
MOST_WRITES = 6
"""After so many writes in all no older ones are looked for."""
MOST_ENTRIES = 4
"""Entries of a variable behind a name, and entries at once of which it is asked whether they were never written."""
MOST_SIBLINGS = 8
"""Of a variable or zone with more entries those of other keys are not looked at."""
MOST_LOOKED_BACK = 24
"""So many steps back it is asked what kept a write away."""


Holds = Callable[[State], bool]
"""Whether something is so at a position."""


@dataclass(frozen=True, slots=True)
class PastWrite:
    """An entry that was written in a step."""

    step: DoneEvent
    write: TracedWrite


@dataclass(frozen=True, slots=True)
class PastChange:
    """An entry (by its index) that was another after a step, of which is not told how."""

    step: DoneEvent
    index: int
    old: Slot
    new: Slot


@dataclass(frozen=True, slots=True)
class KeptAway:
    """A fork at which only the other way would have written an entry that is asked about. Not `sure`: the rules have no
    answer that way, so that it is not known what would have been written."""

    step: DoneEvent
    fork: TracedFork
    sure: bool = True


class LastWrites:
    """Looks back over the way of one game."""

    def __init__(self, seen: SeenSteps, past: PastEvents, follower: Walker) -> None:
        """`follower` carries the events of the game out once more."""
        self._follower = follower
        self._seen = seen
        self._replay = seen.replay
        self._other_way = OtherWay(seen.replay)
        self._past = past

    def told(self, reads: Reads) -> frozenset[int]:
        """Those of some entries that rules write, as far as they are seen: no registers, nothing that the header
        states."""
        return frozenset(index for index in self._seen.opened(reads) if self._written(index))

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

    def _away(self, seen: SeenStep, names: set[str], wanted: frozenset[int], came: State,
              holds: Holds | None) -> Iterator[tuple[int, KeptAway]]:
        """The forks that kept writes to some entries away, the last first: within a run where only the other way has
        such a statement, else where going the other way makes another value of one of them, or the rules have no
        answer. With each how much speaks for it: 2 if the other way makes `holds` true, 0 if it does not."""
        ways = {(at, after): slots for at, after, slots in seen.crossings}
        for entry in reversed(list(flat(seen.trace.entries))):
            if not isinstance(entry, TracedFork) or not entry.kept_away & names or not entry.parts:
                continue
            if self._of_another(entry, wanted):
                continue
            if entry.node is None:
                if self._other_way.may_write(entry, wanted, seen.step):
                    yield 1, KeptAway(seen.step, entry)
                continue
            led = self._other(entry, ways)
            if led is None and self._seen.all and any(map(self._written, entry.reads)):
                yield 1, KeptAway(seen.step, entry, sure=False)
            elif led is not None and any(led.slots[index] != came.slots[index] for index in wanted):
                much = 1 if holds is None else 2 if self._seen.known(partial(holds, led)) else 0
                yield much, KeptAway(seen.step, entry)

    def _of_another(self, fork: TracedFork, wanted: frozenset[int]) -> bool:
        """Whether a condition looks at what belongs to players, and none of them has any of the entries asked about."""
        read = {one for index in fork.reads for one in self._players(index)}
        asked = {one for index in wanted for one in self._players(index)}
        return bool(read) and bool(asked) and not read & asked

    def _players(self, index: int) -> list[int]:
        """The players in the key of an entry."""
        name, key = self._replay.name_of(index)
        core = self._replay.flow.core
        declared = core.zones.get(name) or self._replay.flow.vars.get(name)
        pairs = zip(key, () if declared is None else declared.keys, strict=False)
        return [value for value, kind in pairs if is_player(kind)]

    def _likely(self, found: tuple[int, KeptAway]) -> tuple[int, int]:
        """That for which most speaks first; of equal ones that which kept the least away besides."""
        much, one = found
        return -much, sum(self._names_state(name) for name in one.fork.kept_away)

    def _names_state(self, name: str) -> bool:
        declared = self._replay.flow.vars.get(name)
        return declared is None or declared.role is Role.STATE

    def _other(self, entry: TracedFork, ways: Mapping[tuple[int, int | None], Entries]) -> State | None:
        """Where the other way at a fork leads."""
        node = None if entry.node is None else self._replay.flow.nodes[entry.node]
        match node:
            case Fork(_, yes, no):
                taken, other = (yes, no) if entry.held else (no, yes)
            case None | Run() | Ask() | Gather() | Draw() | Rule():
                return None
        slots = ways.get((entry.node or 0, taken))
        led = None if slots is None else self._seen.known(lambda: self._seen.otherwise(other, slots))
        state = led.state if isinstance(led, Ended) else led
        return state if isinstance(state, State) else None

    def brought_by(self, one: PastWrite) -> TracedFork | None:
        """The last condition before a write whose other way would not have made it."""
        seen, before, found = self._seen.of(one.step), [], False
        if seen is None:
            return None
        for entry in flat(seen.trace.entries):
            found = isinstance(entry, TracedWrite) and (entry.index, entry.new) == (one.write.index, one.write.new)
            if found:
                break
            if isinstance(entry, TracedFork) and entry.parts and self.told(entry.reads):
                before.append(entry)
        ways = {(at, after): slots for at, after, slots in seen.crossings}
        ending = {branch.origin for branch in statements(self._replay.flow.core.ending, Branch)}
        for fork in reversed([one for one in before if one.origin not in ending] if found else []):
            if fork.node is None:
                if any(inner == one.write for inner in flat(fork.inside)):
                    return fork
                continue
            led = self._other(fork, ways)
            if led is not None and led.slots[one.write.index] != one.write.new:
                return fork
        return None

    def siblings(self, reads: Reads) -> Reads:
        """The entries of the same variables and zones, of other keys, if these are few."""
        layout = self._replay.course.layout
        found: set[int] = set()
        for name in {self._replay.name_of(index)[0] for index in self.told(reads)}:
            entries = layout.zones[name].entries if name in layout.zones else layout.vars[name].entries
            found.update(entries if len(entries) <= MOST_SIBLINGS else ())
        return frozenset(found) - reads

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

    def earlier(self, final: State, index: int, first: DoneEvent, until: Deadline) -> tuple[Slot, list[int]] | None:
        """What an entry held before the first event, and the lines, in order, that changed it before a step on the way;
        None if that is not known."""
        lines: list[int] = []
        after, found = final, False
        for step in self._past.backwards(self._follower, final, until):
            changed = step.state.slots[index] != after.slots[index]
            after = step.state
            if found and changed:
                lines.append(step.line)
            found = found or (step.line, step.state) == (first.line, first.state)
        if until.passed or not found or not self._past.first_kept:
            return None
        return after.slots[index], lines[::-1]

    def made_before(self, one: KeptAway) -> PastWrite | None:
        """The last write, in the same step, to what a condition looked at; None if there is none."""
        seen = self._seen.of(one.step)
        entries = [] if seen is None else list(flat(seen.trace.entries))
        forked = next((at for at, entry in enumerate(entries) if entry is one.fork), 0)
        wanted = self.told(one.fork.reads)
        return next((PastWrite(one.step, entry) for entry in reversed(entries[:forked])
                     if isinstance(entry, TracedWrite) and entry.index in wanted), None)

    def instead(self, one: KeptAway, reads: Reads) -> tuple[TracedWrite, int] | None:
        """Where a component went that would have gone to a zone which is asked about (its index), had a condition been
        another; None if no component went another way, or it is not told."""
        seen = self._seen.of(one.step)
        zones = [index for index in sorted(self.told(reads)) if self._replay.name_of(index)[0] in self._zones]
        if seen is None or not self._seen.all or not zones:
            return None
        if one.fork.node is None:
            away = {self._replay.name_of(index)[0]: index for index in zones}
            missed = next((away[name] for name in sorted(one.fork.kept_away) if name in away), None)
            put = (entry for entry in flat(one.fork.inside) if isinstance(entry, TracedWrite) and self._gained(entry))
            found = next(put, None)
            return None if missed is None or found is None else (found, missed)
        led = self._other(one.fork, {(at, after): slots for at, after, slots in seen.crossings})
        came = seen.trace.step.state if isinstance(seen.trace.step, Ended) else seen.trace.step
        if led is None or not isinstance(came, State):
            return None
        entries = list(flat(seen.trace.entries))
        forked = next((at for at, entry in enumerate(entries) if entry is one.fork), 0)
        for entry in entries[forked:]:  # what was before lies on both ways
            if isinstance(entry, TracedWrite):
                for member in self._gained(entry):
                    if self._more(member, entry.index, came, led):
                        missed = next((index for index in zones if self._more(member, index, led, came)), None)
                        if missed is not None:
                            return entry, missed
        return None

    def _more(self, member: int, index: int, state: State, than: State) -> bool:
        return self._number(state.slots[index], index, member) > self._number(than.slots[index], index, member)

    def _gained(self, write: TracedWrite) -> list[int]:
        """The components that a write brought to a zone."""
        zone = self._zones.get(write.name)
        if zone is None or not isinstance(write.old, tuple) or not isinstance(write.new, tuple):
            return []
        return list((Counter(components(zone, write.new)) - Counter(components(zone, write.old))).elements())

    @property
    def _zones(self) -> Mapping[str, Zone]:
        return self._replay.flow.core.zones

    def arrivals(self, final: State, member: int, indexes: Iterable[int],
                 until: Deadline) -> dict[int, PastWrite | None]:
        """The last time that a component came to each of some zones, by the index of the zone, where it was chosen
        for it; None where it has lain since the game began. What is not known is missing."""
        found: dict[int, PastWrite | None] = {}
        missing, after = set(indexes), final
        together: dict[int, PastWrite] = {}
        for step in self._past.backwards(self._follower, final, until):
            came, after = after, step.state
            for index, held in list(together.items()):
                own = self._is_choice_of(step, index, member)
                if own and step.state.at == held.step.state.at:
                    found[index] = PastWrite(step, held.write)
                if own or step.state.at != held.step.state.at:
                    del together[index]
            for index in sorted(missing):
                before, then = (self._number(one.slots[index], index, member) for one in (step.state, came))
                if before < then:
                    missing.discard(index)
                    write = self._arrival(step, index, member)
                    found.update({} if write is None else {index: write})
                    own = self._is_choice_of(step, index, member)
                    if write is not None and self._chosen_together(step) and not own:
                        together[index] = write
            if not missing and not together:
                break
        if self._past.first_kept and not until.passed:
            found.update(dict.fromkeys(missing))
        return found

    def _chosen_together(self, step: DoneEvent) -> bool:
        """Whether what players choose takes effect only when all have chosen."""
        node = self._replay.flow.nodes[step.state.at]
        match node:
            case Gather():
                return True
            case Run() | Fork() | Ask() | Draw() | Rule():
                return False
            case _:
                assert_never(node)

    def _is_choice_of(self, step: DoneEvent, index: int, member: int) -> bool:
        """Whether a player whose zone it is chose a component."""
        chosen = (one for _, value in step.event.args for one in (value if isinstance(value, tuple) else (value,)))
        return step.event.by in self._replay.name_of(index)[1] and member in chosen

    def _arrival(self, step: DoneEvent, index: int, member: int) -> PastWrite | None:
        seen = self._seen.of(step)
        writes = [] if seen is None else [one for one in flat(seen.trace.entries) if isinstance(one, TracedWrite)]
        return next((PastWrite(step, write) for write in reversed(writes) if write.index == index
                     and self._number(write.old, index, member) < self._number(write.new, index, member)), None)

    def _number(self, content: Slot, index: int, member: int) -> int:
        """How many components of a class lie in a zone of such content."""
        zone = self._replay.flow.core.zones[self._replay.name_of(index)[0]]
        return list(components(zone, content)).count(member) if isinstance(content, tuple) else 0

    def of(self, final: State, reads: Reads, until: Deadline,
           holds: Holds | None = None, before: DoneEvent | None = None) -> list[PastWrite | PastChange | KeptAway]:
        """The last writes to some entries, the last first; before them the fork that kept the last one away, if any,
        rather one whose other way makes `holds` true. `before`: a step on the way to `final` at which it is stopped."""
        wanted = self.told(reads)
        names = {self._replay.name_of(index)[0] for index in wanted}
        found: list[PastWrite | PastChange | KeptAway] = []
        away: KeptAway | None = None
        number: Counter[int] = Counter()
        after = final
        for back, step in enumerate(self._past.backwards(self._follower, final, until)):
            changed = {index for index in wanted if step.state.slots[index] != after.slots[index]}
            came, after = after, step.state
            if before is not None:
                before = None if (step.line, step.state) == (before.line, before.state) else before
                continue
            if not changed and (found or back >= MOST_LOOKED_BACK or (away is not None and holds is None)):
                continue
            seen = self._seen.of(step)
            if seen is None:
                return found
            if not found and not changed:
                kept = sorted(self._away(seen, names, wanted, came, holds), key=self._likely)
                found.extend(one for much, one in kept[:1] if much)
                away = away or next((one for _, one in kept), None)
            elif changed and away is not None and not found:
                found.append(away)
            for one in _writes(seen, changed, came):
                index = one.write.index if isinstance(one, PastWrite) else one.index
                if number[index] < MOST_OF_ONE:
                    number[index] += 1
                    found.append(one)
            if sum(number.values()) >= MOST_WRITES or all(number[index] >= MOST_OF_ONE for index in wanted):
                break
        return found[:MOST_WRITES + 1] or ([] if away is None else [away])


def _writes(seen: SeenStep, changed: set[int], came: State) -> Iterator[PastWrite | PastChange]:
    """The writes to some entries that a step changed, the last first, those of one statement to one entry as one; of
    one of which the last write is not told, only that it changed."""
    writes = [entry for entry in reversed(list(flat(seen.trace.entries)))
              if isinstance(entry, TracedWrite) and entry.index in changed]
    last = {entry.index: entry.new for entry in reversed(writes)}
    for index in sorted(changed):
        if index not in last or last[index] != came.slots[index]:
            yield PastChange(seen.step, index, seen.step.state.slots[index], came.slots[index])
            changed = changed - {index}
    yield from (PastWrite(seen.step, entry) for entry in _merged(entry for entry in writes if entry.index in changed))


def _merged(writes: Iterable[TracedWrite]) -> list[TracedWrite]:
    """Writes, the last first, each with those right before it that the same statement made to the same entry."""
    found: list[TracedWrite] = []
    for entry in writes:
        at = next((at for at, one in enumerate(found) if (one.index, one.old) == (entry.index, entry.new)), None)
        if at is not None and found[at].origin == entry.origin:
            found[at] = replace(found[at], old=entry.old, reads=found[at].reads | entry.reads)
        else:
            found.append(entry)
    return found
