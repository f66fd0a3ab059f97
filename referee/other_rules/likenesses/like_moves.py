"""What comes with a move in one action: another answer is that it comes with the like move of another action too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

from referee.core.expr import Expr, Local, Or
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Bind, Block, Branch, Decide, Guard, Move, Stmt, origin_of
from referee.core.traverse import bodies, drawn_actions, rewrite_each, statements, walk, with_blocks
from referee.core.types import Type
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.guard_answers import said
from referee.other_rules.conditions.sibling_guards import SIBLINGS
from referee.other_rules.forms import as_a, with_value

WITH_IT_TOO, HERE_AS_WELL = "what_comes_with_it_too", "where_it_leads_too"
A = TypeVar("A")
ME = "me"
_OF = "of the like action "


@dataclass(frozen=True, slots=True)
class _Extra:
    """An effect that another sentence than that of an action adds to a move of it, and the names it goes by."""

    action: Action
    move: Move
    binds: tuple[Bind, ...]
    effect: Branch


def with_effects_of_like_moves(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect that an action has behind a move, by a sentence about that; for another answer it
    comes too where another action moves something from a like place to a like place."""
    extras = [one for name in _done(core) for one in _extras(core, core.actions[name])]
    changed, known = dict(core.actions), set[tuple[str, tuple[str, ...]]]()
    for extra in extras:
        for name in _done(core):
            there = core.actions[name]
            asked = name, extra.effect.origin.cites
            if name == extra.action.name or _cites(core, there) & set(asked[1]) or asked in known:
                continue
            known.add(asked)
            changed[name] = replace(changed[name], body=_with(changed[name].body, extra, there, others))
    return replace(core, actions=changed)


def _done(core: Core) -> list[str]:
    """The actions that somebody may take and that the rules write out."""
    drawn = drawn_actions(core)
    return [name for name in dict.fromkeys(option.action for body in bodies(core) for one in statements(body, Decide)
            for option in one.options) if name not in drawn and "." not in name and " " not in name]  # fmt: skip


def _cites(core: Core, action: Action) -> set[str]:
    """What an action and the lines of it cite."""
    lines = (cite for one in statements(action.body) for cite in origin_of(one).cites)
    return {*core.statements_in((*action.origin.cites, *lines))}


def _extras(core: Core, action: Action) -> Iterator[_Extra]:
    own = set(core.statements_in(action.origin.cites))
    binds = list[Bind]()
    moved: Move | None = None
    for stmt in action.body:
        bind, branch = as_a(stmt, Bind), as_a(stmt, Branch)
        binds += [bind] if bind is not None and moved is None else []
        moved = as_a(stmt, Move) or moved
        if branch is None or moved is None or branch.no:
            continue
        cites = set(core.statements_in(branch.origin.cites))
        if cites and not cites & own and not cites & set(core.statements_in(moved.origin.cites)):
            yield _Extra(action, moved, tuple(binds), branch)


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
                           here=extra.action.label, there=there.label)  # fmt: skip
        names = {one: f"{_OF}{one}" for one in (*bound, *(bind.name for bind in extra.binds))}
        before = (*(Bind(names[one], value, move.origin) for one, value in bound.items()),
                  *(Bind(names[one.name], _renamed(one.value, names), one.origin) for one in extra.binds))  # fmt: skip
        found.append(inner if test is None else Branch(
            test, (*before, move, _renamed(extra.effect, names)), (move,), move.origin))
    return tuple(found)


def _renamed(part: A, names: Mapping[str, str]) -> A:
    return rewrite_each(part, Local, lambda one: replace(one, name=names[one.name]) if one.name in names else None,
                        lambda _: False)  # fmt: skip


def _matched(extra: _Extra, move: Move) -> dict[str, Expr] | None:
    """What the arguments of one action are in another, where its move is like; None if it is not, or not all are."""
    one = extra.move
    if (one.source.zone, one.to.zone) != (move.source.zone, move.to.zone) or one.number != move.number:
        return None
    params = {param.name: param.type for param in extra.action.params}
    found: dict[str, Expr] = {}
    pairs = [*zip(one.source.keys, move.source.keys, strict=True), *zip(one.to.keys, move.to.keys, strict=True),
             (one.what, move.what)]  # fmt: skip
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


def with_conditions_on_like_places(core: Core, others: OtherAnswers) -> Core:
    """The rules with each condition of an action on where it leads, by a sentence about the place; for another answer
    it holds too for an action that lays something at such a place."""
    changed = dict(core.actions)
    offered = _done(core)
    for name, guard, param in [(one, *found) for one in offered for found in _on_places(core, one)]:
        for other in offered:
            there = core.actions[other]
            if other == name or _cites(core, there) & set(guard.origin.cites) or any(
                set(one.origin.cites) & set(guard.origin.cites) for one in there.guards):
                continue
            value = _led_to(core.actions[name], there, param)
            if value is None:
                continue
            test = others.test(SIBLINGS, HERE_AS_WELL, guard.origin, alone=True, also=there.origin, apart=other,
                               here=core.actions[name].label, there=there.label, label=said(guard))  # fmt: skip
            if test is None:
                continue
            cond = with_value(guard.cond, param, value)
            more = replace(guard, cond=Or((typed_operators.negate(test), cond)), shows=())
            changed[other] = replace(changed[other], guards=(*changed[other].guards, more))
    return replace(core, actions=changed)


def _on_places(core: Core, name: str) -> Iterator[tuple[Guard, str]]:
    """The conditions of an action that speak of one argument alone, which is where it moves something to."""
    action = core.actions[name]
    own = set(core.statements_in((*action.origin.cites, *(cite for one in statements(action.body, Move)
                                                          for cite in one.origin.cites))))  # fmt: skip
    places = {param.name for param in action.params} & locals_of(tuple(
        key for move in statements(action.body, Move) for key in (*move.to.keys, move.to.spot)))  # fmt: skip
    for guard in action.guards:
        cites = set(core.statements_in(guard.origin.cites))
        named = locals_of(guard.cond) - {ME}
        if cites and not cites & own and len(named) == 1 and named <= places:
            yield guard, next(iter(named))


def _led_to(here: Action, there: Action, param: str) -> Expr | None:
    """Where another action moves something to, of the sort of an argument of this one, said by its own arguments."""
    wanted = next(one.type for one in here.params if one.name == param)
    known = {one.name for one in there.params} | {ME}
    found = [key for move in statements(there.body, Move) for key in (*move.to.keys, move.to.spot)
             if key is not None and key.type == wanted and locals_of(key) <= known]  # fmt: skip
    return found[0] if len(set(found)) == 1 else None
