"""Questions about one known position, answered by Z3: what is legal, what becomes of it, what holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, assert_never

import z3

from referee.core.expr import Expr
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, PointNode, Rule, Run
from referee.core.ruleset import WINNERS
from referee.core.types import Value
from referee.diagnostics.source import phrase
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.state import Ended, Failed, Layout, Slot, State, Step, Stopped
from referee.smt import value
from referee.smt.concolic.concolic_course import ConcolicCourse, fitting
from referee.smt.concolic.guide import Guide
from referee.smt.concolic.guided_execution import decoded, guided
from referee.smt.concolic.position_conditions import KindPlaces, Test
from referee.smt.concolic.unknown_positions import Unknowns, UnknownStore, Veil
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.incremental_solver import Asker
from referee.smt.semantics.context import NOT_ONE, Context, ErrorCondition
from referee.smt.semantics.step_semantics import Landing
from referee.smt.undecided import Undecided
from referee.smt.value import Sym, Unencodable
from referee.system.deadline import NEVER, Stopwatch

_T = TypeVar("_T")
MOST_HELD = 20_000
"""Contents of places that are remembered, at most."""
_SAID = {
    "RT01": "something leaves its range", "RT02": "what is to be moved is not there", "RT03": "there is no room",
    "RT05": "exactly one is needed", "RT06": "it goes on for too long", "RT07": "what must hold always does not",
}


class NoValue(Exception):
    """An expression without a value: the rules are in error there."""

    def __init__(self, failure: ErrorCondition) -> None:
        super().__init__(_SAID.get(failure.code, failure.code))
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Taking:
    """What a legal event takes: an alternative with its parameters; None and the choice for a ruling."""

    alternative: Alternative | None
    args: Mapping[str, Sym]


@dataclass
class QuestionCount:
    """What was asked so far: questions, unknowns that were given values, conditions that were decided."""

    questions: int = 0
    unknowns: int = 0
    decided: int = 0
    seconds: float = 0.0


class Answers:
    """Answers questions about positions of a flow. `until`: when to give up.

    Every method may raise `Undecided`, and `Unstated` where a value that nobody stated decides.
    """

    def __init__(self, flow: Flow, layout: Layout | None = None) -> None:
        self.flow = flow
        self.course = ConcolicCourse(flow, layout)
        self.layout: Layout = self.course.layout
        self.until = NEVER
        self.effort = QuestionCount()
        self._asker = Asker()
        self._unknowns = Unknowns(self.layout)
        self._tested: dict[Test, tuple[dict[int, Slot], bool]] = {}
        self._held: dict[tuple[KindPlaces, int, Slot], list[tuple[int, int]]] = {}

    # ------------------------------------------------------------------ questions
    def _asked(self, slots: Sequence[Slot], question: Callable[[UnknownStore], _T]) -> _T:
        watch, guide = Stopwatch(), Guide(self.until, self._asker)
        store = UnknownStore(self.layout, Veil(self._unknowns, slots, guide))
        try:
            return question(store)
        except (Unencodable, RecursionError, AssertionError, z3.Z3Exception) as error:
            raise Undecided(f"this cannot be encoded: {error}") from error
        finally:
            unknowns, decided = guide.size
            self.effort.questions += 1
            self.effort.unknowns += unknowns
            self.effort.decided += decided
            self.effort.seconds += watch.seconds

    def who(self, state: State) -> frozenset[int]:
        """Who can act at a position."""
        return self._asked(state.slots, lambda store: self._confirmed(store, self._who(store, state)))

    def _who(self, store: UnknownStore, state: State) -> frozenset[int]:
        node = self.point(state.at)
        match node:
            case Ask():
                context = guided(store)
                by = Evaluator(context).key(node.actor)
                _raise(context)
                assert isinstance(by, int)
                return frozenset((by,))
            case Gather():
                pending = self.course.pending(store, node)
                return frozenset(i for i, bit in pending.members() if store.guide.cond(bit))
            case Draw():
                return frozenset((FATE,))
            case Rule():
                return frozenset((TABLE,))
            case _:
                assert_never(node)

    def point(self, at: int) -> PointNode:
        """The point at a node. `TypeError` if there is none."""
        node = self.flow.nodes[at]
        match node:
            case Ask() | Gather() | Draw() | Rule():
                return node
            case Run() | Fork():
                raise TypeError(f"nobody is asked at node {at}")
            case _:
                assert_never(node)

    def labels(self, state: State, by: int) -> tuple[str, ...]:
        """What somebody is offered at a position, by label."""
        node = self.point(state.at)

        def asked(store: UnknownStore) -> tuple[str, ...]:
            return self._confirmed(store, tuple(one.label for one in self._alternatives(store, node, by)))

        return self._asked(state.slots, asked)

    def legal(self, state: State, event: Event) -> Taking | None:
        """What a legal event takes; None for an event that is not legal."""
        return self._asked(state.slots, lambda store: self._legal(store, state, event))

    def _legal(self, store: UnknownStore, state: State, event: Event) -> Taking | None:
        node = self.point(state.at)
        if event.by not in self._who(store, state):
            return self._confirmed(store, None)
        match node:
            case Rule():
                choice, found = dict(event.args).get(CHOICE), self._candidates(store, node)
                fits = event.label == node.point.name and len(event.args) == 1 and choice in found
                ruled = Taking(None, {CHOICE: value.of(node.type, choice)}) if fits and node.type is not None else None
                return self._confirmed(store, ruled)
            case Ask() | Gather() | Draw():
                return self._taking(store, node, event)
            case _:
                assert_never(node)

    def _taking(self, store: UnknownStore, node: Ask | Gather | Draw, event: Event) -> Taking | None:
        for alternative in self._offered(store, node, event):
            args = self._fits(store, alternative, event)
            if args is not None:
                return Taking(alternative, args)
        return self._confirmed(store, None)

    def _alternatives(self, store: UnknownStore, node: PointNode, by: int) -> tuple[Alternative, ...]:
        match node:
            case Ask():
                return node.alternatives
            case Draw():
                return (node.alternative,)
            case Gather():
                evaluate = Evaluator(guided(store))
                return tuple(one for actors, one in node.parts if by in _set(store, evaluate, actors))
            case Rule():
                return ()
            case _:
                assert_never(node)

    def _offered(self, store: UnknownStore, node: PointNode, event: Event) -> Iterator[Alternative]:
        given = {arg for arg, _ in event.args}
        for one in self._alternatives(store, node, event.by):
            if one.label == event.label and {p.arg for p in one.params if p.arg is not None} == given:
                yield one

    def _fits(self, store: UnknownStore, alternative: Alternative, event: Event) -> Mapping[str, Sym] | None:
        """The parameters of an event that takes an alternative: the solver is asked whether it may be taken."""
        given = dict(event.args)
        if any(param.arg is None for param in alternative.params):
            args = next(self.course.taken(store, alternative, event.by, given), None)
            return self._confirmed(store, args)
        known = {p.name: fitting(p, given[p.arg]) for p in alternative.params if p.arg is not None}
        sure = {name: one for name, one in known.items() if one is not None}
        if len(sure) < len(known):
            return None
        legal = self.course.legal(store, alternative, event.by, sure)
        store.guide.leaf(legal)  # what nobody stated may have a say in it
        return sure if store.guide.possible(legal) else None

    def _candidates(self, store: UnknownStore, node: Rule) -> list[int]:
        context = guided(store)
        found = self.course.candidates(node, Evaluator(context))
        _raise(context)
        return found

    def candidates(self, state: State) -> tuple[int, ...]:
        """What the table can choose from at a position."""
        node = self.point(state.at)
        assert isinstance(node, Rule)
        return self._asked(state.slots, lambda store: self._confirmed(store, tuple(self._candidates(store, node))))

    def silent(self, state: State) -> Event | None:
        """The legal event that a log may leave out here, if there is one."""
        node = self.point(state.at)
        match node:
            case Ask():
                silent = [one for one in node.alternatives if one.silent]
            case Gather() | Draw() | Rule():
                return None
            case _:
                assert_never(node)

        def asked(store: UnknownStore) -> Event | None:
            (by,) = self._who(store, state)
            for alternative in silent:
                for args in self.course.taken(store, alternative, by, {}):
                    logged = [(p.arg, args[p.name]) for p in alternative.params if p.arg is not None]
                    return Event(by, alternative.label, tuple((arg, _plain(one)) for arg, one in logged))
            return None

        return self._asked(state.slots, lambda store: self._confirmed(store, asked(store))) if silent else None

    # ------------------------------------------------------------------ steps
    def begin(self, slots: Sequence[Slot], test_arrival: bool) -> Step:
        """The first point of a game that begins with these entries."""
        self.course.test_arrival = test_arrival
        return self._asked(slots, lambda store: self._landed(self.course.start(store), None))

    def after(self, state: State, event: Event, taking: Taking, test_arrival: bool) -> Step:
        """The next point after a legal event."""
        self.course.test_arrival = test_arrival
        return self._asked(state.slots, lambda store: self._landed(self._step(store, state, event, taking), state))

    def _step(self, store: UnknownStore, state: State, event: Event, taking: Taking) -> Landing[UnknownStore]:
        node = self.point(state.at)
        match node:
            case Rule():
                return self.course.rule(store, node, taking.args[CHOICE])
            case Gather():
                assert taking.alternative is not None
                return self.course.commit(store, node, taking.alternative, event.by, taking.args, state.at)
            case Ask() | Draw():
                assert taking.alternative is not None
                return self.course.take(store, taking.alternative, event.by, taking.args)
            case _:
                assert_never(node)

    def arrive(self, state: State) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        node = self.point(state.at)
        match node:
            case Ask():
                return self.go_on(state, state)
            case Gather() | Draw() | Rule():
                return state
            case _:
                assert_never(node)

    def go_on(self, state: State, since: State | None) -> Step:
        """Where the game really waits, if it has come to a point. `since`: the last point passed."""
        self.course.test_arrival = True
        return self._asked(state.slots, lambda store: self._landed(self.course.go_on(state.at, store), since))

    def _landed(self, landing: Landing[UnknownStore], since: State | None) -> Step:
        store = landing.store
        assert isinstance(store, UnknownStore)
        failures = [one for one in landing.failures if store.guide.leaf(one.when)]
        if failures:
            code, span = failures[0].code, failures[0].span
            words = phrase(self.layout.core.texts, span) if code == NOT_ONE else ""
            return self._confirmed(store, Failed(code, f"{words}{_SAID.get(code, 'an error')}", span, since))
        slots = store.slots()
        if landing.over is not False:
            return self._confirmed(store, self._ended(slots))
        for at, cond in landing.stops.items():
            if store.guide.leaf(cond):
                return self._confirmed(store, self._stopped(State(at, slots)))
        for at, cond in landing.at.items():
            if store.guide.leaf(cond):
                return self._confirmed(store, State(at, slots))
        raise Undecided("the step leads nowhere")

    def _ended(self, slots: tuple[Slot, ...]) -> Ended:
        at = next(i for i, node in enumerate(self.flow.nodes) if isinstance(node, Run))
        won = slots[self.layout.vars[WINNERS].base]
        assert isinstance(won, frozenset)
        return Ended(State(at, slots), won)

    def _stopped(self, state: State) -> Stopped:
        node = self.point(state.at)
        match node:
            case Rule():
                why = node.question
            case Draw():
                why = "fate has nothing to choose from"
            case Gather():
                why = "nothing is possible for a player, and the rules do not say what then"
            case Ask():
                why = "nothing is possible, and the rules do not say what then"
            case _:
                assert_never(node)
        return Stopped(state, node.point, why)

    # ------------------------------------------------------------------ what holds
    def holds(self, state: State, test: Test) -> bool:
        """Whether a condition holds at a position. Where nothing that it read has changed, it is not asked again."""
        known = self._tested.get(test)
        if known is not None and all(state.slots[index] == slot for index, slot in known[0].items()):
            return known[1]

        def asked(store: UnknownStore) -> tuple[dict[int, Slot], bool]:
            found = bool(store.guide.leaf(test(store)))
            return self._confirmed(store, (store.veil.read, found))

        self._tested[test] = self._asked(state.slots, asked)
        return self._tested[test][1]

    def all_there(self, state: State, kind: KindPlaces) -> bool:
        """Whether every component of a kind lies somewhere, once. How many lie in a place is asked once for each
        content that it has had."""
        totals = dict.fromkeys(kind.numbers, 0)
        for index in kind.entries:
            key = kind, index, state.slots[index]
            if key not in self._held:
                if len(self._held) >= MOST_HELD:
                    self._held.clear()
                self._held[key] = self._asked(state.slots, lambda store, at=index: self._there(store, kind, at))  # type: ignore[misc]
            for c, number in self._held[key]:
                totals[c] += number
        return totals == kind.numbers

    def _there(self, store: UnknownStore, kind: KindPlaces, index: int) -> list[tuple[int, int]]:
        numbers = [(c, store.guide.number(number)) for c, number in kind.held(store, index)]
        return self._confirmed(store, [(c, number) for c, number in numbers if number])

    def value(self, state: State, expr: Expr, names: Mapping[str, int] | None = None) -> Value:
        """The value of an expression at a position; `names` binds locals. Raises `NoValue`."""

        def asked(store: UnknownStore) -> Value:
            context = guided(store, names)
            found = decoded(store, Evaluator(context), expr)
            self._confirmed(store, None)
            _raise(context)
            return found

        return self._asked(state.slots, asked)

    def _confirmed(self, store: UnknownStore, answer: _T) -> _T:
        """An answer, once the solver has confirmed every condition that it rests on."""
        if not store.guide.possible():
            raise Undecided("the solver contradicts its own evaluation")
        return answer


def _raise(context: Context[UnknownStore]) -> None:
    if context.failures:
        raise NoValue(context.failures[0])


def _set(store: UnknownStore, evaluate: Evaluator, expr: Expr) -> frozenset[int]:
    found = decoded(store, evaluate, expr)
    assert isinstance(found, frozenset)
    return found


def _plain(found: Sym) -> Value:
    if isinstance(found, int):
        return found
    assert isinstance(found, value.Counts)
    return tuple(i for i, n in found.members() for _ in range(n if isinstance(n, int) else 0))

