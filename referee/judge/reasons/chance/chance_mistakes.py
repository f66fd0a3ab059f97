"""Why chance decides something else than a line says.

That is where the number comes from, why it is not for another player, and how it came that a card lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core.types import PLAYER
from referee.game.event import Event
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import ArgumentProblem
from referee.interpreter.trace import NOTHING_READ, TracedFork, flat
from referee.interpreter.walker import Walker
from referee.judge.reasons.chance.chance_reasons import MOST_STEPS, ChanceReasons
from referee.judge.reasons.chance.chance_words import NOT_ALLOWED, DueChance, drawn_from, draws_of, lying
from referee.judge.reasons.chance.member_conditions import condition_of, each_loops, said_of
from referee.judge.reasons.chance.value_sources import ValueSources
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.verdict import Reason


class ChanceMistakes:
    """Reasons for draws that are others than those that have to be, in one game."""

    def __init__(self, walker: Walker, reasons: LineReasons) -> None:
        self._walker = walker
        self._flow = walker.flow
        self._reasons = reasons
        self._chance = ChanceReasons(walker, reasons)

    def of(self, final: State, due: DueChance, event: Event, problems: Sequence[ArgumentProblem]) -> tuple[Reason, ...]:
        """Why it is this that chance decides, and what led there."""
        if self._reasons.hides:
            return ()
        first = problems[0]
        allowed = first.why != NOT_ALLOWED or first.param is None
        if not allowed and first.param is due.whose:
            found = self._not_for(final, first)
        elif not allowed and due.thing is not None and due.thing.count is None:
            found = self._before(final, due, event, first)
        else:
            found = self._number(final, due)
        return tuple(found) or self._chance.led(final)

    def _number(self, final: State, due: DueChance) -> Iterator[Reason]:
        """Where it comes from how many there have to be; nothing if the rules say the number itself."""
        count = None if due.thing is None or due.thing.count is None else due.thing.count[0]
        sources = ValueSources(self._walker, self._reasons.words, final, dict(due.named))
        told = None if count is None else sources.told(count)
        if told is not None:
            yield told

    def _not_for(self, final: State, problem: ArgumentProblem) -> Iterator[Reason]:
        """Why a loop over players leaves one out: the condition of its members, and what made the values in it."""
        around = frozenset(self._chance.around(final.at))
        for each in each_loops(self._flow.core):
            place = each.origin.span.path, each.origin.span.line
            if place not in around or not isinstance(problem.value, int):
                continue
            cond = condition_of(each, problem.value, self._flow.core.domains[PLAYER].whole)
            parts = () if cond is None else self._reasons.replay.deciding(final).of(cond, {})
            if cond is not None and parts and not parts[0].held:
                fork = TracedFork(cond, False, parts, NOTHING_READ, each.origin)
                who = self._reasons.words.names.who(problem.value)
                yield from (replace(one, text=said_of(one.text, who)) for one in self._reasons.fork(fork, None))
                yield from self._reasons.made(final, cond)

    def _before(self, final: State, due: DueChance, event: Event, problem: ArgumentProblem) -> Iterator[Reason]:
        """The draws that there were from where a component lies."""
        places = lying(self._walker, final, problem.value)
        points = {index for index in draws_of(self._flow, due.label)
                  if index != final.at and drawn_from(self._flow, index) & places}
        yield from self._chance.before(final, event, points)

    def kept(self, final: State, problem: ArgumentProblem) -> Iterator[Reason]:
        """The last condition that would have brought a component to where it is to be drawn from, had it held."""
        places = lying(self._walker, final, problem.value)
        if self._reasons.hides or not places or problem.param is None:
            return
        here = drawn_from(self._flow, final.at)
        for step in reversed(self._reasons.way(final, MOST_STEPS)):
            try:
                trace = self._reasons.replay.step(step.state, step.event)
            except (Unsettled, Fault, ValueError):
                return
            for entry in reversed(list(flat(trace.entries))):
                if isinstance(entry, TracedFork) and entry.kept_away >= here and entry.kept_away & places:
                    yield from self._reasons.fork(entry, step.line)
                    return

