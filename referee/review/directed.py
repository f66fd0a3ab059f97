"""Proofs by induction, directed by the claim: lemmas are looked for where a step would break what is to be shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from referee.core.changes import reads
from referee.core.flow import Ask, Draw, Flow, Gather, Rule
from referee.game.state import State
from referee.review.claims import Claim
from referee.review.clauses import Lemma, Samples, Side, excluding, lemma, lemma_of
from referee.review.facts import Fact, holds_of
from referee.review.features import Feature, features_of
from referee.review.steps import Kind, Step, Steps
from referee.review.visits import END
from referee.symbolic import slices, term
from referee.symbolic.relevant import Unknowns
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.solver import Answer, Solver
from referee.symbolic.term import Cond
from referee.symbolic.value import Bits, Counts, Opt

QUESTION = 20.0
TRIES = 60
MOST = 40
SHAPES = 200
RARE = 25
GROWN = 6
AGAIN = 8
DEBUG = int(__import__('os').environ.get('DEBUG','-5'))
TOO_HARD = "too hard in the time given"


@dataclass(eq=False)
class Goal:
    """A fact that is to hold at a place."""

    fact: Fact
    place: int
    reads: frozenset[str]
    depth: int = 0
    gone: bool = False
    done: dict[int, frozenset[int]] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)
    """Steps that keep it, each with the goals it stands on (by id)."""


@dataclass
class _Work:
    kind: Kind
    step: Step | None = None
    solver: Solver | None = None
    flags: dict[int, tuple[Cond, Goal]] = field(default_factory=dict)
    targets: dict[int, Cond] = field(default_factory=dict)


class Directed:
    def __init__(self, flow: Flow, steps: Steps, claim: Claim, until: float, log: Callable[[str], None] = lambda _: None) -> None:
        self.flow, self.steps, self.claim, self.until, self.log = flow, steps, claim, until, log
        self.why = ""
        self._works = [_Work(kind) for kind in steps.kinds()]
        self._into: dict[int, list[int]] = {}
        for number, work in enumerate(self._works):
            for target in work.kind.targets:
                self._into.setdefault(target, []).append(number)
        self._goals: dict[int, list[Goal]] = {}
        self._bad: set[tuple[int, str]] = set()
        self._stack: list[Goal] = []
        self._unknowns = Unknowns()
        self._queries = 0
        self._alive: list[Any] = []
        self._random = Random(1)
        self._shapes: dict[str, tuple[Fact, frozenset[str], int]] = {}
        self._before: dict[int, tuple[Cond, tuple[Cond, ...]]] = {}

    @property
    def _slice(self) -> Slice:
        return self.steps.slice

    def see(self, seen: Mapping[int, Sequence[State]], focus: Sequence[int]) -> None:
        def sliced(state: State) -> list[Sliced]:
            if self._slice.groups.focus is None:
                return [slices.of_state(self._slice, state)]
            return [slices.of_state(self._slice.at(c), state) for c in focus]

        self._states, self._sliced = seen, sliced
        self._samples: dict[int, Samples] = {}
        distinct: dict[int, Feature] = {}
        for f in features_of(self._slice, self.claim):
            read = f.read(self.steps.before)
            if not term.known(read):
                distinct.setdefault(term.name_of(read), f)
                self._alive.append(read)
        self._features = list(distinct.values())
        self._slice.true.clear()
        self._of = {f.name: self._unknowns.of(f.read(self.steps.before)) for f in self._features}
        self._slice.true.clear()
        self._members: dict[str, dict[int, Feature]] = {}
        for f in self._features:
            if f.family is not None:
                self._members.setdefault(f.family, {})[f.player] = f
        self._leaves = frozenset(_leaves(self.steps.before, self._unknowns))

    def samples(self, place: int) -> Samples:
        if place not in self._samples:
            every = [s for state in self._states.get(place, ()) for s in self._sliced(state)]
            self._samples[place] = Samples(list({(tuple(s.entries), *(t.counts for t in s.tallies.values()), s.slice.groups.focus): s for s in every}.values()))
            if not every:
                self._grow(place)
        return self._samples[place]

    def _grow(self, place: int) -> None:
        """Adds what steps make of positions seen at other places: a place that games hardly come to."""
        for number in self._into.get(place, ()):
            start = self._works[number].kind.start
            if start is None or start == place:
                continue
            stores = self.samples(start).stores
            work = self._work(number) if stores else None
            if work is None or work.targets.get(place, False) is False:
                continue
            chosen = stores if len(stores) <= GROWN else self._random.sample(stores, GROWN)
            assert work.solver is not None
            for store in chosen:
                work.solver.push()
                pairs = [(a, b) for a, b in _pairs(self.steps.before, store) if not isinstance(a, bool | int)]
                work.solver.add(work.targets[place], *((term.same if isinstance(b, bool) else term.equal)(a, b) for a, b in pairs))
                if self._answer(work.solver, []) is Answer.YES:
                    self._samples[place].add(_concrete(work.step.after, work.solver.model()))
                work.solver.pop()

    # ------------------------------------------------------------------
    def run(self) -> bool:
        parts = [(one, one.reads) for one in (lemma_of(self.claim, i) for i in self.claim.instances)]
        self._most_sides = max(len(one.sides) for one, _ in parts) + 2
        for place in self._places():
            if self._is_rest(place):
                for fact, names in parts:
                    self._want(fact, place, names, 0)
        while self._stack:
            if time.process_time() > self.until:
                self.why = TOO_HARD
                return False
            goal = self._stack.pop()
            if goal.gone:
                continue
            if not self._show(goal) and goal.fact.claim:
                return False
        return True

    def _places(self) -> list[int]:
        return sorted(self._into)

    def _is_rest(self, index: int) -> bool:
        if index == END:
            return True
        node = self.flow.nodes[index]
        return isinstance(node, Ask | Gather | Draw | Rule) and node.point.rest

    def _want(self, fact: Fact, place: int, names: frozenset[str], depth: int) -> Goal:
        for goal in self._goals.setdefault(place, []):
            if goal.fact.name == fact.name:
                return goal
        goal = Goal(fact, place, names, depth)
        self._shapes[fact.name] = fact, names, 0
        self._goals[place].append(goal)
        self._stack.append(goal)
        return goal

    def _show(self, goal: Goal) -> bool:
        """Whether every step keeps a goal, as far as can be told now."""
        for number in self._into.get(goal.place, ()):
            if number in goal.done:
                continue
            stands = self._kept(number, goal)
            if goal.gone:
                return True
            if stands is None:
                self._drop(goal, self._works[number].kind.text)
                return False
            goal.done[number] = stands
        return True

    def _drop(self, goal: Goal, why: str) -> None:
        self.log(f"    drop {goal.fact.name[:100]} @ {goal.place} by {why}")
        goal.gone = True
        self._bad.add((goal.place, goal.fact.name))
        self._goals[goal.place].remove(goal)
        if goal.fact.claim:
            self.why = self.why or f"not kept by {why}"
        for goals in self._goals.values():
            for other in goals:
                lost = [n for n, on in other.done.items() if id(goal) in on]
                for n in lost:
                    del other.done[n]
                if lost and other not in self._stack:
                    self._stack.append(other)
        self._keep_alive = [*getattr(self, "_keep_alive", []), goal]

    def _kept(self, number: int, goal: Goal) -> frozenset[int] | None:
        work = self._works[number]
        goal.tries[number] = goal.tries.get(number, 0) + 1
        if goal.tries[number] > AGAIN:
            return None
        start = work.kind.start
        if start is not None and not (goal.reads & work.kind.writes) and (start, goal.fact.name) not in self._bad \
                and not self.samples(start).violates(goal.fact):
            return frozenset({id(self._want(goal.fact, start, goal.reads, goal.depth + 1))})
        return self._asked(number, goal)

    # ------------------------------------------------------------------ questions
    def _said(self, fact: Fact, store: Sliced) -> Cond:
        cond = fact.holds(store)
        true = tuple(self._slice.true)
        self._slice.true.clear()
        return term.disj((term.no(term.conj(true)), cond)) if true and False else term.both(cond, *true) if False else (cond, true)  # type: ignore

    def _work(self, number: int) -> _Work:
        work = self._works[number]
        if work.step is None:
            work.step = work.kind.make()
            work.targets = dict(work.step.targets())
            work.solver = Solver(QUESTION)
            work.solver.add(*self.steps.true, *work.step.true, work.step.possible)
        return work

    def _assume(self, work: _Work) -> list[Cond]:
        if work.kind.start is None:
            return []
        here = self._goals.get(work.kind.start, [])
        for goal in here:
            if id(goal) not in work.flags:
                cond, true = self._said(goal.fact, self.steps.before)
                assert work.solver is not None
                work.solver.add(*true)
                work.flags[id(goal)] = work.solver.flag(cond), goal
        return [work.flags[id(goal)][0] for goal in here]

    def _asked(self, number: int, goal: Goal) -> frozenset[int] | None:
        work = self._work(number)
        step, solver = work.step, work.solver
        assert step is not None and solver is not None
        reached = work.targets.get(goal.place, False)
        if step.landing.lost is not False:
            reached = term.disj((reached, step.landing.lost))
        if reached is False:
            return frozenset()
        cond, true = self._said(goal.fact, step.after)
        if cond is True:
            return frozenset()
        solver.push()
        solver.add(reached, term.no(cond), *true)
        whole = term.conj((step.possible, *step.true, reached, term.no(cond), *true))
        pool: dict[str, tuple[int, Any, Cond]] = {}
        self._alive.append(whole)
        limit = -10.0
        try:
            for _ in range(TRIES):
                flags = self._assume_more(work)
                answer = self._answer(solver, [*flags.values(), *(flag for rank, _, flag in pool.values() if rank <= limit)])
                if answer is Answer.NO:
                    return self._stands_on(work, goal, solver, flags, {n: c for n, c in pool.items() if c[0] <= limit})
                if answer is Answer.UNKNOWN:
                    self.log(f"    unknown at {work.kind.text} for {goal.fact.name[:80]}")
                    return None
                if work.kind.start is None:
                    self._learn(None, goal, work, whole, solver.model())
                    return None
                least = self._offer(work, goal, whole, solver, pool)
                if least is None:
                    return None
                limit = max(limit, least)
            return None
        finally:
            solver.pop()

    def _answer(self, solver: Solver, assumed: Sequence[Cond]) -> Answer:
        self._queries += 1
        solver.bound(max(0.01, min(QUESTION, self.until - time.process_time())))
        return solver.ask(*assumed)

    def _stands_on(self, work, goal, solver, flags, pool) -> frozenset[int]:
        ranked = sorted(pool.values(), key=lambda c: c[0])
        for tier in sorted({one[0] for one in ranked}):
            chosen = [one for one in ranked if one[0] <= tier]
            if self._answer(solver, [*flags.values(), *(c[2] for c in chosen)]) is Answer.NO:
                break
        core = solver.core()
        known = [f for f in flags.values() if term.name_of(f) in core]
        chosen = [one for one in ranked if term.name_of(one[2]) in core]
        for one in sorted(chosen, key=lambda c: (-c[0], len(c[1][0].sides))):
            if one not in chosen:
                continue
            rest = [c for c in chosen if c is not one]
            if self._answer(solver, [*known, *(c[2] for c in rest)]) is Answer.NO:
                core = solver.core()
                known = [f for f in known if term.name_of(f) in core]
                chosen = [c for c in rest if term.name_of(c[2]) in core]
        stands = {g for g, f in flags.items() if any(f is k for k in known)}
        for _, (made, names), _ in chosen:
            self.log(f"    want {made.name[:340]} @ {work.kind.start} (depth {goal.depth + 1}) for {goal.fact.name[:60]} @ {goal.place}")
            stands.add(id(self._want(made, work.kind.start, names, goal.depth + 1)))
        return frozenset(stands)

    def _offer(self, work, goal, whole, solver, pool) -> float | None:
        found = None
        for rank, made, names in self._exclude(work, goal, whole, solver.model()):
            if made.name not in pool:
                cond, true = self._said(made, self.steps.before)
                solver.add(*true)
                pool[made.name] = rank, (made, names), solver.flag(cond)
            found = rank if found is None else min(found, rank)
        return found

    def _assume_more(self, work: _Work) -> dict[int, Cond]:
        found: dict[int, Cond] = {}
        if work.kind.start is None:
            return found
        assert work.solver is not None
        for goal in self._goals.get(work.kind.start, []):
            if id(goal) in work.flags:
                found[id(goal)] = work.flags[id(goal)][0]
            else:  # only for this question
                cond, true = self._said(goal.fact, self.steps.before)
                work.solver.add(*true)
                found[id(goal)] = work.solver.flag(cond)
        return found

    def _exclude(self, work: _Work, goal: Goal, whole: Cond, model: Callable[[Any], Any]):
        place = work.kind.start
        needed = self._unknowns.needed(whole, model, self._leaves)
        if needed is None:
            self.log("    no core")
            needed = self._unknowns.of(whole) & self._leaves
        known = _concrete(self.steps.before, model)
        relevant = [f for f in self._features if self._of[f.name] and self._of[f.name] <= needed]
        more = [f for f in self._features if self._of[f.name] & needed and not self._of[f.name] <= needed]
        more = [f for f in more if len(self._of[f.name]) <= 12]
        likely, unlikely = [], []
        there = self.samples(place)
        starts = {self._works[n].kind.start for n in self._into.get(place, ())} if not there.stores else set()
        near = [self.samples(start) for start in starts if start is not None and start != place]
        for name, (fact, names, _) in list(self._shapes.items())[-SHAPES:]:
            if (place, name) not in self._bad and fact.holds(known) is False and not there.violates(fact):
                rank = -2 if fact.claim else -1 if there.stores else 3 if not any(n.violates(fact) for n in near) else 20
                likely.append((rank - len(fact.sides) / 100, fact, names))
        inherited = [side for side in goal.fact.sides if not side.reads & work.kind.writes]
        many = there.outside(inherited)
        if inherited and not many:
            made = lemma(inherited)
            if (place, made.name) not in self._bad:
                likely.append((0 if len(there.stores) >= RARE else 30, made, made.reads))
            many = list(range(len(there.stores)))
        for found in excluding(known, [*relevant, *more], self._members, there, many):
            if found is None:
                if likely:
                    break
                continue
            sure, rank, one = found
            made = lemma([*inherited, Side(one.name, one.holds, one.reads, one)])
            if len(made.sides) > self._most_sides:
                continue
            if (place, made.name) in self._bad:
                continue
            (likely if sure else unlikely).append((rank, made, made.reads))
            if len(likely) >= MOST:
                break
        if DEBUG == place:
            self.log(f"      at {place}: samples {len(there.stores)} outside {len(there.outside(inherited))} inherited {[i.name for i in inherited]} relevant { {f.name: f.at(known) for f in relevant} }")
            for x in goal.fact.sides: self.log(f"   {x.name}: {[x.holds(q) for q in there.stores[:5]]}")
            for r, x, _ in sorted(likely, key=lambda a: a[0])[:12]:
                self.log(f"         {r} {x.name}")
            self.log(f"         unlikely {len(unlikely)}")
        self._slice.true.clear()
        if not likely and not unlikely:
            values = {f.name: f.at(known) for f in relevant}
            self.log(f"    none for {goal.fact.name[-80:]} @ {goal.place} from {place}, needed {values}, samples {len(self.samples(place).stores)}")
            cube = [(f, f.at(known)) for f in relevant]
            inside = [i for i in range(len(self.samples(place).stores)) if all(self.samples(place).of(f)[i] == v for f, v in cube)]
            for i in inside[:6]:
                if self._learn(self.samples(place).stores[i], goal, work, whole, model):
                    break
        return likely or unlikely[:5]

    def _learn(self, store: Sliced | None, goal: Goal, work: _Work, whole: Cond, model: Callable[[Any], Any]) -> bool:
        """The position that a step makes of one that was seen is as good as seen."""
        if store is not None:
            model = self._unknowns.instead(model, list(_pairs(self.steps.before, store)))
            if model(whole) is not True:
                return False
        made = _concrete(work.step.after, model)
        self.samples(goal.place).add(made)
        for other in [g for g in self._goals.get(goal.place, ()) if g is not goal and g.fact.holds(made) is False]:
            self._drop(other, f"{work.kind.text} (seen)")
        self._slice.true.clear()
        return True


def _pairs(before: Sliced, store: Sliced):
    from referee.symbolic.groups import Tally
    for one, other in zip(before.entries, store.entries, strict=True):
        match one:
            case Opt():
                yield one.has, other.has
                yield one.value, other.value
            case Bits():
                yield from ((b, other.has(i)) for i, b in one.members())
            case Counts():
                yield from zip(one.counts, other.counts, strict=True)
            case None:
                pass
            case _:
                yield one, other
    for index, tally in before.tallies.items():
        yield from zip(tally.counts, store.tallies[index].counts, strict=True)
    if before.slice.groups.focus is not None:
        yield before.slice.groups.focus, store.slice.groups.focus


def _leaves(store: Sliced, unknowns: Unknowns):
    for entry in (*store.entries, *(c for t in store.tallies.values() for c in t.counts)):
        match entry:
            case Opt():
                parts = [entry.has, entry.value]
            case Bits():
                parts = list(entry.bits)
            case Counts():
                parts = list(entry.counts)
            case None:
                parts = []
            case _:
                parts = [entry]
        for p in parts:
            if not isinstance(p, (bool, int)):
                yield from unknowns.of(p)
    if store.slice.groups.focus is not None and not isinstance(store.slice.groups.focus, int):
        yield from unknowns.of(store.slice.groups.focus)


def _concrete(store: Sliced, model: Callable[[Any], Any]) -> Sliced:
    from referee.symbolic.groups import Tally
    def known(entry: Any) -> Any:
        match entry:
            case Opt():
                return Opt(model(entry.has), model(entry.value))
            case Bits():
                return Bits(entry.lo, tuple(bool(model(b)) for b in entry.bits))
            case Counts():
                return Counts(entry.lo, tuple(model(c) for c in entry.counts))
            case None:
                return None
            case _:
                return model(entry)
    focus = store.slice.groups.focus
    slice_ = store.slice if focus is None else store.slice.at(model(focus))
    return Sliced(slice_, [known(e) for e in store.entries],
                  {i: Tally(tuple(model(c) for c in t.counts)) for i, t in store.tallies.items()})
