"""Steps in a position whose unknowns have values: one way from point to point, and what is possible on arrival."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, PointNode, Rule, Run
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Guard, Param
from referee.core.types import Elem, Int, Many, Value
from referee.game.state import Layout
from referee.smt import value
from referee.smt.concolic.guide import Guide
from referee.smt.concolic.guided_execution import guided
from referee.smt.concolic.unknown_positions import UnknownStore
from referee.smt.encoding import offered_values as offered
from referee.smt.encoding.multiset_terms import taken_of
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.encoding.term_execution import Performer
from referee.smt.semantics.context import ROUNDS, Context
from referee.smt.semantics.expression_semantics import Interpreter
from referee.smt.semantics.statement_semantics import Executor
from referee.smt.semantics.step_semantics import FlowFollower, Landing
from referee.smt.semantics.term_position import TermPosition
from referee.smt.term import Cond
from referee.smt.value import Bits, Sym, Unencodable

MOST_NODES = 100_000
"""So many nodes may be passed from one point to the next."""
MOST_TRIED = 20_000
"""Values that are tried for one question, at most."""
Values = Mapping[str, Value]


class ConcolicCourse(FlowFollower[UnknownStore, Evaluator]):
    """Follows the steps of a flow in positions with unknowns. `test_arrival`: is it tested that somebody can act?"""

    def __init__(self, flow: Flow, layout: Layout | None = None) -> None:
        super().__init__(flow, layout or Layout(flow))
        self.test_arrival = True
        self._watched = tuple(one for one in flow.core.invariants if one.everywhere)
        self._stages: dict[int, tuple[tuple[Guard, ...], ...]] = {}

    def performer(self, store: UnknownStore) -> Performer[UnknownStore]:
        return Performer(guided(store), self._watched)

    def context(self, store: UnknownStore) -> Context[UnknownStore]:
        return guided(store)

    def evaluator(self, context: Context[UnknownStore]) -> Evaluator:
        return Evaluator(context)

    def allowed(self, param: Param, given: Sym, evaluate: Evaluator) -> Cond:
        return offered.allowed(param, given, evaluate)

    # ------------------------------------------------------------------ what is possible
    def taken(
        self, store: UnknownStore, alternative: Alternative, by: int | None, given: Values
    ) -> Iterator[dict[str, Sym]]:
        """Every way to take an alternative with the arguments given (by name in the log); of others, all in order."""
        context = guided(store)
        env = self.entered(alternative, by, Evaluator(context))
        return iter(()) if context.failures else self._bound(store, alternative, env, 0, given)

    def _bound(self, store: UnknownStore, alternative: Alternative, env: dict[str, Sym], index: int, given: Values
               ) -> Iterator[dict[str, Sym]]:
        if not all(self._holds(store, env, guard) for guard in self._staged(alternative)[index]):
            return
        if index == len(alternative.params):
            yield {param.name: env[param.name] for param in alternative.params}
            return
        param = alternative.params[index]
        for one in self._values(store, env, param, given):
            yield from self._bound(store, alternative, {**env, param.name: one}, index + 1, given)

    def _values(self, store: UnknownStore, env: dict[str, Sym], param: Param, given: Values) -> Iterator[Sym]:
        """The values of a parameter that its source offers, each once."""
        context = guided(store, env)
        evaluate = Evaluator(context)
        if param.arg is not None and param.arg in given:
            one = fitting(param, given[param.arg])
            if one is not None and store.guide.cond(self.allowed(param, one, evaluate)) and not context.failures:
                yield one
            return
        for number, found in enumerate(self._offered(param, evaluate, store.guide)):
            if number >= MOST_TRIED:
                raise Unencodable(f"{param.name}: more than {MOST_TRIED} ways to choose")
            if context.failures:
                return
            yield value.of(param.type, found)

    def _offered(self, param: Param, evaluate: Evaluator, guide: Guide) -> Iterator[Value]:
        match param.type:
            case Many():
                return taken_of(param, evaluate, guide)
            case Int() | Elem():
                found = [member.value for member in evaluate.members(param.source, True)]
                return iter(dict.fromkeys(one for one in found if isinstance(one, int)))
            case _:
                assert_never(param.type)

    def _staged(self, alternative: Alternative) -> tuple[tuple[Guard, ...], ...]:
        """The guards by how many parameters have to be bound before they can be tested; in their order."""
        known = self._stages.get(id(alternative))
        if known is None:
            stages: list[list[Guard]] = [[] for _ in range(len(alternative.params) + 1)]
            reached = 0
            for guard in alternative.guards:
                read = locals_of(guard.cond)
                reached = max([reached, *(i + 1 for i, p in enumerate(alternative.params) if p.name in read)])
                stages[reached].append(guard)
            known = self._stages[id(alternative)] = tuple(map(tuple, stages))
        return known

    def _holds(self, store: UnknownStore, env: dict[str, Sym], guard: Guard) -> bool:
        """Whether a guard holds; one in error does not."""
        context = guided(store, env)
        return store.guide.cond(Evaluator(context).condition(guard.cond)) and not context.failures

    # ------------------------------------------------------------------ the course
    def follow(self, start: int, performer: Executor[UnknownStore]) -> Landing[UnknownStore]:
        landing = Landing(performer.context.store)
        at: int | None = start if performer.context.path is True else None
        for _ in range(MOST_NODES):
            if at is None or performer.going() is False:
                break
            at = self._next(at, performer, landing)
        else:
            performer.context.fail(True, ROUNDS, None)
        landing.over, landing.failures = performer.over, performer.context.failures
        return landing

    def go_on(self, start: int, store: UnknownStore) -> Landing[UnknownStore]:
        """What becomes of a position from a node on."""
        return self.follow(start, self.performer(store.copy()))

    def _next(self, at: int, performer: Executor[UnknownStore], landing: Landing[UnknownStore]) -> int | None:
        """Carries out a node; the node to go on at, None if the step ends here."""
        node = self.flow.nodes[at]
        match node:
            case Run():
                performer.block(node.body)
                return node.next
            case Fork():
                cond = performer.evaluate.condition(node.cond)
                return node.yes if performer.context.store.guide.cond(cond) else node.no
            case Ask() | Gather() | Draw() | Rule():
                performer.context.env = {}
                return self._arrival(at, node, performer, landing)
            case _:
                assert_never(node)

    def _arrival(
        self, at: int, node: PointNode, performer: Executor[UnknownStore], landing: Landing[UnknownStore]
    ) -> int | None:
        """Where the game goes on from a point without asking; None if it rests or stops there, or fails."""
        match node:
            case Ask():
                return self._at_ask(at, node, performer, landing)
            case Gather():
                return self._at_gather(at, node, performer, landing)
            case Draw():
                ways = self._ways(performer, [node.alternative], None, 2 if node.point.automatic else 1)
                return self._alone(at, ways, node.point.automatic, None, performer, landing)
            case Rule():
                return self._at_rule(at, node, performer, landing)
            case _:
                assert_never(node)

    def _ways(self, performer: Executor[UnknownStore], offered: list[Alternative], by: int | None, most: int
              ) -> list[tuple[Alternative, dict[str, Sym]]]:
        store = performer.context.store
        every = ((one, args) for one in offered for args in self.taken(store, one, by, {}))
        return list(islice(every, most))

    def _alone(self, at: int, ways: list[tuple[Alternative, dict[str, Sym]]], automatic: bool, by: int | None,
               performer: Executor[UnknownStore], landing: Landing[UnknownStore]) -> int | None:
        """Rests at a point; stops if nothing is possible there; goes on if one thing is that goes without saying."""
        if automatic and len(ways) == 1:
            self.enter(performer, ways[0][0], by, ways[0][1], [])
            return ways[0][0].next
        (landing.at if ways else landing.stops)[at] = True
        return None

    def _at_ask(
        self, at: int, node: Ask, performer: Executor[UnknownStore], landing: Landing[UnknownStore]
    ) -> int | None:
        by = performer.evaluate.key(node.actor)
        if performer.going() is False:
            return None
        assert isinstance(by, int)
        if not self.test_arrival and node.otherwise is None and not node.point.automatic:
            landing.at[at] = True
            return None
        ways = self._ways(performer, list(node.alternatives), by, 2 if node.point.automatic else 1)
        if not ways and node.otherwise is not None:
            return node.otherwise
        return self._alone(at, ways, node.point.automatic, by, performer, landing)

    def _at_gather(
        self, at: int, node: Gather, performer: Executor[UnknownStore], landing: Landing[UnknownStore]
    ) -> int | None:
        guide = performer.context.store.guide
        asked = [performer.evaluate(actors) for actors, _ in node.parts]
        groups = [[guide.cond(g.has(i)) for i in range(self.layout.core.seats.number)] for g in asked
                  if isinstance(g, Bits)]
        pending = [i for i in range(self.layout.core.seats.number) if any(g[i] for g in groups)]
        bits = tuple(i in pending for i in range(self.layout.core.seats.number))
        self.keep(performer, node.pending, [], Bits(0, bits))
        if not pending or performer.going() is False:
            return node.next
        found = []
        for by in pending:
            offered = [one for (_, one), g in zip(node.parts, groups, strict=True) if g[by]]
            found.append((by, self._ways(performer, offered, by, 2)))
        if not all(ways for _, ways in found):
            landing.stops[at] = True
            return None
        if not node.point.automatic or any(len(ways) > 1 for _, ways in found):
            landing.at[at] = True
            return None
        for by, ways in found:
            self.enter(performer, ways[0][0], by, ways[0][1], [by])
        self.keep(performer, node.pending, [], Bits(0, (False,) * len(bits)))
        return node.next

    def _at_rule(
        self, at: int, node: Rule, performer: Executor[UnknownStore], landing: Landing[UnknownStore]
    ) -> int | None:
        found = self.candidates(node, performer.evaluate)
        if performer.going() is False:
            return None
        ruled = performer.context.store.veil.ruling(node.point.name)
        chosen = found[0] if len(found) == 1 else ruled if ruled in found else None
        if chosen is None:
            (landing.at if found else landing.stops)[at] = True
            return None
        if node.into is not None:
            assert node.type is not None
            self.keep(performer, node.into, [], value.of(node.type, chosen))
        return node.next

    def candidates(self, node: Rule, evaluate: Interpreter[TermPosition]) -> list[int]:
        """What the table can choose from; nothing at an open point."""
        if node.candidates is None:
            return []
        members = evaluate.members(node.candidates, True)
        return list(dict.fromkeys(m.value for m in members if isinstance(m.value, int)))


def fitting(param: Param, given: Value) -> Sym | None:
    """A value as one of a parameter's type; None if it is none."""
    match param.type:
        case Int() | Elem():
            return given if isinstance(given, int) and not isinstance(given, bool) else None
        case Many(inner):
            inside = isinstance(given, tuple) and all(inner.lo <= one <= inner.hi for one in given)
            return value.of(param.type, given) if inside else None
        case _:
            assert_never(param.type)

