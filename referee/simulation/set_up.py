"""How much of a game is set-up: what happens before the rules come to `play`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import assert_never

from referee.core.flow import Ask, Draw, Fork, Gather, Node, Rule, Run, ways_on
from referee.core.stmt import origin_of
from referee.core.traverse import statements
from referee.diagnostics.source import Span
from referee.game.event import FATE, Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker


class SetUp:
    """Tells set-up from play in the games of a walker."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker

    def events(self, setting: Setting, events: Sequence[Event]) -> int:
        """How many events of a game come before play, and how many fate begins with if that is more."""
        dealt = next((number for number, event in enumerate(events) if event.by != FATE), len(events))
        if setting.position is not None:
            return dealt
        step: Step = self._walker.begin(setting)
        for number, event in enumerate(events):
            if not isinstance(step, State) or step.at in self._play:
                return max(number, dealt)
            step = self._walker.advance(step, event)
        return dealt

    @cached_property
    def _play(self) -> frozenset[int]:
        """The nodes that a game comes to only in play: those that its lines were made of, and what comes after them."""
        flow, core = self._walker.flow, self._walker.core
        lines = {_line(origin_of(one).span) for one in statements(core.main[core.setup :])}
        waiting = [at for at, node in enumerate(flow.nodes) if any(_line(span) in lines for span in _spans(node))]
        found = set(waiting)
        while waiting:
            further = [at for at in ways_on(flow.nodes[waiting.pop()]) if at not in found]
            found.update(further)
            waiting += further
        return frozenset(found)


def _line(span: Span) -> tuple[str, int]:
    return span.path, span.line


def _spans(node: Node) -> Iterator[Span]:
    """Where in the rules a node comes from."""
    match node:
        case Run(body):
            yield from (origin_of(one).span for one in body)
        case Fork():
            yield node.origin.span
        case Ask() | Gather() | Draw() | Rule():
            yield node.point.origin.span
        case _:
            assert_never(node)
