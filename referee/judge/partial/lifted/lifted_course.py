"""The course of a game in which something is hidden, from point to point; what an event makes of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import is_not
from typing import Any, assert_never

from referee.codegen.often.value_functions import ValueFunctions
from referee.core.flow import (
    Alternative,
    Ask,
    Draw,
    Flow,
    Fork,
    Gather,
    OfferNode,
    PointNode,
    Rule,
    Run,
    asks,
    is_decision,
)
from referee.core.read_write_sets import reads
from referee.core.ruleset import Core, Invariant, Zone
from referee.core.stmt import Block
from referee.game.event import FATE, TABLE
from referee.game.state import Ended, Layout, State, Step, Stopped
from referee.interpreter.closures.statement_closures import Act, block
from referee.interpreter.course import MAX_NODES, FlowCourse
from referee.interpreter.interruptions import TOO_LONG, Fault
from referee.judge.partial.constraints.hidden_values import HiddenValueAsked
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.dependent.class_by_class import carried
from referee.judge.partial.lifted.lifted_evaluation import HiddenView
from referee.judge.partial.lifted.lifted_execution import perform, unwatched
from referee.judge.partial.lifted.lifted_offers import AlternativeTerms, Offering
from referee.judge.partial.lifted.lifted_operators import known


@dataclass(frozen=True, slots=True)
class Changed:
    """What is not what it was when a position was tested last: variables and zones by name, and their entries."""

    names: frozenset[str]
    entries: frozenset[int]


class RestTests:
    """The invariants and limits of a game, with what they look at: only what has changed is tested again."""

    def __init__(self, core: Core, layout: Layout) -> None:
        self._invariants = [(one, reads(one.guard.cond)) for one in core.invariants]
        self._limits = [(zone, reads(zone.limit)) for zone in core.zones.values() if zone.limit is not None]
        self._layout = layout
        self._owners = [""] * layout.size
        for name, spread in (*layout.zones.items(), *layout.vars.items()):
            self._owners[spread.base:spread.base + spread.count] = [name] * spread.count

    def changed(self, slots: Sequence[Any], tested: Sequence[Any] | None) -> Changed | None:
        """What is another thing than it was; None if nothing was tested before."""
        if tested is None or len(tested) != len(slots):
            return None
        entries = list(compress(range(len(slots)), map(is_not, slots, tested)))
        return Changed(frozenset([self._owners[at] for at in entries]), frozenset(entries))

    def invariants(self, changed: Changed | None) -> list[Invariant]:
        """Those that look at something that has changed."""
        return [one for one, looked in self._invariants if changed is None or not looked.isdisjoint(changed.names)]

    def limits(self, changed: Changed | None) -> list[tuple[Zone, int]]:
        """The zones with a limit of which that has changed, or what lies there, each with the entry of an instance."""
        found: list[tuple[Zone, int]] = []
        for zone, looked in self._limits:
            entries = self._layout.zones[zone.name]
            every = changed is None or not looked.isdisjoint(changed.names)
            found += [(zone, at) for at in range(entries.base, entries.base + entries.count)
                      if every or (changed is not None and at in changed.entries)]
        return found


class LiftedRules:
    """A flow, with what is made of it once for all positions."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.core = flow.core
        self.course = FlowCourse(flow, wary=True)
        self.layout = self.course.layout
        self.tests = RestTests(flow.core, self.layout)
        self.watched = tuple(one for one in flow.core.invariants if one.everywhere)
        self.acts: dict[int, Act] = {}
        self.terms: dict[int, AlternativeTerms] = {}
        self.asking: set[int] = set()
        self._runs: dict[int, Act] = {}
        self._functions = ValueFunctions(self.layout)

    def view(self, state: State, trial: Trial) -> HiddenView:
        """A position, to be carried on."""
        return HiddenView(self.course.code, self.acts, self.terms, list(state.slots), trial, unwatched,
                          self._functions, self.asking)

    def run(self, at: int, body: Block) -> Act:
        """The statements of a node as the reference engine carries them out."""
        known = self._runs.get(at)
        if known is None:
            known = self._runs[at] = block(body, self.course.code, self.watched)
        return known


class Journey:
    """A position on its way through the nodes of a flow: `view` is changed in place."""

    def __init__(self, rules: LiftedRules, start: Step, trial: Trial) -> None:
        # a game that failed before it began has no state; nothing is asked of it
        state = start if isinstance(start, State) else start.state or State(0, ())
        self._rules = rules
        self._flow = rules.flow
        self._layout = rules.layout
        self.view = rules.view(state, trial)
        self.trial = trial

    def carry(self, node: OfferNode, one: Alternative, by: int) -> int | None:
        """Keeps what an alternative that is taken says; the node to go on at, None if others have to choose still."""
        view = self.view
        match node:
            case Ask() | Draw():
                self._keep(one, ())
                return one.next
            case Gather():
                self._keep(one, (by,))
                pending = self._layout.vars[node.pending].base
                view.slots[pending] = view.slots[pending] - {by}
                return None if view.slots[pending] else node.next
            case _:
                assert_never(node)

    def _keep(self, one: Alternative, key: tuple[int, ...]) -> None:
        """Keeps what an alternative that is taken stores."""
        for register, local in one.stores:
            self.view.slots[self._layout.vars[register].find(key)] = self.view.env[local]

    def state(self, at: int) -> State:
        """The position as it is now, at a node."""
        return State(at, tuple(self.view.slots))

    def point(self, at: int) -> PointNode:
        """The point at a node. `TypeError` if there is none."""
        node = asks(self._flow.nodes[at])
        if node is None:
            raise TypeError(f"nobody is asked at node {at}")
        return node

    def actor(self, node: Ask) -> int:
        """Who decides."""
        self.view.env = {}
        return int(self.view.plain(node.actor))

    def who(self, node: PointNode) -> frozenset[int]:
        """Who can act at a point."""
        match node:
            case Ask():
                return frozenset((self.actor(node),))
            case Gather():
                pending: frozenset[int] = self.view.slots[self._layout.vars[node.pending].base]
                return pending
            case Draw():
                return frozenset((FATE,))
            case Rule():
                return frozenset((TABLE,))
            case _:
                assert_never(node)

    def alternatives(self, node: OfferNode, by: int) -> list[Alternative]:
        """What somebody is offered at a point."""
        match node:
            case Ask():
                return list(node.alternatives)
            case Gather():
                self.view.env = {}
                return [one for actors, one in node.parts if by in self.view.plain(actors)]
            case Draw():
                return [node.alternative]
            case _:
                assert_never(node)

    def candidates(self, node: Rule) -> list[int]:
        """What the table can choose from; nothing at an open point."""
        if node.candidates is None:
            return []
        self.view.env = {}
        gone = self.view.gone(node.candidates)
        plain = [known(one, self.trial) for one in gone] if isinstance(gone, list) else gone.plain(self.trial)
        return list(dict.fromkeys(plain))

    def ruled(self, node: Rule, choice: int) -> int:
        """Keeps what the table chose; the node to go on at."""
        if node.into is not None:
            self.view.slots[self._layout.vars[node.into].base] = choice
        return node.next

    def arrive(self, here: Step) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        if not isinstance(here, State) or not is_decision(self._flow.nodes[here.at]):
            return here
        return self.go(here.at, here, test=True)

    def go(self, at: int, since: State, *, test: bool = False) -> Step:
        """From a node to the next point at which somebody is asked, or the end."""
        view = self.view
        view.env = {}
        try:
            for _ in range(MAX_NODES):
                node = self._flow.nodes[at]
                match node:
                    case Run():
                        winners = self._run(at, node)
                        if winners is not None:
                            return Ended(self.state(at), winners)
                        at = node.next
                    case Fork():
                        at = node.yes if view.truth(node.cond) else node.no
                    case Ask() | Gather() | Draw() | Rule():
                        after = self._arrive(at, node, test)
                        if not isinstance(after, int):
                            return after
                        at, view.env = after, {}
                    case _:
                        assert_never(node)
            raise Fault(TOO_LONG, "the game goes on without asking anybody", None)
        except Fault as fault:
            return fault.step(since)

    def _run(self, at: int, node: Run) -> frozenset[int] | None:
        view = self.view
        if id(node) not in view.asking:
            slots, env = list(view.slots), dict(view.env)
            try:
                return self._rules.run(at, node.body)(view.slots, view.env)
            except HiddenValueAsked:
                view.slots, view.env = slots, env
                view.asking.add(id(node))
        if carried(view, node.body, lambda: self._rules.run(at, node.body)):
            return None
        return perform(view, node.body, self._rules.watched)

    def _arrive(self, at: int, node: PointNode, test: bool) -> Step | int:
        match node:
            case Ask():
                return self._arrive_ask(at, node, test)
            case Gather():
                return self._arrive_gather(at, node)
            case Draw():
                return self._arrive_draw(at, node)
            case Rule():
                found = self.candidates(node)
                if not found:
                    return self._stop(at, node, node.question)
                ruled = self.view.slots[self._layout.rulings[node.point.name]]
                chosen = found[0] if len(found) == 1 else ruled if ruled in found else None
                if chosen is None:
                    return self.state(at)
                return self.ruled(node, chosen)
            case _:
                assert_never(node)

    def _arrive_ask(self, at: int, node: Ask, test: bool) -> Step | int:
        if not test and node.otherwise is None and not node.point.automatic:
            return self.state(at)
        by = self.actor(node)
        if not self._possible(node, by):
            if node.otherwise is not None:
                return node.otherwise
            return self._stop(at, node, "nothing is possible, and the rules do not say what then")
        if node.point.automatic:
            return self._automatic(at, node, [by])
        return self.state(at)

    def _arrive_gather(self, at: int, node: Gather) -> Step | int:
        view = self.view
        pending: frozenset[int] = frozenset().union(*(view.plain(actors) for actors, _ in node.parts))
        view.slots[self._layout.vars[node.pending].base] = pending
        if not pending:
            return node.next
        if not all(self._possible(node, by) for by in sorted(pending)):
            return self._stop(at, node, "nothing is possible for a player, and the rules do not say what then")
        return self._automatic(at, node, sorted(pending)) if node.point.automatic else self.state(at)

    def _arrive_draw(self, at: int, node: Draw) -> Step | int:
        if not self._possible(node, FATE):
            return self._stop(at, node, "fate has nothing to choose from")
        return self._automatic(at, node, [FATE]) if node.point.automatic else self.state(at)

    def _possible(self, node: OfferNode, by: int) -> bool:
        return any(Offering(self.view, one, by).possible() for one in self.alternatives(node, by))

    def _automatic(self, at: int, node: OfferNode, players: list[int]) -> Step | int:
        """Goes on if nobody has a choice: an automatic point follows from open facts, so nothing hidden decides it."""
        by_player = [[(one, env) for one in self.alternatives(node, by)
                      for env in Offering(self.view, one, by).ways(2)] for by in players]
        if any(len(ways) != 1 for ways in by_player):
            return self.state(at)
        after: int | None = None
        for by, ((one, env),) in zip(players, by_player, strict=True):
            self.view.env = env
            after = self.carry(node, one, by)
        assert after is not None
        return after

    def _stop(self, at: int, node: PointNode, why: str) -> Stopped:
        return Stopped(self.state(at), node.point, why)
