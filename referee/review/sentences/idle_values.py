"""idle-value: values of a parameter that no game tells apart, and which values do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from random import Random

from referee.analysis.partial_evaluation import Left
from referee.analysis.position_words import Words
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Role, Var
from referee.core.types import Value
from referee.game.setting import Setting, everywhere
from referee.game.state import State
from referee.game.value_codec import encode_value
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.subject import Subject
from referee.simulation.divergence import Differ
from referee.simulation.state_space import settings, values_of

CODE = "idle-value"
GAMES, EVENTS = 8, 200
"""So many games are played with two values side by side, of so many events each."""
PAIRS = 2_000
"""So many pairs of positions are compared for a proof."""
FEW_VALUES = 5
"""So many values are all looked at; of more the ends, the default, and what stands beside it."""
SETTLE = "a rule for which it matters which of them it is, or a type without one of them"


def idle_values(subject: Subject) -> Iterator[Finding]:
    """Each parameter."""
    every = [var for var in subject.core.vars.values() if var.role is Role.PARAMETER]
    if not every:
        yield absent(CODE, "the rules have no parameters")
    for var in every:
        yield from _Parameter(subject, var).findings()


class _Parameter:
    """What is known of the values of one parameter; of a table all entries have the same one."""

    def __init__(self, subject: Subject, var: Var) -> None:
        self._subject, self._var = subject, var
        self._differ = Differ(subject.walker, Words(subject.walker, subject.players), subject.clock)
        self._every = settings(subject.walker, Setting(subject.players))

    def findings(self) -> Iterator[Finding]:
        """Values that are the same in every game, each with the next; and what is known of the others."""
        if not self._is_read():
            yield self._found("no rule that a game can come to depends on it", "")
            return
        apart, alike, unknown = list[str](), list[str](), list[str]()
        for one, other in pairwise(self._values()):
            said = f"{self._called(one)} and {self._called(other)}"
            after = self._parting(one, other)
            if after is not None:
                apart.append(f"{said} after {after} event{'' if after == 1 else 's'}")
            elif self._same(one, other):
                alike.append(said)
                yield self._found(f"{said} come to the same in every game", f".{self._called(one)}")
            else:
                unknown.append(said)
        told = f"games tell apart {', '.join(apart)}" if apart else "games tell no values apart"
        if unknown:
            yield bounded(CODE, f"{told}; in {GAMES} games nothing tells apart {', '.join(unknown)}", self._var.name)
        elif not alike:
            yield absent(CODE, told, self._var.name)

    def _found(self, said: str, place: str) -> Finding:
        var = self._var
        return Finding(
            CODE, FindingOutcome.FOUND, f"the values of {var.name.replace('_', ' ')}: {said}", f"{var.name}{place}",
            (var.origin.span,), var.origin.cites, settle=SETTLE,
        )  # fmt: skip

    def _is_read(self) -> bool:
        core, name = self._subject.core, self._var.name
        always = (*(one.guard for one in core.invariants), core.score)
        return name in variables_of(always) or Left(self._subject.flow, {}).reads(name)

    def _called(self, value: Value) -> str:
        said = encode_value(self._subject.core, self._subject.players, self._var.type, value)
        return ("yes" if said else "no") if isinstance(said, bool) else str(said)

    def _values(self) -> Sequence[Value]:
        """The values that are looked at, in their order."""
        every = values_of(self._var)
        if len(every) <= FEW_VALUES:
            return every
        default = next((at for at, value in enumerate(every) if value == self._var.start), 0)
        wanted = sorted({0, 1, default - 1, default, default + 1, len(every) - 1} & set(range(len(every))))
        return [every[at] for at in wanted]

    # ------------------------------------------------------------------ games
    def _with(self, setting: Setting, value: Value) -> Setting:
        held = everywhere(self._var.keys, value)
        return replace(setting, parameters={**setting.parameters, self._var.name: held})

    def _parting(self, one: Value, other: Value) -> int | None:
        """After how many events at least one of some games shows which value it has; None if none does."""
        found = [after for seed in range(GAMES) if (after := self._beside(one, other, seed)) is not None]
        return min(found, default=None)

    def _beside(self, one: Value, other: Value, seed: int) -> int | None:
        """After how many events a game parts that is played with both; None if it does not, or cannot be played."""
        walker, random = self._subject.walker, Random(seed)
        with suppress(Fault):
            whole = complete(walker, self._with(Setting(self._subject.players), one), random)
            both = whole, complete(walker, self._with(whole, other), random)
            here, there = (walker.begin(each) for each in both)
            for done in range(EVENTS):
                self._subject.clock.tick()
                if not self._differ.same(here, there):
                    return done
                if not isinstance(here, State) or not isinstance(there, State):
                    return None
                offered = list(self._differ.offered(here))
                if dict.fromkeys(offered) != self._differ.offered(there):
                    return done
                event = random.choice(offered)
                here, there = walker.advance(here, event), walker.advance(there, event)
        return None

    def _same(self, one: Value, other: Value) -> bool:
        """Whether every game goes the same way with both; games have to be few enough to be looked at."""
        if self._every is None:
            return False
        walker = self._subject.walker
        for setting in self._every:
            here, there = (walker.begin(self._with(setting, value)) for value in (one, other))
            compared = self._differ.compare(here, there, PAIRS, 10_000)
            if compared.apart is not None or not compared.complete:
                return False
        return True
