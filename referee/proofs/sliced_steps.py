"""Every kind of step of a flow on a slice: where it is possible, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run, body_of, point_of, ways_on
from referee.core.read_write_sets import changes, reads
from referee.core.stmt import Finish
from referee.core.traverse import statements
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.initial_state import start
from referee.proofs.lemmas.lemma import Lemma
from referee.proofs.slice_visits import END, cuts_of
from referee.smt import term
from referee.smt.abstraction import slices
from referee.smt.abstraction.sliced_reading import SlicedEvaluator
from referee.smt.abstraction.sliced_step import Inside, SlicedStepper, looking
from referee.smt.abstraction.slices import Slice, Sliced
from referee.smt.semantics.step_semantics import Landing
from referee.smt.term import Cond, Num


@dataclass(frozen=True)
class Step:
    """A kind of step: from a point (None: set-up), where it is possible, where it leads, what is true of its terms."""

    start: int | None
    possible: Cond
    landing: Landing[Sliced]
    text: str
    true: tuple[Cond, ...]

    @property
    def after(self) -> Sliced:
        """The slice after the step."""
        return self.landing.store

    @property
    def broken(self) -> Cond:
        """Where what is to hold inside actions did not hold after some statement."""
        return self.landing.broken

    def targets(self) -> Iterator[tuple[int, Cond]]:
        """Where the step leads, each with its condition; a point where the game stops is one too."""
        points = {*self.landing.at, *self.landing.stops}
        for point in sorted(points):
            reached = term.disj((self.landing.at.get(point, False), self.landing.stops.get(point, False)))
            if reached is not False:
                yield point, reached
        if self.landing.over is not False:
            yield END, self.landing.over


@dataclass(frozen=True)
class StepKind:
    """A kind of step that is not worked out yet. `writes`: what it may change; `targets`: the places it may lead to."""

    start: int | None
    text: str
    writes: frozenset[str]
    targets: frozenset[int]
    make: Callable[[], Step] = field(compare=False)


@dataclass
class Steps:
    """The steps of a flow on one slice, made once; `before` is the position that they start from. `known`: lemmas that
    were shown at places, and that can be said of any slice that keeps what they read."""

    flow: Flow
    slice: Slice
    setting: Setting
    inside: Inside | None = None
    known: Mapping[int, Sequence[Lemma]] = field(default_factory=dict)
    before: Sliced = field(init=False)
    true: tuple[Cond, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._stepper = SlicedStepper(self.slice, self.flow, self.inside)
        self._stepper.cuts = cuts_of(self.flow)
        self.before = slices.unknown(self.slice)
        related = self._related()
        self.true = (*self._noted(0), *related)

    def _related(self) -> list[Cond]:
        """What parameters keep to, at every position: no rule changes them."""
        context = looking(self.before)
        related = [SlicedEvaluator(context).condition(guard.cond) for guard in self.flow.core.relations]
        return [*related, term.no(context.failed)]

    def _noted(self, before: int) -> tuple[Cond, ...]:
        """What was noted as true since then; it is taken out of the slice."""
        found = tuple(self.slice.true[before:])
        del self.slice.true[before:]
        return found

    def kinds(self) -> list[StepKind]:
        """Every kind of step from a place that is reached, to be worked out where it matters (which may raise
        `Unencodable`)."""
        every, reached = list(self._every_kind()), set[int | None]()
        waiting: list[int | None] = [None]
        targets: dict[int | None, set[int]] = {}
        for kind in every:
            targets.setdefault(kind.start, set()).update(kind.targets)
        while waiting:
            place = waiting.pop()
            if place not in reached:
                reached.add(place)
                waiting.extend(targets.get(place, ()))
        return [kind for kind in every if kind.start in reached]

    def _every_kind(self) -> Iterator[StepKind]:
        yield self._kind(None, "set-up", frozenset(), self.flow.start, self._set_up)
        for index, node in enumerate(self.flow.nodes):
            match node:
                case Ask():
                    for one in node.alternatives:
                        make = partial(self._asked, index, node, one)
                        yield self._kind(index, f"{one.label} at {node.point.name}", _stored(one), one.next, make)
                case Draw(alternative=one):
                    make = partial(self._taken, index, node.point.name, one, None)
                    yield self._kind(index, f"{one.label} at {node.point.name}", _stored(one), one.next, make)
                case Gather():
                    for (_, one), by in product(node.parts, range(self.flow.core.seats.number)):
                        make = partial(self._committed, index, node, one, by)
                        kind = self._kind(index, f"{one.label} at {node.point.name}",
                                          _stored(one) | {node.pending}, node.next, make)
                        yield replace(kind, targets=kind.targets | {index})
                case Rule() if node.type is not None and node.candidates is not None:
                    into = frozenset() if node.into is None else frozenset((node.into,))
                    make = partial(self._ruled, index, node)
                    yield self._kind(index, f"the table rules at {node.point.name}", into, node.next, make)
                case Run() | Fork():
                    yield self._through(index, node)
                case Rule():
                    continue  # the game stops here: no step leads on
                case _:
                    assert_never(node)

    def _through(self, index: int, node: Run | Fork) -> StepKind:
        """What becomes of a position at a node that is no point."""
        make, text = partial(self._passed, index), f"going on at {index}"
        ways = [self._kind(index, text, changes(node), after, make) for after in self._ways(node)]
        ends = any(True for _ in statements(body_of(node), Finish))
        targets = frozenset({END} if ends else ()).union(*(way.targets for way in ways))
        return StepKind(index, text, frozenset[str]().union(*(way.writes for way in ways)), targets, make)

    def _ways(self, node: Run | Fork) -> tuple[int, ...]:
        """The nodes that come next; of a fork at which every game goes the same way, the one."""
        if isinstance(node, Fork) and not reads(node.cond):
            found = SlicedEvaluator(looking(self.before)).condition(node.cond)
            if isinstance(found, bool):
                return (node.yes if found else node.no,)
        return tuple(ways_on(node))

    def _kind(
        self, start: int | None, text: str, writes: frozenset[str], after: int, make: Callable[[], Step]
    ) -> StepKind:
        """A kind of step that goes on at a node, with the points that may be passed until it ends."""
        targets, waiting = set[int](), [after]
        while waiting:
            index = waiting.pop()
            if index in targets:
                continue
            targets.add(index)
            node = self.flow.nodes[index]
            match node:
                case Ask():
                    waiting.extend(one.next for one in node.alternatives if node.point.automatic)
                    waiting.extend(() if node.otherwise is None else (node.otherwise,))
                case Gather():
                    waiting.append(node.next)
                case Rule() if node.candidates is not None and node.type is not None:
                    waiting.append(node.next)
                case Run() | Fork() | Draw() | Rule():
                    pass  # the step ends here
                case _:
                    assert_never(node)
            if point_of(node) is not None:  # at others the step ends before they do anything
                writes |= changes(node)
        return StepKind(start, text, writes, frozenset(targets), make)

    def _set_up(self) -> Step:
        layout = self._stepper.layout
        begun = slices.of_state(self.slice, State(0, tuple(start(layout, self.setting))))
        for var in layout.defs.values():
            if slices.open_roles(var) and self.slice.kept(var):
                spread = layout.vars[var.name]
                for index in spread.entries:
                    begun.entries[index] = self.before.entries[index]
        return Step(None, True, self._stepper.start(begun), "set-up", self._noted(0))

    def _taken(self, index: int, name: str, alternative: Alternative, by: Num | None) -> Step:
        args = self._stepper.arguments(alternative)
        legal = self._stepper.legal(self.before, alternative, by, args)
        landing = self._stepper.take(self.before, alternative, by, args)
        return Step(index, legal, landing, f"{alternative.label} at {name}", self._noted(0))

    def _asked(self, index: int, node: Ask, alternative: Alternative) -> Step:
        by = SlicedEvaluator(looking(self.before)).number(node.actor)
        return self._taken(index, node.point.name, alternative, by)

    def _passed(self, index: int) -> Step:
        landing = self._stepper.pass_on(self.before, index)
        return Step(index, True, landing, f"going on at {index}", self._noted(0))

    def _committed(self, index: int, node: Gather, alternative: Alternative, by: int) -> Step:
        pending = self._stepper.pending(self.before, node)
        args = self._stepper.arguments(alternative)
        legal = self._stepper.legal(self.before, alternative, by, args)
        landing = self._stepper.commit(self.before, node, alternative, by, args, index)
        possible = term.both(pending.has(by), legal)
        return Step(index, possible, landing, f"{alternative.label} at {node.point.name}", self._noted(0))

    def _ruled(self, index: int, node: Rule) -> Step:
        assert node.type is not None
        assert node.candidates is not None
        choice = self.slice.anything(node.type)
        offered = SlicedEvaluator(looking(self.before)).contains(node.candidates, choice)
        landing = self._stepper.rule(self.before, node, choice)
        return Step(index, offered, landing, f"the table rules at {node.point.name}", self._noted(0))


def _stored(alternative: Alternative) -> frozenset[str]:
    return frozenset(register for register, _ in alternative.stores)
