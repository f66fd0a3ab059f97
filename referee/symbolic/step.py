"""Steps as terms: whether an event is legal at a point, and every point, end, stop and error that it may lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import assert_never

from referee.core.expr import Within
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.stmt import Param
from referee.core.types import Elem, Int, Many, Maybe, Type
from referee.game.state import Layout
from referee.symbolic import moving, term
from referee.symbolic.evaluate import Context, Evaluator, Failure
from referee.symbolic.order import Order
from referee.symbolic.perform import Performer
from referee.symbolic.store import Store
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym, Unencodable

ME = "me"
PASSES = 24
"""How many points and rounds of loops a step may pass by itself; where it would pass more, it is not followed."""
MOST_WAYS = 3_000


@dataclass
class Landing:
    """Where a step may lead. Conditions exclude each other; what none covers was not reached.

    `at`: by point; `stops`: by point, the rules do not say how it goes on; `over`: the end; `failures`: errors, of
    which the first that holds counts; `lost`: the step was not followed faithfully there.
    """

    store: Store
    at: dict[int, Cond] = field(default_factory=dict)
    stops: dict[int, Cond] = field(default_factory=dict)
    over: Cond = False
    failures: list[Failure] = field(default_factory=list)
    lost: Cond = False


class Stepper:
    """Follows the steps of a flow."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.layout = Layout(flow)
        self._order = Order(flow)
        self.watched = tuple(one for one in flow.core.invariants if one.everywhere)
        self.cuts: frozenset[int] = frozenset()
        """Nodes at which a step ends as it does at a point: where loops begin their rounds, for proofs."""
        self._left: int | None = None

    # ------------------------------------------------------------------ how the position is represented
    def performer(self, store: Store) -> Performer:
        """What carries statements out, on a copy of a position."""
        return Performer(Context(store.copy()), self.watched)

    def context(self, store: Store) -> Context:
        """Where a position is read."""
        return Context(store)

    def evaluator(self, context: Context) -> Evaluator:
        """What turns expressions into terms."""
        return Evaluator(context)

    def allowed(self, param: Param, given: Sym, evaluate: Evaluator) -> Cond:
        """Whether a value is one that a parameter's source offers."""
        return _allowed(param, given, evaluate)

    # ------------------------------------------------------------------ events
    def legal(self, store: Store, alternative: Alternative, by: Num | None, args: Mapping[str, Sym]) -> Cond:
        """Whether an actor may take an alternative with these parameters (by their names, all but the fixed)."""
        context = self.context(store)
        evaluate = self.evaluator(context)
        cond: Cond = True
        context.env = self._entered(alternative, by, evaluate)
        for param in alternative.params:
            with context.under(cond):
                cond = term.both(cond, self.allowed(param, args[param.name], evaluate))
            context.env = {**context.env, param.name: args[param.name]}
        for guard in alternative.guards:
            if context.sure(cond) is False:
                break
            with context.under(cond):
                cond = term.both(cond, evaluate.condition(guard.cond))
        return term.both(cond, term.no(context.failed))

    def _entered(self, alternative: Alternative, by: Num | None, evaluate: Evaluator) -> dict[str, Sym]:
        env: dict[str, Sym] = {} if by is None else {ME: by}
        for name, expr in alternative.fixed:
            with evaluate.context.bound(env):
                env[name] = evaluate(expr)
        return env

    def _enter(
        self, performer: Performer, alternative: Alternative, by: Num | None, args: Mapping[str, Sym], key: list[Num]
    ) -> None:
        """Stores what an alternative that is taken stores in registers."""
        env = {**self._entered(alternative, by, performer.evaluate), **args}
        for register, local in alternative.stores:
            self._keep(performer, register, key, env[local])

    def take(self, store: Store, alternative: Alternative, by: Num | None, args: Mapping[str, Sym]) -> Landing:
        """What becomes of a position when an alternative is taken. The store given is not changed."""
        performer = self.performer(store)
        self._enter(performer, alternative, by, args, [])
        return self._follow(alternative.next, performer)

    def commit(
        self, store: Store, node: Gather, alternative: Alternative, by: int, args: Mapping[str, Sym], at: int
    ) -> Landing:
        """What becomes of a position when one of a group has chosen."""
        performer = self.performer(store)
        self._enter(performer, alternative, by, args, [by])
        pending = self.pending(performer.context.store, node)
        left = Bits(pending.lo, tuple(False if i == by else bit for i, bit in pending.members()))
        self._keep(performer, node.pending, [], left)
        done = term.conj(term.no(bit) for bit in left.bits)
        with performer.context.under(done):
            landing = self._follow(node.next, performer)
        landing.at[at] = term.disj((landing.at.get(at, False), term.no(done)))
        return landing

    def pending(self, store: Store, node: Gather) -> Bits:
        """The players of a group who have still to choose."""
        found, _ = store.read(self.layout.defs[node.pending], [])
        assert isinstance(found, Bits)
        return found

    def rule(self, store: Store, node: Rule, choice: Sym) -> Landing:
        """What becomes of a position when the table has ruled."""
        performer = self.performer(store)
        if node.into is not None:
            self._keep(performer, node.into, [], choice)
        return self._follow(node.next, performer)

    def _keep(self, performer: Performer, register: str, keys: list[Num], new: Sym) -> None:
        var = self.layout.defs[register]
        stored = new if isinstance(new, Opt | Bits | Counts) or not _may_miss(var.type) else Opt(True, new)
        performer.context.store.write(var, keys, stored, performer.going())

    # ------------------------------------------------------------------ the course
    def start(self, store: Store) -> Landing:
        """What set-up makes of the position before it."""
        return self._follow(self.flow.start, self.performer(store))

    def pass_on(self, store: Store, index: int) -> Landing:
        """What becomes of a position at a node that is no point."""
        self._left = index
        return self._follow(index, self.performer(store))

    def _follow(self, start: int, performer: Performer) -> Landing:
        landing = Landing(performer.context.store)
        outer = performer.context.path
        waiting: dict[tuple[int, int], Cond] = {(0, start): True}
        while waiting:
            here = min(waiting, key=self._order.place)
            cond = waiting.pop(here)
            passed, index = here
            with performer.context.under(cond):
                if index in self.cuts and self._left is None:
                    self._rest(index, performer, landing, True)
                    continue
                self._left = None
                for following, when, passing in self._node(index, performer, landing):
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
        return landing

    def _node(self, index: int, performer: Performer, landing: Landing) -> Iterator[tuple[int, Cond, int]]:
        """Carries out a node; where it goes on, under which condition, and whether a point was passed."""
        node = self.flow.nodes[index]
        match node:
            case Run():
                performer.block(node.body)
                yield node.next, term.both(term.no(performer.over), term.no(performer.context.failed)), 0
            case Fork():
                cond = performer.evaluate.condition(node.cond)
                going = term.no(performer.context.failed)
                yield node.yes, term.both(cond, going), 0
                yield node.no, term.both(term.no(cond), going), 0
            case Ask():
                yield from self._ask(index, node, performer, landing)
            case Gather():
                yield from self._gather(index, node, performer, landing)
            case Draw():
                self._rest(index, performer, landing, True)
            case Rule():
                yield from self._ruled(index, node, performer, landing)
            case _:
                assert_never(node)

    def _rest(self, index: int, performer: Performer, landing: Landing, cond: Cond) -> None:
        landing.at[index] = term.disj((landing.at.get(index, False), term.both(performer.going(), cond)))

    def _ask(self, index: int, node: Ask, performer: Performer, landing: Landing) -> Iterator[tuple[int, Cond, int]]:
        by = performer.evaluate.number(node.actor)
        if node.otherwise is None and not node.point.automatic:
            self._rest(index, performer, landing, True)
            return
        store = performer.context.store
        ways = [(a, args, cond) for a in node.alternatives for args, cond in self.ways(store, a, by)]
        some = term.disj(cond for _, _, cond in ways)
        alone: Cond = False
        if node.point.automatic:
            alone = term.equal(term.total([term.number(c) for _, _, c in ways]), 1)
            for alternative, args, cond in ways:
                with performer.context.under(term.both(alone, cond)):
                    self._enter(performer, alternative, by, args, [])
                yield alternative.next, term.both(alone, cond), 1
        self._rest(index, performer, landing, term.both(some if node.otherwise is not None else True, term.no(alone)))
        if node.otherwise is not None:
            yield node.otherwise, term.no(some), 1

    def _gather(
        self, index: int, node: Gather, performer: Performer, landing: Landing
    ) -> Iterator[tuple[int, Cond, int]]:
        store, player = performer.context.store, self.layout.core.seats.number
        asked = [performer.evaluate(actors) for actors, _ in node.parts]
        groups = [a for a in asked if isinstance(a, Bits)]
        pending = Bits(0, tuple(term.disj(g.has(i) for g in groups) for i in range(player)))
        self._keep(performer, node.pending, [], pending)
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
                    self._enter(performer, alternative, by, args, [by])
            with performer.context.under(alone):
                self._keep(performer, node.pending, [], Bits(0, (False,) * player))
        self._rest(index, performer, landing, term.both(term.no(nobody), term.no(alone)))
        yield node.next, term.disj((nobody, alone)), 1

    def _ruled(self, index: int, node: Rule, performer: Performer, landing: Landing) -> Iterator[tuple[int, Cond, int]]:
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
                self._keep(performer, node.into, [], only)
        self._rest(index, performer, landing, term.both(term.no(none), term.no(single)))
        yield node.next, single, 1

    # ------------------------------------------------------------------ what is possible
    def ways(self, store: Store, alternative: Alternative, by: Num | None) -> Iterator[tuple[dict[str, Sym], Cond]]:
        """Every combination of parameters of an alternative, with the condition that it is legal."""
        ranges: list[range] = []
        for param in alternative.params:
            if not isinstance(param.type, Int | Elem):
                raise Unencodable(f"{alternative.label}: the ways to choose several are not listed")
            ranges.append(range(param.type.lo, param.type.hi + 1))
        number = 1
        for one in ranges:
            number *= len(one)
        if number > MOST_WAYS:
            raise Unencodable(f"{alternative.label} has {number} ways")
        for combination in product(*ranges):
            args: dict[str, Sym] = dict(zip((p.name for p in alternative.params), combination, strict=True))
            cond = self.legal(store, alternative, by, args)
            if cond is not False:
                yield args, cond


def _may_miss(kind: Type) -> bool:
    return isinstance(kind, Maybe)


def _distinct(kind: Int | Elem, found: list[tuple[Cond, Num]]) -> list[tuple[int, Cond]]:
    """Candidates by member: alike ones are one."""
    every: dict[int, list[Cond]] = {i: [] for i in range(kind.lo, kind.hi + 1)}
    for there, member in found:
        for i, conds in every.items():
            conds.append(term.both(there, term.equal(member, i)))
    return [(i, term.disj(conds)) for i, conds in every.items()]


def _allowed(param: Param, given: Sym, evaluate: Evaluator) -> Cond:
    """Whether a value is one that a parameter's source offers."""
    if isinstance(param.type, Many):
        return _several(param, given, evaluate)
    members = evaluate.members(param.source, True)
    assert not isinstance(given, Opt | Bits | Counts)
    return term.disj(term.both(m.there, term.equal(m.value, given)) for m in members)


def _several(param: Param, given: Sym, evaluate: Evaluator) -> Cond:
    """Whether several can be taken at once from a source."""
    assert isinstance(given, Counts)
    assert param.count is not None
    least, most = (evaluate.number(end) for end in param.count)
    if isinstance(param.source, Within) and param.source.place.end is not None and not param.repeated:
        return _from_end(param, param.source, given, evaluate)
    there: dict[int, list[Num]] = {}
    for member in evaluate.members(param.source, False):
        if not isinstance(member.value, int):
            raise Unencodable(f"{param.name}: several are taken from a line")
        there.setdefault(member.value, []).append(term.choose(member.there, member.number, 0))
    enough: list[Cond] = []
    for i, number in given.members():
        available = term.total(there.get(i, []))
        limit = term.choose(term.less(0, available), given.size, 0) if param.repeated else available
        enough.append(term.both(term.at_most(0, number), term.at_most(number, limit)))
    assert isinstance(param.type, Many)
    size = [term.at_most(least, given.size), term.at_most(given.size, term.lower(most, param.type.most))]
    return term.conj([*enough, *_among(param, given, evaluate), *size])


def _among(param: Param, given: Counts, evaluate: Evaluator) -> list[Cond]:
    """That each of several is one of those that are allowed, where not all are."""
    if param.among is None:
        return []
    among = evaluate(param.among)
    assert isinstance(among, Bits)
    return [term.disj((term.equal(n, 0), among.has(i))) for i, n in given.members()]


def _from_end(param: Param, source: Within, given: Counts, evaluate: Evaluator) -> Cond:
    """Whether several can be drawn from an end of a pile: block after block, the next only when one is used up."""
    place, store = source.place, evaluate.context.store
    zone = store.layout.core.zones[place.zone]
    there, inside = store.zone(zone, [evaluate.number(k) for k in place.keys])
    _, ok = moving.taken(there, given, place.end, None)
    assert param.count is not None
    assert isinstance(param.type, Many)
    least, most = (evaluate.number(end) for end in param.count)
    some = [term.at_most(0, n) for _, n in given.members()]
    size = term.both(term.at_most(least, given.size), term.at_most(given.size, term.lower(most, param.type.most)))
    return term.both(inside, ok, size, *some, *_among(param, given, evaluate))
