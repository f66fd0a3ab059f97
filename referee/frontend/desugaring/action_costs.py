"""What an action costs: `costs "words": PRICE, unless C` is what it needs and what is paid first, in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.frontend.names import tree_building as build
from referee.frontend.names.tree_access import node, nodes
from referee.syntax.syntax_tree import Node, Part, Word

COSTS = ("costs", "costs_from", "costs_moved")


def costs_written_out(decls: Sequence[Node]) -> list[Node]:
    """The declarations with each cost of an action as a guard, and as a statement in its place."""
    return [_action(decl) if decl.kind == "action" and any(True for _ in nodes(decl, *COSTS)) else decl
            for decl in decls]


def _action(decl: Node) -> Node:
    parts: list[Part] = []
    for part in decl.parts:
        parts += _written(part) if isinstance(part, Node) and part.kind in COSTS else (part,)
    return replace(decl, parts=tuple(parts))


def _written(costs: Node) -> Iterator[Node]:
    """The guard and the payment of one cost."""
    span, cited = costs.span, tuple(nodes(costs, "cite"))
    payable, paying = _WAYS[costs.kind](costs)
    free = costs.parts[COSTS.index(costs.kind) + 2]
    exempt = free if isinstance(free, Node) and free.kind != "cite" else None
    cond = payable if exempt is None else Node("or_", (exempt, payable), span)
    yield Node("need", (costs.parts[0], None, cond, None, *cited), span)
    if exempt is None:
        yield build.line([paying], cited, span)
    else:
        yield Node("if_", (build.negated(exempt), build.body([paying], cited, span)), span)


def _price(costs: Node) -> tuple[Node, Node]:
    """A price as the ruleset says what one is."""
    span, price = costs.span, node(costs.parts[1])
    can, pays = Word("CAN_PAY", "can pay", span), Word("PAYS", "pays", span)
    return Node("can_pay", (build.me(span), can, price), price.span), Node("pays", (build.me(span), pays, price), span)


def _from(costs: Node) -> tuple[Node, Node]:
    """So many out of a counter."""
    amount, counter = node(costs.parts[1]), node(costs.parts[2])
    enough = Node("compare", (amount, Word("CMP", "<=", costs.span), counter), amount.span)
    return enough, Node("lower_", (counter, amount, None, None), costs.span)


def _moved(costs: Node) -> tuple[Node, Node]:
    """So many components out of a place."""
    what, place, to = (node(part) for part in costs.parts[1:4])
    if what.kind == "some_of":
        many = Node("how_many", (Word("HOW_MANY", "at least", what.span), *what.parts), what.span)
        there = Node("has", (place, Word("HAS", "has", what.span), many), what.span)
    else:
        there = Node("has_some", (place, Word("HAS", "has", what.span), what), what.span)
    return there, Node("move", (what, place, to), costs.span)


_WAYS = {"costs": _price, "costs_from": _from, "costs_moved": _moved}
