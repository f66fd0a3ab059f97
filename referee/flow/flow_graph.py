"""The graph while it grows: nodes, registers, and the tidying at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from referee.core.expr import Expr, Get
from referee.core.flow import Ask, Draw, Enclosure, Flow, Fork, Gather, Node, PointNode, Rule, Run, ways_on
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Block, Origin, Point, Put
from referee.core.types import PLAYER, Scalar, SetOf, Type
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.flow.progress_checks import TOO_LARGE
from referee.flow.register_starts import const, start_of

MAX_NODES = 50_000
"""Nodes of a flow: rules that make more are refused."""


class Graph:
    """Nodes by index, and the registers that they use."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.vars: dict[str, Var] = dict(core.vars)
        self._nodes: list[Node | None] = []
        self._registers: dict[tuple[object, ...], str] = {}
        self._calls: dict[int, tuple[str, ...]] = {}
        self._around: dict[int, tuple[Enclosure, ...]] = {}
        self._cleared: dict[tuple[str, Origin], tuple[Put, ...]] = {}

    def add(self, node: Node) -> int:
        """The index of a new node."""
        index = self.reserve()
        self._nodes[index] = node
        return index

    def point(self, node: PointNode, calls: tuple[str, ...], around: tuple[Enclosure, ...]) -> int:
        """The index of a new point, with the calls that lead to it and what stands around it."""
        index = self.add(node)
        self._calls[index] = calls
        self._around[index] = around
        return index

    def reserve(self) -> int:
        """An index whose node comes later, for loops."""
        if len(self._nodes) >= MAX_NODES:
            raise Problems((Diagnostic(TOO_LARGE, f"the course of the game has more than {MAX_NODES} steps",
                                       self.core.origin),))
        self._nodes.append(None)
        return len(self._nodes) - 1

    def fill(self, index: int, node: Node) -> None:
        """Gives a reserved index its node."""
        self._nodes[index] = node

    def run(self, body: Block, after: int) -> int:
        """A node that carries out statements and goes on; `after` itself if there are none."""
        return self.add(Run(body, after)) if body else after

    def register(self, owner: tuple[object, ...], name: str, kind: Type, origin: Origin, *,
                 keys: tuple[Scalar, ...] = (), role: Role = Role.REGISTER, title: str | None = None) -> str:
        """The name of the register of an owner, made at the first call. `title`: what people are shown."""
        known = self._registers.get(owner)
        if known is None:
            known = self._fresh(name)
            self._registers[owner] = known
            self.vars[known] = Var(known, keys, kind, start_of(kind), role, origin, title=title or name)
        return known

    def _fresh(self, name: str) -> str:
        if name not in self.vars and name not in self.core.zones:
            return name
        number = 2
        while f"{name} {number}" in self.vars:
            number += 1
        return f"{name} {number}"

    def read(self, register: str, *keys: Expr) -> Get:
        """The value of a register."""
        return Get(register, keys, self.vars[register].type)

    def put(self, register: str, value: Expr, origin: Origin, *keys: Expr) -> Put:
        """Stores a value in a register."""
        return Put(register, keys, value, origin)

    def clear(self, registers: Iterable[str], origin: Origin) -> Block:
        """Sets registers back to their start values: equal positions are equal states."""
        made: list[Put] = []
        for name in registers:
            if (name, origin) not in self._cleared:  # a body is written out wherever it is carried out
                self._cleared[name, origin] = tuple(self._back_to_start(self.vars[name], origin))
            made += self._cleared[name, origin]
        return tuple(made)

    @staticmethod
    def _back_to_start(var: Var, origin: Origin) -> Iterator[Put]:
        value = const(start_of(var.type), var.type)
        if not var.keys:
            yield Put(var.name, (), value, origin)
        else:
            (key,) = var.keys
            yield from (Put(var.name, (const(at, key),), value, origin) for at in range(key.lo, key.hi + 1))

    def players(self) -> SetOf:
        """The type of a set of players."""
        return SetOf(self.core.domains[PLAYER].whole)

    def finish(self, start: int, play: int) -> Flow:
        """The flow from `start`: runs joined, unreachable nodes dropped, numbered in the order of the walk.

        `play` is where set-up is over.
        """
        nodes = {index: node for index, node in enumerate(self._nodes) if node is not None}
        walk = _reachable(nodes, play, into_loops=True)
        opening = next((index for index in walk if _is_decision(nodes[index])), None)
        _join(nodes, start)
        order = _reachable(nodes, start)
        number = {old: new for new, old in enumerate(order)}
        renumbered = tuple(_renumber(nodes[old], number) for old in order)
        first = None if opening is None else number.get(opening)
        calls = {number[old]: found for old, found in self._calls.items() if old in number and found}
        around = {number[old]: found for old, found in self._around.items() if old in number and found}
        return Flow(self.core, renumbered, number[start], self.vars, first, calls, around)


def _is_decision(node: Node) -> bool:
    """Whether a player is asked here, between actions."""
    return isinstance(node, Ask | Gather) and node.point.rest


def _reachable(nodes: dict[int, Node], start: int, *, into_loops: bool = False) -> list[int]:
    """The nodes that can be come to, in the order of the walk; `into_loops`: a loop before what is behind it."""
    found = {start: None}
    todo = [start]
    while todo:
        index = todo.pop()
        found.setdefault(index)
        ways = ways_on(nodes[index])
        if into_loops:  # only the head of a loop is made before what it leads to: before its body
            ways = tuple(sorted(ways, key=lambda after: after < index))
        todo.extend(after for after in reversed(ways) if after not in found)
    return list(found)


def _join(nodes: dict[int, Node], start: int) -> None:
    """Joins a run with the run after it, if that has no other way in."""
    ways: dict[int, int] = {start: 1}
    for index in _reachable(nodes, start):
        for after in ways_on(nodes[index]):
            ways[after] = ways.get(after, 0) + 1
    for index in _reachable(nodes, start):
        node = nodes.get(index)
        while isinstance(node, Run):
            follower = nodes[node.next]
            if not isinstance(follower, Run) or ways[node.next] != 1:
                break
            del nodes[node.next]
            node = nodes[index] = Run(node.body + follower.body, follower.next)


def _renumber(node: Node, number: dict[int, int]) -> Node:
    match node:
        case Run() | Rule():
            return replace(node, next=number[node.next])
        case Gather():
            parts = tuple((actors, replace(one, next=number[node.next])) for actors, one in node.parts)
            return replace(node, parts=parts, next=number[node.next])
        case Fork():
            return replace(node, yes=number[node.yes], no=number[node.no])
        case Ask():
            alternatives = tuple(replace(one, next=number[one.next]) for one in node.alternatives)
            otherwise = None if node.otherwise is None else number[node.otherwise]
            return replace(node, alternatives=alternatives, otherwise=otherwise)
        case Draw():
            return replace(node, alternative=replace(node.alternative, next=number[node.alternative.next]))
        case _:
            assert_never(node)


def last_point(core: Core) -> Point:
    """The point that is reached when the rules have nothing more to say."""
    return Point("end of the rules", True, Origin(core.origin))
