"""Why chance has to decide something at a position, for whom and how many: what led there, by the rules.

A draw stands in the rules inside of conditions, cases and loops, and in procedures that are called in others: those
that the game went through on its way from the last decision are told, as far as a statement stands behind them, and the
decision itself. Of a draw that comes once too often it is told which ones there were.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Fork, Gather, OfferNode, Rule, Run, offered, offers, point_of
from referee.core.ruleset import TURN, Role
from referee.core.stmt import Block, Call, Origin, Put
from referee.core.traverse import statements
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.game.event import FATE, Event
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.trace import TracedFork
from referee.interpreter.walker import Walker
from referee.judge.reasons.chance.member_conditions import condition_of, each_loops, said_of
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.part_words import Shows
from referee.judge.reasons.past_events import DoneEvent
from referee.judge.verdict import Reason

MOST_STEPS = 24
"""So many steps back it is looked what led to a draw, and how many there were."""
MOST_TOLD = 2
"""So many of the conditions and loops around a point are told."""
_SAME = re.compile(r"^(\S+) is \1: yes$")
_LOOPS = ("repeat ", "turns ", "rounds ")
_MEMBERS = "for each "
_Place = tuple[str, int]
"""A line of the rules: its file and number."""


class ChanceReasons:
    """Reasons for what chance decides, in one game."""

    def __init__(self, walker: Walker, reasons: LineReasons) -> None:
        self._walker = walker
        self._flow = walker.flow
        self._words = reasons.words
        self._reasons = reasons

    def missing(self, final: State, event: Event) -> tuple[Reason, ...]:
        """Why chance has to decide something before what a line says: what kept the game away from that, also where
        another player would have been asked for it; those with statements first."""
        if self._reasons.hides:
            return ()
        away = self._reasons.elsewhere(final, event)
        steps = self._last_steps(final)
        if steps and steps[-1].event.by == FATE:  # what came by chance led elsewhere than the line says
            turned = [one for one in self._reasons.turned(final, event)[:1] if self._by_the_book(one)]
            away = (*turned, *(one for one in away if one not in turned))
        decided = () if away and self._in_an_earlier_turn(steps, final) else self._decided(steps)
        found = [*away, *(one for one in decided if one.line not in {told.line for told in away})]
        return tuple(sorted(found, key=lambda one: not self._by_the_book(one)))

    def led(self, final: State) -> tuple[Reason, ...]:
        """What led to where chance decides: the conditions and loops in which that stands, and the last decision."""
        return () if self._reasons.hides else self._led(final, self._last_steps(final))

    def _led(self, final: State, steps: Sequence[DoneEvent]) -> tuple[Reason, ...]:
        told = [*self._told_around(final, steps), *self._decided(steps)]
        if steps and steps[-1].event.by == FATE:
            told.append(self._done(steps[-1]))
        return tuple(told)

    def _in_an_earlier_turn(self, steps: Sequence[DoneEvent], final: State) -> bool:
        """Whether it was the turn of another one when some steps began, and chance has decided something since."""
        turn = self._walker.layout.vars.get(TURN)
        return turn is not None and len(steps) > 1 and steps[0].state.slots[turn.base] != final.slots[turn.base]

    def _decided(self, steps: Sequence[DoneEvent]) -> Iterator[Reason]:
        """The decision of a player that some steps begin with."""
        if steps and steps[0].event.by >= 0:
            yield self._done(steps[0])

    def _told_around(self, final: State, steps: Sequence[DoneEvent]) -> list[Reason]:
        """In what the point stands, as far as a statement is behind it: conditions and loops, else the procedure."""
        found = list(self._enclosing(final, steps))
        return [one for one in found if self._by_the_book(one)][:MOST_TOLD] or list(
            islice(filter(self._by_the_book, self._called(final.at)), 1)) or found[:1]

    def _last_steps(self, final: State) -> list[DoneEvent]:
        """The steps from the last decision of a player on."""
        steps = self._reasons.way(final, MOST_STEPS)
        decided = [number for number, step in enumerate(steps) if step.event.by >= 0]
        return steps[decided[-1] if decided else 0:]

    def _called(self, at: int) -> Iterator[Reason]:
        """The procedures in which a point stands, the nearest first, each with what its call cites."""
        for call in reversed(list(self._calls(at))):
            caller = self._words.declaration(call.origin.span)
            text = f"{call.procedure}, in {caller}" if caller else call.procedure
            yield Reason(text, (), call.origin.cites, call.origin.span)

    def before(self, final: State, event: Event, points: Collection[int] = ()) -> tuple[Reason, ...]:
        """The last draws like one that is too many, since the last decision of a player: those of the same name for the
        same player, one after the other; if some `points` are given, at these."""
        if self._reasons.hides:
            return ()
        steps = self._last_steps(final)
        alike = [_alike(step, event) and (not points or step.state.at in points) for step in steps]
        if True not in alike:
            return ()
        last = len(alike) - 1 - alike[::-1].index(True)
        first = last
        while first > 0 and alike[first - 1] and steps[first - 1].state.at == steps[last].state.at:
            first -= 1
        return (self._drawn(steps[first:last + 1]),)

    # ---------------------------------------------------------------------- what was done
    def _drawn(self, steps: Sequence[DoneEvent]) -> Reason:
        """Draws that came one after the other."""
        last = steps[-1]
        if len(steps) == 1:
            return self._done(last)
        text = f"{last.event.label} came {len(steps)} times, lines {steps[0].line} to {last.line}"
        return replace(self._done(last), text=text)

    def _done(self, step: DoneEvent) -> Reason:
        """What a player or chance did."""
        node = offers(self._flow.nodes[step.state.at])
        origin = next((one.origin for one in _offered(node) if one.label == step.event.label), None)
        point = point_of(self._flow.nodes[step.state.at])
        here = origin or (None if point is None else point.origin)
        said = self._words.names.event(step.event)
        text = said if step.event.by == FATE else f"{self._words.names.who(step.event.by)}: {said}"
        if here is None:
            return Reason(text, line=step.line)
        return Reason(text, (), self._words.all_cites(here), here.span, step.line)

    def _by_the_book(self, reason: Reason) -> bool:
        return bool(self._flow.core.statements_in(reason.cites)) and not _SAME.match(reason.text)

    # ---------------------------------------------------------------------- in what it stands
    def _enclosing(self, final: State, steps: Sequence[DoneEvent]) -> Iterator[Reason]:
        """The conditions, cases and loops in which a point stands, as they were gone through; the nearest first."""
        around = list(self.around(final.at))
        passed: dict[_Place, Reason] = {}
        for step in reversed(steps):
            try:
                trace = self._reasons.replay.step(step.state, step.event)
            except (Unsettled, Fault, ValueError):
                break
            for entry in reversed(trace.entries):
                if not isinstance(entry, TracedFork) or entry.node is None:
                    continue
                place = (entry.origin.span.path, entry.origin.span.line)
                if place in around and place not in passed:
                    told = self._passed(entry, step, final)
                    if told is not None:
                        passed[place] = told
        yield from (passed[place] for place in around if place in passed)

    def _passed(self, fork: TracedFork, step: DoneEvent, final: State) -> Reason | None:
        """A condition that held or not; of a loop over members the one that it is at, with what it fulfils."""
        head = self._words.head(fork.origin.span)
        if head.startswith(_LOOPS):
            return None
        if not head.startswith(_MEMBERS):
            told = next(self._reasons.fork(fork, step.line), None)
            return None if told is None or _SAME.match(told.text) else told
        found = None if fork.held else self._member(fork, final)
        if found is None:
            return None
        value, kind = found
        member = self._words.names.value(value, kind)
        text = f"{said_of(head.partition(':')[0], member)}: {member}"
        shows = self._fulfilled(fork.origin, value, kind, step.state)
        return Reason(text, shows, self._words.all_cites(fork.origin), fork.origin.span, step.line)

    def _fulfilled(self, origin: Origin, member: int, kind: Elem, state: State) -> Shows:
        """The values by which a member fulfils the condition of a loop; none if it has none, or later."""
        for each in each_loops(self._flow.core):
            cond = condition_of(each, member, kind) if each.origin == origin else None
            parts = () if cond is None else self._reasons.replay.deciding(state).of(cond, {})
            if parts and parts[0].held:
                said = (self._words.value(value) for part in parts for value in part.values)
                return tuple(dict.fromkeys(one for one in said if one is not None))
        return ()

    def _member(self, fork: TracedFork, final: State) -> tuple[int, Elem] | None:
        """The member that a loop is at, by the register that its rounds begin with."""
        for name in self._registers(fork.node or 0):
            value, kind = final.slots[self._walker.layout.vars[name].base], _member_type(self._flow.vars[name].type)
            if kind is not None and isinstance(value, int):
                return value, kind
        return None

    def _registers(self, at: int) -> list[str]:
        """What the rounds of a loop that begins with a fork put into registers first."""
        node = self._flow.nodes[at]
        match node:
            case Fork(no=inside):
                first = self._flow.nodes[inside]
            case Run() | Ask() | Gather() | Draw() | Rule():
                return []
            case _:
                assert_never(node)
        match first:
            case Run(body):
                found = [put.var for put in statements(body, Put) if not put.keys]
            case Rule(into=into):
                found = [] if into is None else [into]
            case Fork() | Ask() | Gather() | Draw():
                found = []
            case _:
                assert_never(first)
        return [name for name in found if self._flow.vars[name].role is Role.REGISTER]

    def around(self, at: int) -> Iterator[_Place]:
        """The lines of the rules in which a point stands: its own, those that it is inside of, and so on from where the
        procedure is called."""
        point = point_of(self._flow.nodes[at])
        if point is None:
            return
        yield from self._outward(point.origin.span)
        for call in reversed(list(self._calls(at))):
            yield from self._outward(call.origin.span)

    def _outward(self, span: Span) -> Iterator[_Place]:
        """A line, and those above it that it stands in by its indentation; of an `else` also its condition."""
        yield span.path, span.line
        depth, other = _depth(self._words.line(span)), False
        for number in range(span.line - 1, 0, -1):
            text = self._words.line(replace(span, line=number, end_line=number, use=None))
            inside = _depth(text)
            if not text.strip() or text.lstrip().startswith("#") or inside > depth or (inside == depth and not other):
                continue
            depth, other = inside, text.lstrip().startswith("else")
            yield span.path, number
            if depth == 0:
                return

    def _calls(self, at: int) -> Iterator[Call]:
        """The calls that lead to a point, outermost first, as far as it is known which they are."""
        core = self._flow.core
        bodies: list[Block] = [core.main, *(one.body for one in core.actions.values())]
        for name in self._flow.calls.get(at, ()):
            procedure, _, number = name.partition(".")
            found = [call for body in bodies for call in statements(body, Call) if call.procedure == procedure]
            index = int(number) - 1 if number.isdigit() else 0
            if index < len(found):
                yield found[index]
            bodies = [core.procedures[procedure].body]


def _offered(node: OfferNode | None) -> Iterator[Alternative]:
    if node is not None:
        yield from offered(node)


def _alike(step: DoneEvent, event: Event) -> bool:
    """Whether a step is one of chance like an event: of the same name, for the same player."""
    if step.event.by != FATE or step.event.label != event.label:
        return False
    ours, theirs = dict(step.event.args), dict(event.args)
    return all(ours.get(name) == theirs.get(name) for name in ("to", "for"))


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _member_type(kind: Type) -> Elem | None:
    """The type of members, if it is one of them or maybe none."""
    match kind:
        case Elem():
            return kind
        case Maybe(of):
            return _member_type(of)
        case Bool() | Int() | SetOf() | Many():
            return None
        case _:
            assert_never(kind)
