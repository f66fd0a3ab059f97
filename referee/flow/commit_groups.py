"""A commit group in registers: what each player chose, and its effects once all have chosen."""

from __future__ import annotations

from referee.core.expr import Expr, Get, Local, Members, Op, Operator
from referee.core.flow import Alternative
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Bind, Block, Branch, Commit, Each, Put
from referee.core.types import PLAYER, Bool, Int, SetOf
from referee.flow.flow_graph import Graph
from referee.flow.register_starts import const

ME = "me"
"""The local that holds who decides."""
_PART = "part of the group"


class CommitGroup:
    """The parts of a group with the registers that they need.

    `actors` are the sets of players asked, names in them already replaced. Only parts whose action has effects need
    more than the variables that they name: what was chosen, who was asked, and by which part. So do parts that read
    the variables in which they keep it: everybody chooses by the position before the group.
    """

    def __init__(self, core: Core, graph: Graph, stmt: Commit, actors: tuple[Expr, ...]) -> None:
        self._graph = graph
        self._stmt = stmt
        self._seat = core.domains[PLAYER].whole
        self._origin = stmt.point.origin
        self._actions = [core.actions[part.action] for part in stmt.parts]
        self.registers: list[str] = []
        self._late = self._reads_what_it_keeps(actors)
        self._effective = self._late or any(action.body for action in self._actions)
        self._asked = self._register("asked", graph.players()) if self._effective else None
        self._chosen = self._register("chosen", Int(0, len(stmt.parts)), True) if self._effective else None
        self._actors = actors
        self._into = [part.into if part.into and not self._late else self._kept(action)
                      for part, action in zip(stmt.parts, self._actions, strict=True)]

    def _reads_what_it_keeps(self, actors: tuple[Expr, ...]) -> bool:
        read = variables_of((actors, tuple((action.params, action.guards) for action in self._actions)))
        return any(name in read for part in self._stmt.parts for name in part.into)

    def _register(self, name: str, kind: Int | SetOf, keyed: bool = False) -> str:
        made = self._graph.register((id(self._stmt), name), name, kind, self._origin,
                                    keys=(self._seat,) if keyed else ())
        self.registers.append(made)
        return made

    def _kept(self, action: Action) -> tuple[str, ...]:
        """Registers for the parameters of an action with effects that is not told where to keep them."""
        if not action.body and not self._late:
            return ()
        made = [self._graph.register((id(self._stmt), action.name, param.name), f"{action.name}.{param.name} chosen",
                                     param.type, param.origin, keys=(self._seat,)) for param in action.params]
        self.registers.extend(name for name in made if name not in self.registers)
        return tuple(made)

    def before(self) -> Block:
        """Keeps who is asked, for the effects."""
        if self._asked is None:
            return ()
        everyone = self._actors[0]
        for more in self._actors[1:]:
            everyone = Op(Operator.UNION, (everyone, more), SetOf(self._seat))
        return (self._graph.put(self._asked, everyone, self._origin),)

    def parts(self, after: int) -> tuple[tuple[Expr, Alternative], ...]:
        """What each part offers to whom."""
        made = []
        for number, (actors, action, into) in enumerate(zip(self._actors, self._actions, self._into, strict=True), 1):
            stores = tuple((register, param.name) for register, param in zip(into, action.params, strict=False))
            fixed: tuple[tuple[str, Expr], ...] = ()
            if self._chosen is not None:
                fixed = ((_PART, const(number, Int(number, number))),)
                stores = (*stores, (self._chosen, _PART))
            made.append((actors, Alternative(action.name, action.label, action.params, action.guards, fixed, stores,
                                             after, False, action.origin)))
        return tuple(made)

    def effects(self) -> Block:
        """Stores what had to wait; then what the actions do. Both for each who was asked, in the order of seats."""
        if self._asked is None:
            return ()
        me = Local(ME, self._seat)
        everyone = Members(self._graph.read(self._asked))
        stored = [Branch(self._took(number, me), keep, (), self._origin)
                  for number, keep in enumerate(self._keeps(me), 1) if keep]
        done = [Branch(self._took(number, me), (*self._binds(number, me), *action.body), (), action.origin)
                for number, action in enumerate(self._actions, 1) if action.body]
        return tuple(Each(ME, everyone, tuple(body), self._origin) for body in (stored, done) if body)

    def _took(self, number: int, me: Local) -> Expr:
        """True for a player who chose in a part."""
        assert self._chosen is not None
        return Op(Operator.EQ, (self._graph.read(self._chosen, me), const(number, Int(number, number))), Bool())

    def _keeps(self, me: Local) -> list[Block]:
        """For each part: stores what a player chose where the part says, if that had to wait."""
        if not self._late:
            return []
        return [tuple(Put(var, (me,), Get(register, (me,), param.type), param.origin)
                      for var, register, param in zip(part.into, into, action.params, strict=False))
                for part, into, action in zip(self._stmt.parts, self._into, self._actions, strict=True)]

    def _binds(self, number: int, me: Local) -> Block:
        """Gives the parameters of a part their names."""
        return tuple(Bind(param.name, Get(register, (me,), param.type), param.origin)
                     for param, register in zip(self._actions[number - 1].params, self._into[number - 1], strict=False))
