"""The one traversal of core and flow: what stands in a node, everything in it, and a node with parts replaced.

It is driven by the fields that the kinds declare, so that a new kind, or a new field of one, is gone through without a
line here. Types and places in the rules (`type`, `origin`, `span`) are no parts; `types` goes through the types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeVar, assert_never, get_args, get_type_hints, overload

from referee.core import expr, flow, ruleset, types
from referee.core import stmt as statement
from referee.core.expr import Expr
from referee.core.ruleset import Core
from referee.core.stmt import Block, Stmt

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
S = TypeVar("S", bound=Stmt)

_BESIDES = frozenset({"type", "origin", "span"})
_TYPES = get_args(types.Type)
_EXPRESSIONS = get_args(Expr)


class _Fields(NamedTuple):
    """The fields of a kind of node: those that may hold parts, and those of them that hold a block, or may; and the
    first again from the last on."""

    parts: tuple[str, ...]
    blocks: tuple[str, ...]
    backward: tuple[str, ...]


_KNOWN: dict[type[Any], _Fields | None] = {}


def _fields(node: object) -> _Fields | None:
    """What the kind of a node declares; None for what is no node."""
    kind = type(node)
    try:
        return _KNOWN[kind]
    except KeyError:
        return _KNOWN.setdefault(kind, _declared(kind))


def _declared(kind: type[Any]) -> _Fields | None:
    if not is_dataclass(kind):
        return None
    names = {name: one for module in (types, expr, statement, ruleset, flow) for name, one in vars(module).items()}
    hints = get_type_hints(kind, localns=names)
    parts = tuple(name for name, hint in hints.items() if name not in _BESIDES and _holds_nodes(hint))
    blocks = tuple(name for name, hint in hints.items() if Block in (hint, *get_args(hint)))
    return _Fields(parts, blocks, parts[::-1])


def _holds_nodes(hint: Any) -> bool:
    """Whether a field of this type may hold a node, alone or in a tuple."""
    return is_dataclass(hint) or any(map(_holds_nodes, get_args(hint)))


def children(node: object) -> Iterator[object]:
    """The nodes right inside a node (or a tuple of them), in the order of its fields."""
    found = _fields(node)
    inside: Sequence[object] = () if found is None else [getattr(node, name) for name in found.parts]
    for one in node if isinstance(node, tuple) else inside:
        if isinstance(one, tuple):
            yield from children(one)
        elif _fields(one) is not None:
            yield one


@overload
def walk(node: object, /) -> Iterator[object]: ...
@overload
def walk(node: object, kind: type[A], /) -> Iterator[A]: ...
@overload
def walk(node: object, kind: type[A], other: type[B], /) -> Iterator[A | B]: ...
@overload
def walk(node: object, kind: type[A], other: type[B], third: type[C], /) -> Iterator[A | B | C]: ...
@overload
def walk(
    node: object, kind: type[A], other: type[B], third: type[C], fourth: type[D], /
) -> Iterator[A | B | C | D]: ...
def walk(node: object, /, *kinds: type[Any]) -> Iterator[Any]:
    """A node (or a tuple of them) and everything in it, outer ones first; of these kinds alone, if any are named."""
    open_: list[Any] = [node]
    known = _KNOWN
    while open_:
        one = open_.pop()
        kind = type(one)
        if kind is tuple:
            open_ += one[::-1]
            continue
        if one is None:
            continue
        found = known[kind] if kind in known else _fields(one)
        if found is None:
            if isinstance(one, tuple):
                open_ += reversed(one)
            continue
        if not kinds or isinstance(one, kinds):
            yield one
        for name in found.backward:
            open_.append(getattr(one, name))


@overload
def itself(node: object, kind: type[A], /) -> Iterator[A]: ...
@overload
def itself(node: object, kind: type[A], other: type[B], /) -> Iterator[A | B]: ...
def itself(node: object, /, *kinds: type[Any]) -> Iterator[Any]:
    """A node that is of one of these kinds, and nothing if it is of another: what is inside it does not count."""
    if isinstance(node, kinds):
        yield node


def outermost(nodes: Iterable[object], kinds: frozenset[type[Any]]) -> Iterator[Any]:
    """Of nodes and everything in them those of exactly these kinds that stand in no other of them, in order."""
    open_: list[Any] = list(nodes)
    open_.reverse()
    known = _KNOWN
    while open_:
        one = open_.pop()
        kind = type(one)
        if kind is tuple:
            open_ += one[::-1]
            continue
        if one is None:
            continue
        if kind in kinds:
            yield one
            continue
        found = known[kind] if kind in known else _fields(one)
        if found is None:
            if isinstance(one, tuple):
                open_ += reversed(one)
            continue
        for name in found.backward:
            open_.append(getattr(one, name))


def conjuncts(cond: Expr) -> Iterator[Expr]:
    """What of a condition is joined by `and`, in order: all of it has to hold."""
    match cond:
        case expr.And(parts):
            for part in parts:
                yield from conjuncts(part)
        case (expr.Const() | expr.Local() | expr.Get() | expr.Look() | expr.Op() | expr.Or() | expr.If() | expr.At()
              | expr.Fold() | expr.Where() | expr.Connected() | expr.Split() | expr.Let() | expr.Only() | expr.After()):
            yield cond
        case _:
            assert_never(cond)


def expressions(node: object) -> Iterator[Expr]:
    """Every expression in a node, or the node itself, outer ones first."""
    found: Iterator[Any] = walk(node, *_EXPRESSIONS)
    return found


def types_in(node: object) -> Iterator[types.Type]:
    """The type of every part of a node that has one, and every type that a source goes through, in no order."""
    for one in walk(node):
        if isinstance(one, _TYPES):
            yield one
        kind = getattr(one, "type", None)
        yield from walk(kind)  # type: ignore[misc]  # a type holds nothing but types


def rewrite(node: A, change: Callable[[object], object | None]) -> A:
    """The node with what `change` gives in place of each part; where it gives None, the part is looked into.

    What is put in is not looked into. A part in which nothing changes stays the same object.
    """
    made: Any = _rewritten(node, change)
    return made  # type: ignore[no-any-return]


def rewrite_each(
    node: A, kind: type[B], change: Callable[[B], object | None], stays: Callable[[object], bool]
) -> A:
    """The same for the parts of one kind alone; no other part is looked into that `stays`."""
    return rewrite(
        node, lambda part: change(part) if isinstance(part, kind) else part if stays(part) else None
    )


def rewrite_expressions(node: A, change: Callable[[Any], Expr]) -> A:
    """The node with what `change` gives in place of each outermost expression."""
    return rewrite(node, lambda part: change(part) if type(part) in _EXPRESSIONS else None)


def _rewritten(node: Any, change: Callable[[object], object | None]) -> object:
    if isinstance(node, tuple):
        parts = tuple(_rewritten(one, change) for one in node)
        return node if all(a is b for a, b in zip(node, parts, strict=True)) else parts
    declared = _fields(node)
    if declared is None:
        return node
    found = change(node)
    if found is not None:
        return found
    new = {name: _rewritten(getattr(node, name), change) for name in declared.parts}
    changed = {name: one for name, one in new.items() if one is not getattr(node, name)}
    return replace(node, **changed) if changed else node


# ---------------------------------------------------------------------- blocks
def inner_blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks that stand inside a statement."""
    return tuple(block for _, block in _inner(stmt))


def with_blocks(stmt: S, change: Callable[[Block], Block]) -> S:
    """A statement with what `change` gives in place of each block that stands right inside it."""
    changed: dict[str, Any] = {name: change(block) for name, block in _inner(stmt)}
    return replace(stmt, **changed) if changed else stmt


def _inner(stmt: Stmt) -> Iterator[tuple[str, Block]]:
    declared = _fields(stmt)
    assert declared is not None
    for name in declared.blocks:
        block = getattr(stmt, name)
        if block is not None:
            yield name, block


@overload
def statements(block: Block, /) -> Iterator[Stmt]: ...
@overload
def statements(block: Block, kind: type[A], /) -> Iterator[A]: ...
@overload
def statements(block: Block, kind: type[A], other: type[B], /) -> Iterator[A | B]: ...
@overload
def statements(block: Block, kind: type[A], other: type[B], third: type[C], /) -> Iterator[A | B | C]: ...
def statements(block: Block, /, *kinds: type[Any]) -> Iterator[Any]:
    """Every statement of a block, outer ones first; of these kinds alone, if any are named."""
    return (stmt for stmt, _ in nested(block) if not kinds or isinstance(stmt, kinds))


def nested(block: Block) -> Iterator[tuple[Stmt, int]]:
    """Every statement of a block, outer ones first, with the number of blocks around it."""
    open_ = [(iter(block), 0)]
    while open_:
        rest, around = open_[-1]
        stmt = next(rest, None)
        if stmt is None:
            open_.pop()
            continue
        yield stmt, around
        open_.extend((iter(inner), around + 1) for inner in reversed(inner_blocks(stmt)) if inner)


def blocks(block: Block) -> Iterator[Block]:
    """A block and every one inside it, outer ones first."""
    yield block
    for stmt in statements(block):
        yield from (inner for inner in inner_blocks(stmt) if inner)


# ---------------------------------------------------------------------- a whole ruleset
def rules_of(core: Core) -> tuple[object, ...]:
    """Everything that a ruleset says, but for what it declares."""
    parts = (core.main, tuple(core.actions.values()), tuple(core.procedures.values()), core.invariants, core.score)
    limits = tuple(zone.limit for zone in core.zones.values())
    return (*parts, limits, tuple(core.watched.values()), core.relations)


def bodies(core: Core) -> tuple[Block, ...]:
    """The blocks of a ruleset that stand in no other: the game itself, its actions and its procedures."""
    actions, procedures = core.actions.values(), core.procedures.values()
    return (core.main, *(one.body for one in actions), *(one.body for one in procedures))


def in_play(core: Core, change: Callable[[Block], Block]) -> Core:
    """A ruleset with what `change` gives in place of each block that stands in no other, but for set-up."""
    return replace(
        core, main=(*core.main[: core.setup], *change(core.main[core.setup :])),
        actions={name: replace(one, body=change(one.body)) for name, one in core.actions.items()},
        procedures={name: replace(one, body=change(one.body)) for name, one in core.procedures.items()},
    )  # fmt: skip


class Change(Protocol):
    """Gives something in place of a node of any kind, and of the same kind."""

    def __call__(self, node: A, /) -> A: ...


def in_all_play(core: Core, change: Change) -> Core:
    """The same of all that play is: of the conditions and choices of actions too."""
    return replace(
        core, main=(*core.main[: core.setup], *change(core.main[core.setup :])),
        actions={name: change(one) for name, one in core.actions.items()},
        procedures={name: change(one) for name, one in core.procedures.items()},
    )  # fmt: skip


def in_course(core: Core, change: Callable[[Block], Block]) -> Core:
    """Like `in_play` of the course of play alone: of the game itself and its procedures, and not of what actions do."""
    return replace(
        core, main=(*core.main[: core.setup], *change(core.main[core.setup :])),
        procedures={name: replace(one, body=change(one.body)) for name, one in core.procedures.items()},
    )  # fmt: skip


def drawn_actions(core: Core) -> frozenset[str]:
    """The names of the actions that chance carries out."""
    return frozenset(one.action for body in bodies(core) for one in statements(body, statement.Chance))


def called(procedures: Mapping[str, statement.Procedure], blocks_: Iterable[Block]) -> set[str]:
    """The names of all procedures that some blocks carry out, also by way of others."""
    found: set[str] = set()
    open_ = list(blocks_)
    while open_:
        calls = {call.procedure for call in statements(open_.pop(), statement.Call)} - found
        open_.extend(procedures[name].body for name in calls if name in procedures)
        found |= calls
    return found


def carried_out(procedures: Mapping[str, statement.Procedure], block: Block) -> tuple[Block, ...]:
    """A block, and the bodies of all procedures that it carries out, in the order of their names."""
    return (block, *(procedures[name].body for name in sorted(called(procedures, (block,)))))


def offered(core: Core, block: Block) -> set[str]:
    """The names of the actions that somebody may choose in a block, or in what it carries out."""
    return {option.action for one in carried_out(core.procedures, block)
            for asked in statements(one, statement.Decide) for option in asked.options}
