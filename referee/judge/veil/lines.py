"""Follows a log with holes without filling them: what a hole may be is asked only when the rules ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.core.expr import Expr
from referee.core.types import Value
from referee.engine.faults import Fault, Unsettled
from referee.engine.walker import Walker
from referee.game.event import Event
from referee.game.log_lines import AssertLine, EndLine, EventLine, Line
from referee.game.state import Ended, State, Step
from referee.judge.branches import Branch, Marks, TooMany, in_one_of
from referee.judge.claims import Claims
from referee.judge.explore import Explorer
from referee.judge.found import Closed, Found, Halt, halt_at
from referee.judge.names import Names
from referee.judge.pattern import Pattern
from referee.judge.results import wrong_result
from referee.judge.veil.count import Group, TooManyWays, ways
from referee.judge.veil.course import Outcome, Passage, Rules
from referee.judge.veil.hidden import Veiled
from referee.judge.veil.offers import TooManyValues
from referee.judge.veil.search import Backstop, GaveUp
from referee.judge.veil.seen import as_witnessed
from referee.judge.veil.store import Store
from referee.judge.veil.trial import TooManyForks, Trial, forks
from referee.judge.verdict import Kind, Wrong
from referee.judge.worlds import Candidate

MOST_VEILED = 256
"""Positions that are followed at once, at most."""
_STRIDE = 100_000
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Way:
    """One position with what is known of what is hidden there. `here.step` has hidden values; `groups`: the tokens that
    stand for holes."""

    here: Candidate
    store: Store
    closed: Closed | None = None
    marks: int = 0
    groups: tuple[Group, ...] = ()


class Veils:
    """The same questions as `Branches` answers, for logs with too many ways to fill the holes."""

    def __init__(self, walker: Walker, explorer: Explorer, first: Branch,
                 unsound: Callable[[int, str, Candidate], Wrong], claims: Claims, names: Names,
                 backstop: Backstop | None = None) -> None:
        self.stuck: Halt | None = None
        self.narrowing: list[int] = []
        self.thorough = True
        self._rules = Rules(walker.flow)
        self._walker = walker
        self._explorer = explorer
        self._unsound = unsound
        self._claims = claims
        self._names = names
        self._marks = Marks()
        self._serial = 0
        self._ways = [Way(here, Store(backstop=backstop), first.closed, first.marks) for here in first.alive]

    # --- what stands

    @property
    def alive(self) -> list[Branch]:
        """The positions, each with the hidden things as in one world."""
        return [Branch((as_witnessed(way.here, way.store),), way.closed, way.marks) for way in self._arrived()]

    def _arrived(self) -> Iterator[Way]:
        for way in self._ways:
            if isinstance(way.here.step, State) and not way.here.arrived:
                found = self._followed(way, 0, lambda passage, step: passage.arrive(step))
                yield from (replace(after, here=after.here.at(step, arrived=True)) for after, step in found)
            else:
                yield way

    @property
    def ways(self) -> int | None:
        """In how many ways the holes can be filled; None if there are too many to count."""
        try:
            return sum(ways(way.store, way.groups) for way in self._ways)
        except TooManyWays:
            return None

    @property
    def unknowns(self) -> int:
        """How many holes have more than one value left, at the most in one position."""
        return max(sum(way.store.domains[token].bit_count() > 1 for group in way.groups for token in group)
                   for way in self._ways)

    # --- moves

    def move(self, line: int, event: Event) -> bool:
        """An event of which everything is stated. False if no position allows it: then they stay as they were."""
        return self.fill(line, [Pattern(event.by, event.label, dict(event.args), {})])

    def fill(self, line: int, patterns: Sequence[Pattern]) -> bool:
        """An event with holes. False as in `move`."""
        self._serial += _STRIDE
        found: list[Way] = []
        lost = False
        mark = self._marks.of_line()
        for way in self._ways:
            if way.closed is not None:
                lost = True
                continue
            after = list(self._followed(way, line, lambda passage, _: passage.attempt(tuple(patterns), only_ask=False)))
            refused = sum(outcome.step is None for _, outcome in after)
            lost |= refused > 0 and self._lost(way, line, patterns, some=refused < len(after))
            for one, outcome in after:
                if outcome.step is not None:
                    found.append(self._gone_on(one, outcome, line, patterns, mark))
            if len(found) > MOST_VEILED:
                raise TooMany
        if not found:
            self._note_stops(line, patterns)
            return False
        self._ways = found
        if lost:
            self.narrowing.append(line)
        return True

    def _note_stops(self, line: int, patterns: Sequence[Pattern]) -> None:
        """Whether a line is refused only because the rules had no answer before it."""
        for way in self._ways if all(way.closed is None for way in self._ways) else ():
            for _, outcome in self._followed(
                    way, line, lambda passage, _: passage.attempt(tuple(patterns), only_ask=True, to_stop=True)):
                self.stuck = halt_at(outcome.at, line) or self.stuck

    def _lost(self, way: Way, line: int, patterns: Sequence[Pattern], *, some: bool) -> bool:
        """Whether there is a world in which no way to fill the holes of a line is allowed."""
        if not some:
            return True
        if not any(pattern.holes for pattern in patterns):
            return True
        asked = self._followed(way, line, lambda passage, _: passage.attempt(tuple(patterns), only_ask=True))
        return any(outcome.step is None for _, outcome in asked)

    def _gone_on(self, way: Way, outcome: Outcome, line: int, patterns: Sequence[Pattern],
                 mark: Callable[[Found], int]) -> Way:
        assert outcome.step is not None
        here = way.here.at(outcome.step, arrived=False)
        marks = way.marks
        if not outcome.sound:
            label = patterns[0].label if patterns else ""
            wrong = self._unsound(line, label, as_witnessed(here, way.store))
            marks |= mark(Found(wrong, applied=True))
        group = tuple(token for token in outcome.tokens if token in way.store.domains)
        return replace(way, here=here, marks=marks, groups=(*way.groups, group) if group else way.groups)

    def _followed(self, way: Way, line: int, ask: Callable[[Passage, Step], _T]) -> Iterator[tuple[Way, _T]]:
        """What something makes of a position, in every way it may go. Raises `TooMany`."""
        waiting = [way]
        while waiting:
            one = waiting.pop()
            state = one.here.step
            if not isinstance(state, State):
                yield from self._answered(one, line, state, ask)
                continue
            try:
                yield from list(self._answered(one, line, state, ask))
            except Unsettled as open_:
                waiting += [replace(one, here=here) for here in self._explorer.split(one.here, state, open_, line)]
                if len(waiting) > MOST_VEILED:
                    raise TooMany from None

    def _answered(self, way: Way, line: int, step: Step, ask: Callable[[Passage, Step], _T]) -> Iterator[tuple[Way, _T]]:
        def asked(trial: Trial) -> _T:
            return ask(Passage(self._rules, step, trial), step)

        try:
            for store, answer in forks(way.store, self._serial, line, asked):
                yield replace(way, store=store), answer
        except (TooManyForks, TooManyValues, GaveUp, Veiled) as why:
            raise TooMany from why

    # --- claims

    def beside(self, line: Line) -> Found | None:
        """A claim, or a line that ends the game whatever the rules say."""
        self._serial += _STRIDE
        found: list[Way] = []
        first: Found | None = None
        lost = False
        mark = self._marks.of_line()
        for way in self._ways:
            for after, closed, wrong in self._told(way, line):
                if wrong is not None and not wrong.wrong.kind.is_claim:
                    lost, first = True, first or wrong
                    continue
                marks = after.marks if wrong is None else after.marks | mark(wrong)
                found.append(replace(after, closed=closed, marks=marks))
        if not found:
            return first
        if len(found) > MOST_VEILED:
            raise TooMany
        self._ways = found
        if lost:
            self.narrowing.append(line.number)
        return None

    def _told(self, way: Way, line: Line) -> Iterator[tuple[Way, Closed | None, Found | None]]:
        match line:
            case AssertLine():
                yield from ((after, way.closed, wrong) for after, wrong in self._asserted(way, line))
            case EndLine():
                yield from self._ended(way, line)
            case EventLine():
                yield from self._closing(way, line)
            case _:
                raise TooMany

    def _closing(self, way: Way, line: EventLine) -> Iterator[tuple[Way, Closed | None, Found | None]]:
        """The table stops the game, or somebody concedes."""
        over = way.closed.how if way.closed is not None else "the game is over"
        arrived = [way] if way.closed is not None else list(self._where(way, line.number))
        for one in arrived:
            if way.closed is not None or isinstance(one.here.step, Ended):
                wrong = Wrong(line.number, Kind.EVENT_AFTER_END, line.do, f"{line.by}: {line.do}, but {over}")
                yield one, way.closed, Found(wrong, applied=False)
            elif line.by == "table":
                yield one, Closed("the table stopped the game", None), None
            else:
                seats = frozenset(range(len(self._names.players))) - {self._names.players.index(line.by)}
                yield one, Closed(f"{line.by} conceded", seats if len(seats) == 1 else None), None

    def _where(self, way: Way, line: int, *, to_end: bool = False) -> Iterator[Way]:
        """Where the game really stands; or its end, if that is reached by what a log may leave out."""
        if not isinstance(way.here.step, State):
            yield way
            return
        for after, step in self._followed(
                way, line, lambda passage, step: passage.to_end() if to_end else passage.arrive(step)):
            yield replace(after, here=after.here.at(step, arrived=True))

    def _asserted(self, way: Way, line: AssertLine) -> Iterator[tuple[Way, Found | None]]:
        claims: list[tuple[str, Expr, Value]] = []
        for text, claimed in line.claims.items():
            read = self._claims.read(text, claimed)
            if isinstance(read, str):
                yield way, Found(Wrong(line.number, Kind.BROKEN_CLAIM, "assert", read), applied=True)
                return
            claims.append((text, *read))
        for one in self._where(way, line.number):
            if not isinstance(one.here.step, State | Ended):
                yield one, None
                continue
            for after, untrue in self._followed(one, line.number, lambda passage, _: _untrue(passage, claims)):
                message = f"{untrue} is not what is claimed" if untrue else ""
                wrong = Wrong(line.number, Kind.BROKEN_CLAIM, "assert", message) if untrue else None
                yield after, None if wrong is None else Found(wrong, applied=True)

    def _ended(self, way: Way, line: EndLine) -> Iterator[tuple[Way, Closed | None, Found | None]]:
        if way.closed is not None:
            yield from self._ended_again(way, way.closed, line)
            return
        for after in self._where(way, line.number, to_end=True):
            step = after.here.step
            if not isinstance(step, Ended):
                self.stuck = halt_at(step, line.number) or self.stuck
                wrong = Wrong(line.number, Kind.EARLY_END, "end", "the game is not over")
                yield after, None, Found(wrong, applied=False)
                continue
            closed = Closed("the log has ended the game", None, by_end=True)
            for known, message in self._followed(after, line.number, lambda passage, _: self._result(passage, line,
                                                                                                  step.winners)):
                wrong = Wrong(line.number, Kind.WRONG_RESULT, "end", message or "")
                yield known, closed, None if message is None else Found(wrong, applied=True)

    def _result(self, passage: Passage, line: EndLine, winners: frozenset[int]) -> str | None:
        return wrong_result(line, winners, passage.scores(), self._names)

    def _ended_again(self, way: Way, closed: Closed, line: EndLine) -> Iterator[tuple[Way, Closed | None, Found | None]]:
        if closed.by_end:
            wrong = Wrong(line.number, Kind.EVENT_AFTER_END, "end", "a second end")
            yield way, closed, Found(wrong, applied=False)
            return
        message = None
        if closed.winners is not None:
            only = EndLine(line.number, line.winners, None, None)
            message = wrong_result(only, closed.winners, None, self._names)
        after = Closed("the log has ended the game", closed.winners, by_end=True)
        found = Wrong(line.number, Kind.WRONG_RESULT, "end", f"{closed.how}: {message}")
        yield way, after, None if message is None else Found(found, applied=True)

    # --- what was claimed

    def broken(self, overruled: Iterable[int] = ()) -> Found | None:
        """The first claim that cannot hold together with those before it, however the holes are filled."""
        return self._marks.broken([way.marks for way in self._ways], overruled, None)

    def claimed(self, line: int) -> bool:
        """Whether a line claims something that some position denies."""
        return self._marks.claimed(line)

    def doubtful(self, overruled: Iterable[int] = ()) -> list[int]:
        """The lines that claim what holds in some worlds and not in others; not those that are overruled."""
        return self._marks.doubtful([way.marks for way in self._ways], overruled)

    def back(self, count: int) -> None:
        """Nothing is taken back where something is veiled."""
        raise TooMany


def _untrue(passage: Passage, claims: Sequence[tuple[str, Expr, Value]]) -> str | None:
    """The first claim that does not hold."""
    for text, expr, claimed in claims:
        passage.view.env = {}
        try:
            value = passage.view.plain(expr)
        except Fault:
            return text
        if value != claimed or type(value) is not type(claimed):
            return text
    return None


__all__ = ["Veils", "Way", "in_one_of"]
