"""What made values that are claimed, counted or limited, and were found to be others: each with its own story.

Of what was written: the last writes, each with its line and statements, what was before them, and what was left out. Of
what nothing has changed: what it was as the log began, and which rules alone change it. After that, if it helps, the
condition that kept another value away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from referee.core.expr import Expr, Get
from referee.core.stmt import Origin
from referee.core.traverse import walk
from referee.game.state import State
from referee.interpreter.deciding_parts import whole_set
from referee.interpreter.refusals import BrokenInvariant
from referee.interpreter.trace import KnownValue, Reads, TracedFork, TracedWrite, flat
from referee.judge.reasons.fork_words import LOOPS, with_before
from referee.judge.reasons.line_reasons import MOST_CAUSES, MOST_SECONDS, MOST_SINCE, LineReasons
from referee.judge.reasons.rule_words import is_member
from referee.judge.reasons.values.last_writes import Holds, KeptAway, PastChange, PastWrite
from referee.judge.verdict import Reason
from referee.system.deadline import Deadline

MOST_LINES = 4
"""So many lines of earlier changes are told."""
MOST_TOLD = 2
"""Of so many entries it is told what was before the writes that are told."""


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of values: `own`, what they were and became; `away`, what kept others away."""

    own: tuple[Reason, ...] = ()
    away: tuple[Reason, ...] = ()

    @property
    def because(self) -> tuple[Reason, ...]:
        return (*self.own, *self.away)

    @property
    def cites(self) -> tuple[str, ...]:
        """The statements that decide: of the first reasons, of what kept another value away, and of what made it."""
        return tuple(dict.fromkeys(cite for one in (*self.own[:2], *self.away[:2]) for cite in one.cites))


NOTHING_TOLD = Story()


class ValueStory:
    """What is told of values in one game. `reasons`: those of this game, by which it is told."""

    def __init__(self, reasons: LineReasons) -> None:
        self._reasons = reasons
        self._writes = reasons.writes
        self._replay = reasons.replay
        self._words = reasons.words

    def of_values(self, final: State, exprs: Sequence[Expr], holds: Holds | None = None) -> Story:
        """What made the values of expressions at `final`. `holds`: whether what was claimed is so at a position."""
        if self._reasons.hides:
            return NOTHING_TOLD
        wanted = holds if self._reasons.sight is None else None  # a claim may read what a player does not see
        return self.of_entries(final, self._reasons.seen_reads(final, exprs), wanted)

    def of_broken(self, final: State, broken: Sequence[BrokenInvariant]) -> Story:
        """What made the values that invariants and limits read which do not hold at `final`."""
        if self._reasons.hides:
            return NOTHING_TOLD
        layout = self._replay.course.layout
        zones = {layout.zones[name].find(key) for one in broken if one.zone is not None for name, key in (one.zone,)}
        read = self._reasons.seen_reads(final, [one.tested.guard.cond for one in broken if one.zone is None])
        return self.of_entries(final, read | zones)

    def of_entries(self, final: State, reads: Reads, holds: Holds | None = None) -> Story:
        """What made some entries: the last writes to them, the last first, the very last with the condition that led to
        it; or that nothing wrote them."""
        if self._reasons.hides:
            return NOTHING_TOLD
        until = self._reasons.deadline.computing_within(MOST_SECONDS)
        found = self._writes.of(final, reads, until, holds)
        writes = [one for one in found if not isinstance(one, KeptAway)]
        own = list(self._written(writes, until))
        if writes and self._reasons.seen.all:
            own.extend(self._before(final, writes, until))
        beside: list[Reason] = []
        if not own:
            still = self._writes.unchanged(final, reads, until)
            own.extend(one for index in sorted(still) for one in self._from_the_start(index, final))
            others = self._writes.of(final, self._writes.siblings(reads), until) if still else ()
            beside = [replace(self._reasons.past_write(one), cites=()) for one in others
                      if not isinstance(one, KeptAway)][:1]
        away = [told for one in found if isinstance(one, KeptAway) and (one.sure or not writes)
                for told in self._kept_away(one, final, reads, until)]
        return Story(tuple(own), tuple(away or beside))

    def _written(self, writes: Sequence[PastWrite | PastChange], until: Deadline) -> Iterator[Reason]:
        """Some writes, the first of them with the condition that led to it."""
        for one in writes:
            yield self._reasons.past_write(one)
            if isinstance(one, PastWrite) and one is writes[0] and not until.passed:
                fork = self._writes.brought_by(one)
                if fork is not None and not self._goes_on(fork):
                    yield from self._reasons.fork(fork, one.step.line)

    def _kept_away(self, one: KeptAway, final: State, reads: Reads, until: Deadline) -> Iterator[Reason]:
        """A condition that kept a write away; of a component where it went instead."""
        went = self._writes.instead(one, reads)
        if went is not None:
            yield self._instead(*went, one.step.line)
            return
        told = tuple(self._reasons.fork(one.fork, one.step.line))
        if one.fork.node is None and self._replay.flow.core.statements and not any(reason.cites for reason in told):
            return  # that a write stands behind it says little, and no statement says more
        yield from told
        if any(whole_set(part.expr) is not None for part in one.fork.parts):
            return  # what the others lack is told
        yield from self._found_out(one, final, until)
        same = self._writes.made_before(one)
        made = [same] if same is not None else self._writes.of(final, one.fork.reads, until, before=one.step)
        yield from (self._reasons.past_write(which) for which in made[:1] if not isinstance(which, KeptAway))

    def _before(self, final: State, writes: Sequence[PastWrite | PastChange], until: Deadline) -> Iterator[Reason]:
        """What entries held when the log began, and how many changes came before those that are told."""
        told: dict[int, PastWrite | PastChange] = {
            one.write.index if isinstance(one, PastWrite) else one.index: one for one in writes}
        for index, first in islice(told.items(), MOST_TOLD):
            earlier = self._writes.earlier(final, index, first.step, until)
            if earlier is None:
                continue
            start, lines = earlier
            if isinstance(first, PastWrite) and first.write.old != first.step.state.slots[index]:
                lines = [*lines, first.step.line]  # not every write of this line is told
            name, key = self._replay.name_of(index)
            zone = name in self._replay.flow.core.zones
            if not lines and not zone:
                continue
            setting = self._reasons.setting
            begun = "game" if setting is None or setting.position is None else "log"
            text = f"{self._words.entry(name, key)}{' held' if zone else ':'} {self._words.amount(name, start)} " \
                   f"as the {begun} began"
            yield Reason(text + self._earlier(lines))

    def _earlier(self, lines: Sequence[int]) -> str:
        """How many changes are not told, and where they were."""
        if not lines:
            return ""
        shown = [str(line) for line in Counter(lines)]
        many = f"{len(lines)} earlier changes, in line" if len(lines) > 1 else "1 earlier change, in line"
        plural = "s" if len(shown) > 1 else ""
        return f", then {many}{plural} {', '.join([*shown[:MOST_LINES], *(['...'] if shown[MOST_LINES:] else [])])}"

    def _instead(self, write: TracedWrite, missed: int, line: int) -> Reason:
        """Where a component went that did not go where it is asked about."""
        said = self._reasons.written(write, line)
        return replace(said, text=f"{said.text}, and not to {self._words.entry(*self._replay.name_of(missed))}")

    def _found_out(self, kept: KeptAway, final: State, until: Deadline) -> Iterator[Reason]:
        """How the values of names were found that a condition compares, where it compares nothing else."""
        waiting = [] if self._replay.reads_state(kept.fork) else list(kept.fork.after)
        names: list[str] = []
        for fork in islice(with_before(waiting), MOST_CAUSES):
            yield from self._reasons.fork(fork, kept.step.line)
            names.extend(one.var for one in walk(fork.cond, Get) if not one.keys)
        for name in dict.fromkeys(names):
            for seen in self._reasons.back(final, MOST_SINCE + 2, until):
                if name in seen.worked_out and not seen.cut:
                    yield self._worked_out(*seen.worked_out[name], seen.step.line)
                    break

    def _worked_out(self, known: KnownValue, origin: Origin, line: int) -> Reason:
        """A number with what it was worked out from."""
        names = self._words.names
        named = ((one.name.rpartition(".")[2], names.value(one.value, one.type)) for one in known.names
                 if not is_member(one.type))
        shows = (*dict.fromkeys(named), *self._reasons.made_of(known))
        said = f"{self._words.text(known.expr.span, known.names)}: {names.value(known.value, known.expr.type)}"
        return Reason(said, shows, self._words.all_cites(origin), origin.span, line)

    def _goes_on(self, fork: TracedFork) -> bool:
        """Whether a fork only begins a round more of a loop."""
        return not fork.held and self._words.head(fork.origin.span).startswith(LOOPS)

    def _from_the_start(self, index: int, final: State) -> Iterator[Reason]:
        """An entry that is as set-up made it, or the header states it; and what alone changes it."""
        setting = self._reasons.setting
        positioned = setting is not None and setting.position is not None
        made = None if setting is None or positioned else self._reasons.seen.start(setting)
        writes = () if made is None else [one for one in flat(made.entries)
                                          if isinstance(one, TracedWrite) and one.index == index]
        if writes:
            yield self._reasons.written(writes[-1], None)
        name, key = self._replay.name_of(index)
        yield self._reasons.untouched.told(name, self._words.entry(name, key), final.slots[index],
                                           positioned=positioned)
