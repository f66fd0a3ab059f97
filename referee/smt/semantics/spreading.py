"""Steps along every way at once: each node under the condition that it is reached, each after all that lead to it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import product
from typing import TypeAlias, assert_never, final

from referee.core.flow import Alternative, Ask, Flow, Fork, Gather, Rule, Run
from referee.core.types import Elem, Int, Many
from referee.game.state import Layout
from referee.smt import term
from referee.smt.encoding.node_order import Order
from referee.smt.semantics.statement_semantics import Executor
from referee.smt.semantics.step_semantics import FlowFollower, I, Landing, P
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Sym, Unencodable

PASSES = 24
"""How many points and rounds of loops a step may pass by itself; where it would pass more, it is not followed."""
MOST_WAYS = 3_000
"""Ways to take an alternative: rules with more are not made terms of."""
Ways: TypeAlias = Iterator[tuple[int, Cond, int]]
"""Where it goes on from a node, under which condition, and whether (1) a point was passed."""


class Spreading(FlowFollower[P, I]):
    """Follows a step along all its ways."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        super().__init__(flow, layout)
        self._order = Order(flow)
        self.cuts: frozenset[int] = frozenset()
        """Nodes at which a step ends as it does at a point: where loops begin their rounds, for proofs."""
        self._left: int | None = None

    # ------------------------------------------------------------------ each representation's own
    @abstractmethod
    def node(self, index: int, performer: Executor[P], landing: Landing[P]) -> Ways:
        """Carries a node out: each kind as it is done here, or as a method of this class does it."""

    # ------------------------------------------------------------------ the course
    @final
    def pass_on(self, store: P, index: int) -> Landing[P]:
        """What becomes of a position at a node that is no point."""
        self._left = index
        return self.follow(index, self.performer(store.copy()))

    @final
    def follow(self, start: int, performer: Executor[P]) -> Landing[P]:
        landing = Landing(performer.context.store)
        outer = performer.context.path
        waiting: dict[tuple[int, int], Cond] = {(0, start): True}
        while waiting:
            here = min(waiting, key=self._order.place)
            cond = waiting.pop(here)
            passed, index = here
            with performer.context.under(cond):
                if index in self.cuts and self._left is None:
                    self.rest(index, performer, landing, True)
                    continue
                self._left = None
                for following, when, passing in self.node(index, performer, landing):
                    again = (index, following) in self._order.back
                    there = (passed + (passing or again), following)
                    if when is False:
                        continue
                    if there[0] > PASSES:
                        landing.lost = term.disj((landing.lost, term.both(performer.going(), when)))
                    else:
                        waiting[there] = term.disj((waiting.get(there, False), term.both(cond, when)))
        performer.context.path = outer
        landing.lost = term.disj((landing.lost, performer.context.lost))
        landing.over, landing.failures = performer.over, performer.context.failures
        landing.broken = performer.broken
        return landing

    # ------------------------------------------------------------------ kinds of nodes
    @final
    def run(self, node: Run, performer: Executor[P]) -> Ways:
        """Executes statements."""
        performer.block(node.body)
        yield node.next, term.both(term.no(performer.over), term.no(performer.context.failed)), 0

    @final
    def fork(self, node: Fork, performer: Executor[P]) -> Ways:
        """Goes on at one of two nodes."""
        cond = performer.evaluate.condition(node.cond)
        going = term.no(performer.context.failed)
        yield node.yes, term.both(cond, going), 0
        yield node.no, term.both(term.no(cond), going), 0

    @final
    def rest(self, index: int, performer: Executor[P], landing: Landing[P], cond: Cond) -> None:
        """The step ends at a point where a condition holds."""
        landing.at[index] = term.disj((landing.at.get(index, False), term.both(performer.going(), cond)))

    @final
    def asked(self, index: int, node: Ask, performer: Executor[P], landing: Landing[P]) -> Ways:
        """A player decides; every way to take what is offered is looked at."""
        by = performer.evaluate.number(node.actor)
        if node.otherwise is None and not node.point.automatic:
            self.rest(index, performer, landing, True)
            return
        store = performer.context.store
        ways = [(a, args, cond) for a in node.alternatives for args, cond in self.ways(store, a, by)]
        some = term.disj(cond for _, _, cond in ways)
        alone: Cond = False
        if node.point.automatic:
            alone = term.equal(term.total([term.number(c) for _, _, c in ways]), 1)
            for alternative, args, cond in ways:
                with performer.context.under(term.both(alone, cond)):
                    self.enter(performer, alternative, by, args, [])
                yield alternative.next, term.both(alone, cond), 1
        self.rest(index, performer, landing, term.both(some if node.otherwise is not None else True, term.no(alone)))
        if node.otherwise is not None:
            yield node.otherwise, term.no(some), 1

    @final
    def gathered(self, index: int, node: Gather, performer: Executor[P], landing: Landing[P]) -> Ways:
        """Several players choose; every way to take what is offered is looked at."""
        store, player = performer.context.store, self.layout.core.seats.number
        asked = [performer.evaluate(actors) for actors, _ in node.parts]
        groups = [a for a in asked if isinstance(a, Bits)]
        pending = Bits(0, tuple(term.disj(g.has(i) for g in groups) for i in range(player)))
        self.keep(performer, node.pending, [], pending)
        nobody = term.conj(term.no(bit) for bit in pending.bits)
        alone: Cond = False
        if node.point.automatic:
            ways = [
                (i, a, args, term.both(g.has(i), cond))
                for (_, a), g in zip(node.parts, groups, strict=True)
                for i in range(player)
                for args, cond in self.ways(store, a, i)
            ]
            alone = term.conj(
                term.disj(
                    (
                        term.no(pending.has(i)),
                        term.equal(term.total([term.number(c) for p, _, _, c in ways if p == i]), 1),
                    )
                )
                for i in range(player)
            )
            alone = term.both(alone, term.no(nobody))
            for by, alternative, args, cond in ways:
                with performer.context.under(term.both(alone, cond)):
                    self.enter(performer, alternative, by, args, [by])
            with performer.context.under(alone):
                self.keep(performer, node.pending, [], Bits(0, (False,) * player))
        self.rest(index, performer, landing, term.both(term.no(nobody), term.no(alone)))
        yield node.next, term.disj((nobody, alone)), 1

    @final
    def ruled(self, index: int, node: Rule, performer: Executor[P], landing: Landing[P]) -> Ways:
        """The table rules, or the game stops."""
        if node.candidates is None or node.type is None:
            landing.stops[index] = term.disj((landing.stops.get(index, False), performer.going()))
            return
        members = performer.evaluate.members(node.candidates, True)
        chosen = _distinct(node.type, [(m.there, m.value) for m in members])
        many = term.total([term.number(cond) for _, cond in chosen])
        none, single = term.equal(many, 0), term.equal(many, 1)
        stopped = term.both(performer.going(), none)
        landing.stops[index] = term.disj((landing.stops.get(index, False), stopped))
        if node.into is not None:
            only = term.pick([(cond, i) for i, cond in chosen], node.type.lo)
            with performer.context.under(single):
                self.keep(performer, node.into, [], only)
        self.rest(index, performer, landing, term.both(term.no(none), term.no(single)))
        yield node.next, single, 1

    # ------------------------------------------------------------------ what is possible
    @final
    def ways(self, store: P, alternative: Alternative, by: Num | None) -> Iterator[tuple[dict[str, Sym], Cond]]:
        """Every combination of parameters of an alternative, with the condition that it is legal."""
        ranges: list[range] = []
        for param in alternative.params:
            match param.type:
                case Int(lo, hi) | Elem(_, lo, hi):
                    ranges.append(range(lo, hi + 1))
                case Many():
                    raise Unencodable(f"{alternative.label}: the ways to choose several are not listed")
                case _:
                    assert_never(param.type)
        number = 1
        for one in ranges:
            number *= len(one)
        if number > MOST_WAYS:
            raise Unencodable(f"{alternative.label} has {number} ways")
        for combination in product(*ranges):
            args: dict[str, Sym] = dict(zip((p.name for p in alternative.params), combination, strict=True))
            unseen = self.evaluator(self.context(store)).unseen(alternative)
            cond = term.both(self.legal(store, alternative, by, args), term.no(unseen))
            if cond is not False:
                yield args, cond


def _distinct(kind: Int | Elem, found: list[tuple[Cond, Num]]) -> list[tuple[int, Cond]]:
    """Candidates by member: alike ones are one."""
    every: dict[int, list[Cond]] = {i: [] for i in range(kind.lo, kind.hi + 1)}
    for there, member in found:
        for i, conds in every.items():
            conds.append(term.both(there, term.equal(member, i)))
    return [(i, term.disj(conds)) for i, conds in every.items()]
