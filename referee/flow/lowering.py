"""Lowers core to flow: everything in line, what crosses a point in registers, loops as back edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from referee.core.expr import Expr, Fold, FoldKind, Local, Op, Operator
from referee.core.flow import Alternative, Ask, Draw, Enclosure, Flow, Fork, Gather, Rule
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import (
    Action,
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Gap,
    Guard,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    origin_of,
)
from referee.core.types import PLAYER, Bool, Int, Many
from referee.flow.commit_groups import ME, CommitGroup
from referee.flow.flow_graph import last_point
from referee.flow.member_loops import each_loop
from referee.flow.progress_checks import check
from referee.flow.register_names import in_source
from referee.flow.register_starts import const
from referee.flow.straight_line import FlatLowering, FlowScope
from referee.flow.unasked_ending import unasked


def lower(core: Core, *, passed: bool = False) -> Flow:
    """The flow of a core. Raises `Problems` (FL01 to FL04) if it would run without end or be too large, which `passed`
    says is known not to be so."""
    if not passed:
        check(core)
    return Lowering(core).flow()


class Lowering(FlatLowering):
    """One lowering: blocks are lowered from their end, each statement given the node that comes after it."""

    def flow(self) -> Flow:
        """The whole core."""
        end = self.graph.reserve()
        self.graph.fill(end, Rule(last_point(self.core), "the rules do not say how the game goes on", None, None,
                                  None, end, Gap.OVER))
        play = self.block(self.core.main[self.core.setup:], FlowScope(), end)
        start = self.block(self.core.main[:self.core.setup], FlowScope(), play)
        over = unasked(self.core, self.core.ending)
        ending = self.flat(over, FlowScope()) if self.is_flat(over) else None
        return replace(self.graph.finish(start, play), ending=ending)

    def block(self, block: Block, scope: FlowScope, after: int) -> int:
        """The first node of a block that goes on at `after`."""
        scopes, bound = self.scopes(block, scope)
        if bound:
            after = self.graph.run(self.graph.clear(bound, origin_of(block[-1])), after)
        for stmt, inner in reversed(list(zip(block, scopes, strict=True))):
            after = self._stmt(stmt, inner, after)
        return after

    def _stmt(self, stmt: Stmt, scope: FlowScope, after: int) -> int:
        """The first node of a statement that goes on at `after`."""
        if self.is_flat_stmt(stmt):
            return self.graph.run(self.flat_stmt(stmt, scope), after)
        match stmt:
            case Branch():
                inner = scope.inside(stmt.origin, condition=True)
                return self.graph.add(Fork(self.put_in(stmt.cond, scope), self.block(stmt.yes, inner, after),
                                           self.block(stmt.no, inner, after), stmt.origin))
            case Each():
                return self._each(stmt, scope, after)
            case Repeat():
                return self._repeat(stmt, scope, after)
            case Decide():
                return self._decide(stmt, scope, after)
            case Commit():
                return self._commit(stmt, scope, after)
            case Chance():
                drawn = Draw(stmt.point, self.alternative(stmt.action, stmt.bound, scope, after))
                return self.graph.point(drawn, scope.calls, scope.around)
            case Unspecified():
                return self._unspecified(stmt, scope, after)
            case Call():
                before, inner, leave = self.call(stmt, scope)
                body = self.core.procedures[stmt.procedure].body
                return self.graph.run(before, self.block(body, inner, self.graph.run(leave, after)))
            case Put() | Move() | Merge() | Swap() | Bind() | Finish():
                raise TypeError("flat statements stand in runs")
            case _:
                assert_never(stmt)

    def _each(self, stmt: Each, scope: FlowScope, after: int) -> int:
        def body(register: str, again: int) -> int:
            inner = scope.inside(stmt.origin).with_name(stmt.var, self.graph.read(register))
            return self.block(stmt.body, inner, again)

        self.keep(stmt)
        return each_loop(self.graph, stmt, in_source(stmt.source, scope.names), scope.title(stmt.var), body, after)

    def _repeat(self, stmt: Repeat, scope: FlowScope, after: int) -> int:
        graph, start = self.graph, self.graph.reserve()
        until, inner = self.put_in(stmt.until, scope), scope.inside(stmt.origin)
        if stmt.limit is None:
            graph.fill(start, Fork(until, after, self.block(stmt.body, inner, start), stmt.origin))
            return start
        self.keep(stmt)
        rounds = graph.register((id(stmt),), scope.title("rounds"), Int(0, stmt.limit), stmt.origin,
                                role=Role.COUNTER)
        more = Op(Operator.ADD, (graph.read(rounds), const(1, Int(1, 1))), Int(1, stmt.limit + 1))
        body = graph.run((graph.put(rounds, more, stmt.origin),), self.block(stmt.body, inner, start))
        leave = graph.run(graph.clear((rounds,), stmt.origin), after)
        graph.fill(start, Fork(until, leave, body, stmt.origin))
        return start

    def _decide(self, stmt: Decide, scope: FlowScope, after: int) -> int:
        alternatives = []
        for index, option in enumerate(stmt.options):
            then = self._taken(stmt, scope, index, after)
            alternatives.append(self.alternative(option.action, option.bound, scope, then, option.silent))
        otherwise = None
        if stmt.otherwise is not None:
            otherwise = self.block(stmt.otherwise, scope, self._taken(stmt, scope, len(stmt.options), after))
        asked = Ask(stmt.point, self.put_in(stmt.actor, scope), tuple(alternatives), otherwise)
        return self.graph.point(asked, scope.calls, scope.around)

    def _taken(self, stmt: Decide, scope: FlowScope, index: int, after: int) -> int:
        """Keeps which option was taken; `otherwise` counts as one more, if the domain has it."""
        if stmt.taken is None or stmt.taken_domain is None:
            return after
        kind = self.core.domains[stmt.taken_domain].whole
        register = self.target(stmt, stmt.taken, kind, scope)
        if index > kind.hi:
            return after
        return self.graph.run((self.graph.put(register, const(index, kind), stmt.point.origin),), after)

    def alternative(self, name: str, bound: tuple[tuple[str, Expr], ...], scope: FlowScope, after: int,
                    silent: bool = False) -> Alternative:
        """An action offered: its parameters go to registers as far as its body reads them, and end with it."""
        action = self.core.actions[name]
        names: dict[str, Expr] = {}
        stores: list[tuple[str, str]] = []
        for local, register in self._kept_by(action):
            stores.append((register, local))
            names[local] = self.graph.read(register)
        leave = self.graph.run(self.graph.clear((register for register, _ in stores), action.origin), after)
        fixed = tuple((local, self.put_in(value, scope)) for local, value in bound)
        free = tuple(param for param in action.params if param.name not in dict(fixed))
        guards = (*_possible(action, dict(fixed)), *action.guards)
        inner = FlowScope(names, name, around=(*scope.around, Enclosure(action.origin, name=name)))
        return Alternative(name, action.label, free, guards, fixed, tuple(stores),
                           self.block(action.body, inner, leave), silent, action.origin)

    def _kept_by(self, action: Action) -> list[tuple[str, str]]:
        """(local, register) for what an action's body reads of its actor and parameters."""
        read = locals_of(action.body)
        kinds = {ME: self.core.domains[PLAYER].whole, **{param.name: param.type for param in action.params}}
        return [(local, self.graph.register((action.name, local), f"{action.name}.{local}", kind, action.origin))
                for local, kind in kinds.items() if local in read]

    def _commit(self, stmt: Commit, scope: FlowScope, after: int) -> int:
        """The group; then, in the order of seats, the effects of what each has chosen."""
        graph, origin = self.graph, stmt.point.origin
        self.keep(stmt)
        pending = graph.register((id(stmt), "pending"), scope.title("pending"), graph.players(), origin)
        group = CommitGroup(self.core, graph, stmt, tuple(self.put_in(part.actors, scope) for part in stmt.parts))
        then = graph.run(graph.clear(group.registers, origin), after)
        effects = group.effects()
        for effect in effects:
            self.keep(effect)
        then = self.block(effects, FlowScope(around=scope.around), then)
        once = None if stmt.once is None else self.put_in(stmt.once, scope)
        gathered = Gather(stmt.point, group.parts(then), pending, stmt.hidden, stmt.revealed, then, once)
        return graph.run(group.before(), graph.point(gathered, scope.calls, scope.around))

    def _unspecified(self, stmt: Unspecified, scope: FlowScope, after: int) -> int:
        if stmt.candidates is None:
            open_end = Rule(stmt.point, stmt.question, None, None, None, after, stmt.gap)
            return self.graph.point(open_end, scope.calls, scope.around)
        kind = self.ruled(stmt)
        into = None if stmt.name is None else self.target(stmt, stmt.name, kind, scope)
        candidates = in_source(stmt.candidates, scope.names)
        ruled = Rule(stmt.point, stmt.question, candidates, kind, into, after, stmt.gap)
        return self.graph.point(ruled, scope.calls, scope.around)


def _possible(action: Action, fixed: Mapping[str, Expr]) -> Iterator[Guard]:
    """What an offer fixes has to be possible, as what somebody chooses has to be."""
    for param in action.params:
        if param.name in fixed and param.arg is not None and not isinstance(param.type, Many):
            here, other = Local(param.name, param.type), Local("possible one", param.type)
            found = Fold(FoldKind.ANY, other.name, param.source, None, Op(Operator.EQ, (other, here), Bool()), Bool())
            yield Guard(f"{param.name} is possible", found, param.origin, ((param.name, here),))
