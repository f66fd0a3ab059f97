"""Questions about one kind of step: it is worked out and given a solver when something is first asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.proofs.lemmas.lemma import Lemma, Side
from referee.proofs.sliced_steps import Step, StepKind, Steps
from referee.smt import term
from referee.smt.abstraction.slices import Sliced
from referee.smt.solver import Solver
from referee.smt.term import Cond

QUESTION = 20.0
"""Seconds for one question."""


def said(lemma: Lemma, store: Sliced) -> tuple[Cond, tuple[Cond, ...]]:
    """A lemma of a slice as a condition, with what is true of the terms it is made of."""
    cond = lemma.holds(store)
    true = tuple(store.slice.true)
    store.slice.true.clear()
    return cond, true


@dataclass(eq=False)
class Goal:
    """A lemma that is to hold at a place. `done`: the kinds of steps that keep it, each with the goals it stands on."""

    lemma: Lemma
    place: int
    gone: bool = False
    done: dict[int, frozenset[Goal]] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)


@dataclass(eq=False)
class AskedStep:
    """A kind of step with what it needs to be asked about."""

    kind: StepKind
    steps: Steps
    _made: tuple[Step, dict[int, Cond], Solver] | None = None
    _flags: dict[int, tuple[Goal, Cond]] = field(default_factory=dict)

    @property
    def made(self) -> tuple[Step, dict[int, Cond], Solver]:
        """The step, where it leads with conditions, and a solver that knows it is possible. Raises `Unencodable`."""
        if self._made is None:
            step = self.kind.make()
            solver = Solver(QUESTION)
            solver.add(*self.steps.true, *step.true, step.possible)
            for one in () if self.kind.start is None else self.steps.known.get(self.kind.start, ()):
                if self.steps.slice.keeps(one.reads):
                    cond, true = said(one, self.steps.before)
                    solver.add(cond, *true)
            self._made = step, dict(step.targets()), solver
        return self._made

    def forget(self) -> None:
        """Gives the solver's memory back; it is made again when it is needed."""
        self._made = None
        self._flags.clear()

    def reached(self, place: int) -> Cond:
        """Where the step leads to a place, or was not followed to its end."""
        step, targets, _ = self.made
        return term.disj((targets.get(place, False), step.landing.lost))

    def flags(self, goals: Sequence[Goal]) -> dict[Goal, Cond]:
        """For goals at the place where the step starts, a condition each that makes the solver assume it."""
        _, _, solver = self.made
        found: dict[Goal, Cond] = {}
        for goal in goals:
            if id(goal) not in self._flags:
                self._flags[id(goal)] = goal, self.flag(goal.lemma, solver)
            found[goal] = self._flags[id(goal)][1]
        return found

    def flag(self, lemma: Lemma, solver: Solver) -> Cond:
        """A condition that makes the solver assume a lemma of the place where the step starts."""
        cond, true = said(lemma, self.steps.before)
        solver.add(*true)
        return solver.flag(cond)


@dataclass(frozen=True)
class Question:
    """What is asked of a step: whether it is possible and may do something (`whole`), as terms of the position before.

    `sides`: those of what is to be shown that the step cannot touch; `goal`: what it would break, if it is one;
    `exact`: just what keeps it from that, if it is asked for and hangs on the position before alone.
    """

    asked: AskedStep
    whole: Cond
    sides: tuple[Side, ...]
    goal: Goal | None
    exact: Lemma | None
