"""The judge: takes the lines of a log one by one and finds the first that cannot stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import TypeVar, assert_never

from referee.core.ruleset import Core
from referee.game.event import Event
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, UndoLine
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step, Stopped
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import GUARD
from referee.interpreter.walker import Walker
from referee.judge.claimed_results import wrong_result
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.forced_events import without_guards
from referee.judge.judging_notes import Closed, Halt, JudgingNotes, halt_at, out_of_time, too_much
from referee.judge.line_cache import OVERRULE, STOP, TABLE_NAME, Sayings
from referee.judge.open_settings.decision_diagrams import TooManyNodes
from referee.judge.open_settings.setting_space import Rejoin
from referee.judge.partial.enumeration import AfterLine, LogBranch
from referee.judge.partial.hole_judging import Holes, limit_search
from referee.judge.partial.known_positions import KnownPosition, known_position
from referee.judge.partial.possible_states import EventTrial, Explorer
from referee.judge.partial.possible_worlds import MOST_STATES, PossibleState, merged
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.past_events import MOST_AT_ONCE, PastEvents
from referee.judge.reasons.result_reasons import false_end
from referee.judge.refusal_reports import Refusals
from referee.judge.undo_history import MOST_KEPT, History
from referee.judge.verdict import FailedLine, LogOutcome, WrongKind
from referee.system.deadline import SOME, Deadline, OutOfTime, endless

MOST_IN_A_ROW = 3
"""Wrong lines in a row, after which the rest is not judged."""
MOST_WRONG = 20
"""Wrong lines of a log, after which the rest is not judged."""
MOST_SECONDS = 2.0
"""So long may it take to find a wrong line again in one world of a log with holes."""
MOST_NOTES = 10
"""Notes on one log that are kept: no more are told."""
MOST_EXPLAINED = 3
"""So many wrong lines are told with what led there; remarks on the others do without."""
_Beside = TypeVar("_Beside", EventLine, AssertLine, EndLine)


class Judge:
    """Judges one log. Feed it every line; then read the rest of its attributes.

    `found`: wrong lines in order, at most `MOST_WRONG`; `overruled`: those that the table let stand;
    `holes`: the ways to fill them, once there was one; `halt`: why judging stopped; `not_judged_from`: from which line
    on, if it did after wrong lines.
    `refusals` explains what the rules say to an event. Memory does not grow with the log.
    """

    def __init__(self, walker: Walker, setting: Setting, viewer: int | None = None, rejoin: Rejoin | None = None,
                 somewhere: State | None = None) -> None:
        """Sets the game up. `viewer`: the seat from which hidden values are kept, None for nobody; `rejoin`: it is
        asked under which settings the log stands; `somewhere`: the position to start from, if it is not known of every
        place what lies there."""
        self.explains = False
        """Whether the wrong line of a log with holes is looked at again in one world, to say why it is wrong there."""
        self.names = Names(walker.flow, setting.players)
        self.found: list[JudgingNotes] = []
        self.overruled: list[int] = []
        self.notes: list[str] = []
        self.halt: Halt | None = None
        self.holes: Holes | None = None
        self.not_judged_from: int | None = None
        self.events = 0
        self.lines = 1
        self._walker = walker
        self._setting = setting
        self._explorer = Explorer(walker, self.names, rejoin or merged)
        self.past = PastEvents()
        self.reasons = LineReasons(walker, self.names, self.past, viewer, setting)
        self.refusals = Refusals(walker, setting, self.names, viewer, self.reasons)
        self._viewer = viewer
        self._rejoin = rejoin
        self.claims = AssertedClaims(walker, setting, self._explorer, self.names, viewer, self.reasons)
        self._lenient: Walker | None = None
        self._history = History(kept=walker.core.undo)
        self._in_a_row = 0
        self._closed: Closed | None = None
        self._alive = self._explorer.begin(setting) if somewhere is None else [PossibleState(somewhere)]
        if somewhere is not None:
            self.holes = self._hidden_from(self._alive)
        self._sayings = Sayings(walker.core, setting)
        self.past.restart(self._alive if self.holes is None else ())

    def arrive(self) -> list[PossibleState]:
        """Goes on to where the game really waits after the lines so far: all that it may stand at there."""
        known = self._alive if self.holes is None else [one for way in self.holes.branches.alive for one in way.alive]
        arrived = [here for one in known for here in self._explorer.arrived(one, self.lines)]
        found = [*arrived, *self._explorer.failures()]
        if self.holes is None:
            self._alive = found
        return found

    def known(self) -> KnownPosition | None:
        """What is known of where the game stands, whatever is open; None if that cannot be drawn."""
        if self.holes is not None:
            return known_position(self._walker, self.holes.positions(self.lines))
        alive = self.arrive()
        return None if self.overflowed else known_position(self._walker, [(here.step, {}) for here in alive])

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return all(ended for ended, _ in self._ends())

    @property
    def ending(self) -> tuple[bool, tuple[str, ...] | None]:
        """Whether the game is over, and then who won: None if that is open, or not for the rules to say."""
        ends = list(self._ends())
        over = all(ended for ended, _ in ends)
        won = {seats for _, found in ends for seats in found}
        if len(won) != 1 or not over:
            return over, None
        return over, tuple(self.names.who(seat) for seat in sorted(won.pop()))

    def _ends(self) -> Iterator[tuple[bool, set[frozenset[int]]]]:
        """For each way to fill the holes: whether the game is over, and who may have won. Where not all ways are
        followed only what the log itself ends is sure to be over."""
        if self.holes is not None and self.holes.some:
            yield all(way.closed is not None for way in self.holes.branches.alive), set()
            return
        ways = [(self._closed, self.arrive())] if self.holes is None else [
            (way.closed, list(way.alive)) for way in self.holes.branches.alive]
        for closed, alive in ways:
            steps = [here.step for one in alive for here in self._explorer.arrived(one, self.lines)]
            won = {step.winners for step in steps if isinstance(step, Ended)}
            if closed is not None and closed.winners is not None:
                won = {closed.winners}
            yield closed is not None or all(isinstance(step, Ended) for step in steps), won

    @property
    def overflowed(self) -> bool:
        """Whether more was open than could be followed."""
        return self._explorer.overflow

    def limit(self, deadline: Deadline) -> None:
        """From now on no answer is sought after a moment."""
        self._explorer.deadline = self.reasons.deadline = deadline

    def feed(self, line: Line) -> None:
        """Takes the next line."""
        self.lines = line.number
        if self._explorer.deadline.passed and self.halt is None:
            self.halt = out_of_time(self._explorer.deadline, line.number)
        if isinstance(line, EventLine) and line.by == TABLE_NAME and line.do == OVERRULE:
            self._note_wrong(self._overrule(line), line.number)
        elif self.halt is None and self.not_judged_from is None:
            before = self._alive
            try:
                found = self._judged(line)
                if found is not None and self.holes is None:
                    found = replace(found, line=line, before=tuple(before), past=found.past or self.past.end())
                self._note_wrong(found, line.number)
            except (OutOfTime, TooManyNodes) as why:
                self.halt = too_much(why, self._explorer.deadline, line.number)

    def follow(self, log: Log) -> None:
        """Takes the lines that come next together, as long as nothing about them needs a closer look."""
        most = MOST_AT_ONCE if endless(self._explorer.deadline) else SOME
        while self._waits and not self._explorer.deadline.passed:
            (here,), before, memo = self._alive, log.line, self._sayings.lines
            assert isinstance(here.step, State)
            numbers = log.ahead(memo, self._sayings.known, self._sayings.plain, most)
            number, step = self._walker.follow_numbers(here.step, numbers, memo.table, tested=self._explorer.guarded)
            if number:
                log.passed(number)
                self._alive = [here.at(step, arrived=False)]
                self.past.followed(before, numbers[:number], memo.table, self._alive)
                self.events += number
                self.lines = log.line
                self._in_a_row = 0
            if not number or number < len(numbers):
                return

    @property
    def _waits(self) -> bool:
        """Whether one game goes on of which nothing is open, and nothing has to be kept of it."""
        stopped = self.holes or self._closed or self.halt or self.not_judged_from or self._history.kept
        return not stopped and len(self._alive) == 1 and isinstance(self._alive[0].step, State)

    @property
    def core(self) -> Core:
        """The rules that it judges by."""
        return self._walker.flow.core

    def _note_wrong(self, found: JudgingNotes | None, line: int) -> None:
        if found is None:
            self._in_a_row = 0
            return
        self._in_a_row += 1
        if len(self.found) < MOST_WRONG:
            self.found.append(found)
        self.reasons.hides |= len(self.found) >= MOST_EXPLAINED
        if self._in_a_row >= MOST_IN_A_ROW or len(self.found) >= MOST_WRONG:
            self.not_judged_from = line + 1

    def _judged(self, line: Line) -> JudgingNotes | None:
        match line:
            case EventLine():
                self.events += 1
                if line.holes and self._astray():
                    self.not_judged_from = line.number
                    return None
                if line.holes and self.holes is None and self._closed is None:
                    self.holes = self._hidden_from(self._alive)
                self._history.note(self._alive, self._closed, self.past.place)
                return self._event(line) if self.holes is None else self._holed(self.holes, line)
            case AssertLine():
                return self._assert(line) if self.holes is None else self._beside(self.holes, line, self._assert)
            case EndLine():
                return self._end(line) if self.holes is None else self._beside(self.holes, line, self._end)
            case UndoLine():
                return self._undo(line)
            case _:
                assert_never(line)

    def _hidden_from(self, alive: Sequence[PossibleState]) -> Holes:
        """The ways to fill the holes, from here on."""
        self.reasons.hides = True
        limit_search(self._explorer)
        first = LogBranch(tuple(alive), past=self._history.before, place=self.past.place, start=tuple(alive))
        tells = self._rejoin is None and self._viewer is None
        return Holes(self._walker, self._setting, self._explorer, self.refusals, self.claims, self.names, first,
                     self._rejoin, self._retold if tells else None)

    def _retold(self, world: LogBranch, number: int, line: Line | None) -> JudgingNotes | None:
        """What is wrong with a line in one world of a log with holes, judged by itself once more; None if that is not
        found out."""
        events = world.trail.events() if world.trail is not None else ()
        if not self.explains or events is None or not world.start:
            return None
        with self._beside_the_log():
            return self._alone(world).judged_alone([one for one in events if one[0] <= number], line)
        return None

    @contextmanager
    def _beside_the_log(self) -> Iterator[None]:
        """Worlds are judged by themselves in here, within a time of their own: what becomes of them is no matter of the
        log. Nothing comes of what takes too long or too many positions."""
        kept = self._explorer.deadline, self._explorer.overflow
        self._explorer.deadline = self._explorer.deadline.computing_within(MOST_SECONDS)
        try:
            yield
        except (OutOfTime, TooManyNodes):
            return
        finally:
            self._explorer.deadline, self._explorer.overflow = kept
            self.reasons.hides = True

    def in_one_world(self, number: int) -> tuple[list[PossibleState], Event] | None:
        """Where the game may have stood before a line of a log with holes, and what happened there, in one of the
        worlds that are left; None if that is not found out."""
        world = None if self.holes is None or not self.holes.tells else next(iter(self.holes.branches.alive), None)
        events = None if world is None or world.trail is None else world.trail.events()
        if world is None or not events or events[-1][0] != number:
            return None
        alone = self._alone(world)
        alone.judged_alone(events[:-1], None)
        return alone._alive, events[-1][1]

    def _alone(self, world: LogBranch) -> Judge:
        """A judge of one world, who stands where the first hole was."""
        alone = copy(self)
        alone.found, alone.notes, alone.overruled, alone._alive = [], [], [], list(world.start)
        alone.holes = alone.halt = alone._closed = alone.not_judged_from = None
        alone._history = History(kept=False)
        self.past.back(world.place, world.start)
        return alone

    def judged_alone(self, events: Sequence[tuple[int, Event]], line: Line | None) -> JudgingNotes | None:
        """What is wrong with the last of some events, or with a line after them; None if nothing is, or an event before
        was. Raises `OutOfTime`."""
        before, found = self._alive, None
        for index, (number, event) in enumerate(events):
            self._explorer.deadline.check()
            self.reasons.hides = line is not None or index + 1 < len(events)
            said = self._line_of(number, event)
            before, found = self._alive, self._taken(said, event)
            if found is not None and not found.wrong.kind.is_claim:
                return None
        if line is not None:
            self.reasons.hides = False
            before, found = self._alive, self._judged(line)
        return None if found is None else replace(
            found, line=line, before=tuple(before), past=found.past or self.past.end())

    def _line_of(self, number: int, event: Event) -> EventLine:
        """The line that stands for an event of one world."""
        return EventLine(number, self.names.who(event.by), event.label, {})

    def stands_in_one_world(self) -> bool:
        """Whether a log with holes, of which some ways were followed, stands in one of them, judged once more without
        holes."""
        beside = None if self.holes is None else self.holes.beside_events
        if self.holes is None or beside is None:
            return False
        with self._beside_the_log():
            return any(self._stands(world, beside) for world in self.holes.branches.alive)
        return False

    def _stands(self, world: LogBranch, beside: Sequence[Line]) -> bool:
        """Whether every line of one world stands, and nothing has to be assumed for that. Raises `OutOfTime`."""
        events = world.trail.events() if world.trail is not None else None
        if events is None or not world.start:
            return False
        alone = self._alone(world)
        told: list[tuple[int, Event | Line]] = [*events, *((line.number, line) for line in beside)]
        for number, one in sorted(told, key=lambda line: line[0]):
            self._explorer.deadline.check()
            if isinstance(one, Event):
                said = self._line_of(number, one)
                found = alone._late(said, "") if alone._closed is not None else alone._taken(said, one)
            else:
                found = alone._judged(one)
            if found is not None or alone.halt is not None:
                return False
        return not self._explorer.overflow and all(here.worlds == ((),) for here in alone._alive)

    def _astray(self) -> bool:
        """Whether an event before was wrong: what could be in a hole then, no rule says."""
        return any(found.wrong.line not in self.overruled and not found.wrong.kind.is_claim for found in self.found)

    def _undo(self, line: UndoLine) -> JudgingNotes | None:
        ways = [self._closed] if self.holes is None else [way.closed for way in self.holes.branches.alive]
        if all(closed is not None and closed.by_end for closed in ways):
            return JudgingNotes(
                FailedLine(line.number, WrongKind.EVENT_AFTER_END, "undo", "the log has ended the game"), applied=False
            )
        why = "these rules know no undo" if not self._history.kept else (
            f"only {self._history.events} came before" if line.count > self._history.events else None)
        if why is not None:
            message = f"{line.count} taken back, but {why}"
            return JudgingNotes(FailedLine(line.number, WrongKind.NOT_ALLOWED, "undo", message), applied=False)
        before = self._history.back(line.count)
        if before is None:
            self._halted(LogOutcome.UNKNOWN, line.number, f"at most {MOST_KEPT} events can be taken back")
        elif self.holes is not None:
            self.holes.back(line.number, line.count)
            self.halt = self.holes.halt
        else:
            self._alive, self._closed = before.alive, before.closed
            self.past.back(before.place, self._alive)
        return None

    def _event(self, line: EventLine) -> JudgingNotes | None:
        if self._closed is not None:
            return self._late(line, self._closed.how)
        ends = self._ending(line)
        if ends is not None:
            return ends(line)
        event = self._sayings.event(line)
        if not isinstance(event, Event):
            return self._nowhere(line) or JudgingNotes(self.refusals.undecoded(
                line, event, self._explorer.settling(self._alive, line.number)), applied=False)
        return self._taken(line, event)

    def _taken(self, line: EventLine, event: Event) -> JudgingNotes | None:
        """An event of which everything is stated."""
        after = self._explorer.simply(self._alive, event)
        if after is not None and self._explorer.simply_sound(after):
            self._alive = [after]
            self.past.note(line.number, event, self._alive)
            return None
        tried = self._explorer.take(self._alive, event, line.number)
        return self._accept(line, event, tried.accepted) if tried.accepted else self._reject(line, event, tried)

    def _ending(self, line: EventLine) -> Callable[[EventLine], JudgingNotes | None] | None:
        """What to do with a line by which the game ends whatever the rules say; None if it is no such line."""
        closing = self._sayings.closing(line)
        return None if closing is None else self._stop if closing == STOP else self._concede

    def _holed(self, holes: Holes, line: EventLine) -> JudgingNotes | None:
        """An event of a log with holes."""
        ends = self._ending(line)
        if ends is not None:
            return self._beside(holes, line, ends)
        found = holes.event(line, None if line.holes else self._sayings.event(line))
        self.halt = holes.halt
        self.not_judged_from = None if found is None else line.number + 1
        return found

    def _beside(
        self, holes: Holes, line: _Beside, take: Callable[[_Beside], JudgingNotes | None]
    ) -> JudgingNotes | None:
        """A line that is no move, in a log with holes: for each way to fill them as if it were the only one."""
        def look(way: LogBranch) -> AfterLine:
            self._alive, self._closed, self.halt = list(way.alive), way.closed, None
            if way.closed is not None and isinstance(line, EventLine):
                return AfterLine(way.alive, way.closed, self._late(line, way.closed.how), None)
            found = take(line)
            return AfterLine(tuple(self._alive), self._closed, found, self.halt)

        found = holes.beside(line, look)
        self.halt = holes.halt
        self.not_judged_from = None if found is None else line.number + 1
        return found

    def _nowhere(self, line: EventLine) -> JudgingNotes | None:
        """A wrong line, whatever it says, if the game is over."""
        return self._over(line) if self.finished else None

    def _accept(self, line: EventLine, event: Event, accepted: list[PossibleState]) -> JudgingNotes | None:
        tested = [pair for candidate in accepted for pair in self._explorer.tested(candidate, line.number)]
        sound = [candidate for candidate, holds in tested if holds]
        self._alive = self._explorer.capped(sound or [candidate for candidate, _ in tested])
        self.past.note(line.number, event, self._alive)
        return None if sound else JudgingNotes(self.refusals.unsound(line.number, line.do, tested[0][0]), applied=True)

    def _reject(self, line: EventLine, event: Event, tried: EventTrial) -> JudgingNotes | None:
        if self._halted_by(tried.over, line.number) or self._overflowed(line.number):
            return None
        if tried.refused:
            wrong, past = self.refusals.wrong(line, event, tried.refused), self.past.end()
            return JudgingNotes(wrong, applied=self._force(event, tried), past=past)
        if tried.unsound:
            return JudgingNotes(self.refusals.unsound(line.number, line.do, tried.unsound[0]), applied=False)
        return self._over(line)

    def _force(self, event: Event, tried: EventTrial) -> bool:
        """Goes on as if an event were legal that failed guards only, if what it moves is there."""
        forced: list[PossibleState] = []
        for here, refusal in tried.refused:
            if refusal.kind == GUARD and isinstance(here.step, State):
                step = self._carried(here.step, event)
                forced += [here.at(step, arrived=False)] if isinstance(step, State | Ended) else []
        if forced:
            self._alive = self._explorer.capped(forced)
            self.past.restart(self._alive)
        return bool(forced)

    def _carried(self, state: State, event: Event) -> Step | None:
        if self._lenient is None:
            self._lenient = without_guards(self._walker.flow)
        try:
            return self._lenient.advance(state, event, test_arrival=False)
        except (ValueError, Unsettled, Fault):
            return None

    def _late(self, line: EventLine, how: str) -> JudgingNotes:
        return JudgingNotes(self.refusals.late(line, how), applied=False)

    def _over(self, line: EventLine) -> JudgingNotes:
        """An event after the rules have ended the game."""
        ended = next((one for one in self._alive if isinstance(one.step, Ended)), None)
        return JudgingNotes(self.refusals.late(line, "the game is over", ended), applied=False)

    def _stop(self, line: EventLine) -> JudgingNotes | None:
        why = line.args.get("why")
        if not any(isinstance(candidate.step, State | Stopped) for candidate in self._alive):
            return self._over(line)
        self._closed = Closed("the table stopped the game" + (f": {why}" if isinstance(why, str) else ""), None)
        self._remark(self._closed.how)
        return None

    def _concede(self, line: EventLine) -> JudgingNotes | None:
        if not any(isinstance(candidate.step, State | Stopped) for candidate in self._alive):
            return self._over(line)
        seats = frozenset(range(len(self._setting.players))) - {self._setting.players.index(line.by)}
        self._closed = Closed(f"{line.by} conceded", seats if len(seats) == 1 else None)
        self._remark(self._closed.how)
        return None

    def _overrule(self, line: EventLine) -> JudgingNotes | None:
        number = line.args.get("line")
        claimed = self.holes is not None and isinstance(number, int) and self.holes.branches.claimed(number)
        if isinstance(number, int) and (claimed or any(found.wrong.line == number for found in self.found)):
            if number not in self.overruled:
                self.overruled.append(number)
            return None
        if isinstance(number, int) and 1 < number < line.number:
            self._remark(f"line {number} was overruled, but nothing is wrong with it")
            return None
        message = "`line` is the number of an earlier line"
        return JudgingNotes(FailedLine(line.number, WrongKind.BAD_ARGUMENT, "overrule", message), applied=True)

    def _assert(self, line: AssertLine) -> JudgingNotes | None:
        holding, wrong = self.claims.check(self._alive, line)
        if wrong is None:
            self._alive = holding
            return None
        return None if self._overflowed(line.number) else JudgingNotes(wrong, applied=True)

    def _end(self, line: EndLine) -> JudgingNotes | None:
        if self._closed is not None:
            return self._end_of_closed(line, self._closed)
        reached = self._explorer.settling(self._alive, line.number)
        claims = [claim for here in reached if isinstance(here.step, Ended) for claim in self._claimed(here, line)]
        holding = [here for here, wrong in claims if wrong is None]
        if claims:
            self._closed = Closed("the log has ended the game", None, by_end=True)
            self._alive = holding or [here for here, _ in claims]
            return None if holding else self._false_end(line, claims)
        if self._halted_by(reached, line.number) or self._overflowed(line.number):
            return None
        return JudgingNotes(self.refusals.early(line.number, reached[0]), applied=False)

    def _claimed(self, here: PossibleState, line: EndLine) -> Iterator[tuple[PossibleState, str | None]]:
        """A game that is over, with what the line claims wrongly about it."""
        for known, scores in self._explorer.at_end(here, line.number, self._walker.scores):
            if isinstance(known.step, Ended):
                yield known, wrong_result(line, known.step.winners, scores, self.names)

    def _false_end(self, line: EndLine, claims: Sequence[tuple[PossibleState, str | None]]) -> JudgingNotes | None:
        if self._overflowed(line.number):
            return None
        return JudgingNotes(false_end(line, claims, self._walker, self.names, self.reasons), applied=True)

    def _end_of_closed(self, line: EndLine, closed: Closed) -> JudgingNotes | None:
        if closed.by_end:
            return JudgingNotes(
                FailedLine(line.number, WrongKind.EVENT_AFTER_END, "end", "a second end"), applied=False
            )
        self._closed = Closed("the log has ended the game", closed.winners, by_end=True)
        only_winners = EndLine(line.number, line.winners, None, None)
        wrong = None if closed.winners is None else wrong_result(only_winners, closed.winners, None, self.names)
        if wrong is None:
            self._remark("the result claimed was not checked" if closed.winners is None else "scores were not checked")
            return None
        message = f"{closed.how}: {wrong}"
        return JudgingNotes(FailedLine(line.number, WrongKind.WRONG_RESULT, "end", message), applied=True)

    def _halted(self, outcome: LogOutcome, line: int, reason: str) -> None:
        self.halt = Halt(outcome, line, reason)

    def _halted_by(self, candidates: Sequence[PossibleState], line: int) -> bool:
        """Halts if there is a candidate for which the rules have no answer or fail."""
        for here in candidates:
            halt = halt_at(here.step, line)
            if halt is not None:
                self.halt = halt
                return True
        return False

    def _overflowed(self, line: int) -> bool:
        if self._explorer.overflow:
            self._halted(LogOutcome.DEPENDS, line, f"more than {MOST_STATES} ways to settle what is open, "
                                                "and no followed one allows this line")
        return self._explorer.overflow

    def _remark(self, note: str) -> None:
        if len(self.notes) < MOST_NOTES and note not in self.notes:
            self.notes.append(note)
