"""What not everybody knows, by the text of the rules: what follows from secret choices and rolls, or lies hidden.

In doubt a value counts as secret. Not followed is what can be told from which question is asked at all: whoever is
asked, and what for, is an event that all see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from referee.core.expr import Expr, Fold, FoldKind, Get, Local, Place, Within
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.ruleset import Core, Role, Var, Zone
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
    Merge,
    Move,
    Procedure,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import walk
from referee.system.lazy_dataclasses import dataclass

Names = frozenset[str]
_OWN = frozenset({Role.REGISTER, Role.COUNTER})
"""The roles of variables that have no sight of their own: they are as secret as what is stored in them."""


@dataclass(frozen=True, slots=True)
class _Hangs:
    """What a value hangs on: locals, variables, and whether it looks into a place that not everybody sees."""

    locals: Names
    variables: Names
    hidden: bool


class Secrecy:
    """What is secret in a ruleset. `variables`: counters that not everybody sees, and names of secret values; `spots`:
    slots that not everybody sees, of which it is secret even which spots are taken."""

    def __init__(self, variables: Mapping[str, Var], zones: Mapping[str, Zone], actions: Mapping[str, Action],
                 procedures: Mapping[str, Procedure], blocks: Iterable[Block]) -> None:
        self.variables = {name for name, var in variables.items() if var.seen_by is not None}
        self.spots: set[str] = set()
        self._defs = variables
        self._zones = zones
        self._given: dict[str, set[str]] = {name: set() for name in (*actions, *procedures)}
        self._hidden_calls: set[str] = set()
        self._results: dict[str, set[str]] = {name: set() for name in procedures}
        self._procedures = procedures
        self._known: dict[int, tuple[object, _Hangs]] = {}
        before = -1
        while before != (before := self._size()):
            for block in blocks:
                self._block(block, set(), False)
            for action in actions.values():
                known = {param.name for param in action.params if param.seen is not None}
                self._block(action.body, known | self._given[action.name], False)
            for one in procedures.values():
                local = set(self._given[one.name])
                self._block(one.body, local, one.name in self._hidden_calls)
                self._results[one.name] |= local & {name for name, _ in one.results}

    def is_secret(self, node: object, known: set[str] | Names) -> bool:
        """Whether a value may hang on what not everybody knows. `known`: the locals that stand for secrets."""
        hangs = self._hangs_on(node)
        return hangs.hidden or bool(hangs.locals & known or hangs.variables & self.variables)

    def _hangs_on(self, node: object) -> _Hangs:
        """What a value hangs on. What was woven in behind many statements is one object, and is gone through once."""
        kept = self._known.get(id(node))
        if kept is None:
            kept = node, self._looked_at(node)
            self._known[id(node)] = kept  # with the node, so that no other one gets its id
        return kept[1]

    def _looked_at(self, node: object) -> _Hangs:
        local, variables, hidden, counted = set[str](), set[str](), list[Place](), set[int]()
        for one in walk(node, Local, Get, Place, Fold):
            match one:
                case Local(name):
                    local.add(name)
                case Get(var):
                    variables.add(var)
                case Place(zone):
                    hidden += () if self._zones[zone].sight.everybody else (one,)
                case Fold():
                    counted |= _counted_by(one)
                case _:
                    assert_never(one)
        return _Hangs(frozenset(local), frozenset(variables), any(id(place) not in counted for place in hidden))

    def carried_out(self, block: Block) -> None:
        """Takes in one block more, which binds no name of another one."""
        self._block(block, set(), False)

    def _size(self) -> int:
        given = sum(map(len, self._given.values())) + sum(map(len, self._results.values()))
        return len(self.variables) + len(self.spots) + len(self._hidden_calls) + given

    def _block(self, block: Block, known: set[str], within: bool) -> None:
        """`known`: the secret locals, to which those are added that the block binds; `within`: that the block is
        carried out at all is a secret."""
        for stmt in block:
            self._stmt(stmt, known, within)

    def _stmt(self, stmt: Stmt, known: set[str], within: bool) -> None:
        match stmt:
            case Put(var, keys, value):
                if self._defs[var].role in _OWN and (within or self.is_secret((*keys, value), known)):
                    self.variables.add(var)
            case Move(_, _, source, to):
                for place in (source, to):
                    if place.spot is not None and (within or self.is_secret(place.spot, known)):
                        self._hide(place.zone)
            case Swap(one, other):
                if {one.zone, other.zone} & self.spots:
                    self._hide(one.zone, other.zone)
            case Bind(name, value):
                known |= {name} if within or self.is_secret(value, known) else set()
            case Branch(cond, yes, no):
                inside = within or self.is_secret(cond, known)
                self._block(yes, set(known), inside)
                self._block(no, set(known), inside)
            case Each(var, source, body):
                hidden = self.is_secret(source, known)
                self._block(body, known | {var} if hidden else set(known), within or hidden)
            case Repeat(until, body):
                self._block(body, set(known), within or self.is_secret(until, known))
            case Decide(_, _, options, otherwise):
                for option in options:
                    self._fix(option.action, option.bound, known)
                self._block(otherwise or (), set(known), within)
            case Chance(_, action, bound):
                self._fix(action, bound, known)
            case Commit(_, parts, hidden, revealed, once):
                if hidden and not (revealed and once is None):
                    self.variables |= {name for part in parts for name in part.into}
            case Call(procedure, args, results):
                head = self._procedures[procedure]
                self._fix(procedure, zip((name for name, _ in head.params), args, strict=True), known)
                self._hidden_calls |= {procedure} if within else set()
                known |= {name for name, (own, _) in zip(results, head.results, strict=True)
                          if own in self._results[procedure]}
            case Merge() | Unspecified() | Finish():
                pass
            case _:
                assert_never(stmt)

    def _fix(self, name: str, bound: Iterable[tuple[str, Expr]], known: set[str]) -> None:
        self._given[name] |= {local for local, value in bound if self.is_secret(value, known)}

    def _hide(self, *zones: str) -> None:
        self.spots |= {name for name in zones if not self._zones[name].sight.everybody}


def counted_places(node: object) -> set[int]:
    """The places in a part of the rules (by `id`) of which it only asks how many components lie there, which everybody
    knows."""
    return {place for fold in walk(node, Fold) for place in _counted_by(fold)}


def _counted_by(fold: Fold) -> set[int]:
    if fold.kind is not FoldKind.COUNT or fold.where is not None:
        return set()
    return {id(place) for place in walk(fold.source, Place)
            if fold.source == Within(place) and place.spot is None and place.end is None}


def secrecy_of(core: Core) -> Secrecy:
    """What is secret in a ruleset."""
    return Secrecy(core.vars, core.zones, core.actions, core.procedures, (core.main,))


def secret_variables(flow: Flow) -> Names:
    """The counters that not everybody sees, and the registers that may hold what not everybody knows."""
    core = flow.core
    found = Secrecy({**core.vars, **flow.vars}, core.zones, core.actions, core.procedures, (core.main,))
    before = -1
    while before != (before := len(found.variables)):
        for node in flow.nodes:
            match node:
                case Run(body):
                    found.carried_out(body)
                case Ask(_, _, alternatives):
                    found.variables |= {name for one in alternatives for name in _stored(found, one)}
                case Draw(_, alternative):
                    found.variables |= _stored(found, alternative)
                case Gather(_, parts, _, hidden, revealed, _, once):
                    if hidden and not (revealed and once is None):
                        found.variables |= {register for _, one in parts for register, _ in one.stores}
                case Fork() | Rule():
                    pass
                case _:
                    assert_never(node)
    return frozenset(found.variables)


def _stored(secrecy: Secrecy, one: Alternative) -> set[str]:
    """The registers that keep a secret when an alternative is taken."""
    known = {param.name for param in one.params if param.seen is not None}
    known |= {name for name, value in one.fixed if secrecy.is_secret(value, known)}
    return {register for register, local in one.stores if local in known}
