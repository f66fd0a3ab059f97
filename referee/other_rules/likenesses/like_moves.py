"""What comes with a move in one action: another answer is that it comes with the like move of another action too.

An action does what it carries out: what stands behind a move in a procedure comes with that move too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

from referee.core.expr import Expr, Local
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Bind, Block, Branch, Decide, Move, Stmt, origin_of
from referee.core.traverse import bodies, called, drawn_actions, rewrite_each, statements, walk, with_blocks
from referee.core.types import Type
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.sibling_guards import SIBLINGS
from referee.other_rules.forms import as_a

WITH_IT_TOO = "what_comes_with_it_too"
A = TypeVar("A")
ME = "me"
_OF = "of the like action "


@dataclass(frozen=True, slots=True)
class _Extra:
    """An effect that another sentence than that of an action adds to a move of it, and the names it goes by; `actions`:
    those that do both, themselves or by what they carry out."""

    actions: tuple[Action, ...]
    params: Mapping[str, Type | object]
    move: Move
    binds: tuple[Bind, ...]
    effect: Branch


def with_effects_of_like_moves(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect that an action has behind a move, by a sentence about that; for another answer it
    comes too where another action moves something from a like place to a like place."""
    extras = [one for name in done(core) for one in _extras(core, core.actions[name])]
    extras += _extras_carried_out(core)
    changed, known = dict(core.actions), set[tuple[str, tuple[str, ...]]]()
    for extra in extras:
        for name in done(core):
            there = core.actions[name]
            asked = name, extra.effect.origin.cites
            if there in extra.actions or cites_of(core, there) & set(asked[1]) or asked in known:
                continue
            known.add(asked)
            changed[name] = replace(changed[name], body=_with(changed[name].body, extra, there, others))
    return replace(core, actions=changed)


def done(core: Core) -> list[str]:
    """The actions that somebody may take and that the rules write out."""
    drawn = drawn_actions(core)
    return [name for name in dict.fromkeys(option.action for body in bodies(core) for one in statements(body, Decide)
            for option in one.options) if name not in drawn and "." not in name and " " not in name]  # fmt: skip


def cites_of(core: Core, action: Action) -> set[str]:
    """What an action and the lines of it cite."""
    lines = (cite for one in statements(action.body) for cite in origin_of(one).cites)
    return {*core.statements_in((*action.origin.cites, *lines))}


def _extras(core: Core, action: Action) -> Iterator[_Extra]:
    own = set(core.statements_in(action.origin.cites))
    params = {param.name: param.type for param in action.params}
    yield from _behind_moves(core, action.body, own, (action,), params)


def _extras_carried_out(core: Core) -> Iterator[_Extra]:
    """What procedures do behind their moves that some actions alone carry out."""
    offered = [core.actions[name] for name in done(core)]
    elsewhere = called(core.procedures, (core.main,))
    for name, procedure in core.procedures.items():
        by = tuple(one for one in offered if name in called(core.procedures, (one.body,)))
        if by and name not in elsewhere:
            yield from _behind_moves(core, procedure.body, set(), by, dict(procedure.params))


def _behind_moves(core: Core, body: Block, own: Set[str], actions: tuple[Action, ...],
                  params: Mapping[str, Type | object]) -> Iterator[_Extra]:  # fmt: skip
    """The effects behind a move of a block by other sentences than that and `own`."""
    binds = list[Bind]()
    moved: Move | None = None
    for stmt in body:
        bind, branch = as_a(stmt, Bind), as_a(stmt, Branch)
        binds += [bind] if bind is not None and moved is None else []
        moved = as_a(stmt, Move) or moved
        if branch is None or moved is None or branch.no:
            continue
        cites = set(core.statements_in(branch.origin.cites))
        if cites and not cites & own and not cites & set(core.statements_in(moved.origin.cites)):
            yield _Extra(actions, params, moved, tuple(binds), branch)


def _with(block: Block, extra: _Extra, there: Action, others: OtherAnswers) -> Block:
    found: list[Stmt] = []
    for stmt in block:
        inner = with_blocks(stmt, lambda one: _with(one, extra, there, others))
        move = as_a(stmt, Move)
        bound = None if move is None else _matched(extra, move)
        if move is None or bound is None:
            found.append(inner)
            continue
        test = others.test(SIBLINGS, WITH_IT_TOO, move.origin, alone=True, also=extra.effect.origin,
                           here=_either(extra.actions), there=there.label)  # fmt: skip
        names = {one: f"{_OF}{one}" for one in (*bound, *(bind.name for bind in extra.binds))}
        before = (*(Bind(names[one], value, move.origin) for one, value in bound.items()),
                  *(Bind(names[one.name], _renamed(one.value, names), one.origin) for one in extra.binds))  # fmt: skip
        found.append(inner if test is None else Branch(
            test, (*before, move, _renamed(extra.effect, names)), (move,), move.origin))
    return tuple(found)


def _either(actions: Sequence[Action]) -> str:
    *most, last = (one.label for one in actions)
    return f"{', '.join(most)} or {last}" if most else last


def _renamed(part: A, names: Mapping[str, str]) -> A:
    return rewrite_each(part, Local, lambda one: replace(one, name=names[one.name]) if one.name in names else None,
                        lambda _: False)  # fmt: skip


def _matched(extra: _Extra, move: Move) -> dict[str, Expr] | None:
    """What the arguments of one action are in another, where its move is like; None if it is not, or not all are."""
    one = extra.move
    if (one.source.zone, one.to.zone) != (move.source.zone, move.to.zone) or one.number != move.number:
        return None
    params, found = extra.params, dict[str, Expr]()
    pairs = [*zip(one.source.keys, move.source.keys, strict=True), *zip(one.to.keys, move.to.keys, strict=True),
             (one.source.spot, move.source.spot), (one.to.spot, move.to.spot), (one.what, move.what)]  # fmt: skip
    if not all(_fits(pattern, value, params, found) for pattern, value in pairs):
        return None
    used = locals_of((extra.effect, tuple(bind.value for bind in extra.binds))) & params.keys()
    return {name: found[name] for name in used} if used <= found.keys() else None


def _fits(pattern: object, value: object, params: Mapping[str, Type | object], found: dict[str, Expr]) -> bool:
    """Whether a value is a pattern with something in the place of each argument, which is noted."""
    named = as_a(pattern, Local)
    if named is not None:
        if named.name in params:
            known = found.setdefault(named.name, value)  # type: ignore[arg-type]  # what stands for one is one
            return known == value
        return named.name != ME or named == value
    if isinstance(pattern, tuple) and isinstance(value, tuple):
        return len(pattern) == len(value) and all(
            _fits(one, other, params, found) for one, other in zip(pattern, value, strict=True))
    if type(pattern) is not type(value):
        return False
    if is_dataclass(pattern) and any(True for _ in walk(pattern, Local)):
        return all(_fits(getattr(pattern, one.name), getattr(value, one.name), params, found)
                   for one in fields(pattern) if one.compare and one.name != "type")  # fmt: skip
    return pattern == value
