"""How a game came to where it stands: what was done last, who was handed the turn, what the point stands in.

For a line of somebody who is not asked, or not for that: these say what has moved the game on, by the statements of the
constructs around the point and not only by those of the point itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from referee.core.flow import Ask, Draw, Enclosure, Fork, Gather, Rule, Run, asks, offered, offers
from referee.core.ruleset import TURN
from referee.core.stmt import Origin, Put
from referee.core.traverse import statements
from referee.game.event import FATE, Event
from referee.game.state import Open, State
from referee.interpreter.liveness import Needs
from referee.interpreter.trace import TracedEvent, TracedFork, TracedWrite, flat
from referee.judge.display_names import Names
from referee.judge.reasons.past_events import DoneEvent
from referee.judge.reasons.rule_words import RuleWords, is_member
from referee.judge.reasons.sight.seen_steps import SeenSteps
from referee.judge.reasons.turning_points import TurningPoint, asking
from referee.judge.reasons.values.last_writes import PastChange, PastWrite
from referee.judge.verdict import Reason
from referee.system.deadline import Deadline

MOST_CALLS = 4
"""So many calls around a point are told, the innermost first."""
MOST_CONDITIONS = 2
"""So many conditions on the way to a line are told."""
MOST_PLACES = 2
"""Where the rules ask for something at more places, they are not told."""
_UNTIL = re.compile(r", until .*$")


class WayHere:
    """Tells how one game came to a point. `steps` are always the last ones, in order."""

    def __init__(self, seen: SeenSteps, names: Names, words: RuleWords, *, begun_midway: bool = False) -> None:
        """`begun_midway`: what is not needed any more at the point where a log begins is not known."""
        self._begun_midway = begun_midway
        self._seen = seen
        self._replay = seen.replay
        self._names = names
        self._words = words

    def deed(self, steps: Sequence[DoneEvent], event: Event, before: object) -> Iterator[Reason]:
        """The last thing that a player did: he whose line it is, or he whose turn it was before.

        Of fate, which does nothing by itself, only what is called the same.
        """
        number = 0
        last: DoneEvent | None = None
        for step in reversed(steps):
            if event.by == FATE:
                alike = step.event.by == FATE and step.event.label == event.label
                if last is not None and not (alike and step.state.at == last.state.at):
                    break
                if alike:
                    last, number = last or step, number + 1
            elif step.event.by >= 0:
                if step.event.by in (event.by, before):
                    last, number = step, 1
                break
        if last is None:
            return
        did = self._first(last)
        if did is not None:
            times = f", the last of {number} such in a row, from line {last.line - number + 1} on" if number > 1 else ""
            text = f"{self._names.who(last.event.by)}: {self._names.event(last.event)}{times}"
            cites = self._statements((*did.point.origin.cites, *did.origin.cites))
            yield Reason(text, (), cites or self._cites(did.origin), did.origin.span, last.line)

    def _first(self, step: DoneEvent) -> TracedEvent | None:
        seen = self._seen.of(step)
        first = seen.trace.entries[0] if seen is not None and seen.trace.entries else None
        return first if isinstance(first, TracedEvent) else None

    def handed(self, write: TracedWrite, line: int) -> Reason:
        """The turn that came to somebody: how the rules call the order."""
        kind = self._replay.flow.vars[TURN].type
        text = f"{self._value(write.new, kind)} begins" if write.old is None else (
            f"the turn of {self._value(write.old, kind)} is over, {self._value(write.new, kind)} is next")
        head = self._order(write.origin)
        return Reason(f"{text} ({head})" if head else text, (), self._cites(write.origin), write.origin.span, line)

    def _order(self, origin: Origin) -> str:
        """The words of an order of turns, without until when: that did not decide whose turn it is."""
        return _UNTIL.sub("", self._words.head(origin.span))

    def turns(self, final: State, by: int) -> Iterator[Reason]:
        """The order of turns that a point stands in, where nobody was handed the turn by an event; nothing for him
        whose turn it is."""
        flow, layout = self._replay.flow, self._replay.course.layout
        now = final.slots[layout.vars[TURN].base] if TURN in layout.vars else None
        around = flow.around.get(final.at, ())
        order = next((one for one in reversed(around) if one.origin in self._orders), None)
        if order is not None and isinstance(now, int) and now != by:
            head = self._order(order.origin)
            yield Reason(f"it is {self._value(now, flow.vars[TURN].type)}'s turn ({head})", (),
                         self._cites(order.origin), order.origin.span)

    def in_turn(self, final: State, label: str) -> Iterator[Reason]:
        """That something is asked for in a turn only: where its action rests on the same statement as what is taken
        for granted at the point that asks."""
        flow = self._replay.flow
        point, offering = asks(flow.nodes[final.at]), offers(flow.nodes[final.at])
        if point is None or offering is None:
            return
        assumed = flow.core.assumptions_in(point.point.origin.cites)
        rests = {cite for one in assumed for cite in one.statements}
        for one in offered(offering):
            shared = tuple(cite for cite in one.origin.cites if cite in rests)
            if one.label == label and shared:
                yield Reason(f"{label} only in one's own turn", (), shared, one.origin.span)
                return

    @cached_property
    def _orders(self) -> frozenset[Origin]:
        """Where the rules hand the turn on."""
        found: set[Origin] = set()
        for node in self._replay.flow.nodes:
            match node:
                case Run(body):
                    found.update(put.origin for put in statements(body, Put) if put.var == TURN)
                case Fork() | Ask() | Gather() | Draw() | Rule():
                    continue
        return frozenset(found)

    def _value(self, value: object, kind: object) -> str:
        return self._names.value(value, kind)  # type: ignore[arg-type]

    def standing(self, final: State, *, order: bool) -> Iterator[Reason]:
        """The calls and actions that the point stands in, innermost first, with what they were given. `order`: it is
        asked who is to act there; that rests on what the point itself takes for granted, too."""
        calls: list[Enclosure] = [one for one in reversed(self._replay.flow.around.get(final.at, ())) if one.name]
        calls = calls[:MOST_CALLS]
        told = [one for one in calls if "." not in one.name]  # a case of another one is told by it
        if not told:
            return
        text = ", in ".join(self._call(one, final) for one in told)
        taken = self._replay.course.point(final.at).point.origin.cites if order else ()
        cites = tuple(dict.fromkeys((*(cite for one in calls for cite in self._statements(one.origin.cites)),
                                     *(one.name for one in self._replay.flow.core.assumptions_in(taken)))))
        yield Reason(f"the game is at {text}", (), cites, calls[0].origin.span)

    def _call(self, one: Enclosure, final: State) -> str:
        layout, flow = self._replay.course.layout, self._replay.flow
        given: list[str] = []
        if self._begun_midway and not self._needs.at(final.at).issuperset(one.given):
            return one.name
        for register in one.given:
            kind, value = flow.vars[register].type, final.slots[layout.vars[register].base]
            if is_member(kind) and not isinstance(value, Open):  # a number without its name says nothing
                given.append(self._value(value, kind))
        return f"{one.name}({', '.join(given)})" if given else one.name

    @cached_property
    def _needs(self) -> Needs:
        return Needs(self._replay.flow)

    def conditions(self, steps: Sequence[DoneEvent], final: State, until: Deadline) -> Iterator[tuple[TracedFork, int]]:
        """The conditions that the point stands in, the innermost first, as they were tested last, with the line."""
        wanted: list[Origin] = [one.origin for one in self._replay.flow.around.get(final.at, ()) if one.condition]
        found: dict[Origin, tuple[TracedFork, int]] = {}
        for step in reversed(steps):
            if until.passed or len(found) == len(set(wanted)):
                break
            seen = self._seen.of(step)
            if seen is None:
                break
            for entry in reversed(list(flat(seen.trace.entries))):
                if isinstance(entry, TracedFork) and entry.origin in wanted and entry.parts:
                    found.setdefault(entry.origin, (entry, step.line))
        yield from (found[one] for one in reversed(wanted) if one in found and self._replay.reads_state(found[one][0]))

    def is_within(self, label: str) -> bool:
        """Whether something is asked only in the middle of something else."""
        points = (asks(self._replay.flow.nodes[index]) for index in asking(self._replay.flow, label))
        return all(node is not None and not node.point.rest for node in points)

    def asked_for(self, event: Event) -> Iterator[Reason]:
        """Where the rules ask for something, if there are few such places, each within something that is done; of what
        chance decides after set-up, and of as much at once."""
        flow, label = self._replay.flow, event.label
        indexes = [index for index in asking(flow, label) if event.by != FATE or self._is_like(index, event)]
        points = [node.point for index in indexes if (node := asks(flow.nodes[index])) is not None]
        origins = list(dict.fromkeys(point.origin for point in points))
        main = any(all(not one.name for one in flow.around.get(index, ())) for index in indexes)
        if main or not 1 <= len(origins) <= MOST_PLACES:
            return
        heads = dict.fromkeys(self._words.head(origin.span) for origin in origins)
        if not all(" " in head for head in heads):
            return
        cites = tuple(dict.fromkeys(cite for origin in origins for cite in self._cites(origin)))
        within = dict.fromkeys(self._words.declaration(origin.span) for origin in origins)
        if max(len(within), len(heads)) > 1 and all(name and " " not in name for name in within):
            text = f"{label} is asked for only in {' or '.join(within)}"
        else:
            text = f"{label} is asked for only here: {'; or: '.join(heads)}"
        yield Reason(text, (), cites, origins[0].span)

    def _is_like(self, index: int, event: Event) -> bool:
        """Whether a point after set-up asks chance for the same arguments as an event has."""
        node, given = offers(self._replay.flow.nodes[index]), {name for name, _ in event.args}
        return node is not None and self._words.declaration(node.point.origin.span) != "setup" and any(
            given == {param.arg for param in one.params if param.arg is not None} for one in offered(node)
            if one.label == event.label)

    def ended(self, whose: PastWrite | PastChange) -> Iterator[TracedWrite]:
        """What was written last before the turn went on."""
        seen = self._seen.of(whose.step)
        entries = [] if seen is None else [one for one in flat(seen.trace.entries) if isinstance(one, TracedWrite)]
        places = [at for at, one in enumerate(entries) if one.name == TURN]
        if places and places[-1] > 0:
            yield entries[places[-1] - 1]

    def is_before(self, found: TurningPoint, whose: PastWrite | PastChange) -> bool:
        """Whether a turning point lies before a change."""
        if found.step.line != whose.step.line or isinstance(whose, PastChange):
            return found.step.line < whose.step.line
        places = [index for index, entry in enumerate(found.trace.entries)
                  if isinstance(entry, TracedWrite) and entry.index == whose.write.index]
        return bool(places) and found.index < places[-1]

    def _cites(self, origin: Origin) -> tuple[str, ...]:
        """The statements of a place; if there are none, what it takes for granted."""
        cites = self._words.all_cites(origin)
        return self._statements(cites) or cites

    def _statements(self, cites: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._replay.flow.core.statements_in(cites)))
