"""Flaws that rules cannot have: what the rules themselves rule out, without a look at any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from referee.analysis.case_chains import chains_of, leaves_nothing
from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, ways_on
from referee.core.ruleset import TURN, Core, Form
from referee.core.stmt import Gap, Merge, Move, Put, Unspecified
from referee.core.traverse import expressions, rules_of, walk
from referee.core.types import Bool, Elem, Int, Maybe, Type

GAP_MOVE, GAP_CASE, GAP_SUPPLY, UNDEFINED, UNBOUNDED = (
    "gap-move", "gap-case", "gap-supply", "undefined-value", "unbounded",
)  # fmt: skip


def open_places(flow: Flow, code: str) -> tuple[int, int] | None:
    """Of a class, how many places of the rules could have such a flaw, and of how many the rules do not rule it out.

    None for a class of which nothing is known beforehand.
    """
    look = _LOOKS.get(code)
    if look is None:
        return None
    sure = list(look(flow))
    return len(sure), sure.count(False)


def acting(flow: Flow) -> Iterator[tuple[int, Node, bool]]:
    """Where somebody acts: the node, and whether it is always possible there.

    Something without conditions is always possible; where the rules are through nothing is.
    """
    for at in reached(flow):
        node = flow.nodes[at]
        match node:
            case Ask():
                yield at, node, node.otherwise is not None or any(map(_always, node.alternatives))
            case Gather():
                yield at, node, all(_always(one) for _, one in node.parts)
            case Rule():
                if _through(node.gap):
                    yield at, node, False
            case Run() | Fork() | Draw():
                continue
            case _:
                assert_never(node)


def _through(gap: Gap) -> bool:
    """Whether the rules end there: then nothing is possible, where elsewhere somebody says what holds."""
    match gap:
        case Gap.OVER:
            return True
        case Gap.SAID | Gap.CASE | Gap.TIE | Gap.ORDER | Gap.WAY | Gap.WHOSE | Gap.ENDS:
            return False
        case _:
            assert_never(gap)


def _moves(flow: Flow) -> Iterator[bool]:
    return (sure for _, _, sure in acting(flow))


def _always(one: Alternative) -> bool:
    return not one.params and not one.guards


def reached(flow: Flow) -> list[int]:
    """The nodes to which a way leads from the start, whatever conditions say that are not fixed."""
    found, waiting = dict[int, None](), [flow.start]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found[at] = None
            node = flow.nodes[at]
            waiting.extend(() if isinstance(node, Rule) and node.candidates is None else ways_on(node))
    return list(found)


def _cases(flow: Flow) -> Iterator[bool]:
    """`depending on` without `otherwise`: sure if it has every value. What the rules call unspecified is not."""
    for chain in chains_of(flow.core):
        rest = chain.rest[0] if chain.rest else None
        if isinstance(rest, Unspecified) and rest.gap is Gap.CASE:
            yield leaves_nothing(chain)
    yield from (False for node in flow.nodes if isinstance(node, Rule) and node.gap is Gap.SAID)


def _supplies(flow: Flow) -> Iterator[bool]:
    """Draws and moves: none of them is sure."""
    yield from (False for node in flow.nodes if isinstance(node, Draw))
    yield from (False for one in walk(rules_of(flow.core), Move) if one.number is not None)


def _reads(flow: Flow) -> Iterator[bool]:
    """Values that may be missing, entries whose key may be none; a tie of none."""
    core = flow.core
    for one in expressions(rules_of(core)):
        match one:
            case Only(of=Get(var=var)) if var == TURN:
                yield True
            case Only() | At():
                yield False
            case Fold():
                if one.empty is None and _needs_members(one.kind):
                    yield False
            case Get(var=var, keys=keys):
                if var in flow.vars:
                    yield all(_within(key.type, kind) for key, kind in zip(keys, flow.vars[var].keys, strict=True))
            case Look(table=table, keys=keys):
                yield all(_within(key.type, kind) for key, kind in zip(keys, core.tables[table].keys, strict=True))
            case Const() | Local() | Op() | And() | Or() | If() | Where() | Connected() | Split() | Let() | After():
                continue
            case _:
                assert_never(one)
    yield from (False for node in flow.nodes if isinstance(node, Rule) and node.gap is Gap.TIE)


def _needs_members(kind: FoldKind) -> bool:
    """Whether a fold over nothing has no value by itself."""
    match kind:
        case FoldKind.MIN | FoldKind.MAX:
            return True
        case FoldKind.ANY | FoldKind.ALL | FoldKind.COUNT | FoldKind.SUM:
            return False
        case _:
            assert_never(kind)


def _stores(flow: Flow) -> Iterator[bool]:
    """Values that are stored: sure if the type of the variable has them all. Lines and slots have an end."""
    core = flow.core
    for one in walk(rules_of(core), Put, Move, Merge):
        match one:
            case Put(var, _, value):
                if var in flow.vars:
                    yield _within(value.type, flow.vars[var].type)
            case Move():
                yield _roomy(core, one.to.zone)
            case Merge():
                if not _roomy(core, one.to.zone):  # what is shuffled into a pile may be more than it holds
                    yield False


def _roomy(core: Core, name: str) -> bool:
    """True for a zone that has room for all components it admits."""
    zone = core.zones[name]
    admitted = sum(one.number for one in core.components if one.kind in zone.kinds)
    return zone.form is not Form.SLOTS and zone.capacity >= admitted


def _within(kind: Type, wider: Type) -> bool:
    """True if every value of a type is one of the other."""
    match kind, wider:
        case (Int(lo, hi), Int(low, high)) | (Elem(_, lo, hi), Elem(_, low, high)):
            return low <= lo and hi <= high
        case (_, Maybe(of)):
            return _within(kind.of if isinstance(kind, Maybe) else kind, of)
        case (Bool(), Bool()):
            return True
        case _:
            return kind == wider


_LOOKS: Mapping[str, Callable[[Flow], Iterator[bool]]] = {
    GAP_MOVE: _moves, GAP_CASE: _cases, GAP_SUPPLY: _supplies, UNDEFINED: _reads, UNBOUNDED: _stores,
}  # fmt: skip
