"""Reasons for verdicts: why somebody else was asked, and what made a value, in the words of the rules.

`LineReasons.elsewhere` is for lines that the game did not ask for, `LineReasons.of_values` for what is claimed and not
so. Both look back only as far as `PastEvents` goes, and no longer than `MOST_SECONDS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeAlias, assert_never
from weakref import WeakKeyDictionary

from referee.core.expr import Expr, Get
from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run, offered, offers
from referee.core.ruleset import TURN, Role
from referee.core.stmt import Guard
from referee.core.traverse import walk
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf
from referee.game.event import FATE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.step_replay import Entries, StepReplay
from referee.interpreter.trace import (
    NOTHING_READ,
    DecidingPart,
    KnownValue,
    Reads,
    TracedEvent,
    TracedFork,
    TracedWrite,
    flat,
)
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.reasons.fork_words import LOOPS, ForkWords
from referee.judge.reasons.part_words import Shows
from referee.judge.reasons.past_events import DoneEvent, PastEvents
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.reasons.sight.seen_steps import SeenStep, SeenSteps
from referee.judge.reasons.sight.trace_sight import TraceSight
from referee.judge.reasons.turning_points import MOST_STEPS, TurningPoint, TurningPoints
from referee.judge.reasons.values.best_members import BestMembers
from referee.judge.reasons.values.last_writes import KeptAway, LastWrites, PastChange, PastWrite
from referee.judge.reasons.values.untouched_values import UntouchedValues
from referee.judge.reasons.way_here import MOST_CONDITIONS, WayHere
from referee.judge.verdict import Reason
from referee.system.deadline import NEVER, Deadline

MOST_SECONDS = 2.0
"""Seconds of computing for one look back from a line: what is not found by then is not told."""
MOST_CAUSES = 3
"""So many writes are told that made the values of a fork."""
MOST_SINCE = 2
"""So many variables that decided a condition are told with what wrote them last."""
MOST_LINES = 4
"""So many lines of earlier changes are told."""
MOST_BEHIND = 1
"""So many are told of those who are not the best."""
MOST_REASONS = 4
"""So many reasons are told why the game is elsewhere."""

Change: TypeAlias = PastWrite | PastChange
_LET, _TIES = re.compile(r"^let \S+ = "), re.compile(r", ties: .*$")
"""What stands around the words for who is best."""

_WINDOW = "window"
"""The words for a window, which several may answer in until all have passed."""

_REPLAYS: WeakKeyDictionary[Walker, StepReplay] = WeakKeyDictionary()


def turn_entries(walker: Walker) -> frozenset[int]:
    """The entries that hold whose turn it is: one, or none."""
    found = walker.layout.vars.get(TURN)
    return frozenset() if found is None else frozenset(found.entries)


def replay_of(walker: Walker) -> StepReplay:
    """The replay of the rules of a walker, made once: logs of one ruleset share it."""
    known = _REPLAYS.get(walker)
    if known is None:
        known = _REPLAYS[walker] = StepReplay(walker.flow)
    return known


class LineReasons:
    """Reasons in one game. `past`: what led to where it stands."""

    def __init__(self, walker: Walker, names: Names, past: PastEvents, viewer: int | None,
                 setting: Setting | None = None) -> None:
        """`viewer`: the seat from which hidden values are kept; `setting`: in which the game began, if set-up is to be
        told as well. `deadline`: nothing is looked for after it."""
        self.setting = setting
        self.hides = False
        """Nothing is told any more."""
        self.deadline: Deadline = NEVER
        self._viewer = viewer
        self._walker = walker
        self._names = names
        self._past = past

    @cached_property
    def replay(self) -> StepReplay:
        return replay_of(self._walker)

    @property
    def _follower(self) -> Walker:
        """Who follows the way of the game again: the engine that judges, unless it asks a solver."""
        return self.replay.plain if self._walker.asked_step_by_step else self._walker

    @cached_property
    def words(self) -> RuleWords:
        return RuleWords(self._walker.flow, self._names)

    @cached_property
    def sight(self) -> TraceSight | None:
        """What the player sees who is told; None for somebody who sees everything."""
        walker = self._walker
        return None if self._viewer is None else TraceSight(walker.flow, walker.layout, self._viewer)

    @cached_property
    def seen(self) -> SeenSteps:
        return SeenSteps(self.replay, self.sight)

    @cached_property
    def _way(self) -> WayHere:
        begun_midway = self.setting is not None and self.setting.position is not None
        return WayHere(self.seen, self._names, self.words, begun_midway=begun_midway)

    @cached_property
    def _forks(self) -> ForkWords:
        return ForkWords(self._walker.flow, self._walker.course.code, self.words)

    @cached_property
    def untouched(self) -> UntouchedValues:
        """The words for values that nothing has changed."""
        return UntouchedValues(self._walker.flow, self.words)

    @cached_property
    def _turning(self) -> TurningPoints:
        return TurningPoints(self.seen)

    @cached_property
    def writes(self) -> LastWrites:
        """What looks back over this game."""
        return LastWrites(self.seen, self._past, self._follower)

    def way(self, final: State, steps: int) -> list[DoneEvent]:
        """At most so many of the last steps that led to a position, in order; none if they are not known, or it is told
        to a player, who may not have seen all of them."""
        if self.hides or self.sight is not None:
            return []
        return self._past.last(self._follower, final, steps, self.deadline.computing_within(MOST_SECONDS))[-steps:]

    def turned(self, final: State, event: Event) -> tuple[Reason, ...]:
        """The fork of the last step that kept the game away from where an event is asked; if there is none, from where
        it is asked of another player, or the rules have no answer. Nothing to a player, who may not have seen it."""
        if self.hides or self.sight is not None:
            return ()
        until = self.deadline.computing_within(MOST_SECONDS)
        steps = self.way(final, 1)
        found = self._turning.nearest(steps, event, until) or self._turning.nearest(steps, event, until, loosely=True)
        return () if found is None or found.fork is None else tuple(self._told(found, event, until))

    def elsewhere(self, final: State, event: Event) -> tuple[Reason, ...]:
        """Why the game stands at `final` and not where an event is asked: the nearest fork that kept it away, with what
        made the values that it compared. Empty if nothing is found."""
        if self.hides:
            return ()
        until = self.deadline.computing_within(MOST_SECONDS)
        steps = self._past.last(self._follower, final, MOST_STEPS, until)
        whose = self._whose(final, event, until)
        found = self._turning.nearest(steps, event, until)
        if found is not None and self._is_stale(found, final, event, steps, whose):
            found = None
        turned = () if found is None else tuple(self._told(found, event, until))
        told = list(turned)
        if self._in_another_turn(final, event):
            told = [*self._way.in_turn(final, event.label), *told]
        if whose is not None and not turned:
            told += self._handed(whose, final, until)
        if self.sight is None:  # a player is told only what the course of the game shows to him
            turns = [] if told or event.by in self._walker.who(final) else list(self._way.turns(final, event.by))
            chosen = offers(self._walker.flow.nodes[final.at])
            between = chosen is not None and chosen.point.rest
            told += turns if between else ()
            told += self._moved_on(final, event, steps, turned, whose, until)
            told += () if between else turns
        last = steps[-1].event if steps and self.sight is None else None
        if last is not None and event.by == FATE and (last.by, last.label) == (FATE, event.label):
            done = list(self._way.deed(steps, event, None))  # the line does once more what chance did just before
            told = [*done, *(one for one in told if one not in done)]
        return tuple(told[:MOST_REASONS])

    def _in_another_turn(self, final: State, event: Event) -> bool:
        """Whether somebody else chooses what to do in his turn."""
        node = offers(self._walker.flow.nodes[final.at])
        turn, asked = self._walker.layout.vars.get(TURN), self._walker.who(final)
        return node is not None and node.point.rest and event.by >= 0 and event.by not in asked and (
            turn is not None and asked == {final.slots[turn.base]})

    def _is_stale(self, found: TurningPoint, final: State, event: Event, steps: Sequence[DoneEvent],
                  whose: Change | None) -> bool:
        """Whether a turning point explains nothing of what is asked now: because somebody was handed the turn since
        then; or because the same is asked of another one, and players have done something since then."""
        if whose is not None and self._way.is_before(found, whose):
            return True
        if self.sight is not None or not self._asked_here(final, event):
            return False
        return any(step.event.by >= 0 for step in steps if step.line > found.step.line)

    def _handed(self, whose: Change, final: State, until: Deadline) -> Iterator[Reason]:
        """What made it somebody's turn; of the first turn also what the order begins with."""
        if not isinstance(whose, PastWrite) or whose.write.name != TURN:
            yield self.past_write(whose)
            return
        yield self._way.handed(whose.write, whose.step.line)
        if whose.write.old is not None:
            return
        for index in sorted(whose.write.reads):
            name = self.replay.name_of(index)[0]
            var = self._walker.flow.vars.get(name)
            if var is not None and var.role is Role.GIVEN:
                value = self.words.change(name, whose.step.state.slots[index], whose.step.state.slots[index])
                yield Reason(f"{name} is {value.partition(' -> ')[0]}, as the header of the log gives it", (),
                             self.words.all_cites(var.origin), var.origin.span)
        made = self.writes.told(whose.write.reads) - turn_entries(self._walker)
        changes = self.writes.of(final, made, until)
        yield from (self.written(one.write, one.step.line) for one in changes[:2] if isinstance(one, PastWrite))

    def _moved_on(self, final: State, event: Event, steps: Sequence[DoneEvent], turned: Sequence[Reason],
                  whose: Change | None, until: Deadline) -> Iterator[Reason]:
        """How the game came to where it stands, after the reasons of a turning point or of the turn."""
        way, write = self._way, None if turned else whose
        before = write.write.old if isinstance(write, PastWrite) and write.write.name == TURN else None
        deeds = list(way.deed(steps, event, before))
        deeds = [one for one in deeds if (one.line, one.span) not in ((other.line, other.span) for other in turned)]
        yield from deeds
        within = not deeds or (not self._asked_here(final, event) and way.is_within(event.label))
        if before is not None and write is not None and (event.by == FATE or within):
            yield from (self.written(one, write.step.line) for one in way.ended(write))
        yield from self._tied(final)
        yield from way.standing(final, order=self._asked_here(final, event))
        known = {one.span for one in turned}
        told = (one for fork, line in way.conditions(steps, final, until)
                if fork.origin.span not in known for one in self.fork(fork, line)
                if not one.cites or self._walker.core.statements_in(one.cites))
        yield from islice(told, MOST_CONDITIONS)
        strange = not deeds and FATE not in self._walker.who(final) if event.by == FATE else not turned
        if strange and event.by != TABLE and not self._asked_here(final, event):
            yield from way.asked_for(event)

    def _tied(self, final: State) -> Iterator[Reason]:
        """Where one of the best is to be chosen, who they are and what they have."""
        node = offers(self._walker.flow.nodes[final.at])
        if node is None or self.sight is not None:
            return
        members = BestMembers(self._walker.flow, self._walker.course.code, self.words, final.slots)
        for param in (param for one in offered(node) for param in one.params):
            best = members.offered(param)
            having = () if best is None else members.having(best)
            if best is not None and having:
                text = f"{members.words(best, param.origin.span)}: {members.value(having, best)}"
                yield Reason(text, tuple(members.shows(best, having)), self.words.all_cites(param.origin),
                             param.origin.span)

    def _asked_here(self, final: State, event: Event) -> bool:
        node = offers(self._walker.flow.nodes[final.at])
        return node is not None and any(one.label == event.label for one in offered(node))

    def _whose(self, final: State, event: Event, until: Deadline) -> Change | None:
        """What made it the turn of another one, as far as the rules say so and not an event."""
        node, layout = self._walker.flow.nodes[final.at], self._walker.layout
        match node:
            case Ask(point, actor, alternatives):
                if event.by in self._walker.who(final):
                    return None
                alike = any(one.label == event.label for one in alternatives)
                turn = turn_entries(self._walker)
                single = {index for one in layout.vars.values() if one.count == 1 for index in one.entries}
                wanted = frozenset(index for index in self.writes.sources(actor)
                                   if (point.rest if index in turn else alike and index in single))
            case Gather() | Draw() | Rule() | Run() | Fork():
                return None
            case _:
                assert_never(node)
        changes = (one for one in self.writes.of(final, wanted, until)[:MOST_CAUSES] if not isinstance(one, KeptAway))
        return next(changes, None)

    def since(self, final: State, parts: Sequence[DecidingPart]) -> tuple[Reason, ...]:
        """The last writes to the variables that decided a condition; of each only the last, of a few of them."""
        if self.hides:
            return ()
        wanted: set[int] = set()
        for value in (one for part in parts for one in part.values):
            for read in walk(value.expr, Get):
                wanted.update(index for index in value.reads if self.replay.name_of(index)[0] == read.var)
        found: dict[int, Reason] = {}
        for one in self.writes.of(final, frozenset(wanted), self.deadline.computing_within(MOST_SECONDS)):
            if isinstance(one, PastWrite):
                found.setdefault(one.write.index, self.written(one.write, one.step.line))
        return tuple(found.values())[:MOST_SINCE]

    def made(self, final: State, expr: Expr) -> tuple[Reason, ...]:
        """The last writes alone that made the value of an expression at `final`."""
        if self.hides:
            return ()
        found = self.writes.of(final, self.seen_reads(final, [expr]), self.deadline.computing_within(MOST_SECONDS))
        return tuple(self.past_write(one) for one in found if not isinstance(one, KeptAway))

    def arrivals(self, final: State, member: int, indexes: Iterable[int]) -> dict[int, PastWrite | None]:
        """By the index of a zone the last time that a component came there, None if it has lain there since the game
        began; nothing where that is not known, or for a player, who may not have seen it come."""
        until = self.deadline.computing_within(MOST_SECONDS)
        return {} if self.hides or self.sight is not None else self.writes.arrivals(final, member, indexes, until)

    def back(self, final: State, most: int, until: Deadline) -> Iterator[SeenStep]:
        """At most so many of the last steps that led to a position, the last first, up to one of which is not told how
        it went on."""
        for step in [*reversed(self._past.last(self._follower, final, most, until))][:most]:
            seen = None if until.passed else self.seen.of(step)
            if seen is None:
                return
            yield seen
            if seen.cut:
                return

    @property
    def last_line(self) -> int | None:
        """The line of the last event that was judged; None if it is not kept, or if not everything is told."""
        return None if self.hides else self._past.last_line

    def last_step(self, final: State) -> SeenStep | None:
        """The step that led to a position; None if it is not known."""
        steps = self._past.last(self._follower, final, 1, self.deadline.computing_within(MOST_SECONDS))
        return self.seen.of(steps[-1]) if steps else None

    def led(self, final: State) -> Iterator[Reason]:
        """Of what a player did last that he, or somebody else, is asked to choose at `final`: nothing where a chance
        decides, or several choose at once. Players are not told."""
        match self._walker.flow.nodes[final.at]:
            case Ask():
                found = None if self.hides or self.sight is not None else self.last_step(final)
            case Gather() | Draw() | Rule() | Run() | Fork():
                return
        did = found.trace.entries[0] if found is not None and found.trace.entries else None
        if found is not None and isinstance(did, TracedEvent) and did.event is not None and did.event.by >= 0:
            text = f"{self._names.who(did.event.by)}: {self._names.event(did.event)} led to this choice"
            yield Reason(text, (), self.words.all_cites(did.origin), did.origin.span, found.step.line)

    def stands(self, final: State) -> tuple[Reason, ...]:
        """What the point stands in at which a position is; nothing to a player."""
        return () if self.hides or self.sight is not None else tuple(self._way.standing(final, order=False))

    def passed(self, entry: TracedEvent, line: int | None) -> Reason:
        """A point that was left without asking anybody."""
        said = "" if entry.event is None else (
            self._names.ruling(entry.event) if entry.event.by == TABLE else self._names.event(entry.event))
        text = f"{entry.point.name}: {said or 'nothing was possible'}"
        return Reason(text, (), self.words.all_cites(entry.origin), entry.origin.span, line)

    def reads(self, state: State, exprs: Sequence[Expr]) -> Reads:
        """The entries that expressions look at in a position."""
        slots = RecordingSlots(state.slots)
        for expr in exprs:
            try:
                self._walker.course.code.expr(expr)(slots, {})
            except (Fault, Unsettled):
                continue
        return slots.taken()

    def seen_reads(self, state: State, exprs: Sequence[Expr]) -> Reads:
        """What those expressions look at in a position of which nothing hidden has a say."""
        if self.sight is None:
            return self.reads(state, exprs)
        found = [(expr, self.reads(state, [expr])) for expr in exprs]
        return NOTHING_READ.union(*(read for expr, read in found if self.sight.sees(read, expr)))

    # ---------------------------------------------------------------------- in words
    def _told(self, found: TurningPoint, event: Event, until: Deadline) -> Iterator[Reason]:
        line = found.step.line
        if found.fork is not None:
            yield from self.fork(found.fork, line, found.slots)
            yield from self._causes(found, found.fork, until)
        elif found.refusal is not None and found.passed is not None:
            who = self._names.who(event.by)
            for tested in found.refusal.failed[:1]:
                yield self._guard(f"{who} could not {event.label}: {tested.guard.text}", tested.guard, line)
            if not found.refusal.failed:
                origin = found.refusal.origin or found.passed.origin
                yield Reason(f"nothing was possible for {who} to {event.label}", (),
                             self.words.all_cites(origin), origin.span, line)
        elif found.instead:
            did = found.trace.entries[0]
            if isinstance(did, TracedEvent):
                text = f"{self._names.who(found.step.event.by)} chose {found.step.event.label} instead"
                yield Reason(text, (), self.words.all_cites(did.origin), did.origin.span, line)

    def _guard(self, text: str, guard: Guard, line: int) -> Reason:
        return Reason(text, (), self.words.all_cites(guard.origin), guard.origin.span, line)

    def _causes(self, found: TurningPoint, fork: TracedFork, until: Deadline) -> Iterator[Reason]:
        """What made the values that a fork compared: in the same step, the last write to each."""
        wanted = self.writes.told(fork.reads)
        seen: set[int] = set()
        for entry in reversed(list(flat(found.trace.entries[:found.index]))):
            if isinstance(entry, TracedWrite) and entry.index in wanted and entry.index not in seen:
                seen.add(entry.index)
                yield self.written(entry, found.step.line)
            if len(seen) >= MOST_CAUSES:
                return
        if not seen and wanted:
            for one in self.writes.of(found.step.state, frozenset(wanted), until)[:MOST_CAUSES]:
                if not isinstance(one, KeptAway):
                    yield self.past_write(one)

    def fork(self, fork: TracedFork, line: int | None, slots: Entries | None = None) -> Iterator[Reason]:
        """A condition that was tested, with the parts that decided it. `slots`: the entries there, if known."""
        told = tuple(self._forks.told(fork, line))
        yield from told or self._best(fork, line, slots)

    def shows(self, parts: Sequence[DecidingPart]) -> Shows:
        """The values in parts that decided a value, with what they were worked out from."""
        return self._forks.values(parts, needed=True)

    def made_of(self, known: KnownValue) -> Shows:
        """What a value was worked out from."""
        return self._forks.made(known)

    def stayed(self, fork: TracedFork, line: int | None) -> Iterator[Reason]:
        """A condition by which the game went on, also of a loop or a choice that the rules put without one."""
        told = tuple(self.fork(fork, line))
        head = self.words.head(fork.origin.span)
        if not told and head:
            loop = head.startswith(LOOPS)
            text = f"{head.split(': ')[0] if loop else head}: not {'over' if loop or head == _WINDOW else 'decided'}"
            told = (Reason(text, tuple(self._still_to_come(fork)) if loop else (), self.words.all_cites(fork.origin),
                           fork.origin.span, line),)
        yield from told

    def _still_to_come(self, fork: TracedFork) -> Iterator[tuple[str, str]]:
        """The members that a loop has not come to."""
        for part in fork.parts:
            for one in part.names:
                match one.type:
                    case SetOf():
                        yield "still to come", self._names.value(one.value, one.type)
                    case Bool() | Int() | Elem() | Maybe() | Many():
                        continue
                    case _:
                        assert_never(one.type)

    def event(self, event: Event) -> str:
        """An event with who does it, in a line of text."""
        return f"{self._names.who(event.by)}: {self._names.event(event)}"

    def _best(self, fork: TracedFork, line: int | None, slots: Entries | None) -> Iterator[Reason]:
        """Of `the X with the highest ..., ties: ...`, who has the highest: one alone, or several; with what they have,
        and who comes next."""
        equal = (name for part in fork.parts for name in part.names if isinstance(name.value, frozenset))
        found = next(equal, None) if _TIES.search(head := self.words.head(fork.origin.span)) else None
        if found is None or not isinstance(found.value, frozenset) or not found.value:
            return
        said = _LET.sub("", _TIES.sub("", head))
        shows: Shows = ()
        members = None if slots is None or self.sight is not None else BestMembers(
            self._walker.flow, self._walker.course.code, self.words, slots)
        best = None if members is None else members.of(found.name)
        if members is not None and best is not None:
            levels = members.levels(best)
            said = members.words(levels[0].best, fork.origin.span, ties=len(levels) > 1)
            shows = tuple(show for one in levels for show in members.shows(
                one.best, (*one.having, *one.others[:MOST_BEHIND])))
        text = f"{said}: {self._names.value(found.value, found.type)}"
        yield Reason(text, shows, self.words.all_cites(fork.origin), fork.origin.span, line)

    def past_write(self, one: PastWrite | PastChange) -> Reason:
        """An entry that was written, or changed in a way that is not told."""
        if isinstance(one, PastWrite):
            return self.written(one.write, one.step.line)
        name, key = self.replay.name_of(one.index)
        return Reason(f"{self.words.entry(name, key)}: {self.words.change(name, one.old, one.new)}", line=one.step.line)

    def written(self, write: TracedWrite, line: int | None) -> Reason:
        """An entry that was written."""
        by = self.words.declaration(write.origin.span)
        text = f"{self.words.entry(write.name, write.key)}: {self.words.change(write.name, write.old, write.new)}"
        cites = self.words.all_cites(write.origin)
        shows = self._forks.values(write.parts)
        return Reason(f"{text}, by {by}" if by else text, shows, cites, write.origin.span, line)
