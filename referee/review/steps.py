"""Every kind of step of a flow on a slice: where it is possible, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.engine.start import start
from referee.game.setting import Setting
from referee.game.state import State
from referee.review.visits import END, cuts_of
from referee.symbolic import slices, term
from referee.symbolic.evaluate import Context
from referee.symbolic.sliced import SlicedEvaluator
from referee.symbolic.sliced_step import BrokenInside, Inside, SlicedStepper
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.step import Landing, Stepper
from referee.symbolic.term import Cond, Num


@dataclass(frozen=True)
class Step:
    """A kind of step: from a point (None: set-up), where it is possible, where it leads, what is true of its terms."""

    start: int | None
    possible: Cond
    landing: Landing
    text: str
    true: tuple[Cond, ...]

    @property
    def after(self) -> Sliced:
        """The slice after the step."""
        found = self.landing.store
        assert isinstance(found, Sliced)
        return found

    @property
    def broken(self) -> Cond:
        """Where what is to hold inside actions did not hold after some statement."""
        return self.landing.broken if isinstance(self.landing, BrokenInside) else False

    def targets(self) -> Iterator[tuple[int, Cond]]:
        """Where the step leads, each with its condition; a point where the game stops is one too."""
        points = {*self.landing.at, *self.landing.stops}
        for point in sorted(points):
            reached = term.disj((self.landing.at.get(point, False), self.landing.stops.get(point, False)))
            if reached is not False:
                yield point, reached
        if self.landing.over is not False:
            yield END, self.landing.over


@dataclass
class Steps:
    """The steps of a flow on one slice, made once; `before` is the position that they start from."""

    flow: Flow
    slice: Slice
    setting: Setting
    inside: Inside | None = None
    before: Sliced = field(init=False)
    true: tuple[Cond, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._stepper = SlicedStepper(self.slice, Stepper(self.flow), self.inside)
        self._stepper.cuts = cuts_of(self.flow)
        self.before = slices.unknown(self.slice)
        self.true = self._noted(0)

    def _noted(self, before: int) -> tuple[Cond, ...]:
        """What was noted as true since then; it is taken out of the slice."""
        found = tuple(self.slice.true[before:])
        del self.slice.true[before:]
        return found

    def all(self) -> Iterator[Step]:
        """Every kind of step. Raises `Unencodable`."""
        yield self._set_up()
        for index, node in enumerate(self.flow.nodes):
            match node:
                case Ask():
                    for alternative in node.alternatives:
                        by = SlicedEvaluator(Context(self.before)).number(node.actor)
                        yield self._taken(index, node.point.name, alternative, by)
                case Draw():
                    yield self._taken(index, node.point.name, node.alternative, None)
                case Gather():
                    yield from self._commits(index, node)
                case Rule() if node.type is not None and node.candidates is not None:
                    yield self._ruled(index, node)
                case Run() | Fork() if index in self._stepper.cuts:
                    landing = self._stepper.pass_on(self.before, index)
                    yield Step(index, True, landing, f"going on at {index}", self._noted(0))
                case _:
                    continue

    def _set_up(self) -> Step:
        layout = self._stepper.layout
        begun = slices.of_state(self.slice, State(0, tuple(start(layout, self.setting))))
        for var in layout.defs.values():
            if slices.open_roles(var) and self.slice.kept(var):
                spread = layout.vars[var.name]
                for index in range(spread.base, spread.base + spread.count):
                    begun.entries[index] = self.before.entries[index]
        return Step(None, True, self._stepper.start(begun), "set-up", self._noted(0))

    def _taken(self, index: int, name: str, alternative: Alternative, by: Num | None) -> Step:
        args = self._stepper.arguments(alternative)
        legal = self._stepper.legal(self.before, alternative, by, args)
        landing = self._stepper.take(self.before, alternative, by, args)
        return Step(index, legal, landing, f"{alternative.label} at {name}", self._noted(0))

    def _commits(self, index: int, node: Gather) -> Iterator[Step]:
        pending = self._stepper.pending(self.before, node)
        for _, alternative in node.parts:
            for by in range(self.flow.core.seats.number):
                args = self._stepper.arguments(alternative)
                legal = self._stepper.legal(self.before, alternative, by, args)
                landing = self._stepper.commit(self.before, node, alternative, by, args, index)
                possible = term.both(pending.has(by), legal)
                yield Step(index, possible, landing, f"{alternative.label} at {node.point.name}", self._noted(0))

    def _ruled(self, index: int, node: Rule) -> Step:
        assert node.type is not None
        assert node.candidates is not None
        choice = self.slice.anything(node.type)
        offered = SlicedEvaluator(Context(self.before)).contains(node.candidates, choice)
        landing = self._stepper.rule(self.before, node, choice)
        return Step(index, offered, landing, f"the table rules at {node.point.name}", self._noted(0))


