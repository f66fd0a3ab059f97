"""What may be chosen where something has just come: another answer to "which of them?" leaves that out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import All, Get, Local, Members, Or, Where, Within
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Action, Block, Branch, Each, Move, Param, Put, Stmt
from referee.core.traverse import drawn_actions, itself, statements, walk, with_blocks
from referee.core.types import COMPONENT, Bool, Elem, SetOf
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.moved_piece import WHICH_SET
from referee.other_rules.players.player_rounds import at_ends_of_turns

BEFORE = "only_what_lay_there_before_the_turn"
IT, CAME = "one that lies there", "came this turn"


class Newcomers:
    """The actions of one core that take something from where another action of the turn may have laid something."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        drawn = drawn_actions(core)
        self._laid = {(name, move.to.zone) for name, action in core.actions.items() if name not in drawn
                      for move in self._chosen(action)}  # fmt: skip
        self._drawn = drawn
        self._zones = set[str]()

    def made(self) -> Core:
        """The rules with what came in this turn left out, for another answer."""
        core = self._core
        if not self._laid:
            return core
        actions = {name: one if name in self._drawn else replace(one, params=tuple(
            self._narrowed(param, one) for param in one.params)) for name, one in core.actions.items()}  # fmt: skip
        if not self._zones:
            return core
        component = Elem(COMPONENT, 0, core.domains[COMPONENT].size - 1)
        where = next(iter(core.zones.values())).origin
        came = Var(CAME, (component,), Bool(), (False,) * (component.hi + 1), Role.REGISTER, where)
        actions = {name: one if name in self._drawn else replace(one, body=self._noted(one.body))
                   for name, one in actions.items()}  # fmt: skip
        marked = replace(core, vars={**core.vars, CAME: came}, actions=actions)
        return at_ends_of_turns(marked, tuple(self._forgotten(component)))

    def _narrowed(self, param: Param, action: Action) -> Param:
        """What an action takes from a place; for another answer only what did not come there in this turn."""
        places = [one.place for one in itself(param.source, Within)]
        taken = any(move.what == Local(param.name, move.what.type) for move in self._chosen(action))
        if not places or param.count is not None or places[0].spot is not None or not taken:
            return param
        zone = places[0].zone
        if not any(name != action.name and there == zone for name, there in self._laid):
            return param
        if not self._core.statements_in(action.origin.cites):
            return param
        test = self._others.test(WHICH_SET, BEFORE, action.origin, alone=True, act=action.label, there=zone)
        if test is None:
            return param
        self._zones.add(zone)
        (kind,) = walk(param.type, Elem)
        new = Get(CAME, (Local(IT, kind),), Bool())
        cond = Or((typed_operators.negate(test), typed_operators.negate(new)))
        return replace(param, source=Members(Where(IT, Within(places[0]), cond, SetOf(kind))))

    def _noted(self, block: Block) -> Block:
        """The same, with a note of what is laid where it may be taken from."""
        found: list[Stmt] = []
        for stmt in block:
            found.append(with_blocks(stmt, self._noted))
            found += [_noting(move) for move in itself(stmt, Move) if self._is_one(move)]
        return tuple(found)

    def _is_one(self, move: Move) -> bool:
        return move.to.zone in self._zones and _is_chosen(move)

    def _forgotten(self, component: Elem) -> Iterator[Stmt]:
        each = Local(IT, component)
        where = next(iter(self._core.zones.values())).origin
        came = Get(CAME, (each,), Bool())
        yield Each(IT, All(component), (Branch(came, (Put(CAME, (each,), typed_operators.FALSE, where),), (), where),),
                   where)  # fmt: skip

    def _chosen(self, action: Action) -> Iterator[Move]:
        """Where an action moves what it has chosen by itself."""
        names = {param.name for param in action.params}
        for move in statements(action.body, Move):
            if _is_chosen(move) and names & {one.name for one in walk(move.what, Local)}:
                yield move


def _noting(move: Move) -> Stmt:
    """Notes of what is moved, one or several, that it has come."""
    (kind,) = walk(move.what.type, Elem)
    if move.what.type is kind:
        return Put(CAME, (move.what,), typed_operators.TRUE, move.origin)
    each = Put(CAME, (Local(IT, kind),), typed_operators.TRUE, move.origin)
    return Each(IT, Members(move.what), (each,), move.origin)


def _is_chosen(move: Move) -> bool:
    return move.number is None and any(one is move.what for one in walk(move.what, Local)) and any(
        kind.domain == COMPONENT for kind in walk(move.what.type, Elem))  # fmt: skip
