"""What still lies between where a game stands and its end.

That is the condition that ends what it goes round in, and the parts of the course of play that every way to the end
leads through.

Of a game that is not over these say what an end needs, beside who is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import assert_never

from referee.core.expr import Expr
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, ways_on
from referee.core.ruleset import Role
from referee.core.stmt import Origin
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.trace import NOTHING_READ, TracedFork
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.verdict import Reason

MOST_CONDITIONS = 2
"""So many conditions that would lead out of where a game goes round are told."""
MOST_PARTS = 4
"""So many parts of the course of play are told."""
_SETTINGS = frozenset((Role.READING, Role.PARAMETER, Role.GIVEN))


class WayAhead:
    """What lies ahead of one position, to somebody who sees everything. `ends`: the nodes that end the game."""

    def __init__(self, state: State, reasons: LineReasons, ends: frozenset[int]) -> None:
        self._state = state
        self._reasons = reasons
        self._flow: Flow = reasons.replay.flow
        self._ends = ends
        self._ways: dict[int, tuple[int, ...]] = {}
        self._ahead = self._reached()
        self._back = self._coming_back()

    def told(self) -> Iterator[Reason]:
        """The conditions of the way out, and the parts that come after it."""
        if self._ends & self._ahead:
            yield from islice(self._ways_out(), MOST_CONDITIONS)
            yield from self._parts()

    def _ways_out(self) -> Iterator[Reason]:
        """What would end that the game comes back to where it stands, with its values there."""
        deciding = self._reasons.replay.deciding(self._state)
        for index in sorted(self._back):
            node = self._flow.nodes[index]
            match node:
                case Fork(cond, yes, no, origin):
                    held = self._value(cond) if (yes in self._back) != (no in self._back) else None
                    if held is not None and self._is_open(cond) and (yes if held else no) in self._back:
                        traced = TracedFork(cond, held, deciding.of(cond, {}), NOTHING_READ, origin)
                        yield from self._reasons.fork(traced, None)
                case Run() | Ask() | Gather() | Draw() | Rule():
                    continue
                case _:
                    assert_never(node)

    def _is_open(self, cond: Expr) -> bool:
        """Whether a condition looks at what the game counts and holds alone: what a name stands for is another thing
        each time that the game comes there."""
        roles = self._roles(cond)
        return Role.REGISTER not in roles and not roles <= _SETTINGS

    def _roles(self, cond: Expr) -> set[Role]:
        """What the variables are for that a condition looks at; a zone is written by the rules as they are."""
        names = {self._reasons.replay.name_of(index)[0] for index in self._reasons.reads(self._state, [cond])}
        return {self._flow.vars[name].role if name in self._flow.vars else Role.STATE for name in names}

    def _value(self, cond: Expr) -> bool | None:
        """The value of a condition at the position; None if it has none."""
        try:
            return bool(self._reasons.replay.plain.course.code.expr(cond)(list(self._state.slots), {}))
        except (Unsettled, Fault):
            return None

    def _parts(self) -> Iterator[Reason]:
        """The calls of the course of play that come later and in which players decide, in their order: those that stand
        in no loop, and under no condition but one that settings decide."""
        flow = self._flow
        open_still = self._open_still
        here = {one.origin for one in flow.around.get(self._state.at, ())}
        calls: dict[Origin, str] = {}
        for index in sorted(self._ahead - self._back):
            outermost = next((one for one in flow.around.get(index, ())
                              if not one.condition or one.origin in open_still), None)
            if outermost is not None and outermost.name and outermost.origin not in here and (
                    lets_choose(flow.nodes[index])):
                calls[outermost.origin] = outermost.name
        due = sorted(calls, key=lambda one: (one.span.line, one.span.column))
        cites = dict.fromkeys(cite for one in due for cite in self._reasons.words.all_cites(one))
        if due:
            text = ", ".join(calls[one] for one in due[:MOST_PARTS])
            yield Reason(f"before the end there is still to come: {text}", (), tuple(cites), due[0].span)

    @property
    def _open_still(self) -> set[Origin]:
        """The conditions ahead that not the settings alone decide."""
        found: set[Origin] = set()
        for index in self._ahead:
            node = self._flow.nodes[index]
            match node:
                case Fork(origin=origin):
                    found.update((origin,) if len(self._on(index)) > 1 else ())
                case Run() | Ask() | Gather() | Draw() | Rule():
                    continue
                case _:
                    assert_never(node)
        return found

    def _reached(self) -> frozenset[int]:
        """The nodes to which the game may come from where it stands."""
        found: set[int] = set()
        waiting = list(self._on(self._state.at))
        while waiting:
            index = waiting.pop()
            if index not in found:
                found.add(index)
                waiting.extend(self._on(index))
        return frozenset(found)

    def _coming_back(self) -> frozenset[int]:
        """Those from which the game may come back to where it stands."""
        before: dict[int, list[int]] = {}
        for index in self._ahead:
            for after in self._on(index):
                before.setdefault(after, []).append(index)
        found, waiting = {self._state.at}, [self._state.at]
        while waiting:
            new = [index for index in before.get(waiting.pop(), ()) if index not in found]
            found.update(new)
            waiting.extend(new)
        return frozenset(found)

    def _on(self, index: int) -> tuple[int, ...]:
        """Where the game may go on; where settings alone decide, as they are."""
        if index not in self._ways:
            node = self._flow.nodes[index]
            match node:
                case Fork(cond, yes, no):
                    held = self._value(cond) if self._roles(cond) <= _SETTINGS else None
                    self._ways[index] = (yes, no) if held is None else (yes if held else no,)
                case Run() | Ask() | Gather() | Draw() | Rule():
                    self._ways[index] = ways_on(node)
                case _:
                    assert_never(node)
        return self._ways[index]


def lets_choose(node: Node) -> bool:
    """Whether a player may choose there how the game goes on."""
    match node:
        case Ask() | Gather():
            return True
        case Run() | Fork() | Draw() | Rule():
            return False
        case _:
            assert_never(node)
