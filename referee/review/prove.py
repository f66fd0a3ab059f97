"""Proofs by induction: facts at points that every step keeps; and games that refute, found by play.

A set of facts is guessed for each point (the declared invariants at rest points, and whatever was seen in random
games), and facts that some step breaks are given up until none is (Houdini: Flanagan and Leino 2001). What is left
holds in every game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, Rule
from referee.engine.play import play_out
from referee.engine.start import start
from referee.engine.walker import Walker
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.review.facts import END, Fact, declared, guessed, visited
from referee.symbolic import store as stores
from referee.symbolic import term, value
from referee.symbolic.evaluate import Context, Evaluator
from referee.symbolic.solver import Answer, Solver
from referee.symbolic.step import Landing, Stepper
from referee.symbolic.store import Store
from referee.symbolic.term import Cond
from referee.symbolic.value import Sym, Unencodable

GAMES, EVENTS = 40, 400
QUESTION = 20.0


class Outcome(Enum):
    """What is known of an invariant."""

    PROVED = "proved"
    BY_TYPE = "by type"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Proof:
    """An invariant and what is known of it. `game`: events that refute it; `reason`: why nothing is known."""

    name: str
    outcome: Outcome
    game: tuple[Event, ...] = ()
    setting: Setting | None = None
    reason: str = ""


@dataclass(frozen=True)
class Step:
    """A kind of step: from a point (None: set-up), where it is possible, and where it leads."""

    start: int | None
    possible: Cond
    landing: Landing
    text: str


def prove(
    flow: Flow, players: tuple[str, ...], seconds: float = 60.0, progress: Callable[[str], None] = lambda _: None
) -> list[Proof]:
    """What is known of each invariant and zone limit of a flow, with any parameters, givens and readings."""
    walker = Walker(flow)
    setting = Setting(players)
    facts = declared(walker)
    names = list(dict.fromkeys(f.declared for f in facts if f.declared is not None))
    refuted = _refuted(walker, setting, progress)
    left = [n for n in names if n not in refuted]
    proofs = {n: Proof(n, Outcome.REFUTED, *refuted[n]) for n in refuted}
    if left:
        proofs |= _proved(walker, setting, [f for f in facts if f.declared in left], left, seconds, progress)
    return [proofs[n] for n in names]


# ---------------------------------------------------------------------- games that refute
def _refuted(
    walker: Walker, setting: Setting, progress: Callable[[str], None]
) -> dict[str, tuple[tuple[Event, ...], Setting]]:
    """Invariants that random games break, each with the shortest game seen."""
    found: dict[str, tuple[tuple[Event, ...], Setting]] = {}
    for seed in range(GAMES):
        progress(f"playing {seed + 1} of {GAMES}")
        game = play_out(walker, setting, seed, EVENTS)
        for name, events in _broken(walker, game.setting, game.events):
            if name not in found or len(events) < len(found[name][0]):
                found[name] = (events, game.setting)
    return found


def _broken(walker: Walker, setting: Setting, events: Sequence[Event]) -> Iterator[tuple[str, tuple[Event, ...]]]:
    step = walker.begin(setting)
    told: set[str] = set()
    for i in range(len(events) + 1):
        state = step if isinstance(step, State) else getattr(step, "state", None)
        if not isinstance(state, State):
            return
        for broken in walker.broken(state):
            if broken.name not in told:
                told.add(broken.name)
                yield broken.name, tuple(events[:i])
        if i < len(events) and isinstance(step, State):
            step = walker.advance(step, events[i])


# ---------------------------------------------------------------------- induction
def _proved(
    walker: Walker,
    setting: Setting,
    facts: list[Fact],
    names: list[str],
    seconds: float,
    progress: Callable[[str], None],
) -> dict[str, Proof]:
    induction = _Induction(walker, setting, facts, time.monotonic() + seconds, progress)
    by_type = {n for n in names if all(induction.by_type(f) for f in facts if f.declared == n)}
    if len(by_type) == len(names):
        return {n: Proof(n, Outcome.BY_TYPE) for n in names}
    try:
        standing = induction.run()
    except Unencodable as reason:
        return {n: Proof(n, Outcome.UNKNOWN, reason=str(reason)) for n in names}
    found = {}
    for name in names:
        if name in by_type:
            found[name] = Proof(name, Outcome.BY_TYPE)
        elif name in standing:
            found[name] = Proof(name, Outcome.PROVED)
        else:
            found[name] = Proof(name, Outcome.UNKNOWN, reason=induction.reason(name))
    return found


class _Induction:
    """Facts at points, given up one by one until every step keeps the rest."""

    def __init__(
        self, walker: Walker, setting: Setting, facts: list[Fact], until: float, progress: Callable[[str], None]
    ) -> None:
        self._walker, self._setting, self._until, self._progress = walker, setting, until, progress
        self._stepper = Stepper(walker.flow)
        self._facts = facts
        self._any, self._sound = stores.unknown(self._stepper.layout, "s")
        self._held: dict[int, list[Fact]] = {}
        self._given_up: dict[str, str] = {}

    def by_type(self, fact: Fact) -> bool:
        """True if a fact holds of whatever the types allow."""
        solver = Solver(QUESTION)
        solver.add(self._sound, term.no(fact.holds(self._any)))
        return solver.ask() is Answer.NO

    def reason(self, name: str) -> str:
        """Why an invariant was given up."""
        return self._given_up.get(name, "not kept by some step from a position that may be out of reach")

    def run(self) -> set[str]:
        """The declared facts that hold in every game."""
        self._guess()
        steps = list(self._steps())
        waiting = list(steps)
        while waiting:
            step = waiting.pop(0)
            self._progress(f"{step.text}, {len(waiting)} waiting")
            changed = self._kept(step)
            waiting.extend(s for s in steps if s.start in changed and s not in waiting)
        rest = [p for p in self._held if p == END or self._node(p).point.rest]
        surviving = [{f.name for f in self._held[p] if f.declared is not None} for p in rest]
        wanted = {f.declared: {g.name for g in self._facts if g.declared == f.declared} for f in self._facts}
        return {n for n, parts in wanted.items() if n is not None and all(parts <= s for s in surviving)}

    def _node(self, index: int) -> Ask | Gather | Draw | Rule:
        node = self._walker.flow.nodes[index]
        assert isinstance(node, Ask | Gather | Draw | Rule)
        return node

    def _guess(self) -> None:
        met = visited(self._walker, self._setting, GAMES, EVENTS)
        points = [i for i, n in enumerate(self._walker.flow.nodes) if isinstance(n, Ask | Gather | Draw | Rule)]
        for point in [*points, END]:
            likely = list(guessed(self._stepper.layout, met[point])) if point in met else [_NEVER]
            self._held[point] = [*self._facts, *likely]

    # ------------------------------------------------------------------ steps
    def _steps(self) -> Iterator[Step]:
        yield self._set_up()
        for index, node in enumerate(self._walker.flow.nodes):
            match node:
                case Ask():
                    by = _asked(self._any, node)
                    for alternative in node.alternatives:
                        yield self._taken(index, node.point.name, alternative, by)
                case Draw():
                    yield self._taken(index, node.point.name, node.alternative, None)
                case Gather():
                    yield from self._commits(index, node)
                case Rule():
                    if node.type is not None and node.candidates is not None:
                        choice = value.unknown(node.type, f"choice {index}")
                        offered = _offered(self._any, node, choice)
                        yield Step(index, offered, self._stepper.rule(self._any, node, choice), node.point.name)
                case _:
                    continue

    def _set_up(self) -> Step:
        slots = start(self._walker.layout, self._setting)
        begun = stores.of_state(self._stepper.layout, State(0, tuple(slots)))
        for var in self._stepper.layout.defs.values():
            if stores.open_roles(var):
                spread = self._stepper.layout.vars[var.name]
                for index in range(spread.base, spread.base + spread.count):
                    begun.entries[index] = self._any.entries[index]
        return Step(None, True, self._stepper.start(begun), "set-up")

    def _taken(self, index: int, name: str, alternative: Alternative, by: term.Num | None) -> Step:
        args: dict[str, Sym] = {p.name: value.unknown(p.type, f"{index} {p.name}") for p in alternative.params}
        typed = term.conj(value.typed(p.type, args[p.name]) for p in alternative.params)
        legal = self._stepper.legal(self._any, alternative, by, args)
        landing = self._stepper.take(self._any, alternative, by, args)
        return Step(index, term.both(typed, legal), landing, f"{name}: {alternative.label}")

    def _commits(self, index: int, node: Gather) -> Iterator[Step]:
        pending = self._stepper.pending(self._any, node)
        for number, (_, alternative) in enumerate(node.parts):
            for by in range(self._walker.core.seats.number):
                names = {p.name: value.unknown(p.type, f"{index} {number} {by} {p.name}") for p in alternative.params}
                typed = term.conj(value.typed(p.type, names[p.name]) for p in alternative.params)
                legal = self._stepper.legal(self._any, alternative, by, names)
                landing = self._stepper.commit(self._any, node, alternative, by, names, index)
                possible = term.both(pending.has(by), typed, legal)
                yield Step(index, possible, landing, f"{node.point.name}: {alternative.label} by {by}")

    # ------------------------------------------------------------------ questions
    def _kept(self, step: Step) -> set[int]:
        """Gives up what a step does not keep; the points at which something was given up."""
        landing = step.landing
        targets = {**landing.at, END: landing.over}
        changed: set[int] = set()
        solver = Solver(min(QUESTION, max(0.1, self._until - time.monotonic())))
        solver.add(self._sound, step.possible)
        if step.start is not None:
            solver.add(*(f.holds(self._any) for f in self._held[step.start]))
        for point, reached in targets.items():
            if reached is not False and self._at(
                point, term.both(reached, term.no(landing.lost)), landing, solver, step
            ):
                changed.add(point)
        return changed

    def _at(self, point: int, reached: Cond, landing: Landing, solver: Solver, step: Step) -> bool:
        """Gives up what does not hold where a step leads to one point; true if anything was."""
        conds = [(f, f.holds(landing.store)) for f in self._held[point]]
        given_up = False
        while conds:
            solver.push()
            solver.add(reached, term.disj(term.no(c) for _, c in conds))
            answer = solver.ask() if time.monotonic() < self._until else Answer.UNKNOWN
            if answer is Answer.NO:
                solver.pop()
                break
            broken = self._broken_in(conds, solver, answer)
            solver.pop()
            for fact in broken:
                if fact.declared is not None:
                    why = "too hard in the time given" if answer is Answer.UNKNOWN else f"not kept by {step.text}"
                    self._given_up.setdefault(fact.declared, why)
            conds = [(f, c) for f, c in conds if f not in broken]
            self._held[point] = [f for f in self._held[point] if f not in broken]
            given_up = True
        return given_up

    def _broken_in(self, conds: list[tuple[Fact, Cond]], solver: Solver, answer: Answer) -> list[Fact]:
        """The facts that a model breaks; without an answer, the guessed ones first, then all."""
        if answer is Answer.UNKNOWN:
            guessed = [f for f, _ in conds if f.declared is None]
            return guessed or [f for f, _ in conds]
        model = solver.model()
        return [f for f, c in conds if not model(c)]


_NEVER = Fact("never here", lambda _: False)


def _asked(any_: Store, node: Ask) -> term.Num:
    """Who is asked at a decision."""
    return Evaluator(Context(any_)).number(node.actor)


def _offered(any_: Store, node: Rule, choice: Sym) -> Cond:
    """Whether a candidate is one that the table may choose."""
    assert node.candidates is not None
    members = Evaluator(Context(any_)).members(node.candidates, True)
    return term.disj(term.both(m.there, value.equal(m.value, choice)) for m in members)
