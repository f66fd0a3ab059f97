"""Proofs by induction on slices: facts at points that every step keeps.

Facts are guessed for each point (the claims, and whatever was seen in random games); facts that some step does not keep
are given up until none is (Houdini: Flanagan and Leino, FME 2001). What is left holds in every game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from referee.core.flow import Ask, Draw, Flow, Gather, Rule
from referee.game.state import State
from referee.review.claims import Claim
from referee.review.facts import Fact, parts_of
from referee.review.guesses import Guesser
from referee.review.steps import Step, Steps
from referee.review.visits import END, cuts_of
from referee.symbolic import slices, term
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.solver import MOST_MEMORY, Answer, Solver, memory_used
from referee.symbolic.term import Cond
from referee.symbolic.value import Unencodable

QUESTION = 30.0
RARE = 25
"""A place with fewer positions than this has been seen too seldom to guess from them alone."""
TOO_HARD = "too hard in the time given"
NEVER = Fact("nothing ever leads here", lambda _: False)
_Said = tuple[Cond, tuple[Cond, ...]]


@dataclass
class Induction:
    """Facts at points, given up one by one until every step keeps the rest.

    `until`: when to stop trying, in seconds of computing; `lemmas`: facts that hold; `why`: why the claim was given up.
    """

    flow: Flow
    steps: Steps
    claim: Claim | None
    until: float
    wide: bool = False
    lemmas: Mapping[int, Sequence[Fact]] = field(default_factory=dict)
    why: str = ""
    _proved: dict[int, list[Fact]] = field(default_factory=dict)
    _guessed: dict[int, list[Fact]] = field(default_factory=dict)
    _held: dict[int, list[Fact]] = field(default_factory=dict)
    _before: dict[int, _Said] = field(default_factory=dict)
    _after: dict[tuple[int, int], _Said] = field(default_factory=dict)
    _alive: list[Fact] = field(default_factory=list)
    _solvers: dict[int, tuple[Solver, set[int], int]] = field(default_factory=dict)

    @property
    def _slice(self) -> Slice:
        return self.steps.slice

    # ------------------------------------------------------------------ guesses
    def see(self, seen: Mapping[int, Sequence[State]], focus: Sequence[int]) -> None:
        """What facts are guessed from: the positions seen at each point; `focus`: components they are looked at for."""
        self._seen = {p: [s for state in states for s in self._sliced(state, focus)] for p, states in seen.items()}
        self._guesser = Guesser(self._slice, self.wide)
        self._proved = {place: list(facts) for place, facts in self.lemmas.items()}

    @property
    def proved(self) -> Mapping[int, Sequence[Fact]]:
        """The facts that hold at each place."""
        return self._proved

    def _sliced(self, state: State, focus: Sequence[int]) -> list[Sliced]:
        groups = self._slice.groups
        if groups.focus is None:
            return [slices.of_state(self._slice, state)]
        return [slices.of_state(self._slice.at(c), state) for c in focus]

    def _places(self) -> list[int]:
        points = (i for i, n in enumerate(self.flow.nodes) if isinstance(n, Ask | Gather | Draw | Rule))
        return [*points, *sorted(cuts_of(self.flow)), END]

    # ------------------------------------------------------------------ the loop
    def by_type(self) -> bool:
        """Whether the claim holds of whatever the types allow, with each component somewhere once."""
        if self.claim is None:
            return False
        solver = Solver(QUESTION)
        solver.add(*self.steps.true)
        said = [self._said(fact, self.steps.before) for fact in parts_of(self.claim)]
        solver.add(*(t for _, true in said for t in true), term.disj(term.no(cond) for cond, _ in said))
        return solver.ask() is Answer.NO

    def run(self) -> bool:
        """Whether the claim holds in every game. Raises `Unencodable`."""
        self._all = list(self._encoded())
        self._guess(lambda stores: self._guesser.base(stores), ())
        self._settle()
        if self.claim is None:
            return True
        if self._holds_with(self.claim, apart=False) or self._holds_with(self.claim, apart=True):
            return all(self._kept_inside(step) for step in self._all)
        return False

    def _holds_with(self, claim: Claim, apart: bool) -> bool:
        """Whether a claim is proved with guesses about its numbers; `apart`: by values of variables."""
        self.why = ""
        self._guess(lambda stores: self._guesser.of_claim(claim, stores, apart), tuple(parts_of(claim)), again=apart)
        self._settle()
        return self._stands(claim)

    def _encoded(self) -> Iterator[Step]:
        """Every kind of step, as long as there is time."""
        for step in self.steps.all():
            if time.process_time() > self.until:
                raise Unencodable(f"{TOO_HARD}: steps were encoded as far as {step.text}")
            yield step

    def _guess(
        self, make: Callable[[Sequence[Sliced]], Iterable[Fact]], declared: Sequence[Fact], again: bool = False
    ) -> None:
        """Guesses facts for every place; where games hardly come, those of the places near it.

        `again`: besides, what was guessed before, as it may hold together with what is new. These are many:
        of the places near it only what is common to all of them.
        """
        likely = {place: list(make(self._seen[place])) if place in self._seen else [] for place in self._places()}
        for place, guessed in likely.items():
            before = self._guessed.setdefault(place, [])
            before.extend(guessed)
            if again:
                guessed[:] = before
        for place, near in self._near.items():
            stores = self._seen.get(place, [])
            others = _common([likely[n] for n in near]) if again else _different(f for n in near for f in likely[n])
            likely[place].extend(f for f in others if all(f.holds(s) is True for s in stores))
            if not stores and not self.lemmas:
                likely[place].insert(0, NEVER)
        for place, guessed in likely.items():
            known = {f.name for f in self._proved.get(place, ())}
            self._held[place] = [*declared, *(f for f in _different(guessed) if f.name not in known)]
            self._alive.extend(self._held[place])  # what was worked out is kept by identity
            self._slice.true.clear()

    @cached_property
    def _near(self) -> dict[int, list[int]]:
        """For each place that games by chance hardly come to, those near it that they do come to."""
        edges: dict[int, set[int]] = {place: set() for place in self._places()}
        for step in self._all:
            if step.start is None:
                continue
            for target, _ in step.targets():
                edges[target].add(step.start)
                edges[step.start].add(target)
        rare = {place for place in edges if len(self._seen.get(place, ())) < RARE}
        return {place: _reached(place, edges, rare) for place in sorted(rare)}

    def _settle(self) -> bool:
        """Gives up facts until every step keeps the rest; what is left is proved. False if nothing is."""
        waiting = list(range(len(self._all)))
        while waiting:
            step = self._all[waiting.pop(0)]
            changed = self._kept(step)
            waiting.extend(i for i, s in enumerate(self._all) if s.start in changed and i not in waiting)
        for place, facts in self._held.items():
            self._proved.setdefault(place, []).extend(facts)
        self._after.clear()
        return any(self._held.values())

    def _stands(self, claim: Claim) -> bool:
        wanted = {f.name for f in parts_of(claim)}
        rest = [p for p in self._proved if p == END or self._is_rest(p)]
        return all(NEVER in self._proved[p] or wanted <= {f.name for f in self._proved[p]} for p in rest)

    def _kept_inside(self, step: Step) -> bool:
        """Whether the claim holds after every statement of a step, if it is to."""
        if step.broken is False:
            return True
        solver, _ = self._solver(step)
        solver.push()
        solver.add(step.broken)
        answer = self._asked(solver)
        solver.pop()
        if answer is not Answer.NO:
            why = TOO_HARD if answer is Answer.UNKNOWN else f"not kept inside {step.text}"
            self.why = self.why or why
        return answer is Answer.NO

    def _is_rest(self, index: int) -> bool:
        node = self.flow.nodes[index]
        return isinstance(node, Ask | Gather | Draw | Rule) and node.point.rest

    # ------------------------------------------------------------------ questions
    def _said(self, fact: Fact, store: Sliced) -> _Said:
        """A fact of a slice as a condition, with what is true of the terms it is made of."""
        cond = fact.holds(store)
        true = tuple(self._slice.true)
        self._slice.true.clear()
        return cond, true

    def _asked(self, solver: Solver) -> Answer:
        """An answer within the time that is left."""
        left = self.until - time.process_time()
        if left <= 0:
            return Answer.UNKNOWN
        if left < QUESTION:
            solver.bound(left)
        return solver.ask()

    def _assumed(self, fact: Fact) -> _Said:
        if id(fact) not in self._before:
            self._before[id(fact)] = self._said(fact, self.steps.before)
        return self._before[id(fact)]

    def _landed(self, fact: Fact, step: Step) -> _Said:
        key = (id(fact), id(step))
        if key not in self._after:
            self._after[key] = self._said(fact, step.after)
        return self._after[key]

    def _solver(self, step: Step) -> tuple[Solver, set[int]]:
        """A solver that knows what is proved of where a step starts; and by what Z3 knows these facts."""
        if id(step) not in self._solvers:
            if memory_used() > MOST_MEMORY / 2:
                self._solvers.clear()  # they are made again when they are needed
            solver = Solver(QUESTION, bold=True)
            solver.add(*self.steps.true, *step.true, step.possible)
            self._solvers[id(step)] = solver, set(), 0
        solver, known, told = self._solvers[id(step)]
        proved = self._proved.get(step.start, []) if step.start is not None else []
        for fact in proved[told:]:
            self._assume(fact, solver, known)
        self._solvers[id(step)] = solver, known, len(proved)
        return solver, known

    def _assume(self, fact: Fact, solver: Solver, known: set[int]) -> None:
        cond, true = self._assumed(fact)
        solver.add(cond, *true)
        known.add(term.name_of(cond))

    def _kept(self, step: Step) -> set[int]:
        """Gives up what a step does not keep; the points at which something was given up."""
        solver, proved = self._solver(step)
        known = set(proved)
        solver.push()
        for fact in self._held[step.start] if step.start is not None else ():
            self._assume(fact, solver, known)
        changed: set[int] = set()
        for point, reached in step.targets():
            if self._at(point, reached, step, solver, known):
                changed.add(point)
        if step.landing.lost is not False:
            changed |= self._lost(step, solver)
        solver.pop()
        return changed

    def _lost(self, step: Step, solver: Solver) -> set[int]:
        """A step that was not followed to its end may break anything."""
        solver.push()
        solver.add(step.landing.lost)
        answer = self._asked(solver)
        solver.pop()
        if answer is Answer.NO:
            return set()
        for facts in self._held.values():
            self._give_up(facts, list(facts), f"{step.text} could not be followed to its end")
        return set(self._held)

    def _at(self, point: int, reached: Cond, step: Step, solver: Solver, known: set[int]) -> bool:
        """Gives up what does not hold where a step leads to one point; true if anything was."""
        held, given_up = self._held[point], False
        if not held:
            return False
        said = [(fact, *self._landed(fact, step)) for fact in held]
        said = [one for one in said if term.name_of(one[1]) not in known]  # the same before and after the step
        if all(cond is True for _, cond, _ in said):
            return False
        conds = [(fact, cond) for fact, cond, _ in said]
        solver.push()
        solver.add(reached)
        for _, _, true in said:
            solver.add(*true)
        breaks = {id(fact): solver.flag(term.no(cond)) for fact, cond in conds}
        while conds:
            solver.push()
            solver.add(term.disj(breaks[id(f)] for f, _ in conds))
            answer = self._asked(solver)
            broken = self._broken(conds, solver, answer)
            solver.pop()
            if not broken:
                break
            why = TOO_HARD if answer is Answer.UNKNOWN else f"not kept by {step.text}"
            self._give_up(held, broken, why)
            gone = set(map(id, broken))
            conds = [(f, c) for f, c in conds if id(f) not in gone]
            given_up = True
        solver.pop()
        return given_up

    def _broken(self, conds: list[tuple[Fact, Cond]], solver: Solver, answer: Answer) -> list[Fact]:
        """The facts that a model breaks; without an answer, the guessed ones first, then all."""
        if answer is Answer.NO:
            return []
        if answer is Answer.UNKNOWN:
            return [f for f, _ in conds if f.claim is None] or [f for f, _ in conds]
        model = solver.model()
        return [f for f, c in conds if not model(c)]

    def _give_up(self, held: list[Fact], broken: list[Fact], why: str) -> None:
        gone = set(map(id, broken))
        held[:] = [f for f in held if id(f) not in gone]
        for fact in broken:
            if fact.claim is not None and not self.why:
                self.why = why


def _reached(start: int, edges: Mapping[int, set[int]], passing: set[int]) -> list[int]:
    """The first places outside `passing` on every way from a place."""
    seen, waiting = {start}, [start]
    found: list[int] = []
    while waiting:
        for other in sorted(edges[waiting.pop()] - seen):
            seen.add(other)
            (waiting if other in passing else found).append(other)
    return found


def _common(guesses: Sequence[list[Fact]]) -> list[Fact]:
    """What was guessed at every one of some places."""
    names = [{f.name for f in facts} for facts in guesses]
    return _different(f for f in guesses[0] if all(f.name in known for known in names)) if guesses else []


def _different(facts: Iterable[Fact]) -> list[Fact]:
    return list({f.name: f for f in facts}.values())
