"""Places that refill themselves: whenever an action or a procedure that took from one is done, it is filled up again.

`refilled from PILE` fills it card by card, until it is full or the pile is empty; `refilled by PROCEDURE` lets the
rules do it, which may be told at what place of a line something was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.frontend.names import tree_building as build
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, node, nodes, tried, word, words
from referee.syntax.syntax_tree import Node, Part, Word

_ENDS = ("action", "procedure")
_MOVES = ("move", "move_at_most", "move_all")


@dataclass(frozen=True, slots=True)
class _Refilled:
    """One zone, with what fills it: `refilled_from` or `refilled_by`."""

    declared: Node
    by: Node

    @property
    def name(self) -> str:
        return word(self.declared.parts[0]).text


def refills_written_out(symbols: Symbols, decls: Sequence[Node]) -> list[Node]:
    """The declarations with what refills places behind what takes from them. Errors are reported."""
    refilled = {one.name: one for decl in decls if decl.kind == "zones" for one in _declared(symbols, decl)}
    with_one = {word(decl.parts[0]).text for decl in decls if decl.kind == "procedure" and _params(decl) == 1}
    return [_filled(symbols, decl, refilled, with_one) if decl.kind not in ("zones", "define", "scenario") else decl
            for decl in decls]


def _declared(symbols: Symbols, decl: Node) -> Iterator[_Refilled]:
    for zone in nodes(decl, "zone"):
        by = first(zone, "refilled_from", "refilled_by")
        if by is None:
            continue
        if first(zone, "at_most") is None:
            symbols.reporter.error("RF01", "until how many lie there is it refilled?", by.span,
                                   hint="write `, at most 5` before it")
        else:
            yield _Refilled(zone, by)


def _params(decl: Node) -> int:
    group = first(decl, "proc_params")
    return sum(1 for _ in nodes(group, "proc_param")) if group is not None else 0


def _filled(symbols: Symbols, decl: Node, refilled: dict[str, _Refilled], with_one: set[str]) -> Node:
    """A declaration with each `refill ZONE` written out, and with what it takes from such a place filled at its end."""
    taken: dict[str, tuple[_Refilled, Node, Part]] = {}
    if decl.kind in _ENDS and refilled:
        sources = dict(_sources(decl))
        for move in _moves(decl):
            place, spot = _from_where(move, sources)
            zone = refilled.get(_named(place)) if place is not None else None
            if zone is not None and place is not None:
                taken.setdefault(symbols.text(place.span), (zone, place, spot))
    behind = [tried(lambda z=zone, p=place, s=spot: _refill(symbols, z, p, s, with_one))  # type: ignore[misc]
              for zone, place, spot in taken.values()]
    changed = _statements(symbols, decl, refilled, with_one)
    return replace(changed, parts=(*changed.parts, *(one for one in behind if one is not None))) if behind else changed


def _statements(symbols: Symbols, parent: Node, refilled: dict[str, _Refilled], with_one: set[str]) -> Node:
    """What stands in a block, with `refill ZONE` as what it does."""
    if parent.kind == "refill":
        done = tried(lambda: _said(symbols, parent, refilled, with_one))
        return done if done is not None else Node("nothing", (), parent.span)
    parts = tuple(_statements(symbols, part, refilled, with_one) if isinstance(part, Node) else part
                  for part in parent.parts)
    same = all(one is other for one, other in zip(parts, parent.parts, strict=True))
    return parent if same else replace(parent, parts=parts)


def _said(symbols: Symbols, stmt: Node, refilled: dict[str, _Refilled], with_one: set[str]) -> Node:
    place = node(stmt.parts[0])
    zone = refilled.get(_named(place))
    if zone is None:
        raise symbols.wrong("RF01", f"nothing is said of what refills `{symbols.text(place.span)}`", place.span,
                            hint="say it where the zone is declared: `, refilled from PILE`")
    return _refill(symbols, zone, place, None, with_one)


def _refill(symbols: Symbols, zone: _Refilled, place: Node, spot: Part, with_one: set[str]) -> Node:
    """What fills a place, as a statement. Raises Wrong."""
    span, cited = zone.by.span, tuple(nodes(zone.declared, "cite"))
    full = Node("is_state", (place, Word("IS_STATE", "is full", span)), span)
    if zone.by.kind == "refilled_by":
        name = word(zone.by.parts[1])
        told = spot if name.text in with_one else None
        if name.text in with_one and not (isinstance(told, Node) and told.kind in ("name", "int")):
            said = f"`{name.text}` is told from what place something was taken: that is a name or a number"
            raise symbols.wrong("RF01", said, place.span, hint=f"name it before: `let place = ...`, then `{zone.name} "
                                "at place`")
        args = [told] if isinstance(told, Node) else []
        done = build.carried_out(name.text, args, span)
        return Node("if_", (build.negated(full), build.body([done], (), span), *cited), span)
    pile, to = _owned(node(zone.by.parts[1]), place), place
    if zone.by.parts[2] is not None:
        to = Node("at", (place, node(zone.by.parts[2])), span)
    empty = Node("is_state", (pile, Word("IS_STATE", "is empty", span)), span)
    deal = Node("deal", (Word("INT", "1", span), pile, to, None, None), span)
    return Node("repeat", (Node("or_", (full, empty), span), None, None, *cited, build.body([deal], (), span)), span)


def _owned(pile: Node, place: Node) -> Node:
    """`PILE of owner` as the pile of whose place it is."""
    if pile.kind == "attr_of" and place.kind == "attr_of" and isinstance(pile.parts[1], Node):
        of = pile.parts[1]
        if of.kind == "name" and word(of.parts[0]).text == "owner":
            return replace(pile, parts=(pile.parts[0], place.parts[1]))
    return pile


def _sources(parent: Node) -> Iterator[tuple[str, Node]]:
    """From where what has a name in a block is taken: arguments of an action, and what somebody chooses."""
    for part in nodes(parent):
        if part.kind == "param":
            yield word(part.parts[0]).text, node(part.parts[2])
        elif part.kind == "choose" and part.parts[4] is not None:
            yield word(part.parts[4]).text, node(part.parts[3])
        else:
            yield from _sources(part)


def _moves(parent: Node) -> Iterator[Node]:
    """The moves in a block, wherever they stand in it."""
    for part in nodes(parent):
        if part.kind in _MOVES:
            yield part
        else:
            yield from _moves(part)


def _from_where(move: Node, sources: Mapping[str, Node]) -> tuple[Node | None, Part]:
    """The zone that a move shows to take from, and the place in it if it shows one."""
    whole, given = move.kind == "move_all", move.parts[-2]
    said = move.parts[0] if whole else given if isinstance(given, Node) else move.parts[-3]
    here = _place(node(said))
    known = sources.get(_named(here)) if here.kind == "name" else None
    here = here if known is None else _place(known)
    return (node(here.parts[0]), here.parts[1]) if here.kind == "at" else (here, None)


def _place(said: Node) -> Node:
    """Where what a phrase names lies."""
    while said.kind in ("group", "where", "in_place"):
        said = node(said.parts[-1 if said.kind == "in_place" else 0])
    return said


def _named(place: Node) -> str:
    """The name of the zone that a place is one of; empty if it is none."""
    named = next(words(place, "NAME"), None) if place.kind in ("name", "attr_of") else None
    return named.text if named is not None else ""
